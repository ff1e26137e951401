// SPDX-License-Identifier: MIT
// aerogpu disasm: Direct3D 9 byte code as assembly.
#include "aerogpu/hosted/limits.hpp"
#include "tools/aerogpu/commands/commands.hpp"
#include "tools/aerogpu/files/files.hpp"
#include "tools/aerogpu/output/shader_listing.hpp"
#include "tools/aerogpu/terminal/console.hpp"
#include "tools/aerogpu/terminal/exit_code.hpp"

#include <algorithm>

namespace aerogpu::tool {

namespace {

auto print_disasm(const std::string& path) -> int {
  std::string why;
  const bool is_stdin = path == "-";
  constexpr std::size_t most_bytes = limits{}.shader_blob_bytes;
  const auto code =
      is_stdin ? read_standard_input(most_bytes, why) : read_file(path, most_bytes, why);
  if (!code) {
    complain(why);
    return exit_cannot;
  }
  const auto listing = list_shader(*code, why);
  if (!listing) {
    complain((is_stdin ? "stdin" : path) + ": " + why);
    return exit_stream_has_errors;
  }
  print(*listing);
  return exit_fine;
}

auto run_disasm(const arguments& given) -> int {
  int code = exit_fine;
  bool is_first = true;
  for (const std::string& path : given.operands()) {
    if (given.operands().size() > 1) print((is_first ? "; " : "\n; ") + path + "\n");
    is_first = false;
    code = std::max(code, print_disasm(path));
  }
  return code;
}

}  // namespace

const command disasm_command{{"disasm",
                              "FILE...",
                              "Prints Direct3D 9 shaders, as extract writes them, as assembly.\n\n"
                              "FILE is raw byte code, - is stdin. A comment on each line has the "
                              "index of its first\n"
                              "token. Declarations and definitions come first, wherever they "
                              "stood. A FILE of more than 4 MiB is\n"
                              "no shader.",
                              {},
                              1},
                             &run_disasm};

}  // namespace aerogpu::tool

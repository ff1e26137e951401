// SPDX-License-Identifier: MIT
// Prints docs/packets.md from the packet table, or checks that a file is what would be printed.
#include "aerogpu/stream/text/packets_markdown.hpp"

#include <cstdio>
#include <string>
#include <string_view>

namespace {

struct string_sink {
  std::string text;
  void append(std::string_view more) noexcept { text += more; }
};

auto read_file(const char* path, std::string& text) -> bool {
  std::FILE* file = std::fopen(path, "rb");
  if (file == nullptr) return false;
  char buffer[4096];
  for (std::size_t n; (n = std::fread(buffer, 1, sizeof buffer, file)) != 0;)
    text.append(buffer, n);
  const bool is_read = std::ferror(file) == 0;
  return std::fclose(file) == 0 && is_read;
}

/// What people wrote behind the generated part of a document: from this heading to the end.
auto notes_of(const std::string& document) -> std::string {
  const std::size_t begin = document.find("\n## Extension notes\n");
  return begin == std::string::npos ? "" : document.substr(begin);
}

constexpr std::string_view usage =
    "usage: gen_packets_doc             print the packet reference\n"
    "       gen_packets_doc FILE        print it with the extension notes that FILE ends with\n"
    "       gen_packets_doc --check F   exit 1 when F differs from it, notes apart\n";

}  // namespace

auto main(int count, char** arguments) -> int {
  const std::string_view option = count > 1 ? arguments[1] : "";
  const bool checks = option == "--check";
  if (count == 2 && option == "--help") {
    std::fputs(usage.data(), stdout);
    return 0;
  }
  if (count > 3 || (count == 3) != checks) {
    std::fputs(usage.data(), stderr);
    return 2;
  }
  std::string found;
  const char* const path = arguments[count - 1];
  if (count > 1 && !read_file(path, found)) {
    std::fprintf(stderr, "%s cannot be read\n", path);
    return 2;
  }
  string_sink wanted;
  aerogpu::append_packets_markdown(wanted);
  wanted.append(notes_of(found));
  if (!checks) {
    const bool is_written =
        std::fwrite(wanted.text.data(), 1, wanted.text.size(), stdout) == wanted.text.size();
    return is_written && std::fflush(stdout) == 0 ? 0 : 2;
  }
  if (found == wanted.text) return 0;
  std::fprintf(stderr, "%s is out of date\n", path);
  return 1;
}

// SPDX-License-Identifier: MIT
/// What the DLLs export by which names, from the files that the linker reads.
#include "drivers/win7/ddi/portable/portable_ddi.hpp"
#include "drivers/win7/ddi/user/d3dumddi.hpp"
#include "drivers/win7/ddi/user/entry_row.hpp"
#include "tests/catch.hpp"

#include <set>
#include <sstream>
#include <string>

namespace aerogpu::test {

namespace {

namespace u = d3d9ddi_u;

/// "Name" or "Name = Symbol" behind EXPORTS, without blanks; lines end in a semicolon.
[[nodiscard]] auto exports_of(const char* definition) -> std::set<std::string> {
  std::istringstream lines{definition};
  std::set<std::string> found;
  bool is_behind = false;
  for (std::string line; std::getline(lines, line, ';');) {
    std::erase(line, ' ');
    if (is_behind && !line.empty()) found.insert(line);
    is_behind = is_behind || line == "EXPORTS";
  }
  return found;
}

constexpr const char* ways_in[]{"OpenAdapter", "OpenAdapter2", "OpenAdapterFromHdc",
                                "OpenAdapterFromLuid"};

}  // namespace

TEST_CASE("the x86 driver exports its four ways in, plain and decorated", "[umd][T052]") {
  std::set<std::string> expected;
  for (const std::string name : ways_in) {
    expected.insert(name + "=" + name + "@4");
    expected.insert("_" + name + "@4=" + name + "@4");
  }
  CHECK(exports_of(AEROGPU_DEFINITIONS_X86) == expected);
  // A stdcall of one pointer.
  CHECK(ddi::stack_bytes<PFND3DDDI_OPENADAPTER> == 4);
  CHECK(ddi::stack_bytes<u::PFND3DDDI_OPENADAPTER2> == 4);
  CHECK(ddi::stack_bytes<u::PFND3DDDI_OPENADAPTERFROMHDC> == 4);
  CHECK(ddi::stack_bytes<u::PFND3DDDI_OPENADAPTERFROMLUID> == 4);
}

TEST_CASE("the x64 driver exports its four ways in as they are called", "[umd][T052]") {
  CHECK(exports_of(AEROGPU_DEFINITIONS_X64) ==
        std::set<std::string>(std::begin(ways_in), std::end(ways_in)));
}

}  // namespace aerogpu::test

// SPDX-License-Identifier: MIT
// What this compiler makes of the layouts beside the table that is checked in.
#include "drivers/win7/ddi/probe/abi_rows.hpp"
#include "drivers/win7/ddi/user/user_layout_asserts.hpp"
#include "tests/catch.hpp"

#include <cstdint>
#include <fstream>
#include <map>
#include <set>
#include <sstream>
#include <string>

namespace {

/// "size TYPE" and the like, and its bytes on x64.
[[nodiscard]] auto table_of_x64() -> std::map<std::string, std::uint32_t> {
  std::ifstream file{AEROGPU_ABI_TABLE};
  REQUIRE(file);
  std::map<std::string, std::uint32_t> rows;
  for (std::string line; std::getline(file, line);) {
    if (line.empty() || line.front() == '#') continue;
    std::istringstream words{line};
    std::string kind, name, x64;
    words >> kind >> name >> x64;
    if (kind == "export" || x64 == "-") continue;
    rows[kind + " " + name] = static_cast<std::uint32_t>(std::stoul(x64));
  }
  return rows;
}

}  // namespace

TEST_CASE("every size, offset and stack of the user-mode DDI is that of the table",
          "[ddi][user-mode][T054]") {
  static_assert(sizeof(void*) == 8);  // The other width is the table's and the cross compilers'.
  const auto table = table_of_x64();
  CHECK(table.size() > 1000);
  std::set<std::string> found;
  for (std::size_t at = 0; at < aerogpu::ddi::abi_row_count; ++at) {
    const aerogpu::ddi::abi_row& row = aerogpu::ddi::abi_rows[at];
    CAPTURE(row.text);
    const auto expected = table.find(row.text);
    REQUIRE(expected != table.end());
    CHECK(row.value == expected->second);
    found.insert(row.text);
  }
  CHECK(found.size() == table.size());  // Several rows of a union name one place.
}

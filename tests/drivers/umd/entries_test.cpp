/// Entries of the table whose rooms do not stand yet: a list that only shrinks.
#include "drivers/win7/umd/d3d9/front_m/device_table.hpp"
#include "tests/catch.hpp"
#include "tests/drivers/umd/fake_system.hpp"

#include <string>
#include <vector>

namespace aerogpu::umd::test {

namespace {

// A room that stands takes its names out.
const std::vector<std::string> not_built_yet{"DrawRectPatch", "DrawTriPatch", "Present"};

}  // namespace

TEST_CASE("no entry waits for its room but the listed ones", "[umd]") {
  fake_system system;
  D3DDDI_DEVICEFUNCS table;
  REQUIRE(front_m::fill_device_table(table));
  std::vector<std::string> waiting;
  for (const ddi::entry_row& row : ddi::device_entries) {
    if (front_m::is_not_built_yet(table, row.index)) waiting.emplace_back(row.name);
  }
  CHECK(waiting == not_built_yet);
}

}  // namespace aerogpu::umd::test

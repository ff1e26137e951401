// SPDX-License-Identifier: MIT
#include "aerogpu/hosted/object_table.hpp"

#include "aerogpu/core/ids.hpp"
#include "tests/catch.hpp"

#include <cstdint>
#include <memory>
#include <vector>

namespace aerogpu {
namespace {

struct thing {
  std::unique_ptr<int> value;
  std::uint64_t serial = 0;
};

}  // namespace

TEST_CASE("an object table keeps addresses and never repeats a serial", "[object_table]") {
  object_table<shader_handle, thing> table;
  std::vector<thing*> made;
  for (std::uint32_t i = 1; i <= 500; ++i) {
    REQUIRE(table.reserve_one());
    made.push_back(
        &table.insert(static_cast<shader_handle>(i), {std::make_unique<int>(static_cast<int>(i))}));
  }
  CHECK(table.size() == 500);
  for (std::uint32_t i = 1; i <= 500; ++i) {
    REQUIRE(table.find(static_cast<shader_handle>(i)) == made[i - 1]);
    CHECK(made[i - 1]->serial == i);
  }
  CHECK(*table.extract(shader_handle{7}).value == 7);
  CHECK(table.find(shader_handle{7}) == nullptr);
  REQUIRE(table.reserve_one());
  CHECK(table.insert(shader_handle{7}, {}).serial > 500);
  CHECK(table.find(shader_handle{}) == nullptr);
  table.clear();
  CHECK(table.size() == 0);
  CHECK(table.find(shader_handle{1}) == nullptr);
}

}  // namespace aerogpu

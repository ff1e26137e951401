// SPDX-License-Identifier: MIT
#include "aerogpu/processor/bindings/slot_mask.hpp"

#include "tests/catch.hpp"

#include <cstddef>
#include <cstdint>
#include <vector>

namespace aerogpu {

TEST_CASE("a slot mask holds its slots in order", "[slot_mask]") {
  slot_mask<128> mask;
  CHECK(mask.empty());
  CHECK(mask.limit() == 0);
  for (const std::size_t slot : {127u, 0u, 63u, 64u}) mask.insert(slot);
  std::vector<std::size_t> seen;
  mask.for_each([&](std::size_t slot) { seen.push_back(slot); });
  CHECK(seen == std::vector<std::size_t>{0, 63, 64, 127});
  CHECK(mask.limit() == 128);
  mask.erase(127);
  CHECK(mask.limit() == 65);
  CHECK_FALSE(mask.contains(127));
  CHECK_FALSE(mask.contains(1000));
  slot_mask<128> other;
  other.insert(5);
  mask |= other;
  CHECK(mask.contains(5));
  mask.clear();
  CHECK(mask.empty());
}

TEST_CASE("a slot mask holds no slot behind its last", "[slot_mask]") {
  slot_mask<128> mask;
  for (std::size_t slot = 0; slot < 128; ++slot) mask.insert(slot);
  CHECK(mask.contains(127));
  CHECK_FALSE(mask.contains(128));
  CHECK_FALSE(mask.contains(SIZE_MAX));
  CHECK(mask.limit() == 128);
  mask.erase(127);
  CHECK(mask.limit() == 127);
  CHECK_FALSE(mask.empty());
}

TEST_CASE("a visit of a slot mask ends with the first answer", "[slot_mask]") {
  slot_mask<128> mask;
  for (const std::size_t slot : {3u, 63u, 64u, 127u}) mask.insert(slot);
  for (const std::size_t last : {3u, 64u, 127u}) {
    std::vector<std::size_t> seen;
    const std::size_t answer = mask.for_each_until([&](std::size_t slot) -> std::size_t {
      seen.push_back(slot);
      return slot == last ? slot * 2 : 0;
    });
    CHECK(answer == last * 2);
    CHECK(seen.back() == last);
  }
  CHECK(mask.for_each_until([](std::size_t) { return 0; }) == 0);
}

}  // namespace aerogpu

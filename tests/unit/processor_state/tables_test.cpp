// SPDX-License-Identifier: MIT
#include "aerogpu/hosted/object_table.hpp"
#include "aerogpu/processor/bindings/slot_mask.hpp"
#include "aerogpu/processor/present_log.hpp"
#include "aerogpu/processor/state/constants.hpp"
#include "tests/catch.hpp"

#include <memory>
#include <vector>

namespace aerogpu {
namespace {

auto floats(std::size_t count, float value) -> std::vector<vec4f> {
  return std::vector<vec4f>(count, vec4f{value, value, value, value});
}
template <class T>
auto bytes_in(const std::vector<T>& values) -> const_bytes {
  return std::as_bytes(std::span{values});
}

struct thing {
  std::unique_ptr<int> value;
  std::uint64_t serial = 0;
};

}  // namespace

TEST_CASE("a constant file grows with what is written and stays bounded", "[processor]") {
  constant_file file;
  CHECK(file.view().floats.empty());
  CHECK(file.view().ints.empty());
  CHECK(file.view().bools.size() == bool_constant_count);
  const auto set = [&](std::size_t start, float value) {
    REQUIRE(file.grow_floats(start + 1));
    REQUIRE(file.set_floats(start, bytes_in(floats(1, value))));
  };
  CHECK_FALSE(file.has_floats(1));
  set(0, 1);
  CHECK(file.has_floats(256));
  CHECK(file.view().floats.size() == d3d9_float_constants);
  set(256, 2);
  CHECK(file.view().floats.size() == 512);
  set(4095, 3);
  CHECK(file.view().floats.size() == float_constant_count);
  CHECK(file.view().floats[0] == vec4f{1, 1, 1, 1});
  CHECK(file.view().floats[1] == vec4f{});
  CHECK(file.view().floats[256] == vec4f{2, 2, 2, 2});
  CHECK(file.view().floats[4095] == vec4f{3, 3, 3, 3});
}

TEST_CASE("a bool register is 0 or 1, and the last one is written too", "[processor]") {
  constant_file file;
  file.set_bool(255, true);
  CHECK(file.view().bools[254] == 0);
  CHECK(file.view().bools[255] == 1);
  file.set_bool(255, false);
  CHECK(file.view().bools[255] == 0);
}

TEST_CASE("a slot mask holds its slots in order", "[processor]") {
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

TEST_CASE("a slot mask holds no slot behind its last", "[processor]") {
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

TEST_CASE("a visit of a slot mask ends with the first answer", "[processor]") {
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

TEST_CASE("an object table keeps addresses and never repeats a serial", "[processor]") {
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

TEST_CASE("a present log keeps the latest events of one submission", "[processor]") {
  present_log log;
  log.add({.flags = 1});
  log.add({.flags = 2});
  REQUIRE(log.size() == 2);
  CHECK(log[0].count == 1);
  CHECK(log[1].flags == 2);
  log.begin_submission();
  CHECK(log.size() == 0);
  for (std::uint32_t i = 0; i < 100; ++i) log.add({.flags = i});
  REQUIRE(log.size() == present_event_limit);
  CHECK(log[0].flags == 36);
  CHECK(log[63].flags == 99);
  CHECK(log[63].count == 102);
  CHECK(log.count() == 102);
}

}  // namespace aerogpu

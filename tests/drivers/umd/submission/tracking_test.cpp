// SPDX-License-Identifier: MIT
/// The allocation list of a submission (umd-d3d9.md 4.4).
#include "tests/drivers/umd/rigs/device_rig.hpp"
#include "tests/drivers/umd/rigs/recording.hpp"

#include <array>
#include <vector>

namespace aerogpu::umd::test {

namespace {

[[nodiscard]] auto use_of(std::uint32_t allocation, std::uint32_t id, bool writes = false,
                          std::uint64_t token = 0) -> allocation_use {
  return {{kernel_allocation{allocation}, alloc_id{id}, share_token{token}, 64}, writes};
}

}  // namespace

TEST_CASE("an allocation is listed once and stays written", "[umd][T030]") {
  allocation_tracker tracker;
  tracker.start(8);
  const bool writes_first = GENERATE(false, true);
  CHECK(tracker.track(use_of(4, 1, writes_first)) == track_outcome::listed);
  CHECK(tracker.listed()[0].is_written == writes_first);
  CHECK(tracker.track(use_of(4, 1, !writes_first)) == track_outcome::listed);
  REQUIRE(tracker.listed().size() == 1);
  CHECK(tracker.listed()[0].is_written);
}

TEST_CASE("of many allocations each is listed once, however often it is named", "[umd][T030]") {
  constexpr std::uint32_t many = 1000;
  allocation_tracker tracker;
  tracker.start(many);
  for (int round = 0; round < 3; ++round) {
    for (std::uint32_t i = 1; i <= many; ++i) {
      REQUIRE(tracker.track(use_of(i * 0x40, i, round == 2)) == track_outcome::listed);
    }
    REQUIRE(tracker.listed().size() == many);
    CHECK(tracker.listed()[many / 2].is_written == (round == 2));
  }
  CHECK(tracker.track(use_of(0x40, 2)) == track_outcome::id_mismatch);
  tracker.start(many);
  CHECK(tracker.track(use_of(0x40, 1)) == track_outcome::listed);
  CHECK(tracker.listed().size() == 1);
}

TEST_CASE("two handles of one shared surface make one entry", "[umd][T031]") {
  allocation_tracker tracker;
  tracker.start(8);
  CHECK(tracker.track(use_of(4, 1, false, 0x77)) == track_outcome::listed);
  CHECK(tracker.track(use_of(8, 1, true, 0x77)) == track_outcome::listed);
  REQUIRE(tracker.listed().size() == 1);
  CHECK(tracker.listed()[0].allocation == kernel_allocation{4});
  CHECK(tracker.listed()[0].is_written);
}

TEST_CASE("two handles with one id and not one token collide", "[umd][T032]") {
  const auto [first, second] =
      GENERATE(table<std::uint64_t, std::uint64_t>({{0, 0}, {0x77, 0}, {0, 0x77}, {0x77, 0x78}}));
  allocation_tracker tracker;
  tracker.start(8);
  CHECK(tracker.track(use_of(4, 1, false, first)) == track_outcome::listed);
  CHECK(tracker.track(use_of(8, 1, false, second)) == track_outcome::id_collision);
  CHECK(tracker.listed().size() == 1);
}

TEST_CASE("one handle with two ids, or with none, is refused", "[umd][T033]") {
  allocation_tracker tracker;
  tracker.start(8);
  CHECK(tracker.track(use_of(4, 1)) == track_outcome::listed);
  CHECK(tracker.track(use_of(4, 2)) == track_outcome::id_mismatch);
  CHECK(tracker.track(use_of(0, 2)) == track_outcome::invalid_handle);
  CHECK(tracker.track(use_of(8, 0)) == track_outcome::invalid_handle);
}

TEST_CASE("a full list asks for a submission, and the retry succeeds", "[umd][T034]") {
  allocation_tracker tracker;
  tracker.start(2);
  CHECK(tracker.track(use_of(4, 1)) == track_outcome::listed);
  CHECK(tracker.track(use_of(8, 2)) == track_outcome::listed);
  CHECK(tracker.track(use_of(12, 3)) == track_outcome::list_is_full);
  CHECK(tracker.track(use_of(8, 2, true)) == track_outcome::listed);
  tracker.start(2);
  CHECK(tracker.track(use_of(12, 3)) == track_outcome::listed);
}

TEST_CASE("the slots that the kernel side knows bound the list", "[umd][T034]") {
  adapter_facts facts = plain_facts();
  facts.max_list_slot = 2;  // Three slots, and one is the marker's.
  device_rig rig({.list_entries = 256}, facts);
  std::array<guest_backing, 3> memory;
  for (guest_backing& each : memory) each = allocate_backing(rig, 64);
  const std::array uses{allocation_use{memory[0], false}, allocation_use{memory[1], false},
                        allocation_use{memory[2], false}};
  CHECK(rig.device.commands.reserve(64, std::span{uses}.first(2)) == S_OK);
  CHECK(rig.device.commands.reserve(64, uses) == E_OUTOFMEMORY);
  for (const guest_backing& each : memory) rig.runtime.deallocate(each.allocation, nullptr);
}

TEST_CASE("an operation that the list cannot take beside others moves whole to the next submission",
          "[umd][T036]") {
  device_rig rig({.list_entries = 11});
  std::vector<guest_backing> memory;
  std::vector<allocation_use> uses;
  for (int i = 0; i < 12; ++i) {
    memory.push_back(allocate_backing(rig, 64));
    uses.push_back({memory.back(), i % 2 == 0});
  }
  recorder& commands = rig.device.commands;
  const std::span<const allocation_use> all{uses};
  REQUIRE(commands.reserve(64, all.first(4)) == S_OK);
  REQUIRE(commands.packets().set_viewport({0, 0, 4, 4, 0, 1}));
  REQUIRE(commands.reserve(64, all.subspan(2, 9)) == S_OK);  // 2 of them are listed already.
  REQUIRE(commands.packets().set_viewport({0, 0, 8, 8, 0, 1}));
  REQUIRE(commands.submit() == S_OK);

  REQUIRE(rig.runtime.submissions().size() == 2);
  CHECK(rig.runtime.submissions()[0].allocations.size() == 4 + 1);
  const seen_submission& second = rig.runtime.last();
  CHECK(second.allocations.size() == 9 + 1);
  for (const allocation_use& use : all.subspan(2, 9)) {
    REQUIRE(second.lists(use.memory.allocation) != nullptr);
    CHECK(second.lists(use.memory.allocation)->is_written == use.writes);
  }
  for (const guest_backing& each : memory) rig.runtime.deallocate(each.allocation, nullptr);
}

TEST_CASE("an operation that no list can take fails, and nothing of it stays", "[umd][T038]") {
  device_rig rig({.list_entries = 4});
  std::vector<guest_backing> memory;
  std::vector<allocation_use> uses;
  for (int i = 0; i < 4; ++i) {
    memory.push_back(allocate_backing(rig, 64));
    uses.push_back({memory.back(), true});
  }
  recorder& commands = rig.device.commands;
  record_viewport(commands);
  CHECK(commands.reserve(64, uses) == E_OUTOFMEMORY);
  CHECK(commands.reserve(64, std::span{uses}.first(3)) == S_OK);
  REQUIRE(commands.packets().set_viewport({0, 0, 8, 8, 0, 1}));
  REQUIRE(commands.submit() == S_OK);
  CHECK(rig.runtime.submissions().size() == 2);
  CHECK(rig.runtime.last().lists(memory[3].allocation) == nullptr);
  for (const guest_backing& each : memory) rig.runtime.deallocate(each.allocation, nullptr);
}

TEST_CASE("a collision fails the operation and lists none of it", "[umd][T032]") {
  device_rig rig;
  const guest_backing memory = allocate_backing(rig, 64);
  const guest_backing other = allocate_backing(rig, 64);
  const std::array uses{allocation_use{other, false}, allocation_use{memory, false},
                        use_of(0x99, raw(memory.id))};
  recorder& commands = rig.device.commands;
  CHECK(commands.reserve(64, uses) == E_FAIL);
  CHECK_FALSE(rig.device.loss.is_lost());
  record_viewport(commands);
  REQUIRE(commands.submit() == S_OK);
  CHECK(rig.runtime.last().allocations.size() == 1);
  rig.runtime.deallocate(memory.allocation, nullptr);
  rig.runtime.deallocate(other.allocation, nullptr);
}

TEST_CASE("the host finds every backing that a submission does not list", "[umd][T039]") {
  // What the fake runtime holds every stream of this suite to.
  stream_host host;
  byte_vector memory(4096);
  const gpa at = host.map(memory);
  byte_vector bytes(512);
  span_sink sink{bytes};
  stream_writer writer{sink};
  REQUIRE(writer.begin());
  REQUIRE(writer.create_buffer(
      {resource_handle{1}, AEROGPU_RESOURCE_USAGE_VERTEX_BUFFER, 64, {alloc_id{9}, 0}}));
  bytes.resize(writer.finish());
  CHECK(host.run(bytes, {}).code == error_code::missing_alloc_table);
  CHECK(host.run(bytes, {{8, 0, raw(at), 4096, 0}}).code == error_code::unknown_alloc_id);
  CHECK(host.run(bytes, {{9, 0, raw(at), 4096, 0}}).code == error_code::none);
}

TEST_CASE("a list of thousands tracks without slowing down", "[umd]") {
  allocation_tracker tracker;
  tracker.start(4096);
  for (int round = 0; round < 3; ++round) {
    for (std::uint32_t i = 1; i <= 4096; ++i) {
      REQUIRE(tracker.track(use_of(i * 64, i)) == track_outcome::listed);
    }
    CHECK(tracker.track(use_of(5000 * 64, 5000)) == track_outcome::list_is_full);
    tracker.start(4096);
  }
}

}  // namespace aerogpu::umd::test

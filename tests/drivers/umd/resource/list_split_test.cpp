// SPDX-License-Identifier: MIT
/// Operations that a nearly full allocation list cannot take: all that they refer to is listed in
/// the submission that they move to (umd-d3d9.md T037).
#include "drivers/win7/umd/d3d9/resource/copies/blit.hpp"
#include "drivers/win7/umd/d3d9/resource/texels/clear.hpp"
#include "drivers/win7/umd/d3d9/state/targets.hpp"
#include "tests/drivers/umd/resource/resource_rig.hpp"

#include <array>

namespace aerogpu::umd::test {

namespace {

constexpr std::uint32_t list_entries = 10;

/// Lists what nobody else uses, until `left` entries are free beside the marker's.
void fill_list(device_rig& rig, std::vector<resource*>& fillers, std::uint32_t left) {
  REQUIRE(rig.device.commands.submit() == S_OK);
  std::vector<allocation_use> uses;
  for (std::uint32_t i = 0; i + left + 1 < list_entries; ++i) {
    if (i == fillers.size()) fillers.push_back(&make(rig, target_of(4, 4)));
    uses.push_back({fillers[i]->backing, false});
  }
  REQUIRE(rig.device.commands.submit() == S_OK);
  REQUIRE(rig.device.commands.reserve(packet_bytes<aerogpu_cmd_set_viewport>(), uses) == S_OK);
  REQUIRE(rig.device.commands.packets().set_viewport({0, 0, 4, 4, 0, 1}));
}

}  // namespace

TEST_CASE("a change of targets that the list cannot take lists all targets anew", "[umd][T037]") {
  device_rig rig{{.list_entries = list_entries}};
  std::array<resource*, 4> targets{};
  for (resource*& one : targets) one = &make(rig, target_of(8, 8));
  std::vector<resource*> fillers;
  const std::uint32_t left = GENERATE(0u, 1u, 2u, 3u);
  fill_list(rig, fillers, left);
  const std::size_t before = rig.runtime.submissions().size();
  for (std::uint32_t i = 0; i < targets.size(); ++i) {
    REQUIRE(set_render_target(rig.device, i, {targets[i], 0}) == S_OK);
  }
  REQUIRE(clear(rig.device, {AEROGPU_CLEAR_COLOR, 0xFF00FF00}, {}) == S_OK);
  REQUIRE(rig.device.commands.submit() == S_OK);
  REQUIRE(rig.runtime.submissions().size() == before + 2);
  CHECK(rig.runtime.last().lists(fillers[0]->backing.allocation) == nullptr);
  for (const resource* const one : targets) {
    const listed_allocation* const listed = rig.runtime.last().lists(one->backing.allocation);
    REQUIRE(listed != nullptr);
    CHECK(listed->is_written);
    CHECK(host_bytes(rig, *one)[1] == std::byte{0xFF});
  }
}

TEST_CASE("a blit that the list cannot take lists source and destination together", "[umd][T037]") {
  device_rig rig{{.list_entries = list_entries}};
  resource& from = make(rig, target_of(8, 8));
  resource& to = make(rig, target_of(16, 16));
  paint(rig, from, counted_bytes(8 * 8 * 4));
  std::vector<resource*> fillers;
  const bool is_stretched = GENERATE(false, true);
  const std::uint32_t left = GENERATE(0u, 1u);
  fill_list(rig, fillers, left);
  REQUIRE(
      blit(rig.device, {.to = {&to, 0},
                        .from = {&from, 0},
                        .to_area = is_stretched ? rectangle{0, 0, 16, 16} : rectangle{0, 0, 8, 8},
                        .from_area = {0, 0, 8, 8}}) == S_OK);
  REQUIRE(rig.device.commands.submit() == S_OK);
  const seen_submission& last = rig.runtime.last();
  CHECK(last.lists(fillers[0]->backing.allocation) == nullptr);
  REQUIRE(last.lists(from.backing.allocation) != nullptr);
  REQUIRE(last.lists(to.backing.allocation) != nullptr);
  CHECK(last.lists(to.backing.allocation)->is_written);
}

}  // namespace aerogpu::umd::test

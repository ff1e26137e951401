// SPDX-License-Identifier: MIT
#include "drivers/sim/kernel/memory/vidmm.hpp"

#include "tests/drivers/sim/fake_session.hpp"

#include <algorithm>
#include <cstring>
#include <vector>

using namespace aerogpu;
using sim::patch_policy;
using sim::stop_code;
using test::misdeed;

namespace {

using memory_session = test::fake_session;

}  // namespace

TEST_CASE("an allocation is filled when it is first used", "[sim][vidmm]") {
  memory_session s;
  const auto handle = s.create();
  CHECK(s.driver.paging_operations.empty());
  REQUIRE(s.render({handle}) == STATUS_SUCCESS);
  CHECK(s.driver.paging_operations == std::vector{DXGK_OPERATION_FILL});
  REQUIRE(s.render({handle}) == STATUS_SUCCESS);
  CHECK(s.driver.paging_operations.size() == 1);
  CHECK(s.holds(handle, 0));
}

TEST_CASE("what is evicted under pressure comes back with its bytes", "[sim][vidmm]") {
  memory_session s;  // A segment of 1 MiB, allocations of 64 KiB: sixteen fit.
  std::vector<test::opening> handles;
  for (int i = 0; i < 20; ++i) {
    handles.push_back(s.create());
    s.fill(handles.back(), i + 1);
  }
  for (int i = 0; i < 20; ++i) CHECK(s.holds(handles[static_cast<std::size_t>(i)], i + 1));
  const auto transfers = std::count(s.driver.paging_operations.begin(),
                                    s.driver.paging_operations.end(), DXGK_OPERATION_TRANSFER);
  CHECK(transfers >= 8);
}

TEST_CASE("more at once than the segment holds is refused, and leaves nothing in use",
          "[sim][vidmm]") {
  memory_session s;
  std::vector<test::opening> handles;
  for (int i = 0; i < 16; ++i) handles.push_back(s.create());
  CHECK(s.render(handles) == STATUS_SUCCESS);
  s.driver.allocation_bytes = 2u << 20;
  CHECK(s.render({s.create()}) == STATUS_GRAPHICS_NO_VIDEO_MEMORY);
}

TEST_CASE("an allocation in its place keeps the fence of its last use", "[sim][vidmm]") {
  memory_session s;
  const auto a = s.create();
  const auto b = s.create();
  REQUIRE(s.render({a, b}) == STATUS_SUCCESS);
  s.driver.completes_at_once = false;
  REQUIRE(s.render({a}) == STATUS_SUCCESS);
  const std::uint32_t last_use = a->memory->last_fence;
  REQUIRE(s.render({b}) == STATUS_SUCCESS);
  REQUIRE(s.upper->memory.acquire({a->memory}));
  s.upper->memory.release_use({a->memory});
  CHECK(a->memory->last_fence == last_use);
  // So a flip to it waits for that, and for nothing else's work.
  REQUIRE(s.app->flip(a) == STATUS_SUCCESS);
  CHECK(s.driver.shown_address == 0);
  s.driver.submitted = {last_use};
  s.driver.complete_all();
  CHECK(s.driver.shown_address == s.upper->memory.address_of(*a->memory));
  CHECK(s.upper->scheduler.is_pending(b->memory->last_fence));
  s.driver.submitted = {b->memory->last_fence};
  s.upper->flips.restart({});
}

TEST_CASE("what came in before the room was used up is waited for", "[sim][vidmm]") {
  memory_session s;
  const auto small = s.create();
  s.driver.allocation_bytes = 2u << 20;
  const auto large = s.create();
  CHECK(s.render({small, large}) == STATUS_GRAPHICS_NO_VIDEO_MEMORY);
  REQUIRE(s.driver.paging_operations == std::vector{DXGK_OPERATION_FILL});
  CHECK(small->memory->last_fence == s.upper->scheduler.last_fence());
  CHECK(small->memory->uses == 0);
}

TEST_CASE("an aperture shows scattered system pages", "[sim][vidmm]") {
  memory_session s{{}, [](test::fake_driver& d) { d.allocation_segments = 2; }};
  const auto handle = s.create();
  REQUIRE(s.render({handle}) == STATUS_SUCCESS);
  REQUIRE(s.driver.paging_operations == std::vector{DXGK_OPERATION_MAP_APERTURE_SEGMENT});
  const auto one = handle->memory;
  REQUIRE(one->pages.size() == 16);
  for (std::size_t i = 1; i < one->pages.size(); ++i) CHECK(one->pages[i] != one->pages[i - 1] + 1);
  s.fill(handle, 9);
  CHECK(*s.pc.ram.at(one->pages[7] * sim::page_bytes) == std::byte{9});
  CHECK(s.upper->memory.evict_all());
  CHECK(s.driver.paging_operations.back() == DXGK_OPERATION_UNMAP_APERTURE_SEGMENT);
  CHECK(s.holds(handle, 9));
}

TEST_CASE("everything goes to system memory for a call of level 3", "[sim][vidmm]") {
  memory_session s;
  const auto handle = s.create();
  s.fill(handle, 3);
  CHECK(s.upper->memory.evict_all());
  CHECK(s.upper->memory.segments()[0].used_bytes() == 0);
  std::memset(s.pc.bus.video_memory().data() + 0x400000, 0xEE, s.driver.memory_segment_bytes);
  CHECK(s.holds(handle, 3));
}

TEST_CASE("Patch is called as its policy says", "[sim][vidmm][patch]") {
  const auto [policy, first, second] =
      GENERATE(table<patch_policy, std::vector<std::uint32_t>, std::vector<std::uint32_t>>(
          {{patch_policy::always_full, {2}, {2}},
           {patch_policy::moved_only, {2}, {0}},
           {patch_policy::skip_when_valid, {2}, {}},
           {patch_policy::twice, {2, 2}, {2, 2}}}));
  sim::windows_options options;
  options.scheduler.patch = policy;
  memory_session s{options};
  const auto a = s.create();
  const auto b = s.create();
  REQUIRE(s.render({a, b}) == STATUS_SUCCESS);
  CHECK(s.driver.patched_entries == first);
  s.driver.patched_entries.clear();
  REQUIRE(s.render({a, b}) == STATUS_SUCCESS);
  CHECK(s.driver.patched_entries == second);
  CHECK(s.driver.last_render_list[0].SegmentId == 1);
}

TEST_CASE("without hints a list says nowhere, and Patch says where", "[sim][vidmm][patch]") {
  sim::windows_options options;
  options.hints = sim::address_hints::none;
  memory_session s{options};
  const auto handle = s.create();
  REQUIRE(s.render({handle}) == STATUS_SUCCESS);
  REQUIRE(s.render({handle}) == STATUS_SUCCESS);
  CHECK(s.driver.last_render_list[0].SegmentId == 0);
  REQUIRE(s.driver.last_patch_list.size() == 1);
  CHECK(s.driver.last_patch_list[0].SegmentId == 1);
  CHECK(static_cast<std::uint64_t>(s.driver.last_patch_list[0].PhysicalAddress.QuadPart) ==
        s.driver.segment_base);
}

TEST_CASE("a reset loses video memory, and the driver is told with transfers of size 0",
          "[sim][vidmm][tdr]") {
  memory_session s;
  const auto handle = s.create();
  REQUIRE(s.render({handle}) == STATUS_SUCCESS);
  s.upper->scheduler.reset_from_timeout();
  CHECK(s.driver.paging_operations.back() == DXGK_OPERATION_TRANSFER);
  CHECK(s.driver.operations.back().Transfer.TransferSize == 0);
  CHECK(s.upper->memory.segments()[0].used_bytes() == 0);
}

TEST_CASE("a paging buffer that overruns, or fails, is a bug check", "[sim][vidmm]") {
  const auto does = GENERATE(misdeed::paging_overrun, misdeed::fail_paging);
  memory_session s;
  const auto handle = s.create();
  s.driver.does = does;
  CHECK_FALSE(NT_SUCCESS(s.render({handle})));
  const auto seen = s.take_stops();
  REQUIRE_FALSE(seen.empty());
  CHECK(seen[0] == stop_code::video_memory_management_internal);
}

TEST_CASE("a shared resource opens in another device and lives until its last opening",
          "[sim][objects]") {
  sim::windows_options options;
  options.order = GENERATE(sim::destroy_order::close_first, sim::destroy_order::destroy_first);
  memory_session s{options};
  s.driver.is_cpu_visible = false;
  sim::resource_request request;
  request.is_resource = request.is_shared = true;
  REQUIRE(s.app->create(sim::byte_list(8), request) == STATUS_SUCCESS);
  const auto& made = request.allocations.front();
  CHECK(made.private_data[0] == std::byte{'C'});
  auto& objects = s.upper->objects;
  test::kernel_client other{*s.upper, 2};
  REQUIRE(other.open() == STATUS_SUCCESS);
  const auto shared = objects.find_share(objects.process_of(2), request.share);
  REQUIRE(shared != nullptr);
  std::shared_ptr<sim::user_resource> opened;
  REQUIRE(other.open_resource(shared, opened) == STATUS_SUCCESS);
  CHECK(opened->openings[0] != made.opening);
  CHECK(opened->openings[0]->memory->private_data[0] == std::byte{'C'});
  CHECK(s.driver.open_allocations == 2);
  s.app->destroy(made.opening);
  CHECK(s.driver.live_allocations == 1);
  other.close();
  CHECK(s.driver.live_allocations == 0);
  CHECK(s.app->open_resource(shared, opened) == STATUS_INVALID_HANDLE);
}

TEST_CASE("a shared allocation that the processor sees in video memory is refused",
          "[sim][objects]") {
  memory_session s;
  sim::resource_request request;
  request.is_resource = request.is_shared = true;
  CHECK(s.app->create(sim::byte_list(8), request) == STATUS_INVALID_PARAMETER);
  CHECK(s.driver.live_allocations == 0);
}

TEST_CASE("edits of CreateAllocation can be thrown away", "[sim][objects]") {
  sim::windows_options options;
  options.edits = sim::create_edits::discarded;
  memory_session s{options};
  CHECK(s.create()->memory->private_data[0] == std::byte{0});
}

TEST_CASE("a flip ends when a vblank names its address", "[sim][flip]") {
  memory_session s;
  const auto surface = s.create();
  REQUIRE(s.app->flip(surface) == STATUS_SUCCESS);
  CHECK_FALSE(s.upper->flips.is_empty());
  CHECK(s.driver.shown_address == s.driver.segment_base);
  s.driver.raise_vblank();
  CHECK(s.upper->flips.is_empty());
  CHECK(s.upper->flips.shown() == surface->memory);
  s.upper->flips.restart({});
}

TEST_CASE("the vsync interrupt rests only for a driver that is aware of power saving",
          "[sim][flip]") {
  static bool is_on;
  const bool is_aware = GENERATE(false, true);
  memory_session s;
  s.upper->flips.set_power_save(is_aware);
  s.windows.table.DxgkDdiControlInterrupt = [](HANDLE, DXGK_INTERRUPT_TYPE, BOOLEAN enable) {
    is_on = enable != FALSE;
    return NTSTATUS{STATUS_SUCCESS};
  };
  REQUIRE(s.app->flip(s.create()) == STATUS_SUCCESS);
  REQUIRE(is_on);
  for (int i = 0; i < 30 && is_on; ++i) {
    s.driver.raise_vblank();
    s.upper->base.poll();
  }
  CHECK(is_on == !is_aware);
  s.upper->flips.restart({});
}

#include "drivers/sim/kernel/vidmm.hpp"

#include "tests/drivers/sim/fake_driver.hpp"
#include "tests/drivers/support/simulated_pc.hpp"

#include <algorithm>
#include <cstring>
#include <functional>
#include <optional>
#include <vector>

using namespace aerogpu;
using sim::patch_policy;
using sim::stop_code;
using test::misdeed;

namespace {

using stops = std::vector<stop_code>;

struct memory_session : test::simulated_pc<> {
  explicit memory_session(const sim::graphics_config& config = {},
                          const std::function<void(test::fake_driver&)>& choose = {})
      : driver(test::use_fake_driver(windows)) {
    if (choose) choose(driver);
    REQUIRE(windows.start() == STATUS_SUCCESS);
    graphics.emplace(windows, config);
    REQUIRE(graphics->create_device(device) == STATUS_SUCCESS);
    REQUIRE(graphics->create_context(device, context) == STATUS_SUCCESS);
    commands = pc.user.allocate(64);
  }
  ~memory_session() {
    driver.does = misdeed::none;
    static_cast<void>(graphics->destroy_device(device));
    CHECK(driver.open_allocations == 0);
    CHECK(driver.live_allocations == 0);
    graphics.reset();
    windows.stop_device();
    windows.remove_device();
    windows.unload();
  }
  auto create() -> D3DKMT_HANDLE {
    sim::allocation_request request;
    request.private_data.resize(8);
    REQUIRE(graphics->create_allocation(device, {&request, 1}) == STATUS_SUCCESS);
    return request.handle;
  }
  auto render(const std::vector<D3DKMT_HANDLE>& handles) -> NTSTATUS {
    sim::render_request request;
    request.commands = commands;
    request.size_bytes = 64;
    for (const auto handle : handles) request.allocations.push_back({handle, true});
    return graphics->render(context, request);
  }
  void fill(D3DKMT_HANDLE handle, int value) {
    auto* const bytes = graphics->lock(handle);
    REQUIRE(bytes != nullptr);
    std::memset(bytes, value, driver.allocation_bytes);
    graphics->unlock(handle);
  }
  auto holds(D3DKMT_HANDLE handle, int value) -> bool {
    const auto* const bytes = graphics->lock(handle);
    REQUIRE(bytes != nullptr);
    const bool is_same = std::all_of(bytes, bytes + driver.allocation_bytes, [&](std::byte b) {
      return b == static_cast<std::byte>(value);
    });
    graphics->unlock(handle);
    return is_same;
  }

  test::fake_driver& driver;
  std::optional<sim::graphics> graphics;
  D3DKMT_HANDLE device = 0;
  D3DKMT_HANDLE context = 0;
  std::byte* commands = nullptr;
};

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
  std::vector<D3DKMT_HANDLE> handles;
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
  std::vector<D3DKMT_HANDLE> handles;
  for (int i = 0; i < 16; ++i) handles.push_back(s.create());
  CHECK(s.render(handles) == STATUS_SUCCESS);
  s.driver.allocation_bytes = 2u << 20;
  CHECK(s.render({s.create()}) == STATUS_GRAPHICS_NO_VIDEO_MEMORY);
}

TEST_CASE("an aperture shows scattered system pages", "[sim][vidmm]") {
  memory_session s{{}, [](test::fake_driver& d) { d.allocation_segments = 2; }};
  const auto handle = s.create();
  REQUIRE(s.render({handle}) == STATUS_SUCCESS);
  REQUIRE(s.driver.paging_operations == std::vector{DXGK_OPERATION_MAP_APERTURE_SEGMENT});
  const auto one = s.graphics->find_allocation(handle);
  REQUIRE(one->pages.size() == 16);
  for (std::size_t i = 1; i < one->pages.size(); ++i) CHECK(one->pages[i] != one->pages[i - 1] + 1);
  s.fill(handle, 9);
  CHECK(*s.pc.ram.at(one->pages[7] * sim::page_bytes) == std::byte{9});
  CHECK(s.graphics->memory.evict_all());
  CHECK(s.driver.paging_operations.back() == DXGK_OPERATION_UNMAP_APERTURE_SEGMENT);
  CHECK(s.holds(handle, 9));
}

TEST_CASE("everything goes to system memory for a call of level 3", "[sim][vidmm]") {
  memory_session s;
  const auto handle = s.create();
  s.fill(handle, 3);
  CHECK(s.graphics->memory.evict_all());
  CHECK(s.graphics->memory.segments()[0].used_bytes() == 0);
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
  sim::graphics_config config;
  config.scheduler.patch = policy;
  memory_session s{config};
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
  sim::graphics_config config;
  config.gives_hints = false;
  memory_session s{config};
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
  s.graphics->scheduler.reset_from_timeout();
  CHECK(s.driver.paging_operations.back() == DXGK_OPERATION_TRANSFER);
  CHECK(s.driver.operations.back().Transfer.TransferSize == 0);
  CHECK(s.graphics->memory.segments()[0].used_bytes() == 0);
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
  const bool destroys_first = GENERATE(false, true);
  sim::graphics_config config;
  config.destroys_before_close = destroys_first;
  memory_session s{config};
  sim::allocation_request request;
  request.private_data.resize(8);
  D3DKMT_HANDLE global = 0;
  REQUIRE(s.graphics->create_allocation(s.device, {&request, 1}, &global) == STATUS_SUCCESS);
  CHECK(request.private_data[0] == std::byte{'C'});
  D3DKMT_HANDLE other = 0;
  REQUIRE(s.graphics->create_device(other) == STATUS_SUCCESS);
  std::vector<sim::allocation_request> opened;
  REQUIRE(s.graphics->open_resource(other, global, opened) == STATUS_SUCCESS);
  CHECK(opened[0].handle != request.handle);
  CHECK(opened[0].private_data[0] == std::byte{'C'});
  CHECK(s.driver.open_allocations == 2);
  CHECK(s.graphics->destroy_allocation(request.handle) == STATUS_SUCCESS);
  CHECK(s.driver.live_allocations == 1);
  CHECK(s.graphics->destroy_device(other) == STATUS_SUCCESS);
  CHECK(s.driver.live_allocations == 0);
  CHECK(s.graphics->open_resource(s.device, global, opened) == STATUS_INVALID_HANDLE);
}

TEST_CASE("edits of CreateAllocation can be thrown away", "[sim][objects]") {
  sim::graphics_config config;
  config.discards_create_edits = true;
  memory_session s{config};
  sim::allocation_request request;
  request.private_data.resize(8);
  REQUIRE(s.graphics->create_allocation(s.device, {&request, 1}) == STATUS_SUCCESS);
  CHECK(request.private_data[0] == std::byte{0});
}

TEST_CASE("a flip ends when a vblank names its address", "[sim][thunks]") {
  memory_session s;
  const auto handle = s.create();
  REQUIRE(s.graphics->flip(s.context, handle) == STATUS_SUCCESS);
  CHECK(s.graphics->is_flip_pending());
  CHECK(s.driver.shown_address == s.driver.segment_base);
  s.driver.raise_vblank();
  CHECK_FALSE(s.graphics->is_flip_pending());
}

/// \file The whole driver under the whole simulator: user mode's calls down to the device and back.
#include "aerogpu/memory/alloc_private_data.hpp"
#include "drivers/sim/kernel/graphics.hpp"
#include "drivers/win7/kmd/driver_entry.hpp"
#include "tests/drivers/support/simulated_pc.hpp"
#include "tests/support/stream_builder.hpp"

#include <algorithm>
#include <cstring>
#include <optional>
#include <vector>

using namespace aerogpu;
using namespace aerogpu::test;
using sim::doorbell_mode;
using sim::patch_policy;

namespace {

constexpr std::size_t buffer_bytes = 4096;

/// A started driver, a process's device and context, and two buffers that the host may see.
struct session : simulated_pc<> {
  explicit session(const sim::graphics_config& config = {}) {
    REQUIRE(windows.load(&DriverEntry) == STATUS_SUCCESS);
    REQUIRE(windows.start() == STATUS_SUCCESS);
    graphics.emplace(windows, config);
    REQUIRE(graphics->create_device(device) == STATUS_SUCCESS);
    REQUIRE(graphics->create_context(device, context) == STATUS_SUCCESS);
    source = create(1);
    target = create(2);
  }
  ~session() {
    CHECK(graphics->destroy_device(device) == STATUS_SUCCESS);
    graphics.reset();
    windows.stop_device();
    windows.remove_device();
    windows.unload();
  }

  auto create(std::uint32_t id) -> D3DKMT_HANDLE {
    alloc_private_data data{};
    data.magic = AEROGPU_WDDM_ALLOC_PRIV_MAGIC;
    data.version = AEROGPU_WDDM_ALLOC_PRIV_VERSION_2;
    data.alloc_id = id;
    data.flags = AEROGPU_WDDM_ALLOC_PRIV_FLAG_CPU_VISIBLE;
    data.size_bytes = buffer_bytes;
    data.kind = AEROGPU_WDDM_ALLOC_KIND_BUFFER;
    sim::allocation_request request;
    request.private_data.resize(sizeof(aerogpu_wddm_alloc_priv_v2));
    REQUIRE(write_alloc_private_data(request.private_data, data));
    REQUIRE(graphics->create_allocation(device, {&request, 1}) == STATUS_SUCCESS);
    return request.handle;
  }
  void fill(D3DKMT_HANDLE handle, int value) {
    auto* const bytes = graphics->lock(handle);
    REQUIRE(bytes != nullptr);
    std::memset(bytes, value, buffer_bytes);
    graphics->unlock(handle);
  }
  auto holds(D3DKMT_HANDLE handle, int value) -> bool {
    const auto* const bytes = graphics->lock(handle);
    REQUIRE(bytes != nullptr);
    const bool is_same = std::all_of(bytes, bytes + buffer_bytes, [&](std::byte b) {
      return b == static_cast<std::byte>(value);
    });
    graphics->unlock(handle);
    return is_same;
  }
  /// The host copies the source to the target, through its own objects and back to guest memory.
  auto copy() -> NTSTATUS {
    stream_builder stream;
    stream.create_buffer(1, buffer_bytes, {1})
        .create_buffer(2, buffer_bytes, {2})
        .dirty(1, 0, buffer_bytes)
        .copy_buffer(2, 0, 1, 0, buffer_bytes, AEROGPU_COPY_FLAG_WRITEBACK_DST)
        .destroy(1)
        .destroy(2);
    auto* const commands = pc.user.place(stream.bytes());
    sim::render_request request;
    request.commands = commands;
    request.size_bytes = static_cast<std::uint32_t>(stream.bytes().size());
    request.allocations = {{0, false}, {source, false}, {target, true}};
    pc.user.watch();
    const auto status = graphics->render(context, request);
    CHECK(pc.user.bytes_read_twice() == 0);
    pc.user.release(commands);
    return status;
  }

  std::optional<sim::graphics> graphics;
  D3DKMT_HANDLE device = 0;
  D3DKMT_HANDLE context = 0;
  D3DKMT_HANDLE source = 0;
  D3DKMT_HANDLE target = 0;
};

}  // namespace

TEST_CASE("a rendered copy reads and writes allocations wherever they are",
          "[drivers][kmd][session]") {
  const auto policy = GENERATE(patch_policy::always_full, patch_policy::moved_only,
                               patch_policy::skip_when_valid, patch_policy::twice);
  const bool gives_hints = GENERATE(true, false);
  const auto doorbells = GENERATE(doorbell_mode::synchronous, doorbell_mode::delayed);
  sim::graphics_config config;
  config.gives_hints = gives_hints;
  config.scheduler.patch = policy;
  session s{config};
  s.pc.bus.host.doorbells = doorbells;
  for (int value = 1; value <= 3; ++value) {
    s.fill(s.source, value);
    REQUIRE(s.copy() == STATUS_SUCCESS);
    s.graphics->wait_for_context(s.context);
    CHECK(s.holds(s.target, value));
    CHECK(s.machine.host().errors.empty());
    REQUIRE(s.graphics->memory.evict_all());
    CHECK(s.holds(s.target, value));
  }
}

TEST_CASE("fences near 2^32 are submitted, reported and wrap", "[drivers][kmd][session]") {
  sim::graphics_config config;
  config.scheduler.first_fence = 0x7FFFFFFF;
  session s{config};
  s.fill(s.source, 7);
  REQUIRE(s.copy() == STATUS_SUCCESS);
  s.graphics->scheduler.skip_to(0xFFFFFFF8);
  for (int i = 0; i < 20; ++i) REQUIRE(s.copy() == STATUS_SUCCESS);
  s.graphics->scheduler.wait_idle();
  CHECK(s.windows.dxgk.fences.last_reported() < 20u);
  CHECK(s.holds(s.target, 7));
}

TEST_CASE("a host that stands still leads to a reset, and the next device works",
          "[drivers][kmd][session][tdr]") {
  session s;
  s.fill(s.source, 1);
  s.pc.bus.host.doorbells = doorbell_mode::held;
  REQUIRE(s.copy() == STATUS_SUCCESS);
  s.graphics->scheduler.advance(4'500'000'000);
  CHECK(s.graphics->scheduler.resets() == 1);
  CHECK(s.graphics->scheduler.in_flight() == 0);
  CHECK(s.copy() == STATUS_GRAPHICS_GPU_EXCEPTION_ON_DEVICE);
  s.pc.bus.host.doorbells = doorbell_mode::synchronous;
  CHECK(s.graphics->destroy_device(s.device) == STATUS_SUCCESS);
  REQUIRE(s.graphics->create_device(s.device) == STATUS_SUCCESS);
  REQUIRE(s.graphics->create_context(s.device, s.context) == STATUS_SUCCESS);
  s.source = s.create(1);
  s.target = s.create(2);
  s.fill(s.source, 5);
  REQUIRE(s.copy() == STATUS_SUCCESS);
  s.graphics->wait_for_context(s.context);
  CHECK(s.holds(s.target, 5));
}

TEST_CASE("a preemption is reported after everything before it", "[drivers][kmd][session]") {
  session s;
  s.fill(s.source, 4);
  s.pc.bus.host.doorbells = doorbell_mode::held;
  for (int i = 0; i < 3; ++i) REQUIRE(s.copy() == STATUS_SUCCESS);
  s.graphics->scheduler.preempt();
  CHECK(s.windows.dxgk.fences.is_preempting());
  s.pc.bus.release_doorbell(1);
  CHECK(s.windows.dxgk.fences.is_preempting());
  s.pc.bus.host.doorbells = doorbell_mode::synchronous;
  s.pc.bus.release_doorbell();
  s.graphics->scheduler.wait_idle();
  CHECK_FALSE(s.windows.dxgk.fences.is_preempting());
  CHECK(s.holds(s.target, 4));
}

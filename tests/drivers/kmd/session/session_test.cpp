// SPDX-License-Identifier: MIT
/// \file The whole driver under the whole simulator: user mode's calls down to the device and back.
#include "aerogpu/abi/dbgctl_escape.h"
#include "drivers/sim/kernel/desktop_session.hpp"
#include "drivers/win7/kmd/entry/driver_entry.hpp"
#include "tests/drivers/support/alloc_blobs.hpp"
#include "tests/drivers/support/kernel_client.hpp"
#include "tests/drivers/support/simulated_pc.hpp"
#include "tests/drivers/support/streams.hpp"

#include <optional>

using namespace aerogpu;
using namespace aerogpu::test;
using sim::doorbell_mode;
using sim::patch_policy;

namespace {

constexpr std::uint32_t buffer_bytes = 4096;

/// A started driver, a process's device and context, and two buffers that the host may see.
struct session : simulated_pc<> {
  explicit session(const sim::windows_options& options = {}, const device_config& device = {})
      : simulated_pc({}, device) {
    REQUIRE(windows.load(&DriverEntry) == STATUS_SUCCESS);
    REQUIRE(windows.start() == STATUS_SUCCESS);
    upper.emplace(windows, options);
    app.emplace(*upper);
    open();
  }
  ~session() {
    app->close();
    upper.reset();
    windows.stop_device();
    windows.remove_device();
    windows.unload();
  }

  void open() {
    REQUIRE(app->open() == STATUS_SUCCESS);
    source = create(1);
    target = create(2);
  }
  [[nodiscard]] auto create(std::uint32_t id) -> opening {
    auto made = app->create(
        buffer_blob(id, buffer_bytes, cpu_visible_flag, AEROGPU_WDDM_ALLOC_PRIV_VERSION_2));
    REQUIRE(made != nullptr);
    return made;
  }
  void fill(const opening& one, int value) { REQUIRE(app->fill(one, buffer_bytes, value)); }
  [[nodiscard]] auto holds(const opening& one, int value) -> bool {
    return app->holds(one, buffer_bytes, value);
  }
  [[nodiscard]] auto copy() -> NTSTATUS {
    pc.user.watch();
    const auto status =
        app->render(host_copy(1, 2, buffer_bytes).bytes(), {{}, {source, false}, {target, true}});
    CHECK(pc.user.bytes_read_twice() == 0);
    return status;
  }

  std::optional<sim::desktop_session> upper;
  std::optional<kernel_client> app;
  opening source;
  opening target;
};

}  // namespace

TEST_CASE("a rendered copy reads and writes allocations wherever they are",
          "[drivers][kmd][session]") {
  const auto policy = GENERATE(patch_policy::always_full, patch_policy::moved_only,
                               patch_policy::skip_when_valid, patch_policy::twice);
  const auto hints = GENERATE(sim::address_hints::where_resident, sim::address_hints::none);
  const auto doorbells = GENERATE(doorbell_mode::synchronous, doorbell_mode::delayed);
  sim::windows_options options;
  options.hints = hints;
  options.scheduler.patch = policy;
  session s{options};
  s.pc.bus.host.doorbells = doorbells;
  for (int value = 1; value <= 3; ++value) {
    s.fill(s.source, value);
    REQUIRE(s.copy() == STATUS_SUCCESS);
    s.app->wait();
    CHECK(s.holds(s.target, value));
    CHECK(s.machine.host().errors.empty());
    REQUIRE(s.upper->memory.evict_all());
    CHECK(s.holds(s.target, value));
  }
}

TEST_CASE("fences near 2^32 are submitted, reported and wrap", "[drivers][kmd][session]") {
  sim::windows_options options;
  options.scheduler.first_fence = 0x7FFFFFFF;
  session s{options};
  s.fill(s.source, 7);
  REQUIRE(s.copy() == STATUS_SUCCESS);
  s.upper->scheduler.skip_to(0xFFFFFFF8);
  for (int i = 0; i < 20; ++i) REQUIRE(s.copy() == STATUS_SUCCESS);
  s.upper->scheduler.wait_idle();
  CHECK(s.windows.dxgk.fences.last_reported() < 20u);
  CHECK(s.holds(s.target, 7));
}

TEST_CASE("a host that stands still leads to a reset, and the next device works",
          "[drivers][kmd][session][tdr]") {
  session s;
  s.fill(s.source, 1);
  s.pc.bus.host.doorbells = doorbell_mode::held;
  REQUIRE(s.copy() == STATUS_SUCCESS);
  s.upper->scheduler.advance(4'500'000'000);
  CHECK(s.upper->scheduler.resets() == 1);
  CHECK(s.upper->scheduler.in_flight() == 0);
  CHECK(s.copy() == STATUS_DEVICE_REMOVED);
  s.pc.bus.host.doorbells = doorbell_mode::synchronous;
  s.app->close();
  s.open();
  s.fill(s.source, 5);
  REQUIRE(s.copy() == STATUS_SUCCESS);
  s.app->wait();
  CHECK(s.holds(s.target, 5));
}

TEST_CASE("a preemption is reported after everything before it", "[drivers][kmd][session]") {
  session s;
  s.fill(s.source, 4);
  s.pc.bus.host.doorbells = doorbell_mode::held;
  for (int i = 0; i < 3; ++i) REQUIRE(s.copy() == STATUS_SUCCESS);
  s.upper->scheduler.preempt();
  CHECK(s.windows.dxgk.fences.is_preempting());
  s.pc.bus.release_doorbell(1);
  CHECK(s.windows.dxgk.fences.is_preempting());
  s.pc.bus.host.doorbells = doorbell_mode::synchronous;
  s.pc.bus.release_doorbell();
  s.upper->scheduler.wait_idle();
  CHECK_FALSE(s.windows.dxgk.fences.is_preempting());
  CHECK(s.holds(s.target, 4));
}

TEST_CASE("a host has room for any number of contexts, one after another",
          "[drivers][kmd][session][case-170]") {
  session s;
  s.fill(s.source, 6);
  for (int i = 0; i < 1'100; ++i) {
    s.app->destroy_context(s.app->context);
    REQUIRE(s.app->create_context(s.app->context) == STATUS_SUCCESS);
    REQUIRE(s.copy() == STATUS_SUCCESS);
  }
  s.app->wait();
  s.fill(s.source, 9);
  REQUIRE(s.copy() == STATUS_SUCCESS);
  s.app->wait();
  CHECK(s.holds(s.target, 9));
  CHECK(s.machine.host().errors.empty());
}

TEST_CASE("processes that are killed leave nothing with the host",
          "[drivers][kmd][session][case-170]") {
  device_config device;
  device.bounds.contexts = 16;
  device.bounds.resources = 64;
  session s{{}, device};
  for (std::uint32_t process = 100; process < 400; ++process) {
    kernel_client killed{*s.upper, process};
    REQUIRE(killed.open() == STATUS_SUCCESS);
    stream_builder stream;
    stream.create_buffer(process, buffer_bytes);
    REQUIRE(killed.render(stream.bytes(), {}) == STATUS_SUCCESS);
    s.upper->objects.terminate(process);
  }
  s.fill(s.source, 3);
  REQUIRE(s.copy() == STATUS_SUCCESS);
  s.app->wait();
  CHECK(s.holds(s.target, 3));
  CHECK(s.machine.host().errors.empty());
}

/// The binary asks the system for the object behind the handle.
TEST_CASE("a section of the caller gets a debug number, and what is none does not",
          "[drivers][kmd][session][case-154]") {
  simulated_pc<> m;
  m.pc.set_registry(sim::service_registry_key, "EnableMapSharedHandleEscape", 1);
  REQUIRE(m.windows.load(&DriverEntry) == STATUS_SUCCESS);
  REQUIRE(m.windows.start() == STATUS_SUCCESS);
  sim::this_thread().is_privileged = true;
  const int section = 0;
  m.pc.set_section(44, &section);
  aerogpu_escape_map_shared_handle_inout question{};
  DXGKARG_ESCAPE arguments{};
  arguments.pPrivateDriverData = &question;
  arguments.PrivateDriverDataSize = sizeof question;
  const auto ask = [&](std::uint64_t handle) {
    question = {};
    question.hdr = {AEROGPU_ESCAPE_VERSION, AEROGPU_ESCAPE_OP_MAP_SHARED_HANDLE, sizeof question,
                    0};
    question.shared_handle = handle;
    return m.windows.call(&DRIVER_INITIALIZATION_DATA::DxgkDdiEscape, m.windows.context(),
                          static_cast<const DXGKARG_ESCAPE*>(&arguments));
  };
  CHECK(ask(44) == STATUS_SUCCESS);
  CHECK(question.debug_token != 0);
  CHECK(ask(48) == STATUS_INVALID_HANDLE);
  m.windows.stop_device();
  m.windows.remove_device();
  m.windows.unload();
}

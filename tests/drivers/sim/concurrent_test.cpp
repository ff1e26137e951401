// SPDX-License-Identifier: MIT
/// Processes in threads of their own, and a thread that lets time pass.
#include "aerogpu/abi/mmio.h"
#include "tests/drivers/support/application.hpp"
#include "tests/drivers/support/running_clock.hpp"
#include "tests/drivers/support/running_windows.hpp"

#include <atomic>
#include <string>
#include <thread>
#include <vector>

using namespace aerogpu;

namespace {

/// Thunks without the test framework, whose checks belong to one thread.
class quiet_process {
 public:
  explicit quiet_process(std::uint32_t id) : here_(id) {
    D3DKMT_OPENADAPTERFROMGDIDISPLAYNAME opened{};
    count(D3DKMTOpenAdapterFromGdiDisplayName(&opened));
    adapter_ = opened.hAdapter;
    D3DKMT_CREATEDEVICE made{};
    made.hAdapter = adapter_;
    count(D3DKMTCreateDevice(&made));
    context_.hDevice = made.hDevice;
    count(D3DKMTCreateContext(&context_));
  }
  /// A shared buffer comes, is used by an empty stream, and goes.
  void use_surface(std::uint32_t alloc_id) {
    aerogpu_wddm_alloc_priv_v2 blob{};
    blob.magic = AEROGPU_WDDM_ALLOC_PRIV_MAGIC;
    blob.version = AEROGPU_WDDM_ALLOC_PRIV_VERSION_2;
    blob.alloc_id = alloc_id;
    blob.flags = test::is_shared_flag;
    blob.size_bytes = 65536;
    blob.kind = AEROGPU_WDDM_ALLOC_KIND_BUFFER;
    D3DDDI_ALLOCATIONINFO info{};
    info.pPrivateDriverData = &blob;
    info.PrivateDriverDataSize = sizeof blob;
    D3DKMT_CREATEALLOCATION wanted{};
    wanted.hDevice = context_.hDevice;
    wanted.NumAllocations = 1;
    wanted.pAllocationInfo = &info;
    wanted.Flags.CreateResource = wanted.Flags.CreateShared = 1;
    count(D3DKMTCreateAllocation(&wanted));
    auto& line = context_.pAllocationList[0];
    line = {};
    line.hAllocation = info.hAllocation;
    line.WriteOperation = 1;
    D3DKMT_RENDER render{};
    render.hContext = context_.hContext;
    render.AllocationCount = 1;
    count(D3DKMTRender(&render));
    context_.pAllocationList = render.pNewAllocationList;
    D3DKMT_DESTROYALLOCATION gone{};
    gone.hDevice = context_.hDevice;
    gone.hResource = wanted.hResource;
    count(D3DKMTDestroyAllocation(&gone));
  }
  void wait_vblank() {
    const D3DKMT_WAITFORVERTICALBLANKEVENT wanted{adapter_, context_.hDevice, 0};
    count(D3DKMTWaitForVerticalBlankEvent(&wanted));
  }
  void close() {
    const D3DKMT_DESTROYDEVICE gone{context_.hDevice};
    count(D3DKMTDestroyDevice(&gone));
    const D3DKMT_CLOSEADAPTER closed{adapter_};
    count(D3DKMTCloseAdapter(&closed));
  }
  [[nodiscard]] auto failures() const noexcept -> int { return failures_; }

 private:
  void count(NTSTATUS status) { failures_ += NT_SUCCESS(status) ? 0 : 1; }

  sim::process_scope here_;
  D3DKMT_HANDLE adapter_ = 0;
  D3DKMT_CREATECONTEXT context_{};
  int failures_ = 0;
};

/// A present in a thread of its own, by an application that calls other thunks meanwhile.
class presenting_thread {
 public:
  presenting_thread(sim::pc& machine, test::application& app, const test::app_surface& source)
      : thread_([this, &machine, &app, source] {
          const sim::thread_scope here{machine, app.process};
          D3DKMT_PRESENT wanted{};
          wanted.hSource = source.allocation;
          wanted.FlipInterval = D3DDDI_FLIPINTERVAL_ONE;
          wanted.Flags.Flip = 1;
          status_ = app.present(wanted);
          is_over_.store(true);
        }) {}
  [[nodiscard]] auto is_over() const noexcept -> bool { return is_over_.load(); }
  auto join() -> NTSTATUS {
    thread_.join();
    return status_;
  }

 private:
  std::atomic<bool> is_over_ = false;
  NTSTATUS status_ = STATUS_SUCCESS;
  std::thread thread_;
};

}  // namespace

TEST_CASE("a present beyond the queued limit blocks its thread and nobody else",
          "[sim][concurrent][present]") {
  test::running_windows<> w{test::running_windows<>::small_desktop(), test::concurrent()};
  test::application app{7};
  REQUIRE(app.own_source(D3DKMT_VIDPNSOURCEOWNER_SHARED) == STATUS_SUCCESS);
  REQUIRE(app.set_queued_limit(1) == STATUS_SUCCESS);
  const auto surface = app.create_surface(11, 640, 480);
  // Time stands still, so that no vertical blank ends the first one.
  REQUIRE(app.flip(surface, false) == STATUS_SUCCESS);
  CHECK(app.flip(surface, false) == STATUS_DEVICE_BUSY);
  presenting_thread blocked{w.pc, app, surface};
  for (int i = 0; i < 100; ++i) CHECK(app.statistics().PresentCount == 0);
  CHECK_FALSE(blocked.is_over());
  auto& upper = w.session.session();
  std::uint32_t shown = 0;
  SECTION("until a vertical blank ends the one before") {
    const test::running_clock time{w.pc};
    CHECK(blocked.join() == STATUS_SUCCESS);
    CHECK(app.statistics().PresentCount >= 1);
    while (shown != 2) {
      REQUIRE(app.wait_vblank() == STATUS_SUCCESS);
      shown = app.statistics().PresentCount;
    }
  }
  SECTION("until the limit rises") {
    REQUIRE(app.set_queued_limit(2) == STATUS_SUCCESS);
    CHECK(blocked.join() == STATUS_SUCCESS);
    CHECK(app.statistics().PresentCount == 0);
    CHECK(app.flip(surface, false) == STATUS_DEVICE_BUSY);
  }
  SECTION("until a timeout takes the device") {
    upper.scheduler.reset_from_timeout();
    CHECK(blocked.join() == STATUS_DEVICE_REMOVED);
    CHECK(app.blt(surface) == STATUS_DEVICE_REMOVED);
  }
  const test::running_clock time{w.pc};  // Presents that are queued end at a vertical blank.
  app.close();
}

TEST_CASE("processes work at once while the display refreshes", "[sim][concurrent]") {
  test::running_windows<> w{test::running_windows<>::small_desktop(), test::concurrent()};
  const test::running_clock time{w.pc};
  std::atomic<int> failures = 0;
  std::vector<std::thread> threads;
  constexpr std::uint32_t processes = 3;
  for (std::uint32_t p = 0; p < processes; ++p) {
    threads.emplace_back([&, p] {
      const sim::thread_scope here{w.pc, 10 + p};
      quiet_process process{10 + p};
      constexpr std::uint32_t surfaces = 20;
      for (std::uint32_t i = 0; i < surfaces; ++i) {
        process.use_surface(1 + p * 1000 + i);
        if (i % 8 == 0) process.wait_vblank();
      }
      process.close();
      failures += process.failures();
    });
  }
  for (auto& one : threads) one.join();
  CHECK(failures.load() == 0);
  CHECK(w.reg(AEROGPU_MMIO_REG_ERROR_COUNT) == 0);
  CHECK(w.session.session().scheduler.resets() == 0);
}

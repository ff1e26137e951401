// SPDX-License-Identifier: MIT
/// \file gdi32 as the user-mode driver calls it, on the simulated kernel: profile U has no other
/// way to ask for fences and for the adapter's private data.
#pragma once

#include "aerogpu/abi/dbgctl_escape.h"
#include "aerogpu/core/bytes.hpp"
#include "drivers/sim/kernel/objects/user_services.hpp"
#include "drivers/sim/runtime/ddi/ddi_scope.hpp"
#include "drivers/win7/umd/d3d9/core/os_native.hpp"

#include <atomic>
#include <cstdint>

namespace aerogpu::test {

/// Which clock the driver reads.
enum class driver_clock : std::uint8_t {
  system,  ///< For machines that run by themselves, and hosts that draw.
  steps,   ///< Each look at it is 100 us later, and the machine runs while the driver sleeps.
};

/// Below the driver for as long as it lives. The driver has one adapter for all simulated
/// processes, which are one to it; each call goes to the calling thread's own.
class simulated_gdi : public umd::os::native_system {
 public:
  explicit simulated_gdi(driver_clock clock = driver_clock::system)
      : clock_(clock), before_(umd::os::install(this)) {}

  auto now_ns() noexcept -> std::uint64_t override {
    constexpr std::uint64_t step_ns = 100'000;
    return clock_ == driver_clock::steps ? now_ns_ += step_ns : umd::os::linux_now_ns();
  }
  void sleep_ms(std::uint32_t milliseconds) noexcept override {
    if (clock_ == driver_clock::system) return umd::os::linux_sleep_ms(milliseconds);
    constexpr std::uint64_t ns_of_ms = 1'000'000;
    now_ns_ += milliseconds * ns_of_ms;
    pass_time();
  }
  auto open_adapter(void*, umd::os::kernel_adapter& out) noexcept -> bool override {
    const opened_adapter own;
    if (own.handle == 0) return false;
    out.handle = any_adapter;
    out.luid = {static_cast<std::uint32_t>(own.luid.LowPart),
                static_cast<std::int32_t>(own.luid.HighPart)};
    return true;
  }
  auto escape(std::uint32_t adapter, mutable_bytes buffer) noexcept -> bool override {
    const opened_adapter own;
    D3DKMT_ESCAPE asked{};
    asked.hAdapter = own.handle;
    asked.Type = D3DKMT_ESCAPE_DRIVERPRIVATE;
    asked.pPrivateDriverData = buffer.data();
    asked.PrivateDriverDataSize = static_cast<UINT>(buffer.size());
    ++escapes_;
    const bool is_done = adapter == any_adapter && NT_SUCCESS(D3DKMTEscape(&asked));
    sim::let_time_pass();  // Whoever polls waits for the machine.
    return is_done;
  }
  auto query_private_data(std::uint32_t adapter, mutable_bytes out) noexcept -> bool override {
    const opened_adapter own;
    const D3DKMT_QUERYADAPTERINFO asked{own.handle, KMTQAITYPE_UMDRIVERPRIVATE, out.data(),
                                        static_cast<UINT>(out.size())};
    return adapter == any_adapter && NT_SUCCESS(D3DKMTQueryAdapterInfo(&asked));
  }
  auto scan_line(umd::os::scan_position& out) noexcept -> bool override {
    const opened_adapter own;
    D3DKMT_GETSCANLINE asked{};
    asked.hAdapter = own.handle;
    if (!NT_SUCCESS(D3DKMTGetScanLine(&asked))) return false;
    out = {asked.InVerticalBlank != 0, asked.ScanLine};
    return true;
  }
  auto wait_for_fence(std::uint32_t, std::uint64_t fence, std::uint32_t milliseconds) noexcept
      -> umd::os::wait_status override {
    ++waits_;
    for (std::uint32_t waited = 0;; ++waited) {
      aerogpu_escape_query_fence_out query{};
      query.hdr = {AEROGPU_ESCAPE_VERSION, AEROGPU_ESCAPE_OP_QUERY_FENCE, sizeof query, 0};
      if (!escape(any_adapter, mutable_bytes_of(query))) return umd::os::wait_status::failed;
      if (query.last_completed_fence >= fence) return umd::os::wait_status::complete;
      if (waited == milliseconds) return umd::os::wait_status::timed_out;
      sleep_ms(1);
    }
  }

  [[nodiscard]] auto escapes() const noexcept -> std::uint32_t { return escapes_.load(); }
  /// Calls of wait_for_fence, of which each may escape several times.
  [[nodiscard]] auto waits() const noexcept -> std::uint32_t { return waits_.load(); }

 protected:
  ~simulated_gdi() { umd::os::install(before_); }

 private:
  /// What the driver's adapter is called; no simulated process has it.
  static constexpr std::uint32_t any_adapter = 0x0A0A0A0A;

  /// The calling thread's, for one call. The kernel's code is not the driver's.
  struct opened_adapter {
    opened_adapter() noexcept {
      D3DKMT_OPENADAPTERFROMGDIDISPLAYNAME opened{};
      if (!NT_SUCCESS(D3DKMTOpenAdapterFromGdiDisplayName(&opened))) return;
      handle = opened.hAdapter;
      luid = opened.AdapterLuid;
    }
    ~opened_adapter() {
      const D3DKMT_CLOSEADAPTER closed{handle};
      if (handle != 0) static_cast<void>(D3DKMTCloseAdapter(&closed));
    }
    opened_adapter(const opened_adapter&) = delete;
    auto operator=(const opened_adapter&) -> opened_adapter& = delete;

    sim::callback_scope in_kernel;
    D3DKMT_HANDLE handle = 0;
    LUID luid{};
  };
  static void pass_time() noexcept {
    const sim::callback_scope in_kernel;
    sim::let_time_pass();
  }

  const driver_clock clock_;
  std::atomic<std::uint64_t> now_ns_ = 0;
  std::atomic<std::uint32_t> escapes_ = 0;
  std::atomic<std::uint32_t> waits_ = 0;
  umd::os::native_system* before_;
};

}  // namespace aerogpu::test

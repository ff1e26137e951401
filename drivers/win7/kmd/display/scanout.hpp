// SPDX-License-Identifier: MIT
/// \file SCANOUT0: the mode, the address, and when it may be enabled (kmd.md 3.14).
///
/// Registers are written under the interrupt lock, because flips come at DIRQL out of the vertical
/// blank's own notification: whoever calls below DIRQL goes through SynchronizeExecution.
#pragma once

#include "aerogpu/abi/format.h"
#include "drivers/win7/ddi/ddi.hpp"
#include "drivers/win7/kmd/memory/placement.hpp"
#include "drivers/win7/shared_u64.hpp"

#include <atomic>
#include <cstdint>

namespace aerogpu::kmd {

class adapter;

struct scanout_mode {
  std::uint32_t width = 0;
  std::uint32_t height = 0;
  std::uint32_t format = 0;  ///< aerogpu_format.
  std::uint32_t pitch_bytes = 0;
  friend auto operator==(const scanout_mode&, const scanout_mode&) -> bool = default;
};

/// From the first pixel that the device reads to the end of the last one; 0 for no mode.
[[nodiscard]] auto shown_bytes(scanout_mode mode) noexcept -> std::uint64_t;

/// What counts until a mode is known (kmd.md 2.1).
inline constexpr scanout_mode default_scanout_mode{1024, 768, AEROGPU_FORMAT_B8G8R8X8_UNORM, 4096};

class scanout {
 public:
  /// StartDevice: keeps what the firmware shows when it is plausible, else turns it off. PASSIVE,
  /// registers mapped, ready or not.
  void take_over(adapter& adapter) noexcept;
  /// CommitVidPn; level 2. A mode that differs stays dark until its primary's address comes.
  /// PASSIVE, like set_visible: the timer of the vertical blank stands in for a dark scanout.
  void set_mode(adapter& adapter, const scanout_mode& mode) noexcept;
  /// SetVidPnSourceAddress; up to DIRQL, and there only under the interrupt lock. Only what lies in
  /// the video segment can be shown, by either form of its address; anything else keeps the old
  /// address and is counted. `shown`: the allocation that lies there, for comparison alone.
  void set_address(adapter& adapter, const placement& primary, const void* shown) noexcept;
  /// The processor wrote to a surface: when that is the one on the screen, its address is committed
  /// once more, so that the host shows guest memory again (kmd.md 8.9). DISPATCH.
  void recommit(adapter& adapter, const placement& written) noexcept;
  void set_visible(adapter& adapter, bool is_visible) noexcept;
  /// Stop, sleep: ENABLE 0, address 0, vblank cause acknowledged. The caches stay. Registers
  /// mapped, ready or not.
  void turn_off(adapter& adapter) noexcept;
  /// Resume, TDR: registers from the caches. Registers mapped, ready or not.
  void restore(adapter& adapter) noexcept;

  /// Guest physical address of what is shown; 0 = nothing yet. Any IRQL.
  [[nodiscard]] auto displayed_address() const noexcept -> std::uint64_t { return address_.load(); }
  /// What CRTC_VSYNC reports: bit for bit what SetVidPnSourceAddress gave. Any IRQL.
  [[nodiscard]] auto reported_address() const noexcept -> std::uint64_t {
    return reported_address_.load();
  }
  /// What SetVidPnSourceAddress named as the allocation, which may be gone. Any IRQL.
  [[nodiscard]] auto shown_allocation() const noexcept -> const void* { return shown_.load(); }
  /// Changes in level 2 alone.
  [[nodiscard]] auto mode() const noexcept -> const scanout_mode& { return mode_; }
  [[nodiscard]] auto is_visible() const noexcept -> bool {
    return is_visible_.load(std::memory_order_relaxed);
  }
  /// What ENABLE holds: the device ticks. Any IRQL; a flip can turn it on, but never off.
  [[nodiscard]] auto is_enabled() const noexcept -> bool {
    return is_enabled_.load(std::memory_order_relaxed);
  }

 private:
  void write_mode(adapter& adapter) const noexcept;
  void write_address(adapter& adapter, std::uint64_t address) const noexcept;
  void write_enable(adapter& adapter, bool is_enabled) noexcept;
  [[nodiscard]] auto is_to_be_enabled() const noexcept -> bool;
  /// ENABLE as visibility, address and mode call for.
  void update_enable(adapter& adapter) noexcept;

  scanout_mode mode_ = default_scanout_mode;
  shared_u64 address_;           ///< 0 = none yet. Written after the FB_GPA that it stands for.
  shared_u64 reported_address_;  ///< The same as dxgkrnl names it.
  std::atomic<const void*> shown_ = nullptr;
  std::atomic<bool> is_visible_ = false;
  std::atomic<bool> is_enabled_ = false;  ///< Written under the interrupt lock.
  bool awaits_address_ = true;  ///< The address belongs to an earlier mode. Interrupt lock.
};

}  // namespace aerogpu::kmd

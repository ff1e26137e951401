// SPDX-License-Identifier: MIT
/// \file The hardware cursor (kmd.md 3.15).
#pragma once

#include "aerogpu/core/bytes.hpp"
#include "drivers/win7/ddi/ddi.hpp"
#include "drivers/win7/kmd/display/cursor_shape.hpp"
#include "drivers/win7/kmd/system/os.hpp"
#include "drivers/win7/kmd/system/passive_lock.hpp"

#include <cstddef>
#include <cstdint>

namespace aerogpu::kmd {

class adapter;

/// All members: PASSIVE. The pointer class is one thread at a time, but escapes set the same
/// cursor: whoever comes second sleeps until the first one is done. While the device is off,
/// everything is remembered and nothing written.
class cursor {
 public:
  /// STATUS_NOT_SUPPORTED without the CURSOR feature: GDI draws. A shape that fails hides the
  /// earlier one, for GDI draws that one too.
  [[nodiscard]] auto set_shape(adapter& adapter, const DXGKARG_SETPOINTERSHAPE& shape) noexcept
      -> NTSTATUS;
  /// Of an escape: a shape that fails leaves the earlier one.
  [[nodiscard]] auto set_shape(adapter& adapter, const cursor_shape& shape) noexcept -> NTSTATUS;
  /// `x`, `y`: the image's top-left corner; of an invisible one they say nothing.
  [[nodiscard]] auto set_position(adapter& adapter, std::int32_t x, std::int32_t y,
                                  bool is_visible) noexcept -> NTSTATUS;
  /// Of escapes, which change one thing at a time.
  [[nodiscard]] auto move(adapter& adapter, std::int32_t x, std::int32_t y) noexcept -> NTSTATUS;
  [[nodiscard]] auto set_visible(adapter& adapter, bool is_visible) noexcept -> NTSTATUS;
  /// Stop, sleep: all registers 0. The caches stay. Ready or not.
  void turn_off(adapter& adapter) noexcept;
  /// Resume, TDR: registers from the caches. Ready or not.
  void restore(adapter& adapter) noexcept;
  /// Whether the position registers hold what is written; then they are as before. Ready.
  [[nodiscard]] auto test_position(adapter& adapter) noexcept -> bool;
  /// StopDevice: the image's memory goes, and the shape with it. The device must not read it any
  /// more.
  void destroy(adapter& adapter) noexcept;

  /// What is set, without MMIO. `shape.pixels` is empty.
  struct state {
    cursor_shape shape;
    std::int32_t x = 0, y = 0;
    bool is_visible = false;
    std::uint64_t image_physical = 0;  ///< `shape.pitch_bytes * shape.height` bytes.
  };
  [[nodiscard]] auto current() noexcept -> state;

 private:
  /// Takes `shape`, and the pixels that `fill(image bytes)` writes.
  template <class Fill>
  [[nodiscard]] auto replace(adapter& adapter, const cursor_shape& shape, Fill&& fill) noexcept
      -> NTSTATUS;
  [[nodiscard]] auto reserve(std::size_t size_bytes) noexcept -> bool;
  void remove_shape(adapter& adapter) noexcept;
  void write_all(adapter& adapter) noexcept;
  void write_position(adapter& adapter) const noexcept;
  void update_enable(adapter& adapter) noexcept;
  void write_enable(adapter& adapter, bool is_enabled) noexcept;

  passive_lock lock_;
  os::contiguous_memory image_;  ///< Kept when large enough.
  cursor_shape shape_;           ///< Width 0 = none.
  std::int32_t x_ = 0, y_ = 0;
  bool is_visible_ = false;
  bool is_enabled_ = false;  ///< What the register holds.
};

}  // namespace aerogpu::kmd

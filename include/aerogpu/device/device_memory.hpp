// SPDX-License-Identifier: MIT
/// \file Guest memory as the device reaches it: the machine's RAM, and BAR1 without a detour.
#pragma once

#include "aerogpu/core/checked.hpp"
#include "aerogpu/device/video_memory.hpp"
#include "aerogpu/memory/guest_memory.hpp"

#include <cstdint>

namespace aerogpu {

/// Models `guest_memory`. An address in BAR1 is valid wherever guest memory is valid (kmd.md K-H1,
/// host.md 1.8): ring, tables, backings, scanout and cursor all go through here. Ranges that
/// straddle an edge of BAR1 are split.
template <guest_memory Ram>
class device_memory {
 public:
  /// Both outlive this.
  device_memory(Ram& ram, video_memory& vram) noexcept : ram_(&ram), vram_(&vram) {}

  /// Where BAR1 is decoded.
  void set_window(std::uint64_t base) noexcept {
    window_base_ = base;
    window_bytes_ = vram_->bar_bytes();
  }
  void close_window() noexcept {
    window_base_ = UINT64_MAX;
    window_bytes_ = 0;
  }

  // Each submission makes a dozen of these, most of a size that the caller knows: inline, they are
  // the host's own copy and two comparisons.

  [[nodiscard, gnu::always_inline]] auto read(gpa at, mutable_bytes out) noexcept -> bool {
    if (meets_window(raw(at), out.size())) [[unlikely]]
      return read_split(at, out);
    return ram_->read(at, out);
  }

  [[nodiscard, gnu::always_inline]] auto write(gpa at, const_bytes in) noexcept -> bool {
    if (meets_window(raw(at), in.size())) [[unlikely]]
      return write_split(at, in);
    return ram_->write(at, in);
  }

 private:
  [[nodiscard, gnu::noinline]] auto read_split(gpa at, mutable_bytes out) noexcept -> bool {
    return split(
        at, out, [&](gpa where, mutable_bytes part) { return ram_->read(where, part); },
        [&](std::uint64_t offset, mutable_bytes part) { return vram_->read(offset, part); });
  }
  [[nodiscard, gnu::noinline]] auto write_split(gpa at, const_bytes in) noexcept -> bool {
    return split(
        at, in, [&](gpa where, const_bytes part) { return ram_->write(where, part); },
        [&](std::uint64_t offset, const_bytes part) { return vram_->write(offset, part); });
  }

  [[nodiscard]] auto meets_window(std::uint64_t at, std::size_t size) const noexcept -> bool {
    return at - window_base_ < window_bytes_ || window_base_ - at < size;
  }

  /// The parts before, inside and after the window.
  template <class Bytes, class ToRam, class ToVram>
  [[nodiscard]] auto split(gpa start, Bytes bytes, ToRam&& to_ram, ToVram&& to_vram) const noexcept
      -> bool {
    if (range_wraps(raw(start), bytes.size())) return false;
    std::uint64_t at = raw(start);
    if (at < window_base_) {
      const auto before = static_cast<std::size_t>(at_most(window_base_ - at, bytes.size()));
      if (!to_ram(static_cast<gpa>(at), bytes.first(before))) return false;
      bytes = bytes.subspan(before);
      at += before;
    }
    const auto offset = at - window_base_;
    const auto room = offset < window_bytes_ ? window_bytes_ - offset : 0;
    const auto inside = static_cast<std::size_t>(at_most(room, bytes.size()));
    if (inside != 0 && !to_vram(offset, bytes.first(inside))) return false;
    bytes = bytes.subspan(inside);
    return bytes.empty() || to_ram(static_cast<gpa>(at + inside), bytes);
  }

  [[nodiscard]] static constexpr auto at_most(std::uint64_t a, std::uint64_t b) noexcept
      -> std::uint64_t {
    return a < b ? a : b;
  }

  Ram* ram_;
  video_memory* vram_;
  std::uint64_t window_base_ = UINT64_MAX;
  std::uint64_t window_bytes_ = 0;
};

}  // namespace aerogpu

// SPDX-License-Identifier: MIT
/// \file Where VidMm put something: segment and address, and what the CPU finds there.
#pragma once

#include <atomic>
#include <cstdint>

namespace aerogpu::kmd {

/// Segments as QueryAdapterInfo reports them; ids are positions counted from 1 (kmd.md 2.3).
enum class segment_id : std::uint32_t {
  none = 0,      ///< Not resident, or not known.
  video = 1,     ///< BAR1 or the carve-out: contiguous, and its addresses are guest physical.
  aperture = 2,  ///< System pages, scattered: for the CPU paths alone.
};

/// An address as dxgkrnl states it: the segment's BaseAddress plus an offset.
struct placement {
  segment_id segment = segment_id::none;
  std::uint64_t address = 0;

  [[nodiscard]] auto is_known() const noexcept -> bool { return segment != segment_id::none; }
  friend auto operator==(const placement&, const placement&) -> bool = default;
};

/// A segment number of dxgkrnl's; none for one that the driver never reported.
[[nodiscard]] constexpr auto to_segment(std::uint32_t id) noexcept -> segment_id {
  const bool is_ours = id <= static_cast<std::uint32_t>(segment_id::aperture);
  return is_ours ? static_cast<segment_id>(id) : segment_id::none;
}

/// A placement that one thread writes while another reads, without a lock: page number and segment
/// in one word, because an i686 driver has no 64-bit atomics. VidMm places allocations at pages;
/// an address inside a page, or of 4 TiB and up, is kept as unknown. Any IRQL.
class tracked_placement {
 public:
  tracked_placement() noexcept = default;
  tracked_placement(const tracked_placement&) = delete;

  auto operator=(const placement& at) noexcept -> tracked_placement& {
    word_.store(pack(at), std::memory_order_release);
    return *this;
  }
  operator placement() const noexcept { return get(); }
  [[nodiscard]] auto get() const noexcept -> placement {
    const std::uint32_t word = word_.load(std::memory_order_acquire);
    return {static_cast<segment_id>(word & segment_mask),
            std::uint64_t{word >> segment_bits} << page_shift};
  }
  [[nodiscard]] auto is_known() const noexcept -> bool { return get().is_known(); }

 private:
  static constexpr std::uint32_t segment_bits = 2;
  static constexpr std::uint32_t segment_mask = (1u << segment_bits) - 1;
  static constexpr std::uint32_t page_shift = 12;

  [[nodiscard]] static auto pack(const placement& at) noexcept -> std::uint32_t {
    const std::uint64_t page = at.address >> page_shift;
    const bool is_page = page << page_shift == at.address && page >> (32 - segment_bits) == 0;
    if (!at.is_known() || !is_page) return 0;
    return static_cast<std::uint32_t>(page) << segment_bits |
           static_cast<std::uint32_t>(at.segment);
  }

  std::atomic<std::uint32_t> word_ = 0;
};

}  // namespace aerogpu::kmd

// SPDX-License-Identifier: MIT
/// \file The two segments, and the bytes behind a placement (kmd.md 3.2).
#pragma once

#include "aerogpu/core/bytes.hpp"
#include "drivers/win7/ddi/ddi.hpp"
#include "drivers/win7/kmd/adapter/hardware.hpp"
#include "drivers/win7/kmd/memory/aperture_map.hpp"
#include "drivers/win7/kmd/memory/placement.hpp"
#include "drivers/win7/kmd/system/os.hpp"

#include <cstddef>
#include <cstdint>

namespace aerogpu::kmd {

/// A carve-out below this is no use for a desktop.
inline constexpr std::uint64_t least_carve_out_bytes = 32u << 20;
inline constexpr std::uint64_t aperture_base = 0x1'0000'0000;

class segments {
 public:
  /// Takes the video memory that is mapped, or carves some out when there is none, and makes the
  /// page map of the aperture. STATUS_INSUFFICIENT_RESOURCES, with nothing kept. PASSIVE.
  [[nodiscard]] auto create(const hardware& device, std::uint32_t aperture_mib) noexcept
      -> NTSTATUS;
  void destroy() noexcept;

  /// Guest physical address of the video segment, which is what it is reported at.
  [[nodiscard]] auto video_base() const noexcept -> std::uint64_t { return video_base_; }
  [[nodiscard]] auto video_bytes() const noexcept -> std::uint64_t { return video_bytes_; }
  /// Whether the video segment is system memory that `create` allocated.
  [[nodiscard]] auto is_carved_out() const noexcept -> bool { return static_cast<bool>(carved_); }
  [[nodiscard]] auto aperture_bytes() const noexcept -> std::uint64_t {
    return aperture_.page_count() * page_bytes;
  }
  /// The smallest allocation that may lie in the aperture: however many there are, its map has a
  /// row for each.
  [[nodiscard]] auto smallest_in_aperture_bytes() const noexcept -> std::uint64_t {
    return aperture_bytes() / max_aperture_mdls;
  }
  /// Where an address within the video segment lies in guest memory, whether it has the segment's
  /// base or counts from 0; 0 for one outside. A carve-out may lie so low that a number is both:
  /// then it has the base. Any IRQL.
  [[nodiscard]] auto video_address(std::uint64_t address) const noexcept -> std::uint64_t {
    if (is_video(address, 1)) return address;
    return address < video_bytes_ ? video_base_ + address : 0;
  }
  /// Whether [first, first + size) lies in the video segment.
  [[nodiscard]] auto is_video(std::uint64_t physical, std::uint64_t size_bytes) const noexcept
      -> bool;

  /// As many bytes as lie in one piece at `at + offset`, at most `size_bytes`; empty when the place
  /// is unknown, outside, or an unmapped page. Queue lock.
  [[nodiscard]] auto piece(const placement& at, std::uint64_t offset,
                           std::uint64_t size_bytes) noexcept -> mutable_bytes;

  /// Paging operations 5 and 6, in queue order; false when pages could not be mapped. Queue lock.
  [[nodiscard]] auto map_aperture(std::uint64_t first_page, std::uint64_t page_count, PMDL mdl,
                                  std::uint64_t mdl_page) noexcept -> bool {
    return aperture_.map(first_page, page_count, mdl, mdl_page);
  }
  void unmap_aperture(std::uint64_t first_page, std::uint64_t page_count) noexcept {
    aperture_.unmap(first_page, page_count);
  }

 private:
  [[nodiscard]] auto carve_out(std::uint64_t size_bytes) noexcept -> bool;

  std::byte* video_ = nullptr;
  std::uint64_t video_base_ = 0;
  std::uint64_t video_bytes_ = 0;
  os::contiguous_memory carved_;
  aperture_map aperture_;
};

}  // namespace aerogpu::kmd

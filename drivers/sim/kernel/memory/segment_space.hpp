// SPDX-License-Identifier: MIT
/// \file The address space of one segment: first fit, whole pages.
#pragma once

#include "drivers/sim/kernel/machine/guest_ram.hpp"
#include "drivers/win7/ddi/ddi.hpp"

#include <cstdint>
#include <map>

namespace aerogpu::sim {

/// Not thread-safe: VidMm's lock covers it.
class segment_space {
 public:
  static constexpr std::uint64_t none = UINT64_MAX;

  explicit segment_space(const DXGK_SEGMENTDESCRIPTOR& descriptor) noexcept
      : base(static_cast<std::uint64_t>(descriptor.BaseAddress.QuadPart)),
        cpu_base(static_cast<std::uint64_t>(descriptor.CpuTranslatedAddress.QuadPart)),
        size_bytes(descriptor.Size),
        is_aperture(descriptor.Flags.Aperture != 0),
        is_cpu_visible(descriptor.Flags.CpuVisible != 0) {}

  /// The offset of a free range, or `none`.
  [[nodiscard]] auto allocate(std::uint64_t size, std::uint64_t alignment) -> std::uint64_t {
    const auto step = alignment > page_bytes ? alignment : page_bytes;
    const auto up = [&](std::uint64_t at) { return (at + step - 1) / step * step; };
    std::uint64_t at = 0;
    for (const auto& [start, length] : used_) {
      if (at <= start && size <= start - at) break;
      at = up(start + length);
    }
    if (at > size_bytes || size > size_bytes - at) return none;
    used_[at] = size;
    return at;
  }
  void release(std::uint64_t offset) { used_.erase(offset); }
  [[nodiscard]] auto used_bytes() const -> std::uint64_t {
    std::uint64_t sum = 0;
    for (const auto& [start, length] : used_) sum += length;
    return sum;
  }

  std::uint64_t base = 0;
  std::uint64_t cpu_base = 0;
  std::uint64_t size_bytes = 0;
  bool is_aperture = false;
  bool is_cpu_visible = false;

 private:
  std::map<std::uint64_t, std::uint64_t> used_;  ///< Size by offset.
};

}  // namespace aerogpu::sim

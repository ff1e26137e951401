// SPDX-License-Identifier: MIT
#include "drivers/win7/kmd/memory/segments.hpp"

#include "aerogpu/core/checked.hpp"

namespace aerogpu::kmd {

auto segments::create(const hardware& device, std::uint32_t aperture_mib) noexcept -> NTSTATUS {
  const std::uint64_t aperture_size = std::uint64_t{aperture_mib} << 20;
  if (!aperture_.create(aperture_size / page_bytes)) return STATUS_INSUFFICIENT_RESOURCES;
  if (device.video != nullptr) {
    video_ = device.video;
    video_base_ = device.video_physical;
    video_bytes_ = device.video_bytes / page_bytes * page_bytes;
    return STATUS_SUCCESS;
  }
  if (carve_out(aperture_size / 4)) return STATUS_SUCCESS;
  destroy();
  return STATUS_INSUFFICIENT_RESOURCES;
}

auto segments::carve_out(std::uint64_t size_bytes) noexcept -> bool {
  for (; size_bytes >= least_carve_out_bytes; size_bytes /= 2) {
    if (size_bytes > SIZE_MAX) continue;
    carved_ = os::allocate_contiguous(static_cast<std::size_t>(size_bytes), MmWriteCombined);
    if (!carved_) continue;
    video_ = carved_.bytes;
    video_base_ = carved_.physical;
    video_bytes_ = carved_.size_bytes / page_bytes * page_bytes;
    return true;
  }
  return false;
}

void segments::destroy() noexcept {
  aperture_.destroy();
  os::release_contiguous(carved_, MmWriteCombined);
  video_ = nullptr;
  video_base_ = video_bytes_ = 0;
}

auto segments::is_video(std::uint64_t physical, std::uint64_t size_bytes) const noexcept -> bool {
  return physical >= video_base_ && range_fits(physical - video_base_, size_bytes, video_bytes_);
}

auto segments::piece(const placement& at, std::uint64_t offset, std::uint64_t size_bytes) noexcept
    -> mutable_bytes {
  const bool is_in_video = at.segment == segment_id::video;
  if (!is_in_video && at.segment != segment_id::aperture) return {};
  const std::uint64_t base = is_in_video ? video_base_ : aperture_base;
  const std::uint64_t limit = is_in_video ? video_bytes_ : aperture_bytes();
  if (at.address < base || !range_fits(offset, 1, limit)) return {};
  const std::uint64_t start = at.address - base;
  if (!range_fits(start, 1, limit - offset)) return {};
  const std::uint64_t room = limit - offset - start;
  const std::uint64_t wanted = size_bytes < room ? size_bytes : room;
  if (!is_in_video) return aperture_.piece(start + offset, wanted);
  return {video_ + start + offset, static_cast<std::size_t>(wanted)};
}

}  // namespace aerogpu::kmd

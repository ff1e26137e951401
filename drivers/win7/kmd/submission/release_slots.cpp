// SPDX-License-Identifier: MIT
#include "drivers/win7/kmd/submission/release_slots.hpp"

#include "aerogpu/core/bytes.hpp"
#include "aerogpu/ring/ring_layout.hpp"

#include <cstddef>

namespace aerogpu::kmd {

auto release_slots::create() noexcept -> NTSTATUS {
  memory_ = os::allocate_contiguous(std::size_t{release_slot_count} * release_slot_bytes, MmCached);
  clear();
  return memory_ ? STATUS_SUCCESS : STATUS_INSUFFICIENT_RESOURCES;
}

void release_slots::destroy() noexcept {
  os::release_contiguous(memory_, MmCached);
}

auto release_slots::take(share_token token) noexcept -> gpa {
  const std::uint32_t offset = taken_++ % release_slot_count * release_slot_bytes;
  store(memory_.bytes + offset, make_release_stream(token));
  return static_cast<gpa>(memory_.physical + offset);
}

void release_slots::recycle(std::uint32_t ring_head) noexcept {
  while (recycled_ != sent_ &&
         index_reached(ring_head, tail_after_[recycled_ % release_slot_count])) {
    ++recycled_;
  }
}

}  // namespace aerogpu::kmd

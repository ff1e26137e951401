// SPDX-License-Identifier: MIT
#include "drivers/win7/kmd/submission/internal_slots.hpp"

#include "aerogpu/ring/ring_layout.hpp"

#include <cstddef>
#include <cstring>

namespace aerogpu::kmd {

auto internal_slots::create() noexcept -> NTSTATUS {
  memory_ =
      os::allocate_contiguous(std::size_t{internal_slot_count} * internal_slot_bytes, MmCached);
  clear();
  return memory_ ? STATUS_SUCCESS : STATUS_INSUFFICIENT_RESOURCES;
}

void internal_slots::destroy() noexcept {
  os::release_contiguous(memory_, MmCached);
}

auto internal_slots::take(context_id context, const_bytes stream) noexcept
    -> const ring_submission& {
  const std::uint32_t index = taken_++ % internal_slot_count;
  const std::uint32_t offset = index * internal_slot_bytes;
  std::memcpy(memory_.bytes + offset, stream.data(), stream.size());
  ring_submission& submission = slots_[index].submission;
  submission = {};
  submission.flags = AEROGPU_SUBMIT_FLAG_NO_IRQ;
  submission.context = context;
  submission.commands = {static_cast<gpa>(memory_.physical + offset),
                         static_cast<std::uint32_t>(stream.size())};
  return submission;
}

void internal_slots::recycle(std::uint32_t ring_head) noexcept {
  while (recycled_ != sent_ &&
         index_reached(ring_head, slots_[recycled_ % internal_slot_count].tail_after)) {
    ++recycled_;
  }
}

}  // namespace aerogpu::kmd

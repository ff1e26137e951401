// SPDX-License-Identifier: MIT
/// \file Command memory of the driver's own streams: 64 slots that the device reads (kmd.md 3.5).
#pragma once

#include "aerogpu/core/bytes.hpp"
#include "aerogpu/core/ids.hpp"
#include "aerogpu/ring/submit_desc.hpp"
#include "aerogpu/share/context_end_stream.hpp"
#include "aerogpu/share/release_stream.hpp"
#include "drivers/win7/ddi/ddi.hpp"
#include "drivers/win7/kmd/system/os.hpp"

#include <array>
#include <cstdint>

namespace aerogpu::kmd {

inline constexpr std::uint32_t internal_slot_count = 64;
inline constexpr std::uint32_t internal_slot_bytes = 64;
static_assert(sizeof(release_stream) <= internal_slot_bytes);
static_assert(sizeof(context_end_stream) <= internal_slot_bytes);

/// Slots are taken, sent and recycled in one order. Queue lock, but for `create` and `destroy`.
class internal_slots {
 public:
  /// STATUS_INSUFFICIENT_RESOURCES. PASSIVE.
  [[nodiscard]] auto create() noexcept -> NTSTATUS;
  void destroy() noexcept;

  [[nodiscard]] auto has_free() const noexcept -> bool {
    return taken_ - recycled_ < internal_slot_count;
  }
  /// Copies the stream into the next slot, and gives its submission, which has no fence yet.
  /// Precondition: has_free(), and the stream fits a slot.
  [[nodiscard]] auto take(context_id context, const_bytes stream) noexcept
      -> const ring_submission&;
  /// The oldest slot that is not sent yet is in the ring, or was given up: it can be reused once
  /// the ring's head reached `tail_after`. Precondition: there is one.
  void sent(std::uint32_t tail_after) noexcept {
    slots_[sent_++ % internal_slot_count].tail_after = tail_after;
  }
  /// The ring was lost: slots that the device has not taken are to be sent anew.
  void send_again() noexcept { sent_ = recycled_; }
  [[nodiscard]] auto unsent() const noexcept -> std::uint32_t { return taken_ - sent_; }
  /// The slot that is to be sent `i` after the next one.
  [[nodiscard]] auto unsent_at(std::uint32_t i) const noexcept -> const ring_submission& {
    return slots_[(sent_ + i) % internal_slot_count].submission;
  }
  /// Frees what the device has taken.
  void recycle(std::uint32_t ring_head) noexcept;
  /// The device forgot what it was given.
  void clear() noexcept { taken_ = sent_ = recycled_ = 0; }

 private:
  struct slot {
    ring_submission submission;
    std::uint32_t tail_after = 0;
  };

  os::contiguous_memory memory_;
  std::array<slot, internal_slot_count> slots_{};
  std::uint32_t taken_ = 0, sent_ = 0, recycled_ = 0;  ///< Running counts.
};

}  // namespace aerogpu::kmd

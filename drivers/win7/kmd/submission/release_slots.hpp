// SPDX-License-Identifier: MIT
/// \file Command memory of share-token releases: 64 slots that the device reads (kmd.md 3.5).
#pragma once

#include "aerogpu/core/ids.hpp"
#include "aerogpu/share/release_stream.hpp"
#include "drivers/win7/ddi/ddi.hpp"
#include "drivers/win7/kmd/system/os.hpp"

#include <array>
#include <cstdint>

namespace aerogpu::kmd {

inline constexpr std::uint32_t release_slot_count = 64;
inline constexpr std::uint32_t release_slot_bytes = 64;
static_assert(sizeof(release_stream) <= release_slot_bytes);

/// Slots are taken, sent and recycled in one order. Queue lock, but for `create` and `destroy`.
class release_slots {
 public:
  /// STATUS_INSUFFICIENT_RESOURCES. PASSIVE.
  [[nodiscard]] auto create() noexcept -> NTSTATUS;
  void destroy() noexcept;

  [[nodiscard]] auto has_free() const noexcept -> bool {
    return taken_ - recycled_ < release_slot_count;
  }
  /// Writes the stream that releases `token` into the next slot, and gives its address.
  /// Precondition: has_free().
  [[nodiscard]] auto take(share_token token) noexcept -> gpa;
  /// The oldest slot that is not sent yet is in the ring, or was given up: it can be reused once
  /// the ring's head reached `tail_after`. Precondition: there is one.
  void sent(std::uint32_t tail_after) noexcept {
    tail_after_[sent_++ % release_slot_count] = tail_after;
  }
  /// The ring was lost: slots that the device has not taken are to be sent anew.
  void send_again() noexcept { sent_ = recycled_; }
  [[nodiscard]] auto unsent() const noexcept -> std::uint32_t { return taken_ - sent_; }
  /// The address of the slot that is to be sent `i` after the next one.
  [[nodiscard]] auto unsent_at(std::uint32_t i) const noexcept -> gpa {
    const std::uint32_t offset = (sent_ + i) % release_slot_count * release_slot_bytes;
    return static_cast<gpa>(memory_.physical + offset);
  }
  /// Frees what the device has taken.
  void recycle(std::uint32_t ring_head) noexcept;
  /// The device forgot what it was given.
  void clear() noexcept { taken_ = sent_ = recycled_ = 0; }

 private:
  os::contiguous_memory memory_;
  std::array<std::uint32_t, release_slot_count> tail_after_{};
  std::uint32_t taken_ = 0, sent_ = 0, recycled_ = 0;  ///< Running counts.
};

}  // namespace aerogpu::kmd

// SPDX-License-Identifier: MIT
/// \file The host's half of the submission ring, over hostile guest memory.
#pragma once

#include "aerogpu/abi/ring.h"
#include "aerogpu/core/checked.hpp"
#include "aerogpu/core/ids.hpp"
#include "aerogpu/core/result.hpp"
#include "aerogpu/memory/guest_memory.hpp"
#include "aerogpu/ring/ring_layout.hpp"

#include <atomic>
#include <cstddef>
#include <cstdint>

namespace aerogpu {

/// Throws queued entries away without signalling their fences: head := tail. Touches no memory
/// when there is no ring, or when either index is not addressable.
/// Error: out_of_bounds when the indices wrap past 2^64.
template <guest_memory Memory>
auto drop_pending(Memory& memory, gpa ring) noexcept -> result<void> {
  constexpr std::size_t head = offsetof(aerogpu_ring_header, head);
  constexpr std::size_t tail = offsetof(aerogpu_ring_header, tail);
  if (ring == gpa{}) return {};
  if (range_wraps(raw(ring), tail + sizeof(std::uint32_t))) {
    return make_error(error_code::out_of_bounds, "ring address plus its header overflows",
                      raw(ring));
  }
  std::uint32_t index = 0;
  if (read_object(memory, advance(ring, tail), index)) {
    (void)write_object(memory, advance(ring, head), index);
  }
  return {};
}

/// A descriptor out of the ring. When `why` holds an error (cmd_decode: desc_size_bytes is wrong),
/// record it with the descriptor's fence, do not execute, consume and complete all the same.
struct ring_entry {
  aerogpu_submit_desc desc{};
  error why{};

  [[nodiscard]] auto is_valid() const noexcept -> bool { return why.code == error_code::none; }
  [[nodiscard]] auto fence() const noexcept -> fence_value {
    return static_cast<fence_value>(desc.signal_fence);
  }
};

/// The entries that one doorbell found. Each is taken with `fetch`, and given back to the guest
/// with `consume` once all it names was copied out of guest memory. Dropping the view early leaves
/// the rest for the next doorbell.
template <guest_memory Memory>
class ring_view {
 public:
  /// Entries [head, tail) of a ring that `open_ring` checked.
  ring_view(Memory& memory, gpa ring, const ring_layout& layout, std::uint32_t head,
            std::uint32_t tail) noexcept
      : memory_(&memory), ring_(ring), layout_(layout), head_(head), tail_(tail) {}

  [[nodiscard]] auto layout() const noexcept -> const ring_layout& { return layout_; }
  /// Entries not consumed yet.
  [[nodiscard]] auto remaining() const noexcept -> std::uint32_t {
    return pending_entries(head_, tail_);
  }
  [[nodiscard]] auto head() const noexcept -> std::uint32_t { return head_; }
  [[nodiscard]] auto tail() const noexcept -> std::uint32_t { return tail_; }

  /// Copies the oldest entry out, once. A slot without memory behind it yields a malformed entry
  /// without a fence. Error: out_of_bounds when the slot wraps past 2^64; then all entries are
  /// dropped and none remain (host.md 1.10, row 12). Precondition: remaining() != 0.
  [[nodiscard]] auto fetch() noexcept -> result<ring_entry>;

  /// Moves head past the oldest entry and tells the guest, after all earlier reads.
  /// Precondition: remaining() != 0.
  void consume() noexcept {
    AEROGPU_CHECK(remaining() != 0);
    store_head(head_ + 1);
  }

 private:
  void store_head(std::uint32_t value) noexcept {
    head_ = value;
    std::atomic_thread_fence(std::memory_order_release);
    (void)write_object(*memory_, advance(ring_, offsetof(aerogpu_ring_header, head)), value);
  }

  Memory* memory_;
  gpa ring_;
  ring_layout layout_;
  std::uint32_t head_;
  std::uint32_t tail_;
};

/// Looks at the ring for one doorbell: rows 3 to 11 of host.md 1.10. Header, head and tail come
/// from one read. A view without entries is no error. Errors, for the caller to record with fence
/// 0: cmd_decode; out_of_bounds. Where the table says so, the queued entries were dropped.
template <guest_memory Memory>
[[nodiscard]] auto open_ring(Memory& memory, gpa ring, std::uint32_t mapped_bytes) noexcept
    -> result<ring_view<Memory>> {
  if (ring == gpa{} || mapped_bytes == 0) {
    return make_error(error_code::cmd_decode, "ring address or size is zero", raw(ring),
                      mapped_bytes);
  }
  if (range_wraps(raw(ring), ring_layout::header_bytes) || range_wraps(raw(ring), mapped_bytes)) {
    (void)drop_pending(memory, ring);
    return make_error(error_code::out_of_bounds, "ring address plus its size overflows", raw(ring),
                      mapped_bytes);
  }
  aerogpu_ring_header header{};
  if (!read_object(memory, ring, header)) {
    return make_error(error_code::cmd_decode, "ring header is not in memory", raw(ring));
  }
  std::atomic_thread_fence(std::memory_order_acquire);  // entries are read after tail
  const auto layout = parse_ring_header(header, mapped_bytes);
  if (!layout) return layout.why();
  const std::uint32_t pending = pending_entries(header.head, header.tail);
  if (pending > layout->entry_count()) {
    const std::uint32_t tail = header.tail;
    (void)write_object(memory, advance(ring, offsetof(aerogpu_ring_header, head)), tail);
    return make_error(error_code::cmd_decode, "ring has more pending entries than slots", pending,
                      layout->entry_count());
  }
  return ring_view<Memory>{memory, ring, *layout, header.head, header.tail};
}

template <guest_memory Memory>
auto ring_view<Memory>::fetch() noexcept -> result<ring_entry> {
  AEROGPU_CHECK(remaining() != 0);
  const std::uint64_t offset = layout_.slot_offset(head_);
  if (range_wraps(raw(ring_), offset + sizeof(aerogpu_submit_desc))) {
    store_head(tail_);
    return make_error(error_code::out_of_bounds, "descriptor address overflows", offset,
                      raw(ring_));
  }
  aerogpu_submit_desc desc;  // Not cleared first: that takes longer than the copy.
  if (!read_object(*memory_, advance(ring_, offset), desc)) {
    return ring_entry{{},
                      make_error(error_code::cmd_decode, "descriptor is not in memory", offset)};
  }
  const std::uint32_t size = desc.desc_size_bytes;
  if (size < ring_layout::descriptor_bytes || size > layout_.entry_stride_bytes()) {
    return ring_entry{desc, make_error(error_code::cmd_decode,
                                       "desc_size_bytes is not between a descriptor and the stride",
                                       size, layout_.entry_stride_bytes())};
  }
  return ring_entry{desc, {}};
}

}  // namespace aerogpu

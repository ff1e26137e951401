// SPDX-License-Identifier: MIT
/// \file The guest's half of the submission ring, over the ring's own memory.
#pragma once

#include "aerogpu/core/bytes.hpp"
#include "aerogpu/core/result.hpp"
#include "aerogpu/ring/ring_layout.hpp"
#include "aerogpu/ring/shared_words.hpp"
#include "aerogpu/ring/submit_desc.hpp"

#include <concepts>
#include <cstddef>
#include <cstdint>

namespace aerogpu {

/// How a driver orders its writes and wakes the device. `full_barrier` orders all earlier stores,
/// write-combined ones too, before all later accesses. `write_doorbell` stores to DOORBELL.
template <class P>
concept ring_port = requires(P& port) {
  { port.full_barrier() }
  noexcept->std::same_as<void>;
  { port.write_doorbell() }
  noexcept->std::same_as<void>;
};

/// Fills descriptors and publishes them (wire.md 5.4, kmd.md 3.7). One caller at a time; the
/// device reads concurrently. The mapping outlives the producer.
///
/// All that is read back from the ring is untrusted: it decides only whether the ring still looks
/// as this producer left it.
class ring_producer {
 public:
  /// Formats `mapping` as an empty ring whose first entry has `first_index`, with as many bytes
  /// in use as `entry_count` slots need. The device must not be looking yet. Errors: those of
  /// `ring_layout::create`; invalid_parameter when the mapping is not 8-byte aligned or has 4 GiB.
  [[nodiscard]] static auto create(mutable_bytes mapping, std::uint32_t entry_count,
                                   std::uint32_t entry_stride_bytes,
                                   std::uint32_t first_index = 0) noexcept -> result<ring_producer>;

  [[nodiscard]] auto layout() const noexcept -> const ring_layout& { return layout_; }

  /// What RING_SIZE_BYTES is to be set to.
  [[nodiscard]] auto mapped_bytes() const noexcept -> std::uint32_t {
    return static_cast<std::uint32_t>(mapping_.size());
  }

  /// Next index that the device will take.
  [[nodiscard]] auto head() const noexcept -> std::uint32_t {
    return detail::load_acquire(word(offsetof(aerogpu_ring_header, head)));
  }
  /// Next index that `push` will fill.
  [[nodiscard]] auto tail() const noexcept -> std::uint32_t { return tail_; }

  /// Slots that the next pushes find free. Error: corrupt when the ring in memory is not as this
  /// producer left it, apart from what the device moves: a device or a memory to give up on.
  [[nodiscard]] auto free_slots() const noexcept -> result<std::uint32_t> {
    const std::uint32_t now = head();
    if (const auto good = check_at(now); !good) return good.why();
    return layout_.entry_count() - pending_entries(now, tail_);
  }

  /// Publishes one descriptor and returns the tail after it, for `index_reached`; the device hears
  /// of it with `notify`. Errors, with nothing written: those of `check_buffer`; corrupt; no_space
  /// when the ring is full.
  template <ring_port Port>
  [[nodiscard]] auto push(const ring_submission& work, Port& port) noexcept
      -> result<std::uint32_t> {
    if (const auto good = can_push(work); !good) return good.why();
    write_slot(make_descriptor(work));
    port.full_barrier();
    detail::store_release(word(offsetof(aerogpu_ring_header, tail)), ++tail_);
    return tail_;
  }

  /// Rings the doorbell, once for any number of pushes. Whatever an interrupt handler compares
  /// completions with must be published before (kmd.md 3.7).
  template <ring_port Port>
  void notify(Port& port) const noexcept {
    port.full_barrier();
    port.write_doorbell();
  }

 private:
  ring_producer(mutable_bytes mapping, const ring_layout& layout, std::uint32_t tail) noexcept
      : mapping_(mapping), layout_(layout), tail_(tail) {}

  [[nodiscard]] auto word(std::size_t offset) const noexcept -> std::uint32_t* {
    return detail::shared_word<std::uint32_t>(mapping_, offset);
  }

  [[nodiscard]] auto check_at(std::uint32_t head) const noexcept -> result<void>;
  [[nodiscard]] auto can_push(const ring_submission& work) const noexcept -> result<void>;
  void write_slot(const aerogpu_submit_desc& desc) const noexcept;

  mutable_bytes mapping_;
  ring_layout layout_;
  std::uint32_t tail_;
};

inline auto ring_producer::create(mutable_bytes mapping, std::uint32_t entry_count,
                                  std::uint32_t entry_stride_bytes,
                                  std::uint32_t first_index) noexcept -> result<ring_producer> {
  if (!fits<std::uint32_t>(mapping.size())) {
    return make_error(error_code::invalid_parameter, "ring mapping exceeds 32 bits", mapping.size(),
                      UINT32_MAX);
  }
  const auto address = reinterpret_cast<std::uintptr_t>(mapping.data());
  if (address % sizeof(std::uint64_t) != 0) {
    return make_error(error_code::invalid_parameter, "ring mapping is not 8-byte aligned", address);
  }
  const std::uint64_t used = ring_layout::bytes_for(entry_count, entry_stride_bytes);
  const auto mapped = static_cast<std::uint32_t>(mapping.size());
  const auto size = static_cast<std::uint32_t>(used < mapped ? used : mapped);
  const auto layout = ring_layout::create(entry_count, entry_stride_bytes, size, mapped);
  if (!layout) return layout.why();
  store(mapping.data(), make_ring_header(*layout, first_index));
  return ring_producer{mapping, *layout, first_index};
}

inline auto ring_producer::check_at(std::uint32_t head) const noexcept -> result<void> {
  aerogpu_ring_header header{};  // all but head, which the device stores meanwhile
  constexpr std::size_t shape_bytes = offsetof(aerogpu_ring_header, head);
  copy_bytes(mutable_bytes_of(header).first(shape_bytes), mapping_.first(shape_bytes));
  const auto layout = parse_ring_header(header, mapped_bytes());
  if (!layout || *layout != layout_) {
    return make_error(error_code::corrupt, "ring header changed under the driver", header.magic,
                      AEROGPU_RING_MAGIC);
  }
  const std::uint32_t tail = detail::load_acquire(word(offsetof(aerogpu_ring_header, tail)));
  if (tail != tail_) {
    return make_error(error_code::corrupt, "ring tail changed under the driver", tail, tail_);
  }
  if (pending_entries(head, tail_) > layout_.entry_count()) {
    return make_error(error_code::corrupt, "ring head is not within the published entries", head,
                      tail_);
  }
  return {};
}

inline auto ring_producer::can_push(const ring_submission& work) const noexcept -> result<void> {
  if (const auto good = check_buffer(work.commands); !good) return good.why();
  if (const auto good = check_buffer(work.alloc_table); !good) return good.why();
  const auto free = free_slots();
  if (!free) return free.why();
  if (*free == 0) {
    return make_error(error_code::no_space, "ring is full", layout_.entry_count(),
                      layout_.entry_count());
  }
  return {};
}

inline void ring_producer::write_slot(const aerogpu_submit_desc& desc) const noexcept {
  const std::uint64_t offset = layout_.slot_offset(tail_);
  AEROGPU_CHECK(range_fits(offset, sizeof desc, mapping_.size()));
  store(mapping_.data() + offset, desc);
}

}  // namespace aerogpu

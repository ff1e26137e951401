// SPDX-License-Identifier: MIT
/// \file The allocations that the recorded stream refers to, each once.
#pragma once

#include "aerogpu/core/ids.hpp"
#include "aerogpu/hosted/heap_array.hpp"
#include "aerogpu/hosted/heap_map.hpp"
#include "drivers/win7/umd/d3d9/submit/runtime.hpp"

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>

namespace aerogpu::umd {

/// Guest memory of a resource, as submissions name it. Without one all is 0.
struct guest_backing {
  kernel_allocation allocation{};
  alloc_id id{};
  share_token token{};  ///< Of a shared surface.
  std::uint64_t size_bytes = 0;
  /// The last of its device's lists that it is known to be in, so that it is not looked up for each
  /// draw; `allocation_tracker::list_number`.
  std::uint64_t listed_in = 0;
  bool is_listed_written = false;

  [[nodiscard]] explicit operator bool() const noexcept {
    return id != alloc_id{} || allocation != kernel_allocation{};
  }
  [[nodiscard]] auto is_listed(std::uint64_t list, bool writes) const noexcept -> bool {
    return listed_in == list && (is_listed_written || !writes);
  }
  void note_listed(std::uint64_t list, bool writes) noexcept {
    is_listed_written = writes || (listed_in == list && is_listed_written);
    listed_in = list;
  }
};

struct allocation_use {
  guest_backing memory;
  bool writes = false;
};

/// umd-d3d9.md 4.4, the table of outcomes.
enum class track_outcome : std::uint8_t {
  listed,
  id_collision,    ///< Two allocations with one id and not one token: E_FAIL.
  id_mismatch,     ///< One allocation with two ids: E_FAIL.
  invalid_handle,  ///< Allocation or id is 0: E_INVALIDARG.
  list_is_full,    ///< Submit, then once more.
  out_of_memory,   ///< Of the heap.
};

class allocation_tracker {
 public:
  /// Empties the list; from now on it holds `capacity` entries, and one for a marker.
  void start(std::uint32_t capacity) noexcept;
  [[nodiscard]] auto track(const allocation_use& use) noexcept -> track_outcome;
  /// All of them, or nothing is listed that was not before. Uses without guest memory count for
  /// nothing.
  [[nodiscard]] auto track_all(std::span<const allocation_use> uses) noexcept -> track_outcome;
  /// Lists what no packet refers to, as the last entry. False when the heap is exhausted.
  [[nodiscard]] auto add_marker(kernel_allocation marker) noexcept -> bool;

  /// Each list has its own, from 1: what is in a list stays in it until the next one starts.
  [[nodiscard]] auto list_number() const noexcept -> std::uint64_t { return list_number_; }
  [[nodiscard]] auto listed() const noexcept -> std::span<const listed_allocation> {
    return entries_.view();
  }
  [[nodiscard]] auto capacity() const noexcept -> std::uint32_t { return capacity_; }

 private:
  struct identity {
    alloc_id id;
    share_token token;
  };

  /// The slot of a listed allocation, where it was found last. A guess that checks itself.
  [[nodiscard]] auto guess_of(kernel_allocation allocation) noexcept -> std::uint16_t& {
    constexpr std::uint32_t spread = 0x9E3779B1;  // 2^32 divided by the golden ratio.
    return guesses_[raw(allocation) * spread >> (32 - guess_bits)];
  }
  [[nodiscard]] auto is_at(std::size_t slot, const guest_backing& memory) const noexcept -> bool {
    return slot < identities_.size() && entries_[slot].allocation == memory.allocation &&
           identities_[slot].id == memory.id;
  }
  [[nodiscard]] auto search(const allocation_use& use) noexcept -> track_outcome;
  /// Forgets the newest entries until `size` are left.
  void forget(std::size_t size) noexcept;

  static constexpr unsigned guess_bits = 7;

  std::uint32_t capacity_ = 0;
  std::array<std::uint16_t, 1 << guess_bits> guesses_{};
  std::uint64_t list_number_ = 0;
  heap_array<listed_allocation> entries_;
  heap_array<identity> identities_;  ///< Beside `entries_`.
  heap_map<kernel_allocation, std::uint32_t> by_allocation_;
  heap_map<alloc_id, std::uint32_t> by_id_;
};

}  // namespace aerogpu::umd

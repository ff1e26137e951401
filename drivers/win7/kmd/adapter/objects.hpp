// SPDX-License-Identifier: MIT
/// \file Which allocations and openings live, so that a handle used twice is told from a live one.
#pragma once

#include "drivers/win7/ddi/ddi.hpp"
#include "drivers/win7/kmd/memory/allocation.hpp"
#include "drivers/win7/kmd/system/os.hpp"

#include <array>
#include <cstddef>
#include <cstdint>

namespace aerogpu::kmd {

/// Objects by their address, chained through their `next_live`; nothing is allocated. An address
/// that is not in the set is never followed.
template <class T>
class address_set {
 public:
  void insert(T& object) noexcept {
    T*& first = buckets_[bucket_of(&object)];
    object.next_live = first;
    first = &object;
  }
  [[nodiscard]] auto find(const void* address) const noexcept -> T* {
    T* at = buckets_[bucket_of(address)];
    while (at != nullptr && at != address) at = at->next_live;
    return at;
  }
  /// Takes it out and gives it; nullptr when it was not there.
  [[nodiscard]] auto take(const void* address) noexcept -> T* {
    T** link = &buckets_[bucket_of(address)];
    while (*link != nullptr && *link != address) link = &(*link)->next_live;
    T* const taken = *link;
    if (taken != nullptr) *link = taken->next_live;
    return taken;
  }
  /// Any object, taken out; nullptr when the set is empty.
  [[nodiscard]] auto take_any() noexcept -> T* {
    for (T*& first : buckets_) {
      if (first != nullptr) return take(first);
    }
    return nullptr;
  }

 private:
  /// Tens of thousands of allocations are usual: a chain has some dozens then.
  static constexpr std::size_t bucket_bits = 10;

  [[nodiscard]] static auto bucket_of(const void* address) noexcept -> std::size_t {
    const auto number = static_cast<std::uint32_t>(reinterpret_cast<std::uintptr_t>(address) >> 4);
    return number * 0x9E3779B1u >> (32 - bucket_bits);
  }

  std::array<T*, std::size_t{1} << bucket_bits> buckets_{};
};

/// Allocations whose id is of the kernel driver's range, by that id, chained through their
/// `next_of_kmd_id`. Ids are given out one after another, which spreads them evenly.
class kmd_id_set {
 public:
  void insert(allocation& object) noexcept {
    if (!is_kmd_id(object.id)) return;
    allocation*& first = buckets_[bucket_of(object.id)];
    object.next_of_kmd_id = first;
    first = &object;
  }
  void take(const allocation& object) noexcept {
    if (!is_kmd_id(object.id)) return;
    allocation** link = &buckets_[bucket_of(object.id)];
    while (*link != nullptr && *link != &object) link = &(*link)->next_of_kmd_id;
    if (*link != nullptr) *link = object.next_of_kmd_id;
  }
  [[nodiscard]] auto has(alloc_id id) const noexcept -> bool {
    const allocation* at = buckets_[bucket_of(id)];
    while (at != nullptr && at->id != id) at = at->next_of_kmd_id;
    return at != nullptr;
  }

 private:
  static constexpr std::size_t bucket_count = 1024;

  [[nodiscard]] static constexpr auto is_kmd_id(alloc_id id) noexcept -> bool {
    return raw(id) >= AEROGPU_WDDM_ALLOC_ID_KMD_MIN;
  }
  [[nodiscard]] static constexpr auto bucket_of(alloc_id id) noexcept -> std::size_t {
    return raw(id) % bucket_count;
  }

  std::array<allocation*, bucket_count> buckets_{};
};

/// What a call on the table made of an allocation that lost a reference.
struct released_allocation {
  allocation* object = nullptr;  ///< Out of the table, for the caller to free; else nullptr.
  owned_token shared;            ///< Loses a reference too; none, or the handle was stale.
};

/// The adapter's allocations and openings. Any thread; a spin lock of its own, under which no other
/// is taken. DISPATCH.
class objects {
 public:
  void add(allocation& object) noexcept;
  /// One more reference to a live allocation that is not destroyed; nullptr for other handles.
  [[nodiscard]] auto add_reference(const void* handle) noexcept -> allocation*;
  /// Gives back what `add_reference` took.
  [[nodiscard]] auto drop_reference(allocation& object) noexcept -> released_allocation;
  /// DestroyAllocation: gives back creation's reference, once.
  [[nodiscard]] auto destroy(const void* handle) noexcept -> released_allocation;
  [[nodiscard]] auto is_live(const void* handle) noexcept -> bool;
  /// Whose surface it is; nobody's for dxgkrnl's own, and for a handle that no longer lives.
  [[nodiscard]] auto maker_of(const void* handle) noexcept -> os::process_identity;
  /// Whether an allocation has that id of the kernel driver's range.
  [[nodiscard]] auto has_kmd_id(alloc_id id) noexcept -> bool;
  /// Paging put an allocation there. Nothing for a handle that no longer lives.
  void place_if_live(const void* handle, const placement& at) noexcept;
  /// The same where it leaves a segment: a place elsewhere stays.
  void unplace_if_live(const void* handle, segment_id from) noexcept;

  void add(opening& object) noexcept;
  /// CloseAllocation: nullptr for a stale handle. The caller frees it and drops its reference.
  [[nodiscard]] auto take_opening(const void* handle) noexcept -> opening*;

  [[nodiscard]] auto take_any_allocation() noexcept -> allocation*;
  [[nodiscard]] auto take_any_opening() noexcept -> opening*;

 private:
  [[nodiscard]] auto drop(allocation& object) noexcept -> released_allocation;

  os::spin_lock lock_;
  address_set<allocation> allocations_;
  kmd_id_set kmd_ids_;
  address_set<opening> openings_;
};

}  // namespace aerogpu::kmd

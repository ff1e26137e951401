// SPDX-License-Identifier: MIT
/// \file A hash map of ids on the heap that grows, where running out is a value.
#pragma once

#include "aerogpu/core/span_map.hpp"
#include "aerogpu/hosted/heap_array.hpp"

#include <cstddef>
#include <cstdint>
#include <span>
#include <utility>

namespace aerogpu {

/// Maps non-zero ids to small values. O(1); never shrinks until it is destroyed. When ids meet in
/// one place, as only those of a guest that knows the key do, it goes on with another key: an
/// insert then costs O(1) on average still, and a search 1,024 steps at most.
template <class Key, class Value>
class heap_map {
 public:
  using map = span_map<Key, Value>;

  heap_map() noexcept = default;
  explicit heap_map(hash_key key) noexcept : map_(std::span<typename map::slot>{}, key) {}
  heap_map(heap_map&& other) noexcept
      : slots_(std::move(other.slots_)),
        map_(std::exchange(other.map_, map{{}, other.map_.key()})) {}
  auto operator=(heap_map&& other) noexcept -> heap_map& {
    std::swap(slots_, other.slots_);
    std::swap(map_, other.map_);
    return *this;
  }

  [[nodiscard]] auto find(Key key) noexcept -> Value* { return map_.find(key); }
  [[nodiscard]] auto find(Key key) const noexcept -> const Value* { return map_.find(key); }

  /// Makes room for one more key. False when the heap is exhausted; nothing changes then.
  [[nodiscard]] auto reserve_one() noexcept -> bool { return reserve(map_.size() + 1); }

  /// Makes room for `size` keys in all. False when the heap is exhausted.
  [[nodiscard]] auto reserve(std::size_t size) noexcept -> bool {
    std::size_t slots = slots_.empty() ? first_capacity : slots_.size();
    while (size > slots - slots / 4) {
      if (slots > SIZE_MAX / 2) return false;
      slots *= 2;
    }
    return slots == slots_.size() || rehash(slots, map_.key());
  }

  /// Adds `key`, or returns the value it already has and false; {null, false} when the heap is
  /// exhausted. Moves values when it grows: pointers do not survive. Precondition: key is not 0.
  [[nodiscard]] auto insert(Key key, const Value& value) noexcept -> std::pair<Value*, bool> {
    if (!reserve_one()) return {nullptr, false};
    const auto added = map_.insert(key, value);
    if (!map_.is_crowded()) [[likely]]
      return added;
    // Without memory for it the map stays as it is: slow, and right.
    static_cast<void>(rehash(slots_.size(), map_.key().next()));
    return {map_.find(key), added.second};
  }

  /// Removes `key`; false when it was not there. Pointers to values do not survive.
  auto erase(Key key) noexcept -> bool { return map_.erase(key); }
  void clear() noexcept { map_.clear(); }

  [[nodiscard]] auto size() const noexcept -> std::size_t { return map_.size(); }
  [[nodiscard]] auto empty() const noexcept -> bool { return map_.empty(); }
  /// What a search takes at most.
  [[nodiscard]] auto longest() const noexcept -> std::size_t { return map_.longest(); }

  /// Calls `visit(key, value)` for each entry, in no particular order.
  template <class Visit>
  void for_each(Visit&& visit) const {
    map_.for_each(visit);
  }
  /// The same in parts; see `span_map`.
  template <class Visit>
  auto for_each_from(std::size_t first, Visit&& visit) const -> std::size_t {
    return map_.for_each_from(first, visit);
  }
  [[nodiscard]] auto capacity() const noexcept -> std::size_t { return map_.capacity(); }

 private:
  static constexpr std::size_t first_capacity = 64;

  [[nodiscard]] auto rehash(std::size_t slots, hash_key key) noexcept -> bool {
    heap_array<typename map::slot> other;
    if (!other.resize(slots)) return false;
    map_.move_to(other.view(), key);
    slots_ = std::move(other);
    return true;
  }

  heap_array<typename map::slot> slots_;
  map map_;
};

/// Maps that grow, for tables of the freestanding tier that take their storage as a parameter.
struct heap_maps {
  template <class Key, class Value>
  using map = heap_map<Key, Value>;
};

}  // namespace aerogpu

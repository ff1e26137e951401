// SPDX-License-Identifier: MIT
/// \file An open-addressing map over storage that the caller owns.
#pragma once

#include "aerogpu/core/check.hpp"
#include "aerogpu/core/checked.hpp"
#include "aerogpu/core/hash.hpp"

#include <cstddef>
#include <cstdint>
#include <span>
#include <type_traits>
#include <utility>

namespace aerogpu {

/// Maps non-zero ids to small values in the caller's array; no heap, O(1), cleared in O(1).
/// Holds at most three quarters of its slots; a caller with a heap grows it with `move_to`.
///
/// Ids may be a guest's. Whoever knows the key can name ids that meet in one place; `is_crowded`
/// tells when that happened, and the caller goes on with another key. A search never goes further
/// than the longest way that an id lies from its place.
template <class Key, class Value>
requires(std::is_enum_v<Key>&& std::is_trivially_copyable_v<Value>) class span_map {
 public:
  struct slot {
    Key key{};
    std::uint32_t stamp = 0;
    Value value{};
  };

  constexpr span_map() noexcept = default;

  /// Takes zeroed storage whose size is a power of two, or empty storage.
  constexpr explicit span_map(std::span<slot> storage, hash_key key = {}) noexcept
      : slots_(storage), key_(key) {
    AEROGPU_CHECK(storage.empty() || is_power_of_two(storage.size()));
  }

  /// The value of `key`, or null.
  [[nodiscard]] constexpr auto find(Key key) noexcept -> Value* {
    if (slots_.empty()) return nullptr;
    slot* const found = search(key);
    return found != nullptr ? &found->value : nullptr;
  }
  [[nodiscard]] constexpr auto find(Key key) const noexcept -> const Value* {
    return const_cast<span_map*>(this)->find(key);
  }

  /// Adds `key`, or returns the value it already has and false. Null when the map is full.
  /// Precondition: key is not 0.
  [[nodiscard]] constexpr auto insert(Key key, const Value& value) noexcept
      -> std::pair<Value*, bool> {
    AEROGPU_CHECK(key != Key{});
    if (slots_.empty()) return {nullptr, false};
    const std::size_t home = home_of(key);
    std::size_t at = home;
    for (; slots_[at & mask()].stamp == stamp_; ++at) {
      if (slots_[at & mask()].key == key) return {&slots_[at & mask()].value, false};
    }
    if (is_full()) return {nullptr, false};
    slot& taken = slots_[at & mask()];
    taken = slot{key, stamp_, value};
    ++size_;
    if (at != home) count(at - home);
    return {&taken.value, true};
  }

  /// Adds `key` for a caller that loads many at once and sets the value itself; null when the map
  /// has the key or is crowded. Precondition, not checked here: key is not 0, and the map has room.
  [[nodiscard]] constexpr auto add_new(Key key) noexcept -> Value* {
    const std::size_t home = home_of(key);
    slot* taken = &slots_[home];
    if (taken->stamp == stamp_) [[unlikely]] {
      taken = add_displaced(key, home);
      if (taken == nullptr) return nullptr;
    }
    taken->key = key;
    taken->stamp = stamp_;
    ++size_;
    return &taken->value;
  }

  /// Removes `key`; false when it was not there. Moves other values: pointers do not survive.
  constexpr auto erase(Key key) noexcept -> bool {
    if (slots_.empty() || key == Key{}) return false;
    const slot* const found = search(key);
    if (found == nullptr) return false;
    auto hole = static_cast<std::size_t>(found - slots_.data());
    for (std::size_t next = (hole + 1) & mask();
         slots_[next].stamp == stamp_ && ((next - hole) & mask()) <= longest_;
         next = (next + 1) & mask()) {
      const std::size_t home = home_of(slots_[next].key);
      if (((next - home) & mask()) >= ((next - hole) & mask())) {
        slots_[hole] = slots_[next];
        hole = next;
      }
    }
    slots_[hole].stamp = 0;
    --size_;
    return true;
  }

  constexpr void clear() noexcept {
    size_ = 0;
    longest_ = 0;
    debt_ = 0;
    if (++stamp_ != 0) return;
    for (slot& s : slots_) s.stamp = 0;
    stamp_ = 1;
  }

  /// Whether the next insert of a new key would fail.
  [[nodiscard]] constexpr auto is_full() const noexcept -> bool { return !has_room_for(1); }

  /// Whether that many new keys fit. Even the smallest map keeps a slot empty, where a search ends.
  [[nodiscard]] constexpr auto has_room_for(std::size_t keys) const noexcept -> bool {
    return keys <= slots_.size() - (slots_.size() + 3) / 4 - size_;
  }
  [[nodiscard]] constexpr auto key() const noexcept -> hash_key { return key_; }

  /// Whether ids lie further from their places than unrelated ones ever do. Adding one was O(1) on
  /// average until then, whatever the ids: a multiple of `free_steps` and of the ids that are held.
  [[nodiscard]] constexpr auto is_crowded() const noexcept -> bool {
    return longest_ > longest_way || debt_ > crowded_debt + 4 * size_;
  }
  /// The longest way from an id's place to where it lies: what a search takes at most.
  [[nodiscard]] constexpr auto longest() const noexcept -> std::size_t { return longest_; }

  [[nodiscard]] constexpr auto size() const noexcept -> std::size_t { return size_; }
  [[nodiscard]] constexpr auto empty() const noexcept -> bool { return size_ == 0; }
  [[nodiscard]] constexpr auto capacity() const noexcept -> std::size_t { return slots_.size(); }

  /// Calls `visit(key, value)` for each entry, in no particular order.
  template <class Visit>
  constexpr void for_each(Visit&& visit) const {
    for (const slot& s : slots_) {
      if (s.stamp == stamp_) visit(s.key, s.value);
    }
  }

  /// The same from slot `first` on, while `visit` returns true. The slot to go on at: behind the
  /// entry that was told last, or `capacity()`. An erase may move an entry from behind that slot to
  /// before it.
  template <class Visit>
  constexpr auto for_each_from(std::size_t first, Visit&& visit) const -> std::size_t {
    for (std::size_t at = first; at < slots_.size(); ++at) {
      if (slots_[at].stamp == stamp_ && !visit(slots_[at].key, slots_[at].value)) return at + 1;
    }
    return slots_.size();
  }

  /// Moves all entries into `storage`, which becomes this map's. Precondition: it is zeroed, a
  /// power of two, and large enough.
  constexpr void move_to(std::span<slot> storage) noexcept { move_to(storage, key_); }
  constexpr void move_to(std::span<slot> storage, hash_key key) noexcept {
    span_map larger{storage, key};
    for_each([&](Key entry, const Value& value) {
      AEROGPU_CHECK(larger.insert(entry, value).first != nullptr);
    });
    *this = larger;
  }
  /// Forgets all entries and goes on with another key.
  constexpr void restart(hash_key key) noexcept {
    clear();
    key_ = key;
  }

 private:
  /// Steps that an insert may take on average: twice what unrelated ids need in a full map.
  static constexpr std::size_t free_steps = 16;
  /// Unrelated ids come to neither once in 10^9 maps of a million ids.
  static constexpr std::size_t longest_way = 1'024;
  static constexpr std::size_t crowded_debt = 4'096;

  [[nodiscard]] constexpr auto mask() const noexcept -> std::size_t { return slots_.size() - 1; }
  [[nodiscard]] constexpr auto home_of(Key key) const noexcept -> std::size_t {
    return key_.mix(static_cast<std::uint64_t>(key)) & mask();
  }
  /// The slot that holds `key`, or null, as for 0, which no slot holds. Its place is looked at
  /// apart: most ids lie there, and a loop costs each of them what only the others need.
  [[nodiscard]] constexpr auto search(Key key) const noexcept -> slot* {
    const std::size_t home = home_of(key);
    slot& first = slots_[home];
    if (first.stamp != stamp_) return nullptr;
    if (first.key == key) [[likely]]
      return &first;
    for (std::size_t way = 1; way <= longest_; ++way) {
      slot& candidate = slots_[(home + way) & mask()];
      if (candidate.stamp != stamp_) return nullptr;
      if (candidate.key == key) return &candidate;
    }
    return nullptr;
  }
  /// A free slot for a new key whose place is taken; null when the map has the key or is crowded.
  [[nodiscard]] constexpr auto add_displaced(Key key, std::size_t home) noexcept -> slot* {
    if (is_crowded()) return nullptr;
    for (std::size_t at = home;; ++at) {
      slot& candidate = slots_[at & mask()];
      if (candidate.stamp != stamp_) {
        count(at - home);
        return &candidate;
      }
      if (candidate.key == key) return nullptr;
    }
  }
  /// Notes that an entry lies `way` slots from its place.
  constexpr void count(std::size_t way) noexcept {
    longest_ = way > longest_ ? way : longest_;
    debt_ += way;
    debt_ = debt_ > free_steps ? debt_ - free_steps : 0;
  }

  std::span<slot> slots_{};
  hash_key key_{};
  std::uint32_t stamp_ = 1;
  std::size_t size_ = 0;
  std::size_t longest_ = 0;
  std::size_t debt_ = 0;  ///< Steps of inserts beyond the free ones; earlier ones count less.
};

}  // namespace aerogpu

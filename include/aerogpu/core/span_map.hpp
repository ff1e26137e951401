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
  constexpr explicit span_map(std::span<slot> storage) noexcept : slots_(storage) {
    AEROGPU_CHECK(storage.empty() || is_power_of_two(storage.size()));
  }

  /// The value of `key`, or null.
  [[nodiscard]] constexpr auto find(Key key) noexcept -> Value* {
    if (slots_.empty() || key == Key{}) return nullptr;
    slot& at = slots_[probe(key)];
    return at.stamp == stamp_ ? &at.value : nullptr;
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
    slot& at = slots_[probe(key)];
    if (at.stamp == stamp_) return {&at.value, false};
    if (is_full()) return {nullptr, false};
    at = slot{key, stamp_, value};
    ++size_;
    return {&at.value, true};
  }

  /// Adds `key` for a caller that loads many at once and sets the value itself; null when the map
  /// has the key. Precondition, not checked here: key is not 0, and the map has room.
  [[nodiscard]] constexpr auto add_new(Key key) noexcept -> Value* {
    for (std::size_t at = home_of(key);; ++at) {
      slot& candidate = slots_[at & mask()];
      if (candidate.stamp == stamp_) {
        if (candidate.key == key) return nullptr;
        continue;
      }
      candidate.key = key;
      candidate.stamp = stamp_;
      ++size_;
      return &candidate.value;
    }
  }

  /// Removes `key`; false when it was not there. Moves other values: pointers do not survive.
  constexpr auto erase(Key key) noexcept -> bool {
    if (slots_.empty() || key == Key{}) return false;
    std::size_t hole = probe(key);
    if (slots_[hole].stamp != stamp_) return false;
    for (std::size_t next = (hole + 1) & mask(); slots_[next].stamp == stamp_;
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

  /// Moves all entries into `storage`, which becomes this map's. Precondition: it is zeroed, a
  /// power of two, and large enough.
  constexpr void move_to(std::span<slot> storage) noexcept {
    span_map larger{storage};
    for_each([&](Key key, const Value& value) {
      AEROGPU_CHECK(larger.insert(key, value).first != nullptr);
    });
    *this = larger;
  }

 private:
  [[nodiscard]] constexpr auto mask() const noexcept -> std::size_t { return slots_.size() - 1; }
  [[nodiscard]] constexpr auto home_of(Key key) const noexcept -> std::size_t {
    return mix_id(static_cast<std::uint64_t>(key)) & mask();
  }
  /// Slot of `key`, or the empty slot where it would go. One slot is always empty.
  [[nodiscard]] constexpr auto probe(Key key) const noexcept -> std::size_t {
    std::size_t at = home_of(key);
    while (slots_[at].stamp == stamp_ && slots_[at].key != key) at = (at + 1) & mask();
    return at;
  }

  std::span<slot> slots_{};
  std::uint32_t stamp_ = 1;
  std::size_t size_ = 0;
};

}  // namespace aerogpu

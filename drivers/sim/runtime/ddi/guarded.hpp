// SPDX-License-Identifier: MIT
/// \file Memory that the runtime lends to the driver, with bytes around it that must stay.
#pragma once

#include "drivers/sim/runtime/ddi/contract.hpp"

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstring>
#include <span>
#include <vector>

namespace aerogpu::sim {

/// What lies behind everything that is lent.
inline constexpr std::byte guard_byte{0xA5};
/// What lent memory holds after it went back: no handle, no pointer, no small number.
inline constexpr std::byte stale_byte{0xDD};

[[nodiscard]] inline auto is_filled(std::span<const std::byte> bytes, std::byte with) -> bool {
  if (bytes.empty()) return true;
  return bytes.front() == with &&
         std::memcmp(bytes.data(), bytes.data() + 1, bytes.size() - 1) == 0;
}

/// Reports for all kinds of lent memory.
void record_overrun(contract& rules, const char* what, std::size_t size);
void record_changed_input(contract& rules, const char* what);

/// One structure for one call, with a guard behind its end. Its bytes are lost afterwards, so that
/// a driver that kept the pointer reads nonsense. Where the rules do not watch memory it is a copy,
/// and no more.
template <class T>
class lent {
 public:
  lent(contract& rules, const T& value, const char* what)
      : rules_(rules), what_(what), watches_(rules.watches_memory()) {
    std::memcpy(bytes_.data(), &value, sizeof value);
    if (!watches_) return;
    std::memcpy(before_.data(), bytes_.data(), before_.size());
    std::memset(bytes_.data() + sizeof(T), std::to_integer<int>(guard_byte), guard_bytes);
  }
  ~lent() {
    if (watches_) std::memset(bytes_.data(), std::to_integer<int>(stale_byte), bytes_.size());
  }
  lent(const lent&) = delete;
  auto operator=(const lent&) -> lent& = delete;

  /// What the driver gets.
  [[nodiscard]] auto get() noexcept -> T* { return reinterpret_cast<T*>(bytes_.data()); }

  /// What came back. Only the members named may have changed.
  template <class... Members>
  [[nodiscard]] auto take(Members T::*... outputs) -> T {
    T after;
    std::memcpy(&after, bytes_.data(), sizeof after);
    if (watches_) check(outputs...);
    return after;
  }

 private:
  static constexpr std::size_t guard_bytes = 64;

  /// As bytes all the way: a copied structure may lose what lies between its members.
  template <class... Members>
  void check(Members T::*... outputs) {
    if (!is_filled(std::span{bytes_}.subspan(sizeof(T)), guard_byte))
      record_overrun(rules_, what_, sizeof(T));
    (forgive(get()->*outputs), ...);
    if (std::memcmp(bytes_.data(), before_.data(), before_.size()) != 0)
      record_changed_input(rules_, what_);
  }

  /// What was answered there is no change.
  template <class Member>
  void forgive(const Member& output) {
    const auto* const at = reinterpret_cast<const std::byte*>(&output);
    const auto offset = static_cast<std::size_t>(at - bytes_.data());
    std::memcpy(bytes_.data() + offset, before_.data() + offset, sizeof output);
  }

  contract& rules_;
  const char* what_;
  const bool watches_;
  std::array<std::byte, sizeof(T)> before_;
  alignas(std::max_align_t) std::array<std::byte, sizeof(T) + guard_bytes> bytes_;
};

/// A buffer of a call: as `lent`, of any size. Where the rules do not watch memory the driver gets
/// the caller's own, which must then be as writable as the driver takes it.
class lent_bytes {
 public:
  lent_bytes(contract& rules, std::span<const std::byte> value, const char* what)
      : rules_(rules), what_(what), value_(value), watches_(rules.watches_memory()) {
    if (!watches_) return;
    before_.assign(value.begin(), value.end());
    bytes_.assign(value.size() + guard_bytes, guard_byte);
    std::copy(value.begin(), value.end(), bytes_.begin());
  }
  ~lent_bytes() { std::fill(bytes_.begin(), bytes_.end(), stale_byte); }
  lent_bytes(const lent_bytes&) = delete;
  auto operator=(const lent_bytes&) -> lent_bytes& = delete;

  [[nodiscard]] auto get() noexcept -> void* {
    if (value_.empty()) return nullptr;
    return watches_ ? bytes_.data() : const_cast<std::byte*>(value_.data());
  }
  /// What came back of an output.
  [[nodiscard]] auto take() -> std::span<const std::byte> {
    if (!watches_) return value_;
    if (!is_filled(std::span{bytes_}.subspan(value_.size()), guard_byte))
      record_overrun(rules_, what_, value_.size());
    return std::span{bytes_}.first(value_.size());
  }
  /// After a call that only reads.
  void take_input() {
    const auto after = take();
    if (watches_ && !std::equal(after.begin(), after.end(), before_.begin()))
      record_changed_input(rules_, what_);
  }

 private:
  static constexpr std::size_t guard_bytes = 64;

  contract& rules_;
  const char* what_;
  const std::span<const std::byte> value_;
  const bool watches_;
  std::vector<std::byte> before_;
  std::vector<std::byte> bytes_;
};

/// A table of the runtime's that the driver fills, as an array of pointers.
template <class Table>
class lent_table {
 public:
  static constexpr std::size_t entries = sizeof(Table) / sizeof(void*);

  lent_table() { std::fill(guard_.begin(), guard_.end(), guard_byte); }
  [[nodiscard]] auto get() noexcept -> Table* { return &table_; }
  [[nodiscard]] auto operator->() const noexcept -> const Table* { return &table_; }
  /// The first entry from `start` on that is NULL; `entries` when none is.
  [[nodiscard]] auto first_missing(std::size_t start = 0) const -> std::size_t {
    std::array<void*, entries> pointers{};
    std::memcpy(pointers.data(), &table_, sizeof table_);
    while (start < entries && pointers[start] != nullptr) ++start;
    return start < entries ? start : entries;
  }
  [[nodiscard]] auto is_overrun() const -> bool { return !is_filled(guard_, guard_byte); }

 private:
  Table table_{};
  std::array<std::byte, 64 * sizeof(void*)> guard_{};  ///< As much as later Windows add, and more.
};

}  // namespace aerogpu::sim

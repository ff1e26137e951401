/// \file Memory that the runtime lends to the driver, with bytes around it that must stay.
#pragma once

#include "drivers/sim/runtime/contract.hpp"

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstring>
#include <span>
#include <string>
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

/// One structure for one call, with a guard behind its end. Its bytes are lost afterwards, so that
/// a driver that kept the pointer reads nonsense.
template <class T>
class lent {
 public:
  lent(contract& rules, const T& value, const char* what)
      : rules_(rules), what_(what), bytes_(sizeof(T) + guard_bytes, guard_byte) {
    std::memcpy(bytes_.data(), &value, sizeof value);
    std::memcpy(&before_, &value, sizeof value);
  }
  ~lent() { std::fill(bytes_.begin(), bytes_.end(), stale_byte); }
  lent(const lent&) = delete;
  auto operator=(const lent&) -> lent& = delete;

  /// What the driver gets.
  [[nodiscard]] auto get() noexcept -> T* { return reinterpret_cast<T*>(bytes_.data()); }

  /// What came back. Only the members named may have changed.
  template <class... Members>
  [[nodiscard]] auto take(Members T::*... outputs) -> T {
    if (!is_filled(std::span{bytes_}.subspan(sizeof(T)), guard_byte)) {
      rules_.record(contract_rule::structure_overrun, std::string{what_} + ": written behind its " +
                                                          std::to_string(sizeof(T)) + " bytes");
    }
    T after;
    T compared;
    std::memcpy(&after, bytes_.data(), sizeof after);
    std::memcpy(&compared, bytes_.data(), sizeof compared);
    (std::memcpy(&(compared.*outputs), &(before_.*outputs), sizeof(compared.*outputs)), ...);
    if (std::memcmp(&compared, &before_, sizeof compared) != 0)
      rules_.record(contract_rule::input_changed, std::string{what_} + ": an input was changed");
    return after;
  }

 private:
  static constexpr std::size_t guard_bytes = 64;

  contract& rules_;
  const char* what_;
  T before_;
  std::vector<std::byte> bytes_;
};

/// A buffer of a call: as `lent`, of any size.
class lent_bytes {
 public:
  lent_bytes(contract& rules, std::span<const std::byte> value, const char* what)
      : rules_(rules),
        what_(what),
        size_(value.size()),
        before_(value.begin(), value.end()),
        bytes_(value.size() + guard_bytes, guard_byte) {
    std::copy(value.begin(), value.end(), bytes_.begin());
  }
  ~lent_bytes() { std::fill(bytes_.begin(), bytes_.end(), stale_byte); }
  lent_bytes(const lent_bytes&) = delete;
  auto operator=(const lent_bytes&) -> lent_bytes& = delete;

  [[nodiscard]] auto get() noexcept -> void* { return size_ != 0 ? bytes_.data() : nullptr; }
  /// What came back of an output.
  [[nodiscard]] auto take() -> std::span<const std::byte> {
    if (!is_filled(std::span{bytes_}.subspan(size_), guard_byte)) {
      rules_.record(contract_rule::structure_overrun, std::string{what_} + ": written behind its " +
                                                          std::to_string(size_) + " bytes");
    }
    return std::span{bytes_}.first(size_);
  }
  /// After a call that only reads.
  void take_input() {
    const auto after = take();
    if (!std::equal(after.begin(), after.end(), before_.begin()))
      rules_.record(contract_rule::input_changed, std::string{what_} + ": an input was changed");
  }

 private:
  static constexpr std::size_t guard_bytes = 64;

  contract& rules_;
  const char* what_;
  std::size_t size_;
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

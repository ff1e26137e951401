// SPDX-License-Identifier: MIT
/// \file Text without a heap: append strings and numbers to any character sink.
#pragma once

#include "aerogpu/core/language.hpp"

#include <array>
#include <concepts>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>

namespace aerogpu {

/// Anything that takes text, such as a growing string, a log line or `text_buffer`.
template <class S>
concept text_sink = requires(S& sink, std::string_view text) {
  { sink.append(text) }
  noexcept;
};

/// Text in a caller's array. What does not fit is cut, and `truncated` says so.
class text_buffer {
 public:
  explicit text_buffer(std::span<char> storage) noexcept : storage_(storage) {}

  void append(std::string_view text) noexcept {
    for (const char c : text) {
      if (size_ == storage_.size()) {
        truncated_ = true;
        return;
      }
      storage_[size_++] = c;
    }
  }
  [[nodiscard]] auto view() const noexcept -> std::string_view { return {storage_.data(), size_}; }
  [[nodiscard]] auto truncated() const noexcept -> bool { return truncated_; }

 private:
  std::span<char> storage_;
  std::size_t size_ = 0;
  bool truncated_ = false;
};

/// Appends `value` in decimal.
template <text_sink Sink>
void append_decimal(Sink& sink, std::uint64_t value) noexcept {
  std::array<char, 20> digits;
  std::size_t at = digits.size();
  do {
    digits[--at] = static_cast<char>('0' + value % 10);
    value /= 10;
  } while (value != 0);
  sink.append(std::string_view{digits.data() + at, digits.size() - at});
}

/// Appends a signed `value` in decimal.
template <text_sink Sink>
void append_signed(Sink& sink, std::int64_t value) noexcept {
  if (value < 0) sink.append("-");
  const auto bits = static_cast<std::uint64_t>(value);
  append_decimal(sink, value < 0 ? ~bits + 1 : bits);
}

/// Appends `value` as 0x and at least `min_digits` hexadecimal digits.
template <text_sink Sink>
void append_hex(Sink& sink, std::uint64_t value, std::size_t min_digits = 1) noexcept {
  std::array<char, 16> digits;
  std::size_t at = digits.size();
  while (value != 0 || digits.size() - at < min_digits) {
    if (at == 0) break;
    digits[--at] = "0123456789abcdef"[value & 0xF];
    value >>= 4;
  }
  sink.append("0x");
  sink.append(std::string_view{digits.data() + at, digits.size() - at});
}

}  // namespace aerogpu

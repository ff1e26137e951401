// SPDX-License-Identifier: MIT
/// \file A short text of words and numbers, without a heap.
#pragma once

#include "aerogpu/core/text.hpp"

#include <array>
#include <concepts>
#include <cstdint>
#include <string_view>

namespace aerogpu::guest {

/// Shown in hexadecimal.
struct hex {
  std::uint64_t value = 0;
};

/// What does not fit is cut.
class message {
 public:
  message() = default;
  template <class... Parts>
  explicit message(const Parts&... parts) noexcept {
    (add(parts), ...);
  }

  [[nodiscard]] auto view() const noexcept -> std::string_view { return {text_.data(), size_}; }
  void append(std::string_view more) noexcept {
    for (const char letter : more) {
      if (size_ < text_.size()) text_[size_++] = letter;
    }
  }

 private:
  void add(std::string_view text) noexcept { append(text); }
  void add(hex number) noexcept { append_hex(*this, number.value); }
  template <std::unsigned_integral Number>
  void add(Number number) noexcept {
    append_decimal(*this, number);
  }
  template <std::signed_integral Number>
  void add(Number number) noexcept {
    append_signed(*this, number);
  }

  std::array<char, 100> text_{};
  std::size_t size_ = 0;
};

}  // namespace aerogpu::guest

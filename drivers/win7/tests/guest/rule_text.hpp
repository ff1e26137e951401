// SPDX-License-Identifier: MIT
/// \file What a finding is about, in words.
#pragma once

#include <cstddef>
#include <string_view>

namespace aerogpu::guest {

/// Text that the compiler knows: another thread prints it when the test's own frames are gone.
class rule_text {
 public:
  rule_text() = default;
  template <std::size_t Size>
  consteval rule_text(const char (&text)[Size]) noexcept : text_(text, Size - 1) {}

  [[nodiscard]] constexpr auto view() const noexcept -> std::string_view { return text_; }

 private:
  std::string_view text_;
};

}  // namespace aerogpu::guest

// SPDX-License-Identifier: MIT
/// \file Text of the environment: trimmed, and compared without regard to case.
#pragma once

#include <cstddef>
#include <string_view>

namespace aerogpu::umd::trace {

[[nodiscard]] constexpr auto to_lower(char c) noexcept -> char {
  return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
}

/// string_view::substr can throw, which the DLL has no library for: `from` is within `text`.
[[nodiscard]] constexpr auto part_of(std::string_view text, std::size_t from,
                                     std::size_t size) noexcept -> std::string_view {
  return {text.data() + from, size};
}

[[nodiscard]] constexpr auto trim(std::string_view text) noexcept -> std::string_view {
  constexpr std::string_view blanks = " \t\r\n\v\f";
  const std::size_t first = text.find_first_not_of(blanks);
  if (first == std::string_view::npos) return {};
  return part_of(text, first, text.find_last_not_of(blanks) - first + 1);
}

[[nodiscard]] constexpr auto is_same_text(std::string_view a, std::string_view b) noexcept -> bool {
  if (a.size() != b.size()) return false;
  for (std::size_t i = 0; i < a.size(); ++i) {
    if (to_lower(a[i]) != to_lower(b[i])) return false;
  }
  return true;
}

/// Whether `part` occurs in `text`.
[[nodiscard]] constexpr auto contains_text(std::string_view text, std::string_view part) noexcept
    -> bool {
  for (std::size_t at = 0; at + part.size() <= text.size(); ++at) {
    if (is_same_text(part_of(text, at, part.size()), part)) return true;
  }
  return false;
}

}  // namespace aerogpu::umd::trace

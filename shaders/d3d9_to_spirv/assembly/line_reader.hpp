// SPDX-License-Identifier: MIT
/// \file Takes one line of assembly text apart.
#pragma once

#include <bit>
#include <charconv>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string_view>

namespace aerogpu::d3d9 {

/// Cursor over one line. What is taken is removed; blanks in front of it are skipped where noted.
class line_reader {
 public:
  explicit line_reader(std::string_view text) noexcept : text_(text) {}

  void skip_blanks() noexcept {
    while (!text_.empty() &&
           (text_.front() == ' ' || text_.front() == '\t' || text_.front() == '\r')) {
      text_.remove_prefix(1);
    }
  }
  /// Whether only blanks are left.
  [[nodiscard]] auto at_end() noexcept -> bool {
    skip_blanks();
    return text_.empty();
  }
  /// Exactly `mark`, here.
  [[nodiscard]] auto take(std::string_view mark) noexcept -> bool {
    if (!text_.starts_with(mark)) return false;
    text_.remove_prefix(mark.size());
    return true;
  }
  /// `mark` behind blanks.
  [[nodiscard]] auto take_mark(std::string_view mark) noexcept -> bool {
    skip_blanks();
    return take(mark);
  }
  /// Letters, digits and underscores behind blanks; perhaps none.
  [[nodiscard]] auto take_word() noexcept -> std::string_view {
    skip_blanks();
    std::size_t n = 0;
    while (n < text_.size() && is_word_letter(text_[n])) ++n;
    const std::string_view word = text_.substr(0, n);
    text_.remove_prefix(n);
    return word;
  }
  /// A decimal number behind blanks that fits T.
  template <class T>
  [[nodiscard]] auto take_number() noexcept -> std::optional<T> {
    skip_blanks();
    T value{};
    return take_with([&value](const char* first, const char* last) {
      return std::from_chars(first, last, value);
    })
               ? std::optional{value}
               : std::nullopt;
  }
  /// A decimal float, or 0x and the bit pattern, behind blanks.
  [[nodiscard]] auto take_float_bits() noexcept -> std::optional<std::uint32_t> {
    if (!take_mark("0x")) {
      const auto value = take_number<float>();
      return value ? std::optional{std::bit_cast<std::uint32_t>(*value)} : std::nullopt;
    }
    std::uint32_t bits = 0;
    return take_with([&bits](const char* first, const char* last) {
      return std::from_chars(first, last, bits, 16);
    })
               ? std::optional{bits}
               : std::nullopt;
  }

 private:
  [[nodiscard]] static auto is_word_letter(char c) noexcept -> bool {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_';
  }
  template <class Parse>
  [[nodiscard]] auto take_with(Parse parse) noexcept -> bool {
    const auto [end, failure] = parse(text_.data(), text_.data() + text_.size());
    if (failure != std::errc{}) return false;
    text_.remove_prefix(static_cast<std::size_t>(end - text_.data()));
    return true;
  }

  std::string_view text_;
};

/// Removes `suffix` from the end of a word that has it.
[[nodiscard]] inline auto take_suffix(std::string_view& word, std::string_view suffix) noexcept
    -> bool {
  if (suffix.empty() || !word.ends_with(suffix)) return false;
  word.remove_suffix(suffix.size());
  return true;
}

}  // namespace aerogpu::d3d9

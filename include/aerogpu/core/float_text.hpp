// SPDX-License-Identifier: MIT
/// \file binary32 as decimal text by integer arithmetic alone, for code that may not touch the FPU.
#pragma once

#include "aerogpu/core/text.hpp"

#include <array>
#include <cstddef>
#include <cstdint>
#include <string_view>

namespace aerogpu {
namespace detail {

/// Unsigned integer of 256 bits, enough for every binary32 scaled by its power of ten.
class wide_uint {
 public:
  constexpr explicit wide_uint(std::uint32_t value) noexcept : words_{value} {}

  constexpr void multiply(std::uint32_t by) noexcept {
    std::uint64_t carry = 0;
    for (std::uint32_t& word : words_) {
      carry += std::uint64_t{word} * by;
      word = static_cast<std::uint32_t>(carry);
      carry >>= 32;
    }
  }
  constexpr void shift_left(std::uint32_t bits) noexcept {
    for (; bits >= 16; bits -= 16) multiply(1u << 16);
    multiply(1u << bits);
  }
  constexpr void add(const wide_uint& other) noexcept {
    std::uint64_t carry = 0;
    for (std::size_t i = 0; i < words_.size(); ++i) {
      carry += std::uint64_t{words_[i]} + other.words_[i];
      words_[i] = static_cast<std::uint32_t>(carry);
      carry >>= 32;
    }
  }
  /// Precondition: other <= *this.
  constexpr void subtract(const wide_uint& other) noexcept {
    std::uint64_t borrow = 0;
    for (std::size_t i = 0; i < words_.size(); ++i) {
      const std::uint64_t part = std::uint64_t{words_[i]} - other.words_[i] - borrow;
      words_[i] = static_cast<std::uint32_t>(part);
      borrow = part >> 63;
    }
  }
  /// -1, 0 or 1.
  [[nodiscard]] constexpr auto compare(const wide_uint& other) const noexcept -> int {
    for (std::size_t i = words_.size(); i-- > 0;) {
      if (words_[i] != other.words_[i]) return words_[i] < other.words_[i] ? -1 : 1;
    }
    return 0;
  }

 private:
  std::array<std::uint32_t, 8> words_;
};

/// Significant digits and the power of ten of the first: digits "15", exponent 0 are 1.5.
struct decimal_digits {
  std::array<char, 9> text{};
  std::size_t size = 0;
  int exponent = 0;
};

/// The shortest digits that read back as the same finite, nonzero binary32 (Steele and White).
[[nodiscard]] constexpr auto shortest_digits(std::uint32_t bits) noexcept -> decimal_digits {
  const std::uint32_t biased = (bits >> 23) & 0xFF;
  const std::uint32_t fraction = bits & 0x7FFFFF;
  const std::uint32_t mantissa = biased == 0 ? fraction : fraction | 0x800000;
  const int exponent = (biased == 0 ? 1 : static_cast<int>(biased)) - 150;
  const bool takes_ends = mantissa % 2 == 0;          // Halfway values round to even mantissas.
  const bool is_power = fraction == 0 && biased > 1;  // The next lower value is half as far.

  // value = r / s; half the way to the neighbours = above / s and below / s.
  wide_uint r{mantissa}, s{1}, above{1}, below{1};
  const auto up = static_cast<std::uint32_t>(exponent > 0 ? exponent : 0);
  const auto down = static_cast<std::uint32_t>(exponent < 0 ? -exponent : 0);
  r.shift_left(up + 1 + is_power);
  above.shift_left(up + is_power);
  below.shift_left(up);
  s.shift_left(down + 1 + is_power);

  const auto reaches_end = [takes_ends](int order) { return takes_ends ? order >= 0 : order > 0; };
  const auto sum = [](wide_uint a, const wide_uint& b) {
    a.add(b);
    return a;
  };

  decimal_digits out;
  // Scale so that the first digit is the integer part of r / s.
  for (out.exponent = -1; reaches_end(sum(r, above).compare(s)); ++out.exponent) s.multiply(10);
  for (;; --out.exponent) {
    wide_uint next = sum(r, above);
    next.multiply(10);
    if (reaches_end(next.compare(s))) break;
    for (wide_uint* n : {&r, &above, &below}) n->multiply(10);
  }
  while (true) {
    for (wide_uint* n : {&r, &above, &below}) n->multiply(10);
    char digit = '0';
    for (; r.compare(s) >= 0; ++digit) r.subtract(s);
    const bool is_low_enough = reaches_end(below.compare(r));
    const bool is_high_enough = reaches_end(sum(r, above).compare(s));
    const bool is_last = is_low_enough || is_high_enough || out.size + 1 == out.text.size();
    const bool rounds_up = is_high_enough && (!is_low_enough || sum(r, r).compare(s) >= 0);
    out.text[out.size++] = static_cast<char>(digit + (is_last && rounds_up ? 1 : 0));
    if (is_last) return out;
  }
}

}  // namespace detail

/// Appends the binary32 `bits` as the shortest decimal that reads back the same: "1", "-0.5",
/// "1e+20"; or "nan", "inf", "-inf".
template <text_sink Sink>
void append_float(Sink& sink, std::uint32_t bits) noexcept {
  const std::uint32_t magnitude = bits & 0x7FFFFFFF;
  if (magnitude > 0x7F800000) return sink.append("nan");
  if (bits != magnitude) sink.append("-");
  if (magnitude == 0x7F800000) return sink.append("inf");
  if (magnitude == 0) return sink.append("0");
  const detail::decimal_digits d = detail::shortest_digits(magnitude);
  // Not substr, which asks for an exception that a kernel does not have.
  const auto first_digits = [&d](std::size_t count) {
    return std::string_view{d.text.data(), count < d.size ? count : d.size};
  };
  const auto digits_from = [&d](std::size_t begin) {
    return std::string_view{d.text.data() + begin, d.size - begin};
  };
  const auto append_zeros = [&sink](int count) {
    for (; count > 0; --count) sink.append("0");
  };
  constexpr int plain_limit = 9;  // Larger and smaller powers of ten go into an exponent.
  if (d.exponent < -5 || d.exponent > plain_limit) {
    sink.append(first_digits(1));
    if (d.size > 1) sink.append(".");
    sink.append(digits_from(1));
    sink.append(d.exponent < 0 ? "e-" : "e+");
    return append_decimal(sink,
                          static_cast<std::uint64_t>(d.exponent < 0 ? -d.exponent : d.exponent));
  }
  if (d.exponent < 0) {
    sink.append("0.");
    append_zeros(-d.exponent - 1);
    return sink.append(first_digits(d.size));
  }
  const auto whole = static_cast<std::size_t>(d.exponent) + 1;
  sink.append(first_digits(whole));
  if (whole >= d.size) return append_zeros(static_cast<int>(whole - d.size));
  sink.append(".");
  sink.append(digits_from(whole));
}

}  // namespace aerogpu

// SPDX-License-Identifier: MIT
/// \file Where a generator's decisions come from: a seed, or the bytes of a fuzzer.
#pragma once

#include "aerogpu/stream/generate.hpp"

#include <bit>
#include <cstddef>
#include <cstdint>

namespace aerogpu::property {

class choices {
 public:
  virtual ~choices() = default;
  [[nodiscard]] virtual auto next() -> std::uint64_t = 0;

  /// A number in [0, count). Precondition: count != 0.
  [[nodiscard]] auto below(std::uint64_t count) -> std::uint32_t {
    return static_cast<std::uint32_t>(next() % count);
  }
  [[nodiscard]] auto one_in(std::uint32_t count) -> bool { return below(count) == 0; }
  /// What is against the rules, or likely to be: never while the guest is careful.
  [[nodiscard]] auto rarely(std::uint32_t count) -> bool { return one_in(count) && !is_careful; }
  template <class Container>
  [[nodiscard]] auto pick(const Container& from) -> const auto& {
    return from[below(std::size(from))];
  }

  bool is_careful = false;
};

class seeded_choices final : public choices {
 public:
  explicit seeded_choices(std::uint64_t seed) : random_(seed) {}
  [[nodiscard]] auto next() -> std::uint64_t override { return random_(); }

 private:
  seeded_random random_;
};

// Numbers that tests tend to trip over, among ordinary ones.

[[nodiscard]] inline auto odd_float(choices& by) -> float {
  constexpr std::uint32_t bits[]{0,          0x80000000, 0x3F800000, 0xBF800000, 0x3F000000,
                                 0x41800000, 0x42800000, 0x00000001, 0x7F7FFFFF, 0xFF7FFFFF,
                                 0x7F800000, 0xFF800000, 0x7FC00000, 0x47000000, 0xC7000000,
                                 0x4B800000, 0xCF000000, 0x5F000000, 0x33D6BF95, 0xC1000000};
  return std::bit_cast<float>(by.pick(bits));
}
[[nodiscard]] inline auto odd_word(choices& by) -> std::uint32_t {
  constexpr std::uint32_t words[]{
      0,     1,     2,          3,          4,          5,          7,         8,
      12,    15,    16,         17,         24,         31,         32,        33,
      63,    64,    255,        256,        2047,       2048,       2049,      4095,
      65535, 65536, 0x7FFFFFFF, 0x80000000, 0xFFFFFFF0, 0xFFFFFFFE, 0xFFFFFFFF};
  return by.pick(words);
}
/// Below `usual`, but for the odd one.
[[nodiscard]] inline auto mostly_below(choices& by, std::uint32_t usual) -> std::uint32_t {
  return by.rarely(16) ? odd_word(by) : by.below(usual);
}

}  // namespace aerogpu::property

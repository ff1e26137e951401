// SPDX-License-Identifier: MIT
/// \file Where a random program's numbers come from: a seed, or a fuzzer's bytes.
#pragma once

#include <cstdint>

namespace aerogpu::test {

class choices {
 public:
  choices() = default;
  virtual ~choices() = default;
  choices(const choices&) = delete;
  auto operator=(const choices&) -> choices& = delete;

  [[nodiscard]] virtual auto u32() -> std::uint32_t = 0;
  /// There is nothing left to decide by.
  [[nodiscard]] virtual auto is_over() -> bool = 0;

  /// A number in [0, count). Precondition: count != 0.
  [[nodiscard]] auto below(std::uint32_t count) -> std::uint32_t { return u32() % count; }
  [[nodiscard]] auto one_in(std::uint32_t count) -> bool { return below(count) == 0; }
};

/// The same numbers for a seed, everywhere (splitmix64).
class seeded_choices final : public choices {
 public:
  explicit seeded_choices(std::uint64_t seed) : state_(seed) {}
  auto u32() -> std::uint32_t override {
    state_ += 0x9E3779B97F4A7C15u;
    auto mixed = state_;
    mixed = (mixed ^ mixed >> 30) * 0xBF58476D1CE4E5B9u;
    mixed = (mixed ^ mixed >> 27) * 0x94D049BB133111EBu;
    return static_cast<std::uint32_t>((mixed ^ mixed >> 31) >> 16);
  }
  auto is_over() -> bool override { return false; }

 private:
  std::uint64_t state_;
};

}  // namespace aerogpu::test

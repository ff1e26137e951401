// SPDX-License-Identifier: MIT
/// \file What every fuzz target uses: the entry point, claims, and numbers taken from the input.
#pragma once

#include "aerogpu/core/bytes.hpp"

#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstdlib>

extern "C" auto LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) -> int;

namespace aerogpu::fuzz {

/// Ends the run when a claim about the library is false; the fuzzer keeps the input.
inline void claim(bool holds, const char* sentence) {
  if (holds) return;
  std::fprintf(stderr, "fuzz: it does not hold that %s\n", sentence);
  std::abort();
}

/// Reads numbers from the front of the input; zeros once it is used up.
class input {
 public:
  input(const std::uint8_t* data, std::size_t size) noexcept
      : bytes_(std::as_bytes(std::span{data, size})) {}

  template <class T>
  [[nodiscard]] auto take() noexcept -> T {
    T value{};
    const std::size_t size = bytes_.size() < sizeof value ? bytes_.size() : sizeof value;
    copy_bytes(mutable_bytes_of(value).first(size), bytes_.first(size));
    bytes_ = bytes_.subspan(size);
    return value;
  }
  [[nodiscard]] auto u8() noexcept { return take<std::uint8_t>(); }
  [[nodiscard]] auto u16() noexcept { return take<std::uint16_t>(); }
  [[nodiscard]] auto u32() noexcept { return take<std::uint32_t>(); }
  [[nodiscard]] auto u64() noexcept { return take<std::uint64_t>(); }
  /// A number in [0, count). Precondition: count != 0.
  [[nodiscard]] auto below(std::uint32_t count) noexcept -> std::uint32_t { return u32() % count; }
  /// The next `size` bytes, or what is left.
  [[nodiscard]] auto bytes(std::size_t size) noexcept -> const_bytes {
    const const_bytes taken = bytes_.first(size < bytes_.size() ? size : bytes_.size());
    bytes_ = bytes_.subspan(taken.size());
    return taken;
  }
  [[nodiscard]] auto rest() noexcept -> const_bytes { return bytes(bytes_.size()); }
  [[nodiscard]] auto empty() const noexcept -> bool { return bytes_.empty(); }
  [[nodiscard]] auto size() const noexcept -> std::size_t { return bytes_.size(); }

 private:
  const_bytes bytes_;
};

}  // namespace aerogpu::fuzz

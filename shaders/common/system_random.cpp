// SPDX-License-Identifier: MIT
#if defined(_WIN32)
#define _CRT_RAND_S  // rand_s of stdlib.h
#endif

#include "common/system_random.hpp"

#include <algorithm>
#include <atomic>
#include <chrono>
#include <cstdlib>
#include <cstring>

#if defined(_WIN32)
#include <process.h>
#else
#include <sys/random.h>
#include <unistd.h>
#endif

namespace aerogpu {

namespace {

#if defined(_WIN32)

auto fill_some(mutable_bytes into) noexcept -> std::size_t {
  unsigned int number = 0;
  if (rand_s(&number) != 0) return 0;
  const std::size_t size = std::min(into.size(), sizeof number);
  std::memcpy(into.data(), &number, size);
  return size;
}

auto process_number() noexcept -> std::uint64_t {
  return static_cast<std::uint64_t>(_getpid());
}

#else

auto fill_some(mutable_bytes into) noexcept -> std::size_t {
  constexpr std::size_t most = 256;  // Of one call, by its specification.
  const std::size_t size = std::min(into.size(), most);
  return getentropy(into.data(), size) == 0 ? size : 0;
}

auto process_number() noexcept -> std::uint64_t {
  return static_cast<std::uint64_t>(getpid());
}

#endif

/// SplitMix64's last step: every bit of the result depends on every bit of `word`.
constexpr auto mixed(std::uint64_t word) noexcept -> std::uint64_t {
  word = (word ^ (word >> 30)) * 0xBF58476D1CE4E5B9ull;
  word = (word ^ (word >> 27)) * 0x94D049BB133111EBull;
  return word ^ (word >> 31);
}

}  // namespace

auto fill_random(mutable_bytes into) noexcept -> bool {
  while (!into.empty()) {
    const std::size_t filled = fill_some(into);
    if (filled == 0) return false;
    into = into.subspan(filled);
  }
  return true;
}

auto guessable_seed() noexcept -> std::uint64_t {
  static std::atomic<std::uint64_t> calls = 0;
  constexpr std::uint64_t step = 0x9E3779B97F4A7C15ull;
  const auto time = std::chrono::steady_clock::now().time_since_epoch().count();
  std::uint64_t seed = mixed(static_cast<std::uint64_t>(time));
  seed = mixed(seed + process_number());
  seed = mixed(seed + reinterpret_cast<std::uintptr_t>(&calls));
  return mixed(seed + step * ++calls);
}

auto random_seed() noexcept -> std::uint64_t {
  std::uint64_t seed = 0;
  if (!fill_random(mutable_bytes_of(seed))) seed = guessable_seed();
  return seed != 0 ? seed : 1;
}

}  // namespace aerogpu

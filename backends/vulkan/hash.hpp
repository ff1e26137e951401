/// \file A hash of bytes for the backend's caches.
#pragma once

#include "aerogpu/core/bytes.hpp"

#include <cstddef>
#include <cstdint>
#include <cstring>

namespace aerogpu::vulkan {

/// 64 bits over any bytes, eight at a time; for tables in memory, not for files.
[[nodiscard]] inline auto hash_bytes(const_bytes bytes, std::uint64_t seed = 0) noexcept
    -> std::uint64_t {
  constexpr std::uint64_t factor = 0x9E3779B97F4A7C15ull;
  std::uint64_t hash = seed ^ (bytes.size() * factor);
  const auto mix = [&](std::uint64_t word) {
    hash = (hash ^ word) * factor;
    hash ^= hash >> 32;
  };
  std::size_t at = 0;
  for (; at + sizeof(std::uint64_t) <= bytes.size(); at += sizeof(std::uint64_t)) {
    mix(load<std::uint64_t>(bytes.data() + at));
  }
  if (at < bytes.size()) {
    std::uint64_t rest = 0;
    std::memcpy(&rest, bytes.data() + at, bytes.size() - at);
    mix(rest);
  }
  return hash;
}

}  // namespace aerogpu::vulkan

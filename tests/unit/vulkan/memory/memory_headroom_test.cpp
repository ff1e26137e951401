// SPDX-License-Identifier: MIT
#include "vulkan/memory/memory_headroom.hpp"

#include "tests/catch.hpp"

#include <cstdint>

using aerogpu::vulkan::has_memory_left;

TEST_CASE("a process has a little memory left, and no process has all there is",
          "[vulkan][memory]") {
  CHECK(has_memory_left(0));
  CHECK(has_memory_left(1));
  CHECK(has_memory_left(1u << 20));
  CHECK_FALSE(has_memory_left(std::uint64_t{1} << 62));
  CHECK_FALSE(has_memory_left(UINT64_MAX));
}

// SPDX-License-Identifier: MIT
#include "vulkan/memory/transfer_memory.hpp"

#include "tests/catch.hpp"
#include "tests/unit/vulkan/test_gpu.hpp"

#include <utility>
#include <vector>

using namespace aerogpu;
using namespace aerogpu::vulkan;

TEST_CASE("a pool keeps few spare chunks, however small they are") {
  constexpr VkDeviceSize texel = 4, mebibyte = 1u << 20;
  test_gpu device;
  {
    memory_allocator memory{*device};
    transfer_pool pool{*device,
                       memory,
                       memory_use::read_back,
                       {.most_bytes = mebibyte, .most_spare_bytes = mebibyte}};
    std::vector<transfer_chunk> chunks;
    for (int i = 0; i < 300; ++i) {
      auto chunk = pool.take(texel, 0, mebibyte);
      REQUIRE(chunk);
      chunks.push_back(*std::move(chunk));
    }
    CHECK(pool.used_bytes() == 300 * texel);
    for (transfer_chunk& chunk : chunks) pool.give_back(std::move(chunk));
    CHECK(pool.used_bytes() == 0);
    CHECK(pool.held_bytes() == 256 * texel);
  }
  device.close();
}

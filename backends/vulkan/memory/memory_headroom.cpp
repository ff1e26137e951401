// SPDX-License-Identifier: MIT
#include "vulkan/memory/memory_headroom.hpp"

#include "aerogpu/core/checked.hpp"

#include <cstddef>
#include <sys/mman.h>

namespace aerogpu::vulkan {

auto has_memory_left(std::uint64_t size_bytes) noexcept -> bool {
  if (size_bytes == 0) return true;
  if (!aerogpu::fits<std::size_t>(size_bytes)) return false;
  const auto size = static_cast<std::size_t>(size_bytes);
  void* const taken =
      mmap(nullptr, size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (taken == MAP_FAILED) return false;
  munmap(taken, size);
  return true;
}

}  // namespace aerogpu::vulkan

// SPDX-License-Identifier: MIT
/// \file DMA buffers: contiguous guest memory and the driver's private data beside it.
#pragma once

#include "drivers/sim/kernel/machine/pc.hpp"

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <memory>
#include <mutex>
#include <vector>

namespace aerogpu::sim {

class dma_buffer {
 public:
  /// Empty (`bytes` is nullptr) when the machine has no memory.
  dma_buffer(pc& machine, std::uint32_t size, std::uint32_t private_size)
      : size_bytes(size),
        private_bytes(private_size),
        private_data(std::make_unique<std::byte[]>(private_size != 0 ? private_size : 1)),
        machine_(machine) {
    physical = machine.ram.allocate(pages_of(size));
    if (physical != 0) bytes = machine.ram.at(physical);
  }
  ~dma_buffer() {
    if (physical != 0) machine_.ram.release(physical, pages_of(size_bytes));
  }
  dma_buffer(const dma_buffer&) = delete;
  auto operator=(const dma_buffer&) -> dma_buffer& = delete;

  /// Overwrites a part: whoever still uses it finds rubbish. Any IRQL.
  void scribble(std::uint32_t start, std::uint32_t end, std::uint32_t private_start,
                std::uint32_t private_end) noexcept {
    constexpr int pattern = 0xCC;
    std::memset(bytes + start, pattern, end - start);
    std::memset(private_data.get() + private_start, pattern, private_end - private_start);
  }

  std::byte* bytes = nullptr;
  std::uint64_t physical = 0;
  std::uint32_t size_bytes = 0;
  std::uint32_t private_bytes = 0;
  std::unique_ptr<std::byte[]> private_data;

 private:
  pc& machine_;
};

/// Buffers that nobody uses any more are handed out again, as Windows rotates them.
class dma_buffer_cache {
 public:
  explicit dma_buffer_cache(pc& machine) noexcept : machine_(machine) {}

  /// nullptr when the machine has no memory.
  [[nodiscard]] auto take(std::uint32_t size, std::uint32_t private_size)
      -> std::shared_ptr<dma_buffer> {
    const std::lock_guard hold{mutex_};
    for (const auto& one : buffers_) {
      if (one.use_count() == 1 && one->size_bytes == size && one->private_bytes == private_size)
        return one;
    }
    auto made = std::make_shared<dma_buffer>(machine_, size, private_size);
    if (made->bytes == nullptr) return nullptr;
    buffers_.push_back(made);
    return made;
  }

 private:
  pc& machine_;
  std::mutex mutex_;
  std::vector<std::shared_ptr<dma_buffer>> buffers_;
};

}  // namespace aerogpu::sim

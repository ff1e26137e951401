// SPDX-License-Identifier: MIT
/// \file Descriptor pools: the open batch takes them, and gives them back when it is done.
#pragma once

#include "aerogpu/core/result.hpp"
#include "aerogpu/hosted/heap_array.hpp"
#include "vulkan/device/gpu.hpp"

#include <cstddef>

namespace aerogpu::vulkan {

/// Pools of one size. Those that no batch has are kept for the next ones, up to a bound.
class descriptor_pools {
 public:
  explicit descriptor_pools(const gpu& device) noexcept : gpu_(device) {}
  ~descriptor_pools();
  descriptor_pools(const descriptor_pools&) = delete;
  auto operator=(const descriptor_pools&) -> descriptor_pools& = delete;

  /// Errors: out_of_memory.
  [[nodiscard]] auto initialize() -> result<void>;

  /// Appends an empty pool. Errors: out_of_memory, device_lost.
  [[nodiscard]] auto take(heap_array<VkDescriptorPool>& to) -> result<void>;
  /// Takes all of them back, with their sets; the device is done with those.
  void give_back(heap_array<VkDescriptorPool>& from) noexcept;

  /// Pools that batches have.
  [[nodiscard]] auto used() const noexcept -> std::size_t { return used_; }

 private:
  [[nodiscard]] auto create() -> result<VkDescriptorPool>;

  const gpu& gpu_;
  heap_array<VkDescriptorPool> spare_;
  std::size_t used_ = 0;
};

}  // namespace aerogpu::vulkan

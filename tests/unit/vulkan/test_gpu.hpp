// SPDX-License-Identifier: MIT
/// \file A real device with the validation layers on. Without one the test fails.
#pragma once

#include "tests/catch.hpp"
#include "vulkan/device/gpu.hpp"

#include <memory>
#include <utility>

/// Opens the best device. `close` ends it and demands that nothing was said about it.
class test_gpu {
 public:
  test_gpu() {
    aerogpu::vulkan::gpu_options options;
    options.validate = true;
    auto opened = aerogpu::vulkan::gpu::create(options);
    INFO("These tests need a Vulkan device and the validation layers: " << opened.why().what);
    REQUIRE(static_cast<bool>(opened));
    gpu_ = std::move(*opened);
  }

  auto operator*() noexcept -> aerogpu::vulkan::gpu& { return *gpu_; }
  auto operator->() noexcept -> aerogpu::vulkan::gpu* { return gpu_.get(); }

  /// Ends the device, so that the layers name what still lives.
  void close() {
    gpu_->vk.vkDestroyDevice(gpu_->handle, nullptr);
    gpu_->handle = VK_NULL_HANDLE;
    CHECK(gpu_->messages.errors == 0);
    CHECK(gpu_->messages.warnings == 0);
  }

 private:
  std::unique_ptr<aerogpu::vulkan::gpu> gpu_;
};

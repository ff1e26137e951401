// SPDX-License-Identifier: MIT
/// \file A shader module of a device.
#pragma once

#include "aerogpu/core/result.hpp"
#include "vulkan/device_parts.hpp"

#include <cstdint>
#include <span>
#include <utility>

namespace aerogpu::vulkan {

/// Goes into the garbage of its device, which it must not outlive. Empty by default.
class shader_module {
 public:
  shader_module() noexcept = default;
  /// Errors: out_of_memory, device_lost.
  [[nodiscard]] static auto create(device_parts& device, std::span<const std::uint32_t> spirv)
      -> result<shader_module> {
    VkShaderModuleCreateInfo info{};
    info.sType = VK_STRUCTURE_TYPE_SHADER_MODULE_CREATE_INFO;
    info.codeSize = spirv.size_bytes();
    info.pCode = spirv.data();
    shader_module made;
    const auto created =
        device.vk().vkCreateShaderModule(device.gpu->handle, &info, nullptr, &made.handle_);
    if (created != VK_SUCCESS) return vulkan_error(created, "creating a shader module fails");
    device.work.note_created();
    made.device_ = &device;
    made.spirv_bytes_ = spirv.size_bytes();
    return made;
  }
  shader_module(shader_module&& other) noexcept
      : device_(std::exchange(other.device_, nullptr)),
        handle_(std::exchange(other.handle_, VkShaderModule{VK_NULL_HANDLE})),
        spirv_bytes_(other.spirv_bytes_) {}
  auto operator=(shader_module&& other) noexcept -> shader_module& {
    std::swap(device_, other.device_);
    std::swap(handle_, other.handle_);
    std::swap(spirv_bytes_, other.spirv_bytes_);
    return *this;
  }
  ~shader_module() { discard(); }

  /// Gives it up: the handle is good until the open batch is done.
  void discard() noexcept {
    if (device_ == nullptr) return;
    device_->work.discard_sized(VK_OBJECT_TYPE_SHADER_MODULE, handle_, spirv_bytes_);
    device_ = nullptr;
  }

  /// Null of an empty one.
  [[nodiscard]] auto handle() const noexcept -> VkShaderModule { return handle_; }
  /// Null also of one that was given up.
  [[nodiscard]] auto device() const noexcept -> device_parts* { return device_; }

 private:
  device_parts* device_ = nullptr;
  VkShaderModule handle_ = VK_NULL_HANDLE;
  std::size_t spirv_bytes_ = 0;
};

}  // namespace aerogpu::vulkan

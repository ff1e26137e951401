// SPDX-License-Identifier: MIT
/// \file A Vulkan device that can run this backend: chosen, checked and opened.
#pragma once

#include "aerogpu/core/result.hpp"
#include "vulkan/device/api.hpp"
#include "vulkan/device/device_list.hpp"
#include "vulkan/device/driver_threads.hpp"

#include <atomic>
#include <cstdint>
#include <memory>
#include <string_view>

namespace aerogpu::vulkan {

/// How to open a device.
struct gpu_options {
  /// Empty: the best one. A number: that place in `list_devices`. Else: a part of its name. Read by
  /// `gpu::create` alone.
  std::string_view device;
  bool validate = false;             ///< Khronos validation layer, with synchronisation validation.
  bool name_objects = false;         ///< Names and labels for RenderDoc; `validate` implies it.
  bool allow_unsafe_device = false;  ///< As in backend_options.
};

/// What the backend enables when a device has it, and what it does else (docs/vulkan.md).
struct gpu_features {
  bool is_safe = false;  ///< Buffers and images are bounded for shaders; false only on demand.
  bool robust_buffer_access_2 = false;  ///< Vertex reads past the end are exactly zero.
  bool robust_image_access_2 = false;   ///< Reads of missing texels are exactly zero.
  bool null_descriptor = false;
  bool custom_border_color = false;
  bool mirror_clamp_to_edge = false;
  bool anisotropy = false;
  bool wireframe = false;
  bool depth_clamp = false;
  bool depth_clip = false;       ///< Clipping is chosen apart from clamping.
  bool bresenham_lines = false;  ///< One pixel a step of the longer axis.
  bool instance_divisor = false;
  bool instance_divisor_zero = false;
  bool clip_distance = false;
  bool geometry = false;
  bool tessellation = false;
  bool large_points = false;
  bool compressed_bc = false;
  bool draw_parameters = false;  ///< SV_VertexID and SV_InstanceID of DXBC shaders.
  bool demote_to_helper = false;
  bool vertex_stores = false;    ///< u# of geometry, hull and domain shaders.
  bool fragment_stores = false;  ///< u# of pixel shaders.
  bool cube_arrays = false;
  bool sized_points = false;  ///< Points of geometry and domain shaders.
  bool cull_distance = false;
  bool viewport_arrays = false;  ///< SV_ViewportArrayIndex; there is one viewport.
  bool sample_shading = false;
  bool extended_gathers = false;  ///< Of components and offsets that are not constant.
  bool extended_image_formats = false;
  bool formatless_reads = false;   ///< Of u# without a format.
  bool formatless_writes = false;  ///< The same of writes.
  bool triangle_fans = true;       ///< False on portability subsets only.
  bool debug_utils = false;
};

/// What the validation layers and the driver said.
struct gpu_messages {
  std::atomic<std::uint32_t> errors = 0;  ///< Of the validation layers; tests demand 0.
  std::atomic<std::uint32_t> warnings = 0;
};

/// VK_EXT_debug_utils of one instance; all null when it is off (debug_names.hpp).
struct debug_functions {
  PFN_vkSetDebugUtilsObjectNameEXT set_name = nullptr;
  PFN_vkCmdBeginDebugUtilsLabelEXT begin_label = nullptr;
  PFN_vkCmdInsertDebugUtilsLabelEXT insert_label = nullptr;
  PFN_vkCmdEndDebugUtilsLabelEXT end_label = nullptr;
};

/// One open device. Its members are for this backend alone; nothing changes after `create`, except
/// that a test may replace functions of `vk`.
struct gpu {
  /// Errors: unsupported, with a sentence that names what is missing (no Vulkan loader, no device,
  /// no such device, a required feature); out_of_memory; those of the calls.
  [[nodiscard]] static auto create(const gpu_options& options) noexcept
      -> result<std::unique_ptr<gpu>>;
  gpu() = default;
  gpu(const gpu&) = delete;
  auto operator=(const gpu&) -> gpu& = delete;
  /// Waits until the device is idle and closes it.
  ~gpu();

  VkInstance instance = VK_NULL_HANDLE;
  VkDebugUtilsMessengerEXT messenger = VK_NULL_HANDLE;
  VkPhysicalDevice physical = VK_NULL_HANDLE;
  VkDevice handle = VK_NULL_HANDLE;
  VkQueue queue = VK_NULL_HANDLE;  ///< Graphics, compute and transfer.
  std::uint32_t queue_family = 0;
  VolkDeviceTable vk{};  ///< Every device call goes through this table.
  debug_functions debug;
  VkPhysicalDeviceProperties properties{};
  VkPhysicalDeviceMemoryProperties memory{};
  gpu_features features;
  std::uint32_t most_instance_divisor = 1;  ///< Instances that one element may serve.
  VkDeviceSize most_buffer_bytes = 0;       ///< Of one buffer.
  gpu_options options;
  gpu_messages messages;
  driver_threads threads;

  /// Whether images of optimal tiling have all these features.
  [[nodiscard]] auto supports(VkFormat format, VkFormatFeatureFlags wanted) const noexcept -> bool;
  /// What images made like this may be; all 0 when the device makes none.
  [[nodiscard]] auto image_limits(const VkImageCreateInfo& info) const noexcept
      -> VkImageFormatProperties;
  /// Whether vertex buffers may hold the format.
  [[nodiscard]] auto supports_vertices(VkFormat format) const noexcept -> bool;
};

}  // namespace aerogpu::vulkan

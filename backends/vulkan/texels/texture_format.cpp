// SPDX-License-Identifier: MIT
#include "vulkan/texels/texture_format.hpp"

#include "aerogpu/core/check.hpp"

#include <cstddef>

namespace aerogpu::vulkan {

namespace {

constexpr VkFormatFeatureFlags transfer =
    VK_FORMAT_FEATURE_TRANSFER_SRC_BIT | VK_FORMAT_FEATURE_TRANSFER_DST_BIT;
constexpr VkFormatFeatureFlags sampled =
    VK_FORMAT_FEATURE_SAMPLED_IMAGE_BIT | VK_FORMAT_FEATURE_SAMPLED_IMAGE_FILTER_LINEAR_BIT;
constexpr VkFormatFeatureFlags target =
    VK_FORMAT_FEATURE_COLOR_ATTACHMENT_BIT | VK_FORMAT_FEATURE_COLOR_ATTACHMENT_BLEND_BIT;

auto vk_of(const format_info* format) -> VkFormat {
  return format != nullptr ? static_cast<VkFormat>(format->vk) : VK_FORMAT_UNDEFINED;
}

auto plan_depth(const gpu& device, texture_format plan, bool force_expansion) -> texture_format {
  const bool has_stencil = plan.wire->kind == format_class::depth_stencil;
  plan.aspects = VK_IMAGE_ASPECT_DEPTH_BIT;
  if (has_stencil) plan.aspects |= VK_IMAGE_ASPECT_STENCIL_BIT;
  plan.can_be_target = true;
  constexpr VkFormatFeatureFlags wanted = transfer | VK_FORMAT_FEATURE_SAMPLED_IMAGE_BIT |
                                          VK_FORMAT_FEATURE_DEPTH_STENCIL_ATTACHMENT_BIT;
  if (has_stencil) plan.path = texel_path::depth_24;
  if (has_stencil && (force_expansion || !device.supports(plan.unorm, wanted))) {
    plan.unorm = plan.srgb = VK_FORMAT_D32_SFLOAT_S8_UINT;
    plan.path = texel_path::depth_24_as_float;
  }
  plan.can_filter = device.supports(plan.unorm, VK_FORMAT_FEATURE_SAMPLED_IMAGE_FILTER_LINEAR_BIT);
  return plan;
}

auto plan_color(const gpu& device, texture_format plan, bool force_expansion) -> texture_format {
  const format_info& wire = *plan.wire;
  plan.can_filter = true;
  if (wire.is_block_compressed()) {
    const bool is_native = device.features.compressed_bc && !force_expansion &&
                           device.supports(plan.unorm, transfer | sampled);
    if (is_native) return plan;
    plan.path = texel_path::rgba_blocks;
  } else if (wire.bytes_per_block == 2) {
    const bool is_native =
        !force_expansion && device.supports(plan.unorm, transfer | sampled | target);
    plan.can_be_target = true;
    if (is_native) return plan;
    plan.path = wire.has_alpha ? texel_path::rgba_1555 : texel_path::rgba_565;
  } else {
    // Vulkan demands these of every device.
    plan.can_be_target = true;
    plan.path = wire.is_x8 ? texel_path::opaque : texel_path::direct;
    return plan;
  }
  plan.unorm = VK_FORMAT_R8G8B8A8_UNORM;
  plan.srgb = find_srgb_twin(wire) != nullptr ? VK_FORMAT_R8G8B8A8_SRGB : plan.unorm;
  return plan;
}

auto plan_of(const gpu& device, const format_info& wire, bool force_expansion) -> texture_format {
  const format_info* twin = find_srgb_twin(wire);
  texture_format plan;
  plan.wire = &wire;
  plan.unorm = vk_of(wire.is_srgb ? twin : &wire);
  plan.srgb = wire.is_srgb ? vk_of(&wire) : (twin != nullptr ? vk_of(twin) : plan.unorm);
  return wire.is_depth() ? plan_depth(device, plan, force_expansion)
                         : plan_color(device, plan, force_expansion);
}

}  // namespace

texture_formats::texture_formats(const gpu& device, bool force_expansion) noexcept {
  for (std::size_t i = 0; i < all_.size(); ++i) {
    all_[i] = plan_of(device, formats[i], force_expansion);
  }
}

auto texture_formats::of(aerogpu_format format) const noexcept -> const texture_format& {
  const format_info* wire = find_format(format);
  AEROGPU_CHECK(wire != nullptr);
  return all_[static_cast<std::size_t>(wire - formats.data())];
}

}  // namespace aerogpu::vulkan

// SPDX-License-Identifier: MIT
/// \file How a shader sees a texture of the guest, whatever language the shader is in.
#pragma once

#include "aerogpu/backend/draw.hpp"
#include "vulkan/resources/resources.hpp"
#include "vulkan/vulkan_backend.hpp"

#include <cstdint>

namespace aerogpu::vulkan {

inline constexpr std::uint32_t cube_faces = 6;

/// Subresources and format that a reference shows. Precondition: it holds a texture.
[[nodiscard]] inline auto range_of(const texture_ref<vulkan_backend>& from) noexcept
    -> texture_view_desc {
  if (from.view != nullptr) return from.view->record->desc;
  const texture_desc& desc = *from.desc;
  return {desc.name, desc.format, 0, desc.mip_levels, 0, desc.array_layers};
}

/// A view of that range. `decodes` asks for sRGB also where the format does not.
[[nodiscard]] inline auto sampled_view_key(const image_record& image,
                                           const texture_view_desc& range, VkImageViewType type,
                                           bool decodes) noexcept -> image_view_key {
  const format_info& format = *find_format(range.format);
  image_view_key key;
  key.type = type;
  key.format = decodes || format.is_srgb ? image.format->srgb : image.format->unorm;
  key.aspects =
      image.format->aspects & ~static_cast<VkImageAspectFlags>(VK_IMAGE_ASPECT_STENCIL_BIT);
  key.is_opaque = !format.has_alpha && !format.is_depth();
  key.base_mip_level = range.base_mip_level;
  key.mip_level_count = range.mip_level_count;
  key.base_array_layer = range.base_array_layer;
  key.array_layer_count = range.array_layer_count;
  return key;
}

}  // namespace aerogpu::vulkan

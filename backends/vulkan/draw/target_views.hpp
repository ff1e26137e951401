// SPDX-License-Identifier: MIT
/// \file The guest's targets as attachments.
#pragma once

#include "aerogpu/backend/draw.hpp"
#include "vulkan/commands/render_pass.hpp"
#include "vulkan/resources/resource_objects.hpp"
#include "vulkan/vulkan_backend.hpp"

namespace aerogpu::vulkan {

/// How a target's colours are stored. Clears write packed values themselves.
enum class target_encoding : std::uint8_t {
  own,         ///< As the view's format says.
  srgb_write,  ///< And D3DRS_SRGBWRITEENABLE encodes where the format does not (host.md 3.11).
  as_stored,   ///< No conversion: the UNORM twin.
};

/// Attachments for a target set, over the area that all have (D-30). A subresource in several slots
/// is drawn through the first. Errors: out_of_memory,
/// device_lost; invalid_parameter for a target of a format that the device cannot draw to;
/// unsupported for more or larger targets than it has.
[[nodiscard]] auto make_pass_targets(resource_objects& resources,
                                     const target_set<vulkan_backend>& from,
                                     target_encoding encoding, const VkPhysicalDeviceLimits& most)
    -> result<pass_targets>;

}  // namespace aerogpu::vulkan

// SPDX-License-Identifier: MIT
#include "vulkan/draw/target_views.hpp"

#include "aerogpu/backend/render_area.hpp"

#include <algorithm>

namespace aerogpu::vulkan {

namespace {

auto check_targets(const target_set<vulkan_backend>& targets, const VkPhysicalDeviceLimits& most)
    -> result<void> {
  if (targets.color_count > most.maxColorAttachments) {
    return make_error(error_code::unsupported, "the device draws to fewer targets at once",
                      targets.color_count, most.maxColorAttachments);
  }
  const std::uint32_t side = std::min(most.maxFramebufferWidth, most.maxFramebufferHeight);
  const auto check = [&](const target_ref<vulkan_backend>& target) -> result<void> {
    const std::uint32_t size = std::max(target.width, target.height);
    if (target.texture == nullptr || size <= side) return {};
    return make_error(error_code::unsupported, "a target is larger than the device draws to", size,
                      side);
  };
  for (std::uint32_t i = 0; i < targets.color_count; ++i) {
    if (auto ok = check(targets.colors[i]); !ok) return ok.why();
  }
  return check(targets.depth_stencil);
}

/// Whether an earlier slot holds the same texels. Vulkan leaves open what two attachments of one
/// image make of each other, and llvmpipe frees what it still uses.
auto is_bound_before(const target_set<vulkan_backend>& targets, std::uint32_t slot) noexcept
    -> bool {
  const target_ref<vulkan_backend>& target = targets.colors[slot];
  return std::any_of(targets.colors.begin(), targets.colors.begin() + slot, [&](const auto& other) {
    return other.texture != nullptr && other.texture->record == target.texture->record &&
           other.where.mip_level == target.where.mip_level &&
           other.where.array_layer == target.where.array_layer;
  });
}

auto make_attachment(resource_objects& resources, const target_ref<vulkan_backend>& from,
                     target_encoding encoding) -> result<attachment> {
  if (from.texture == nullptr) return attachment{};
  image_record& image = *from.texture->record;
  const format_info& format = *find_format(from.format);
  const texture_format& plan = *image.format;
  if (!plan.can_be_target) {
    return make_error(error_code::invalid_parameter, "the format of a target cannot be drawn to",
                      from.format);
  }
  image_view_key key;
  key.aspects = plan.aspects;
  const bool encodes = encoding == target_encoding::own          ? format.is_srgb
                       : encoding == target_encoding::srgb_write ? format.bytes_per_block == 4
                                                                 : false;
  key.format = encodes ? plan.srgb : plan.unorm;
  key.base_mip_level = from.where.mip_level;
  key.base_array_layer = from.where.array_layer;
  const auto view = resources.view(image, key);
  if (!view) return view.why();
  return attachment{&image, *view, key.format};
}

}  // namespace

auto make_pass_targets(resource_objects& resources, const target_set<vulkan_backend>& from,
                       target_encoding encoding, const VkPhysicalDeviceLimits& most)
    -> result<pass_targets> {
  if (auto ok = check_targets(from, most); !ok) return ok.why();
  pass_targets targets;
  targets.color_count = from.color_count;
  for (std::uint32_t i = 0; i < from.color_count; ++i) {
    if (from.colors[i].texture == nullptr || is_bound_before(from, i)) continue;
    const auto made = make_attachment(resources, from.colors[i], encoding);
    if (!made) return made.why();
    targets.colors[i] = *made;
  }
  const auto depth = make_attachment(resources, from.depth_stencil, target_encoding::own);
  if (!depth) return depth.why();
  targets.depth_stencil = *depth;
  const target_extent extent = extent_of(from);
  targets.extent = {extent.width, extent.height};
  return targets;
}

}  // namespace aerogpu::vulkan

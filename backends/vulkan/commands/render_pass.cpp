// SPDX-License-Identifier: MIT
#include "vulkan/commands/render_pass.hpp"

namespace aerogpu::vulkan {

namespace {

auto describe(const attachment& target, image_use use, bool clears, VkClearValue value) noexcept
    -> VkRenderingAttachmentInfo {
  VkRenderingAttachmentInfo info{};
  info.sType = VK_STRUCTURE_TYPE_RENDERING_ATTACHMENT_INFO;
  if (target.image == nullptr) return info;
  info.imageView = target.view;
  info.imageLayout = layout_of(*target.image, use);
  info.loadOp = clears ? VK_ATTACHMENT_LOAD_OP_CLEAR : VK_ATTACHMENT_LOAD_OP_LOAD;
  info.storeOp = VK_ATTACHMENT_STORE_OP_STORE;
  info.clearValue = value;
  return info;
}

}  // namespace

void render_pass::mark_attached(bool is_attached) noexcept {
  for (const attachment& target : targets_.colors) {
    if (target.image != nullptr) target.image->is_attached = is_attached;
  }
  if (targets_.depth_stencil.image != nullptr) {
    targets_.depth_stencil.image->is_attached = is_attached;
  }
}

void render_pass::begin(command_stream& stream, const pass_targets& targets,
                        const pass_clear* clear) noexcept {
  end(stream);
  targets_ = targets;
  mark_attached(true);
  for (const attachment& target : targets_.colors) {
    if (target.image != nullptr) stream.use(*target.image, image_use::color_target);
  }
  const attachment& depth = targets_.depth_stencil;
  if (depth.image != nullptr) stream.use(*depth.image, image_use::depth_target);

  std::array<VkRenderingAttachmentInfo, AEROGPU_MAX_RENDER_TARGETS> colors{};
  for (std::uint32_t i = 0; i < targets_.color_count; ++i) {
    VkClearValue value{};
    if (clear != nullptr) value.color = clear->colors[i];
    colors[i] = describe(targets_.colors[i], image_use::color_target,
                         clear != nullptr && clear->color, value);
  }
  VkClearValue value{};
  if (clear != nullptr) value.depthStencil = clear->depth_stencil;
  const auto depth_info =
      describe(depth, image_use::depth_target, clear != nullptr && clear->depth, value);
  const auto stencil_info =
      describe(depth, image_use::depth_target, clear != nullptr && clear->stencil, value);
  const bool has_stencil =
      depth.image != nullptr && (depth.image->format->aspects & VK_IMAGE_ASPECT_STENCIL_BIT) != 0;

  VkRenderingInfo info{};
  info.sType = VK_STRUCTURE_TYPE_RENDERING_INFO;
  info.renderArea = clear != nullptr ? clear->area : VkRect2D{{0, 0}, targets_.extent};
  info.layerCount = 1;
  info.colorAttachmentCount = targets_.color_count;
  info.pColorAttachments = colors.data();
  info.pDepthAttachment = depth.image != nullptr ? &depth_info : nullptr;
  info.pStencilAttachment = has_stencil ? &stencil_info : nullptr;
  gpu_.vk.vkCmdBeginRendering(stream.record(), &info);
  is_open_ = true;
  ++count_;
}

void render_pass::end(command_stream& stream) noexcept {
  if (!is_open_) return;
  gpu_.vk.vkCmdEndRendering(stream.commands());
  forget();
}

void render_pass::forget() noexcept {
  if (is_open_) mark_attached(false);
  is_open_ = false;
}

}  // namespace aerogpu::vulkan

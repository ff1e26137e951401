// SPDX-License-Identifier: MIT
#include "vulkan/resources/dummy_images.hpp"

#include "vulkan/memory/bound_memory.hpp"

namespace aerogpu::vulkan {

namespace {

struct color_row {
  VkFormat format;
  VkImageAspectFlags aspects;
  VkClearColorValue value;
};
/// By dummy_color.
constexpr std::array<color_row, 3> colors{
    {{VK_FORMAT_R8G8B8A8_UNORM, VK_IMAGE_ASPECT_COLOR_BIT, {.float32 = {1, 1, 1, 1}}},
     {VK_FORMAT_R8G8B8A8_UNORM, VK_IMAGE_ASPECT_COLOR_BIT, {.float32 = {0, 0, 0, 1}}},
     {VK_FORMAT_D32_SFLOAT, VK_IMAGE_ASPECT_DEPTH_BIT, {}}}};

auto row_of(dummy_color color) noexcept -> const color_row& {
  return colors[static_cast<std::size_t>(color)];
}

constexpr std::uint32_t cube_layers = 6;

struct image_row {
  VkImageType type;
  std::uint32_t layers;
  VkSampleCountFlagBits samples;
  VkImageCreateFlags flags;
};
constexpr std::array images{image_row{VK_IMAGE_TYPE_2D, cube_layers, VK_SAMPLE_COUNT_1_BIT,
                                      VK_IMAGE_CREATE_CUBE_COMPATIBLE_BIT},
                            image_row{VK_IMAGE_TYPE_3D, 1, VK_SAMPLE_COUNT_1_BIT, 0},
                            image_row{VK_IMAGE_TYPE_1D, 1, VK_SAMPLE_COUNT_1_BIT, 0},
                            image_row{VK_IMAGE_TYPE_2D, 1, VK_SAMPLE_COUNT_4_BIT, 0}};

struct shape_row {
  VkImageViewType type;
  std::size_t image;
  std::uint32_t layers;
};
/// By dummy_shape.
constexpr std::array<shape_row, dummy_shape_count> shapes{
    {{VK_IMAGE_VIEW_TYPE_2D, 0, 1},
     {VK_IMAGE_VIEW_TYPE_CUBE, 0, cube_layers},
     {VK_IMAGE_VIEW_TYPE_3D, 1, 1},
     {VK_IMAGE_VIEW_TYPE_2D_ARRAY, 0, cube_layers},
     {VK_IMAGE_VIEW_TYPE_CUBE_ARRAY, 0, cube_layers},
     {VK_IMAGE_VIEW_TYPE_1D, 2, 1},
     {VK_IMAGE_VIEW_TYPE_1D_ARRAY, 2, 1},
     {VK_IMAGE_VIEW_TYPE_2D, 3, 1},
     {VK_IMAGE_VIEW_TYPE_2D_ARRAY, 3, 1}}};

void transition(const VolkDeviceTable& vk, VkCommandBuffer commands, VkImage image,
                VkImageAspectFlags aspects, VkImageLayout from, VkImageLayout to) noexcept {
  VkImageMemoryBarrier2 barrier{};
  barrier.sType = VK_STRUCTURE_TYPE_IMAGE_MEMORY_BARRIER_2;
  barrier.srcStageMask = barrier.dstStageMask = VK_PIPELINE_STAGE_2_ALL_COMMANDS_BIT;
  barrier.srcAccessMask = VK_ACCESS_2_MEMORY_WRITE_BIT;
  barrier.dstAccessMask = VK_ACCESS_2_MEMORY_READ_BIT | VK_ACCESS_2_MEMORY_WRITE_BIT;
  barrier.oldLayout = from;
  barrier.newLayout = to;
  barrier.srcQueueFamilyIndex = barrier.dstQueueFamilyIndex = VK_QUEUE_FAMILY_IGNORED;
  barrier.image = image;
  barrier.subresourceRange = {aspects, 0, 1, 0, VK_REMAINING_ARRAY_LAYERS};
  VkDependencyInfo info{};
  info.sType = VK_STRUCTURE_TYPE_DEPENDENCY_INFO;
  info.imageMemoryBarrierCount = 1;
  info.pImageMemoryBarriers = &barrier;
  vk.vkCmdPipelineBarrier2(commands, &info);
}

}  // namespace

dummy_images::~dummy_images() {
  for (const dummy& old : all_) {
    for (const VkImageView view : old.views) {
      if (view != VK_NULL_HANDLE) device_.work.discard(VK_OBJECT_TYPE_IMAGE_VIEW, view);
    }
    for (std::size_t i = 0; i < old.images.size(); ++i) {
      if (old.images[i] == VK_NULL_HANDLE) continue;
      device_.work.discard(VK_OBJECT_TYPE_IMAGE, old.images[i], old.memory[i]);
    }
  }
}

auto dummy_images::initialize() -> result<void> {
  for (std::size_t i = 0; i < all_.size(); ++i) {
    if (auto made = create(all_[i], static_cast<dummy_color>(i)); !made) return made.why();
  }
  return {};
}

auto dummy_images::create(dummy& made, dummy_color color) -> result<void> {
  const std::size_t kinds = color == dummy_color::depth ? 1 : images.size();
  for (std::size_t kind = 0; kind < kinds; ++kind) {
    if (auto image = create_image(made, kind, color); !image) return image.why();
  }
  const gpu& device = *device_.gpu;
  for (std::size_t i = 0; i < shapes.size(); ++i) {
    // No shader of a device without the feature can name the type.
    const bool is_missing =
        shapes[i].type == VK_IMAGE_VIEW_TYPE_CUBE_ARRAY && !device.features.cube_arrays;
    if (is_missing || shapes[i].image >= kinds) continue;
    VkImageViewCreateInfo info{};
    info.sType = VK_STRUCTURE_TYPE_IMAGE_VIEW_CREATE_INFO;
    info.image = made.images[shapes[i].image];
    info.viewType = shapes[i].type;
    info.format = row_of(color).format;
    info.subresourceRange = {row_of(color).aspects, 0, 1, 0, shapes[i].layers};
    const auto created = device.vk.vkCreateImageView(device.handle, &info, nullptr, &made.views[i]);
    if (created != VK_SUCCESS) return vulkan_error(created, "creating a dummy view fails");
    device_.work.note_created();
  }
  return {};
}

auto dummy_images::create_image(dummy& made, std::size_t kind, dummy_color color) -> result<void> {
  const gpu& device = *device_.gpu;
  static_assert(images.size() == image_count);
  const image_row& row = images[kind];
  VkImageCreateInfo info{};
  info.sType = VK_STRUCTURE_TYPE_IMAGE_CREATE_INFO;
  info.flags = row.flags;
  info.imageType = row.type;
  info.format = row_of(color).format;
  info.extent = {1, 1, 1};
  info.mipLevels = 1;
  info.arrayLayers = row.layers;
  info.samples = row.samples;
  info.usage = VK_IMAGE_USAGE_SAMPLED_BIT | VK_IMAGE_USAGE_TRANSFER_DST_BIT;
  const auto bound_image = create_bound_image(device, device_.memory, info,
                                              {.creating = "creating a dummy image fails",
                                               .binding = "binding a dummy image's memory fails"});
  if (!bound_image) return bound_image.why();
  device_.work.note_created();
  made.images[kind] = bound_image->handle;
  made.memory[kind] = bound_image->memory;
  fill(bound_image->handle, color);
  return {};
}

void dummy_images::fill(VkImage image, dummy_color color) noexcept {
  const VolkDeviceTable& vk = device_.vk();
  const color_row& row = row_of(color);
  const VkCommandBuffer commands = device_.work.early().record();
  const VkImageSubresourceRange all{row.aspects, 0, 1, 0, VK_REMAINING_ARRAY_LAYERS};
  constexpr VkImageLayout filled = VK_IMAGE_LAYOUT_TRANSFER_DST_OPTIMAL;
  transition(vk, commands, image, row.aspects, VK_IMAGE_LAYOUT_UNDEFINED, filled);
  if (color == dummy_color::depth) {
    const VkClearDepthStencilValue zero{};
    vk.vkCmdClearDepthStencilImage(commands, image, filled, &zero, 1, &all);
  } else {
    vk.vkCmdClearColorImage(commands, image, filled, &row.value, 1, &all);
  }
  transition(vk, commands, image, row.aspects, filled, VK_IMAGE_LAYOUT_SHADER_READ_ONLY_OPTIMAL);
}

}  // namespace aerogpu::vulkan

// SPDX-License-Identifier: MIT
#include "vulkan/resources/resource_objects.hpp"

#include "vulkan/device/debug_names.hpp"
#include "vulkan/memory/bound_memory.hpp"
#include "vulkan/texels/bc_decode.hpp"

#include <algorithm>
#include <array>
#include <cstring>
#include <utility>

namespace aerogpu::vulkan {

namespace {

auto usage_of(const texture_format& format) -> VkImageUsageFlags {
  VkImageUsageFlags usage = VK_IMAGE_USAGE_TRANSFER_SRC_BIT | VK_IMAGE_USAGE_TRANSFER_DST_BIT |
                            VK_IMAGE_USAGE_SAMPLED_BIT;
  if (!format.can_be_target) return usage;
  const bool is_depth = format.wire->is_depth();
  return usage |
         static_cast<VkImageUsageFlags>(is_depth ? VK_IMAGE_USAGE_DEPTH_STENCIL_ATTACHMENT_BIT
                                                 : VK_IMAGE_USAGE_COLOR_ATTACHMENT_BIT);
}

/// How an image of the guest is made. Its structures point at each other.
struct image_info {
  image_info(const texture_desc& desc, const texture_format& format) noexcept
      : views{format.unorm, format.srgb} {
    list.viewFormatCount = 2;
    list.pViewFormats = views.data();
    const bool has_twin = views[0] != views[1];
    const bool can_be_cube = desc.width == desc.height && desc.array_layers >= 6;
    info.sType = VK_STRUCTURE_TYPE_IMAGE_CREATE_INFO;
    info.pNext = has_twin ? &list : nullptr;
    if (has_twin) info.flags |= VK_IMAGE_CREATE_MUTABLE_FORMAT_BIT;
    if (can_be_cube) info.flags |= VK_IMAGE_CREATE_CUBE_COMPATIBLE_BIT;
    info.imageType = VK_IMAGE_TYPE_2D;
    info.format = format.own();
    info.extent = {desc.width, desc.height, 1};
    info.mipLevels = desc.mip_levels;
    info.arrayLayers = desc.array_layers;
    info.samples = VK_SAMPLE_COUNT_1_BIT;
    info.tiling = VK_IMAGE_TILING_OPTIMAL;
    info.usage = usage_of(format);
  }
  image_info(const image_info&) = delete;
  auto operator=(const image_info&) -> image_info& = delete;

  std::array<VkFormat, 2> views;
  VkImageFormatListCreateInfo list{.sType = VK_STRUCTURE_TYPE_IMAGE_FORMAT_LIST_CREATE_INFO,
                                   .pNext = nullptr,
                                   .viewFormatCount = 0,
                                   .pViewFormats = nullptr};
  VkImageCreateInfo info{};
};

/// Bytes of the texels on the device, without what it adds.
auto image_bytes(const texture_layout& layout, const texture_format& format) -> std::uint64_t {
  if (!format.is_expanded()) return layout.total_bytes();
  const std::uint32_t texels = std::uint32_t{format.wire->block_dim} * format.wire->block_dim;
  return layout.total_bytes() / format.wire->bytes_per_block * texels * format.image_bytes();
}

/// A device asked for the memory of an image that it does not make may answer anything.
auto check_limits(const gpu& device, const VkImageCreateInfo& info, std::uint64_t size_bytes)
    -> result<void> {
  const VkImageFormatProperties most = device.image_limits(info);
  const std::uint32_t size = std::max(info.extent.width, info.extent.height);
  const std::uint32_t most_size = std::min(most.maxExtent.width, most.maxExtent.height);
  if (size > most_size) {
    return make_error(error_code::out_of_memory, "the texture is larger than the device's images",
                      size, most_size);
  }
  if (info.arrayLayers > most.maxArrayLayers) {
    return make_error(error_code::out_of_memory,
                      "the texture has more layers than the device's images", info.arrayLayers,
                      most.maxArrayLayers);
  }
  if (info.mipLevels > most.maxMipLevels) {
    return make_error(error_code::out_of_memory,
                      "the texture has more levels than the device's images", info.mipLevels,
                      most.maxMipLevels);
  }
  if (size_bytes > most.maxResourceSize) {
    return make_error(error_code::out_of_memory, "the texture has more bytes than a device's image",
                      size_bytes, most.maxResourceSize);
  }
  return {};
}

}  // namespace

auto tight_layout(const texture_desc& desc) -> result<texture_layout> {
  return texture_layout::create({static_cast<std::uint32_t>(desc.format), desc.width, desc.height,
                                 desc.mip_levels, desc.array_layers, 0});
}

resource_objects::resource_objects(device_parts& device, const backend_options& options) noexcept
    : device_(device),
      image_views_(options.hash_seed, {options.bounds.image_views},
                   {this,
                    [](void* store, VkImageView& old) noexcept {
                      static_cast<resource_objects*>(store)->device_.work.discard(
                          VK_OBJECT_TYPE_IMAGE_VIEW, old);
                    }}),
      buffer_views_(options.hash_seed, {options.bounds.buffer_views},
                    {this, [](void* store, VkBufferView& old) noexcept {
                       static_cast<resource_objects*>(store)->device_.work.discard(
                           VK_OBJECT_TYPE_BUFFER_VIEW, old);
                     }}) {}

resource_objects::~resource_objects() {
  destroy(zero_);
}

auto resource_objects::initialize() -> result<void> {
  constexpr std::uint64_t largest_element_bytes = 16;
  zero_.desc.size_bytes = largest_element_bytes;
  if (auto made = create(zero_); !made) return made.why();
  return materialize(zero_);
}

auto resource_objects::memory_bytes(const buffer_desc& desc) const noexcept -> std::uint64_t {
  return buffer_memory_bytes(*device_.gpu, desc.size_bytes);
}

auto resource_objects::memory_bytes(const texture_desc& desc) const noexcept -> std::uint64_t {
  const auto layout = tight_layout(desc);
  if (!layout) return UINT64_MAX;
  const texture_format& format = device_.formats.of(desc.format);
  const image_info how{desc, format};
  if (!check_limits(*device_.gpu, how.info, image_bytes(*layout, format))) {
    return layout->total_bytes();  // Creating it fails.
  }
  const std::uint64_t image = image_memory_bytes(*device_.gpu, how.info);
  const bool has_copy = format.path == texel_path::rgba_blocks;
  const std::uint64_t copy = has_copy ? layout->total_bytes() : 0;
  return image > UINT64_MAX - copy ? UINT64_MAX : image + copy;
}

auto resource_objects::create(buffer_record& buffer) -> result<void> {
  gpu& device = *device_.gpu;
  const auto made = create_bound_buffer(
      device, device_.memory, buffer.desc.size_bytes, memory_use::device,
      {.creating = "creating a buffer fails", .binding = "binding a buffer's memory fails"});
  if (!made) return made.why();
  device_.work.note_created();
  buffer.handle = made->handle;
  buffer.memory = made->memory;
  set_name(device, VK_OBJECT_TYPE_BUFFER, buffer.handle, "buf#", buffer.desc.name, " ",
           buffer.desc.size_bytes, " bytes");
  return {};
}

auto resource_objects::create(image_record& image) -> result<void> {
  gpu& device = *device_.gpu;
  const texture_desc& desc = image.desc;
  image.format = &device_.formats.of(desc.format);
  const image_info how{desc, *image.format};
  const std::uint64_t bytes = image_bytes(image.layout, *image.format);
  if (auto ok = check_limits(device, how.info, bytes); !ok) return ok.why();
  const auto made = create_bound_image(
      device, device_.memory, how.info,
      {.creating = "creating an image fails", .binding = "binding an image's memory fails"});
  if (!made) return made.why();
  device_.work.note_created();
  image.handle = made->handle;
  image.memory = made->memory;
  if (image.format->path == texel_path::rgba_blocks) {
    if (!image.blocks.resize(static_cast<std::size_t>(image.layout.total_bytes()))) {
      destroy(image);
      return no_memory_for_record();
    }
  }
  set_name(device, VK_OBJECT_TYPE_IMAGE, image.handle, "tex#", desc.name, " ", desc.width, "x",
           desc.height, " ", image.format->wire->name);
  return {};
}

void resource_objects::destroy(buffer_record& buffer) noexcept {
  if (buffer.handle == VK_NULL_HANDLE) return;
  buffer_views_.erase(buffer.views);
  device_.work.discard(VK_OBJECT_TYPE_BUFFER, buffer.handle, buffer.memory);
  device_.work.forget(buffer.access);
  static_cast<buffer_object&>(buffer) = {};
}

void resource_objects::destroy(image_record& image) noexcept {
  if (image.handle == VK_NULL_HANDLE) return;
  if (image.is_attached) device_.pass.end(device_.work.main());
  drop_deferred(image);
  image_views_.erase(image.views);
  device_.work.discard(VK_OBJECT_TYPE_IMAGE, image.handle, image.memory);
  device_.work.forget(image.access);
  static_cast<image_object&>(image) = {};
}

auto resource_objects::view(image_record& image, const image_view_key& key) -> result<VkImageView> {
  const known_view_key known{image.id, key};
  if (const auto* const found = image_views_.find(known, image.views)) return found->value;
  const auto made = create_view(image, key);
  if (!made) return made.why();
  if (image_views_.insert(known, VkImageView{*made}, 0, &image.views) != nullptr) return *made;
  device_.work.discard(VK_OBJECT_TYPE_IMAGE_VIEW, *made);
  return no_memory_for_record();
}

auto resource_objects::create_view(const image_record& image, const image_view_key& key)
    -> result<VkImageView> {
  const gpu& device = *device_.gpu;
  VkImageViewCreateInfo info{};
  info.sType = VK_STRUCTURE_TYPE_IMAGE_VIEW_CREATE_INFO;
  info.image = image.handle;
  info.viewType = key.type;
  info.format = key.format;
  if (key.is_opaque) info.components.a = VK_COMPONENT_SWIZZLE_ONE;
  info.subresourceRange = {key.aspects, key.base_mip_level, key.mip_level_count,
                           key.base_array_layer, key.array_layer_count};
  VkImageView handle = VK_NULL_HANDLE;
  const auto created = device.vk.vkCreateImageView(device.handle, &info, nullptr, &handle);
  if (created != VK_SUCCESS) return vulkan_error(created, "creating an image view fails");
  device_.work.note_created();
  return handle;
}

auto resource_objects::view(buffer_record& buffer, VkFormat format, VkDeviceSize offset_bytes,
                            VkDeviceSize size_bytes) -> result<VkBufferView> {
  const buffer_view_key key{buffer.id, format, offset_bytes, size_bytes};
  if (const auto* const found = buffer_views_.find(key, buffer.views)) return found->value;
  const auto made =
      create_texel_view(*device_.gpu, buffer.handle, format, offset_bytes, size_bytes);
  if (!made) return made.why();
  device_.work.note_created();
  if (buffer_views_.insert(key, VkBufferView{*made}, 0, &buffer.views) != nullptr) return *made;
  device_.work.discard(VK_OBJECT_TYPE_BUFFER_VIEW, *made);
  return no_memory_for_record();
}

auto resource_objects::materialize(buffer_record& buffer) -> result<void> {
  if (!buffer.is_zero) return {};
  buffer.is_zero = false;
  command_stream& stream = device_.work.early();
  stream.use(buffer, access_kind::write);
  device_.vk().vkCmdFillBuffer(stream.record(), buffer.handle, 0, VK_WHOLE_SIZE, 0);
  device_.work.note_bytes(buffer.desc.size_bytes);
  return {};
}

auto resource_objects::materialize(image_record& image) -> result<void> {
  if (image.is_deferred()) [[unlikely]]
    fetch_deferred(image);
  if (!image.is_zero) return {};
  if (image.format->wire->is_block_compressed()) {
    if (auto cleared = clear_blocks(image); !cleared) return cleared.why();
  } else {
    clear_image(image);
  }
  device_.work.note_bytes(image.layout.total_bytes());
  image.is_zero = false;
  return {};
}

auto resource_objects::materialize(std::span<image_record* const> images) -> result<void> {
  for (image_record* const image : images) {
    if (image == nullptr) continue;
    if (auto ready = materialize(*image); !ready) return ready.why();
  }
  return {};
}

auto resource_objects::use_in_main(buffer_record& buffer, access_kind kind) -> result<void> {
  if (auto ready = materialize(buffer); !ready) return ready.why();
  device_.mark_main(buffer);
  device_.work.main().use(buffer, kind);
  return {};
}

void resource_objects::use_in_main(image_record& image, image_use use) noexcept {
  AEROGPU_CHECK(!image.is_deferred() && !image.is_zero);
  device_.mark_main(image);
  device_.work.main().use(image, use);
}

void resource_objects::drop_deferred(image_record& image) noexcept {
  if (!image.is_deferred()) return;
  device_.work.forget(image.deferred.access);
  device_.work.retire_deferred(std::exchange(image.deferred, {}).chunks);
}

/// Makes the copy that was put off. Rows of an earlier batch come before all that the open one does
/// with the image; those of the open batch may be written by its main commands.
void resource_objects::fetch_deferred(image_record& image) noexcept {
  deferred_content& from = image.deferred;
  const bool is_recent = from.batch == device_.work.current().number;
  if (is_recent) device_.mark_main(image);
  command_stream& stream = is_recent ? device_.main_outside_pass() : device_.work.early();
  stream.use(from.access, access_kind::read);
  stream.use(image, image_use::copy_destination);
  const VkBufferImageCopy all{.bufferOffset = 0,
                              .bufferRowLength = 0,
                              .bufferImageHeight = 0,
                              .imageSubresource = {image.format->aspects, 0, 0, 1},
                              .imageOffset = {0, 0, 0},
                              .imageExtent = {image.desc.width, image.desc.height, 1}};
  device_.vk().vkCmdCopyBufferToImage(stream.record(), from.chunks[0].buffer, image.handle,
                                      image.image_layout, 1, &all);
  drop_deferred(image);
}

void resource_objects::clear_image(image_record& image) noexcept {
  command_stream& stream = device_.work.early();
  stream.use(image, image_use::copy_destination);
  const VkImageSubresourceRange all{image.format->aspects, 0, VK_REMAINING_MIP_LEVELS, 0,
                                    VK_REMAINING_ARRAY_LAYERS};
  const VkImageLayout layout = image.image_layout;
  if (image.format->wire->is_depth()) {
    const VkClearDepthStencilValue zero{};
    device_.vk().vkCmdClearDepthStencilImage(stream.record(), image.handle, layout, &zero, 1, &all);
    return;
  }
  VkClearColorValue zero{};
  if (!image.format->wire->has_alpha) zero.float32[3] = 1.0f;
  device_.vk().vkCmdClearColorImage(stream.record(), image.handle, layout, &zero, 1, &all);
}

/// Compressed images cannot be cleared: zero blocks are copied, or what they decode to. A few rows
/// of them serve the whole image.
auto resource_objects::clear_blocks(image_record& image) -> result<void> {
  constexpr std::uint32_t most_zero_bytes = 1u << 20;
  const bool is_decoded = image.format->path == texel_path::rgba_blocks;
  const subresource_layout largest = image.layout.locate({0, 0});
  const std::uint32_t row_bytes =
      is_decoded ? image.desc.width * 4 * block_dim : largest.row_size_bytes;
  const std::uint32_t rows = std::clamp(most_zero_bytes / row_bytes, 1u, largest.row_count);
  const auto zeros =
      device_.work.current().uploads.allocate(VkDeviceSize{row_bytes} * rows, staging_alignment);
  if (!zeros) return zeros.why();
  if (is_decoded) {
    const std::size_t block_bytes = std::size_t{rows} * largest.row_size_bytes;
    decode_blocks(image.desc.format, const_bytes{image.blocks.view()}.first(block_bytes),
                  image.desc.width, std::min(rows * block_dim, image.desc.height), zeros->bytes,
                  image.desc.width * 4);
  } else {
    std::memset(zeros->bytes.data(), 0, zeros->bytes.size());
  }
  command_stream& stream = device_.work.early();
  stream.use(image, image_use::copy_destination);
  for (std::uint32_t mip = 0; mip < image.desc.mip_levels; ++mip) {
    for (std::uint32_t layer = 0; layer < image.desc.array_layers; ++layer) {
      copy_zero_blocks(image, {mip, layer}, *zeros, rows * block_dim);
    }
  }
  return {};
}

void resource_objects::copy_zero_blocks(const image_record& image, subresource to,
                                        const transfer_range& zeros, std::uint32_t strip_height) {
  const std::uint32_t height = image.layout.height_of(to.mip_level);
  for (std::uint32_t y = 0; y < height; y += strip_height) {
    const VkBufferImageCopy copy{
        .bufferOffset = zeros.offset_bytes,
        .bufferRowLength = 0,
        .bufferImageHeight = 0,
        .imageSubresource = {VK_IMAGE_ASPECT_COLOR_BIT, to.mip_level, to.array_layer, 1},
        .imageOffset = {0, static_cast<std::int32_t>(y), 0},
        .imageExtent = {image.layout.width_of(to.mip_level), std::min(strip_height, height - y),
                        1}};
    device_.vk().vkCmdCopyBufferToImage(device_.work.early().record(), zeros.buffer, image.handle,
                                        image.image_layout, 1, &copy);
  }
}

}  // namespace aerogpu::vulkan

// SPDX-License-Identifier: MIT
#include "aerogpu/memory/texture_rectangle.hpp"
#include "vulkan/resources/texture_region.hpp"
#include "vulkan/resources/texture_transfer.hpp"

#include <array>
#include <cstring>

namespace aerogpu::vulkan {

namespace {

auto offset_of(std::uint32_t x, std::uint32_t y) noexcept -> VkOffset3D {
  return {static_cast<std::int32_t>(x), static_cast<std::int32_t>(y), 0};
}

auto layers_of(const image_record& image, subresource where) noexcept -> VkImageSubresourceLayers {
  return {image.format->aspects, where.mip_level, where.array_layer, 1};
}

auto rows_to(const image_record& image, const texture_copy& copy) noexcept -> texture_rows {
  return rows_of(image.layout, copy.destination,
                 {copy.destination_x, copy.destination_y, copy.width, copy.height});
}
auto rows_from(const image_record& image, const texture_copy& copy) noexcept -> texture_rows {
  return rows_of(image.layout, copy.source,
                 {copy.source_x, copy.source_y, copy.width, copy.height});
}

}  // namespace

auto texture_transfer::copy(image_record& to, image_record& from, const texture_copy& copy)
    -> result<void> {
  if (to.format->path == texel_path::rgba_blocks) return copy_blocks(to, from, copy);
  if (&to == &from) return copy_inside(to, copy);
  if (auto ready = resources_.materialize(from); !ready) return ready.why();
  if (auto ready = prepare(to, rows_to(to, copy)); !ready) return ready.why();
  command_stream& stream = device_.transfer_stream(to, from);
  stream.use(from, image_use::copy_source);
  stream.use(to, image_use::copy_destination);
  const VkImageCopy region{.srcSubresource = layers_of(from, copy.source),
                           .srcOffset = offset_of(copy.source_x, copy.source_y),
                           .dstSubresource = layers_of(to, copy.destination),
                           .dstOffset = offset_of(copy.destination_x, copy.destination_y),
                           .extent = {copy.width, copy.height, 1}};
  device_.vk().vkCmdCopyImage(stream.record(), from.handle, from.image_layout, to.handle,
                              to.image_layout, 1, &region);
  const texture_rows rows = rows_to(to, copy);
  device_.work.note_bytes(std::uint64_t{rows.row_count} * rows.row_size_bytes);
  return {};
}

/// Between subresources of one image, which has one layout at a time: through a buffer.
auto texture_transfer::copy_inside(image_record& image, const texture_copy& copy) -> result<void> {
  if (auto ready = resources_.materialize(image); !ready) return ready.why();
  const texture_region from = region_of(image, rows_from(image, copy));
  const texture_region to = region_of(image, rows_to(image, copy));
  command_stream& stream = device_.transfer_stream(image);
  const VolkDeviceTable& vk = device_.vk();
  std::array<VkBufferImageCopy, 2> out{}, in{};
  std::array<VkBuffer, 2> buffers{};
  std::uint32_t count = 0;
  for (const VkImageAspectFlags aspect :
       {VK_IMAGE_ASPECT_COLOR_BIT, VK_IMAGE_ASPECT_DEPTH_BIT, VK_IMAGE_ASPECT_STENCIL_BIT}) {
    if ((image.format->aspects & aspect) == 0) continue;
    const std::size_t unit =
        aspect == VK_IMAGE_ASPECT_STENCIL_BIT ? 1 : image.format->image_bytes();
    const auto scratch =
        device_.work.current().uploads.allocate(from.texels() * unit, staging_alignment);
    if (!scratch) return scratch.why();
    buffers[count] = scratch->buffer;
    out[count] = from.to_copy(aspect, scratch->offset_bytes);
    in[count++] = to.to_copy(aspect, scratch->offset_bytes);
  }
  access_epochs scratch;
  stream.use(image, image_use::copy_source);
  stream.use(scratch, access_kind::write);
  const VkCommandBuffer commands = stream.record();
  for (std::uint32_t i = 0; i < count; ++i) {
    vk.vkCmdCopyImageToBuffer(commands, image.handle, image.image_layout, buffers[i], 1, &out[i]);
  }
  stream.use(scratch, access_kind::read);
  stream.use(image, image_use::copy_destination);
  stream.record();
  for (std::uint32_t i = 0; i < count; ++i) {
    vk.vkCmdCopyBufferToImage(commands, buffers[i], image.handle, image.image_layout, 1, &in[i]);
  }
  return {};
}

auto texture_transfer::can_put_off(const image_record& to, const image_record& from,
                                   const texture_copy& copy) noexcept -> bool {
  return &to != &from && to.format->path == texel_path::direct && !to.format->wire->is_depth() &&
         !to.format->wire->is_block_compressed() && to.layout.subresource_count() == 1 &&
         is_whole_subresource(to.layout, rows_to(to, copy));
}

/// One copy on the device in place of two, where nobody reads `to` before it is overwritten.
auto texture_transfer::read_back_copy(image_record& to, image_record& from,
                                      const texture_copy& copy) -> result<read_back_rows> {
  const texture_rows rows = rows_from(from, copy);
  read_back_rows back;
  back.path = texel_path::direct;
  back.size_bytes = std::size_t{rows.row_count} * rows.row_size_bytes;
  auto chunks = device_.work.take_deferred(back.size_bytes);
  if (!chunks) return chunks.why();
  if (auto ready = resources_.materialize(from); !ready) {
    device_.work.retire_deferred(*std::move(chunks));
    return ready.why();
  }
  resources_.drop_deferred(to);
  to.deferred.chunks = *std::move(chunks);
  to.deferred.batch = device_.work.current().number;
  to.is_zero = false;
  command_stream& stream = device_.transfer_stream(from);
  stream.use(from, image_use::copy_source);
  stream.use(to.deferred.access, access_kind::write);
  const VkBufferImageCopy all = region_of(from, rows).to_copy(VK_IMAGE_ASPECT_COLOR_BIT, 0);
  const transfer_chunk& chunk = to.deferred.chunks[0];
  device_.vk().vkCmdCopyImageToBuffer(stream.record(), from.handle, from.image_layout, chunk.buffer,
                                      1, &all);
  back.texels = {chunk.memory.mapped, back.size_bytes};
  return back;
}

auto texture_transfer::copy_blocks(image_record& to, image_record& from, const texture_copy& copy)
    -> result<void> {
  const texture_rows source = rows_from(from, copy);
  const texture_rows destination = rows_to(to, copy);
  const auto staged = stage_decoded(to, destination);
  if (!staged) return staged.why();
  const subresource_layout source_at = from.layout.locate(copy.source);
  const subresource_layout destination_at = to.layout.locate(copy.destination);
  const auto place = [](const subresource_layout& at, const texture_rows& part, std::uint32_t row) {
    return static_cast<std::size_t>(
        at.offset_bytes + std::uint64_t{part.first_row + row} * at.pitch_bytes + part.first_byte);
  };
  for (std::uint32_t row = 0; row < source.row_count; ++row) {
    std::memmove(to.blocks.data() + place(destination_at, destination, row),
                 from.blocks.data() + place(source_at, source, row), source.row_size_bytes);
  }
  upload_decoded(to, destination, *staged);
  return {};
}

}  // namespace aerogpu::vulkan

// SPDX-License-Identifier: MIT
#include "vulkan/resources/texture_transfer.hpp"

#include "aerogpu/memory/format.hpp"
#include "aerogpu/memory/texture_rectangle.hpp"
#include "vulkan/resources/texture_region.hpp"
#include "vulkan/texels/bc_decode.hpp"
#include "vulkan/texels/texel_convert.hpp"

#include <algorithm>
#include <cstring>
#include <span>

namespace aerogpu::vulkan {

namespace {

/// The aspect of an image that uploads and read-backs of plain texels touch.
auto plain_aspect(const image_record& image) noexcept -> VkImageAspectFlags {
  return image.format->aspects & (VK_IMAGE_ASPECT_COLOR_BIT | VK_IMAGE_ASPECT_DEPTH_BIT);
}

/// One row of what an upload brings.
auto source_row(const texture_rows& rows, const_bytes bytes, std::uint32_t row) noexcept
    -> const_bytes {
  return bytes.subspan(static_cast<std::size_t>(row * rows.source_pitch_bytes),
                       rows.row_size_bytes);
}

void copy_rows(const texture_rows& rows, const_bytes from, mutable_bytes to) noexcept {
  for (std::uint32_t row = 0; row < rows.row_count; ++row) {
    const const_bytes source = source_row(rows, from, row);
    std::memcpy(to.data() + std::size_t{row} * rows.row_size_bytes, source.data(), source.size());
  }
}

template <class Word>
auto words_of(mutable_bytes bytes) noexcept -> std::span<Word> {
  return {reinterpret_cast<Word*>(bytes.data()), bytes.size() / sizeof(Word)};
}

/// The stored blocks of one block row of an image that is decoded on the host.
auto block_row(image_record& image, subresource where, std::uint32_t row) noexcept
    -> mutable_bytes {
  const subresource_layout at = image.layout.locate(where);
  return image.blocks.view().subspan(
      static_cast<std::size_t>(at.offset_bytes + std::uint64_t{row} * at.pitch_bytes),
      at.row_size_bytes);
}

}  // namespace

auto read_back_rows::wire() noexcept -> const_bytes {
  if (!kept.empty() || size_bytes == 0) return kept.view();
  if (path == texel_path::direct) return texels;
  if (path == texel_path::opaque) {
    fill_x8_alpha(texels, 0);
    return texels;
  }
  AEROGPU_CHECK(kept.resize(size_bytes));  // The room was made when the rows were read.
  const mutable_bytes out = kept.view();
  switch (path) {
    case texel_path::rgba_565: pack_b5g6r5(texels, out); break;
    case texel_path::rgba_1555: pack_b5g5r5a1(texels, out); break;
    case texel_path::depth_24:
      combine_depth_stencil(std::span<const std::uint32_t>{words_of<std::uint32_t>(texels)},
                            stencils, out);
      break;
    case texel_path::depth_24_as_float:
      combine_depth_stencil(std::span<const float>{words_of<float>(texels)}, stencils, out);
      break;
    default: AEROGPU_CHECK(false);
  }
  return out;
}

auto read_back_rows::keep() noexcept -> bool {
  if (!kept.empty()) return true;
  const const_bytes rows = wire();
  return !kept.empty() || kept.append(rows);
}

auto texture_transfer::prepare(image_record& to, const texture_rows& rows) -> result<void> {
  if (to.layout.subresource_count() == 1 && is_whole_subresource(to.layout, rows)) {
    to.is_zero = false;
    resources_.drop_deferred(to);
  }
  return resources_.materialize(to);
}

/// Texels as the image wants them, in memory that the device can read. What was staged stays where
/// it is when its pitch allows.
auto texture_transfer::stage_rows(const image_record& to, const texture_rows& rows,
                                  const_bytes bytes, std::uint32_t& row_texels)
    -> result<transfer_range> {
  const texture_format& format = *to.format;
  transfer_arena& uploads = device_.work.current().uploads;
  const std::uint32_t unit = format.wire->bytes_per_block;
  const std::size_t used = static_cast<std::size_t>((rows.row_count - 1) * rows.source_pitch_bytes +
                                                    rows.row_size_bytes);
  row_texels = 0;
  if (!format.is_expanded()) {
    const transfer_range staged = uploads.find(bytes.first(used));
    if (staged.buffer != VK_NULL_HANDLE && staged.offset_bytes % staging_alignment == 0 &&
        rows.source_pitch_bytes % unit == 0) {
      if (format.path == texel_path::opaque) fill_x8_alpha(staged.bytes, 0);
      row_texels =
          static_cast<std::uint32_t>(rows.source_pitch_bytes / unit) * format.wire->block_dim;
      return staged;
    }
  }
  const std::size_t texels = std::size_t{rows.row_count} * (rows.row_size_bytes / unit);
  auto made = uploads.allocate(texels * format.image_bytes(), staging_alignment);
  if (!made) return made.why();
  if (!format.is_expanded()) {
    copy_rows(rows, bytes, made->bytes);
    if (format.path == texel_path::opaque) fill_x8_alpha(made->bytes, 0);
    return *made;
  }
  const std::size_t row_bytes = std::size_t{rows.row_size_bytes / unit} * format.image_bytes();
  for (std::uint32_t row = 0; row < rows.row_count; ++row) {
    const const_bytes from = source_row(rows, bytes, row);
    const mutable_bytes out = made->bytes.subspan(row * row_bytes, row_bytes);
    (format.path == texel_path::rgba_565 ? expand_b5g6r5 : expand_b5g5r5a1)(from, out);
  }
  return *made;
}

auto texture_transfer::upload(image_record& to, const texture_rows& rows, const_bytes bytes)
    -> result<void> {
  if (rows.row_count == 0 || rows.row_size_bytes == 0) return {};
  if (to.format->path == texel_path::rgba_blocks) return upload_blocks(to, rows, bytes);
  if (has_stencil(to.desc.format)) return upload_depth_stencil(to, rows, bytes);
  if (cuts_texels(to, rows)) return upload_cut(to, rows, bytes);
  std::uint32_t row_texels = 0;
  const auto staged = stage_rows(to, rows, bytes, row_texels);
  if (!staged) return staged.why();
  if (auto ready = prepare(to, rows); !ready) return ready.why();
  command_stream& stream = device_.transfer_stream(to);
  stream.use(to, image_use::copy_destination);
  const VkBufferImageCopy copy =
      region_of(to, rows).to_copy(plain_aspect(to), staged->offset_bytes, row_texels);
  device_.vk().vkCmdCopyBufferToImage(stream.record(), staged->buffer, to.handle, to.image_layout,
                                      1, &copy);
  return {};
}

/// Texels that keep some of their bytes: out of the image, patched, and back, all on the device.
/// Where texels are expanded to RGBA8 the device has no bytes of the wire to patch.
auto texture_transfer::upload_cut(image_record& to, const texture_rows& rows, const_bytes bytes)
    -> result<void> {
  if (to.format->is_expanded()) {
    return make_error(error_code::unsupported,
                      "the device lacks 16-bit colour, and the upload ends inside a texel",
                      rows.row_size_bytes);
  }
  const texture_region region = region_of(to, rows);
  const std::uint32_t unit = to.format->image_bytes();
  const std::size_t row_bytes = std::size_t{region.columns} * unit;
  transfer_arena& uploads = device_.work.current().uploads;
  const auto texels = uploads.allocate(row_bytes * region.rows, staging_alignment);
  if (!texels) return texels.why();
  const auto patch =
      uploads.allocate(std::size_t{rows.row_count} * rows.row_size_bytes, staging_alignment);
  if (!patch) return patch.why();
  copy_rows(rows, bytes, patch->bytes);
  if (to.format->path == texel_path::opaque) {
    for (std::uint32_t row = 0; row < rows.row_count; ++row) {
      fill_x8_alpha(
          patch->bytes.subspan(std::size_t{row} * rows.row_size_bytes, rows.row_size_bytes),
          rows.first_byte);
    }
  }
  heap_array<VkBufferCopy> pieces;
  if (!pieces.reserve(rows.row_count)) return no_memory_for_record();
  if (auto ready = resources_.materialize(to); !ready) return ready.why();
  command_stream& stream = device_.transfer_stream(to);
  const VolkDeviceTable& vk = device_.vk();
  const VkBufferImageCopy whole = region.to_copy(plain_aspect(to), texels->offset_bytes);
  access_epochs scratch;
  stream.use(to, image_use::copy_source);
  stream.use(scratch, access_kind::write);
  const VkCommandBuffer commands = stream.record();
  vk.vkCmdCopyImageToBuffer(commands, to.handle, to.image_layout, texels->buffer, 1, &whole);
  for (std::uint32_t row = 0; row < rows.row_count; ++row) {
    AEROGPU_CHECK(pieces.push_back({patch->offset_bytes + VkDeviceSize{row} * rows.row_size_bytes,
                                    texels->offset_bytes + row * row_bytes + rows.first_byte % unit,
                                    rows.row_size_bytes}));
  }
  stream.use(scratch, access_kind::write);
  stream.record(rows.row_count);
  vk.vkCmdCopyBuffer(commands, patch->buffer, texels->buffer,
                     static_cast<std::uint32_t>(pieces.size()), pieces.data());
  stream.use(scratch, access_kind::read);
  stream.use(to, image_use::copy_destination);
  stream.record();
  vk.vkCmdCopyBufferToImage(commands, texels->buffer, to.handle, to.image_layout, 1, &whole);
  return {};
}

/// Nothing is stored unless the device will have it too.
auto texture_transfer::upload_blocks(image_record& to, const texture_rows& rows, const_bytes bytes)
    -> result<void> {
  const auto staged = stage_decoded(to, rows);
  if (!staged) return staged.why();
  for (std::uint32_t row = 0; row < rows.row_count; ++row) {
    const mutable_bytes stored = block_row(to, rows.where, rows.first_row + row);
    copy_bytes(stored.subspan(rows.first_byte, rows.row_size_bytes), source_row(rows, bytes, row));
  }
  upload_decoded(to, rows, *staged);
  return {};
}

/// All that can fail before stored blocks go to the device. Precondition: they are not stored yet,
/// because zeros are made of those that are.
auto texture_transfer::stage_decoded(image_record& to, const texture_rows& rows)
    -> result<transfer_range> {
  const texture_region region = region_of(to, rows);
  const std::size_t size = std::size_t{region.width} * region.height * 4;
  const auto staged = device_.work.current().uploads.allocate(size, staging_alignment);
  if (!staged) return staged.why();
  if (auto ready = prepare(to, rows); !ready) return ready.why();
  return *staged;
}

void texture_transfer::upload_decoded(image_record& to, const texture_rows& rows,
                                      const transfer_range& staged) {
  const texture_region region = region_of(to, rows);
  const std::size_t pitch = std::size_t{region.width} * 4;
  const std::size_t block_bytes = to.format->wire->bytes_per_block;
  for (std::uint32_t row = 0; row < region.rows; ++row) {
    const const_bytes blocks =
        block_row(to, rows.where, rows.first_row + row)
            .subspan(region.x / block_dim * block_bytes, region.columns * block_bytes);
    const std::uint32_t height = std::min(block_dim, region.height - row * block_dim);
    decode_blocks(to.desc.format, blocks, region.width, height,
                  staged.bytes.subspan(row * block_dim * pitch, height * pitch), pitch);
  }
  command_stream& stream = device_.transfer_stream(to);
  stream.use(to, image_use::copy_destination);
  const VkBufferImageCopy copy = region.to_copy(VK_IMAGE_ASPECT_COLOR_BIT, staged.offset_bytes);
  device_.vk().vkCmdCopyBufferToImage(stream.record(), staged.buffer, to.handle, to.image_layout, 1,
                                      &copy);
}

auto texture_transfer::upload_depth_stencil(image_record& to, const texture_rows& rows,
                                            const_bytes bytes) -> result<void> {
  const texture_region region = region_of(to, rows);
  transfer_arena& uploads = device_.work.current().uploads;
  const auto depths = uploads.allocate(region.texels() * 4, staging_alignment);
  if (!depths) return depths.why();
  const auto stencils = uploads.allocate(region.texels(), staging_alignment);
  if (!stencils) return stencils.why();
  heap_array<std::byte> packed;
  if (!packed.resize(region.texels() * 4)) return no_memory_for_record();
  copy_rows(rows, bytes, packed.view());
  if (to.format->path == texel_path::depth_24) {
    split_depth_stencil(packed.view(), words_of<std::uint32_t>(depths->bytes), stencils->bytes);
  } else {
    split_depth_stencil(packed.view(), words_of<float>(depths->bytes), stencils->bytes);
  }
  if (auto ready = prepare(to, rows); !ready) return ready.why();
  command_stream& stream = device_.transfer_stream(to);
  stream.use(to, image_use::copy_destination);
  const VkCommandBuffer commands = stream.record();
  const VkBufferImageCopy depth = region.to_copy(VK_IMAGE_ASPECT_DEPTH_BIT, depths->offset_bytes);
  const VkBufferImageCopy stencil =
      region.to_copy(VK_IMAGE_ASPECT_STENCIL_BIT, stencils->offset_bytes);
  const VolkDeviceTable& vk = device_.vk();
  vk.vkCmdCopyBufferToImage(commands, depths->buffer, to.handle, to.image_layout, 1, &depth);
  vk.vkCmdCopyBufferToImage(commands, stencils->buffer, to.handle, to.image_layout, 1, &stencil);
  return {};
}

auto texture_transfer::read_back(image_record& from, const texture_rows& rows)
    -> result<read_back_rows> {
  const texture_region region = region_of(from, rows);
  read_back_rows back;
  back.path = from.format->path;
  back.size_bytes = std::size_t{rows.row_count} * rows.row_size_bytes;
  if (back.size_bytes == 0) return back;
  const bool is_kept = back.path != texel_path::direct && back.path != texel_path::opaque;
  if (is_kept && !back.kept.reserve(back.size_bytes)) return no_memory_for_record();
  if (back.path == texel_path::rgba_blocks) {
    for (std::uint32_t row = 0; row < rows.row_count; ++row) {
      const const_bytes blocks = block_row(from, rows.where, rows.first_row + row)
                                     .subspan(rows.first_byte, rows.row_size_bytes);
      AEROGPU_CHECK(back.kept.append(blocks));
    }
    return back;
  }
  transfer_arena& memory = device_.work.current().read_backs;
  const auto texels =
      memory.allocate(region.texels() * from.format->image_bytes(), staging_alignment);
  if (!texels) return texels.why();
  back.texels = texels->bytes;
  const bool has_stencil = (from.format->aspects & VK_IMAGE_ASPECT_STENCIL_BIT) != 0;
  VkDeviceSize stencil_offset = 0;
  VkBuffer stencil_buffer = VK_NULL_HANDLE;
  if (has_stencil) {
    const auto stencils = memory.allocate(region.texels(), staging_alignment);
    if (!stencils) return stencils.why();
    back.stencils = stencils->bytes;
    stencil_offset = stencils->offset_bytes;
    stencil_buffer = stencils->buffer;
  }
  if (auto ready = resources_.materialize(from); !ready) return ready.why();
  command_stream& stream = device_.transfer_stream(from);
  stream.use(from, image_use::copy_source);
  const VkCommandBuffer commands = stream.record();
  const VkBufferImageCopy copy = region.to_copy(plain_aspect(from), texels->offset_bytes);
  const VolkDeviceTable& vk = device_.vk();
  vk.vkCmdCopyImageToBuffer(commands, from.handle, from.image_layout, texels->buffer, 1, &copy);
  if (has_stencil) {
    const VkBufferImageCopy stencil = region.to_copy(VK_IMAGE_ASPECT_STENCIL_BIT, stencil_offset);
    vk.vkCmdCopyImageToBuffer(commands, from.handle, from.image_layout, stencil_buffer, 1,
                              &stencil);
  }
  return back;
}

}  // namespace aerogpu::vulkan

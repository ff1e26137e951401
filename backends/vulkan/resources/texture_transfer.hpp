// SPDX-License-Identifier: MIT
/// \file Texels between the wire and images: uploads, copies, read-backs.
#pragma once

#include "aerogpu/backend/objects.hpp"
#include "aerogpu/core/bytes.hpp"
#include "aerogpu/core/result.hpp"
#include "vulkan/device_parts.hpp"
#include "vulkan/resources/resource_objects.hpp"

#include <cstddef>
#include <cstdint>

namespace aerogpu::vulkan {

/// Rows on their way back. Valid when the batch that was open at the call is done, and until its
/// memory is used again.
struct read_back_rows {
  texel_path path = texel_path::direct;
  mutable_bytes texels;        ///< As the device wrote them; of depth formats the depth.
  mutable_bytes stencils;      ///< One byte for each texel of D24S8.
  heap_array<std::byte> kept;  ///< Bytes that never left the host, or that were converted.
  std::size_t size_bytes = 0;  ///< On the wire.

  /// The rows in wire format, tightly packed. `kept` has room for them where they are converted.
  [[nodiscard]] auto wire() noexcept -> const_bytes;
  /// Makes the rows independent of the device, once its work is done. False when the heap is
  /// exhausted.
  [[nodiscard]] auto keep() noexcept -> bool;
};

/// Records into the open batch. Preconditions of all: a batch is open; ranges and rectangles lie in
/// their subresources. Errors of all: out_of_memory, device_lost.
class texture_transfer {
 public:
  texture_transfer(device_parts& device, resource_objects& resources) noexcept
      : device_(device), resources_(resources) {}

  /// Rows `source_pitch_bytes` apart. A texel that is cut keeps its other bytes. Rows of D24S8 are
  /// whole subresources (only snapshots bring them).
  [[nodiscard]] auto upload(image_record& to, const texture_rows& rows, const_bytes bytes)
      -> result<void>;
  [[nodiscard]] auto copy(image_record& to, image_record& from, const texture_copy& copy)
      -> result<void>;
  /// Whether the copy gives all of `to` rows that can be read back from `from` in its place.
  [[nodiscard]] static auto can_put_off(const image_record& to, const image_record& from,
                                        const texture_copy& copy) noexcept -> bool;
  /// The rows of `to` behind such a copy, which is put off until `to` is used.
  [[nodiscard]] auto read_back_copy(image_record& to, image_record& from, const texture_copy& copy)
      -> result<read_back_rows>;
  /// Whole texels or blocks.
  [[nodiscard]] auto read_back(image_record& from, const texture_rows& rows)
      -> result<read_back_rows>;

 private:
  [[nodiscard]] auto stage_rows(const image_record& to, const texture_rows& rows, const_bytes bytes,
                                std::uint32_t& row_texels) -> result<transfer_range>;
  [[nodiscard]] auto upload_cut(image_record& to, const texture_rows& rows, const_bytes bytes)
      -> result<void>;
  [[nodiscard]] auto upload_blocks(image_record& to, const texture_rows& rows, const_bytes bytes)
      -> result<void>;
  [[nodiscard]] auto stage_decoded(image_record& to, const texture_rows& rows)
      -> result<transfer_range>;
  void upload_decoded(image_record& to, const texture_rows& rows, const transfer_range& staged);
  [[nodiscard]] auto upload_depth_stencil(image_record& to, const texture_rows& rows,
                                          const_bytes bytes) -> result<void>;
  [[nodiscard]] auto copy_blocks(image_record& to, image_record& from, const texture_copy& copy)
      -> result<void>;
  [[nodiscard]] auto copy_inside(image_record& image, const texture_copy& copy) -> result<void>;
  /// Gives the image its zeros unless all of it is about to be replaced.
  [[nodiscard]] auto prepare(image_record& to, const texture_rows& rows) -> result<void>;

  device_parts& device_;
  resource_objects& resources_;
};

}  // namespace aerogpu::vulkan

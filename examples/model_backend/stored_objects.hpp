// SPDX-License-Identifier: MIT
/// \file Buffers and textures as bytes, and the parts of them that calls name.
#pragma once

#include "aerogpu/backend/objects.hpp"
#include "aerogpu/hosted/heap_array.hpp"
#include "aerogpu/memory/texture_rectangle.hpp"

namespace example {

using namespace aerogpu;
using byte_array = heap_array<std::byte>;

// [objects]
/// What the processor keeps in its tables and hands back with every call.
struct stored_buffer {
  byte_array bytes;
};
struct stored_texture {
  texture_layout layout;  ///< With tight pitches: the form that contents calls speak.
  byte_array bytes;
};
struct no_view {};  ///< This backend does not draw, so that the rest is names: six distinct types.
struct no_shader {};
struct no_input_layout {};
struct no_sampler {};
// [/objects]

/// Rows on their way to the guest.
struct write_back {
  submission_id by{};
  guest_rows to{};
  byte_array rows;
};

[[nodiscard]] inline auto layout_of(const texture_desc& desc) noexcept -> result<texture_layout> {
  return texture_layout::create({static_cast<std::uint32_t>(desc.format), desc.width, desc.height,
                                 desc.mip_levels, desc.array_layers, 0});
}

[[nodiscard]] inline auto range(stored_buffer& of, std::uint64_t offset,
                                std::uint64_t size) noexcept -> mutable_bytes {
  return of.bytes.view().subspan(static_cast<std::size_t>(offset), static_cast<std::size_t>(size));
}

[[nodiscard]] inline auto all_of(stored_texture& of, subresource where) noexcept -> mutable_bytes {
  const subresource_layout at = of.layout.locate(where);
  return of.bytes.view().subspan(static_cast<std::size_t>(at.offset_bytes),
                                 static_cast<std::size_t>(at.size_bytes()));
}

[[nodiscard]] inline auto row(stored_texture& of, const texture_rows& rows,
                              std::uint32_t y) noexcept -> mutable_bytes {
  const std::size_t pitch = of.layout.locate(rows.where).pitch_bytes;
  return all_of(of, rows.where)
      .subspan((rows.first_row + y) * pitch + rows.first_byte, rows.row_size_bytes);
}

[[nodiscard]] inline auto size_of(const texture_rows& rows) noexcept -> std::uint64_t {
  return std::uint64_t{rows.row_count} * rows.row_size_bytes;
}

/// X8 texels read as opaque. `first_byte` is the place of out[0] in its row.
inline void make_opaque(const stored_texture& of, mutable_bytes out,
                        std::uint32_t first_byte) noexcept {
  if (!of.layout.format().is_x8) return;
  for (std::size_t i = 3 - first_byte % 4; i < out.size(); i += 4) out[i] = std::byte{0xFF};
}

}  // namespace example

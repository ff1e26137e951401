// SPDX-License-Identifier: MIT
/// \file What the CPU wrote, made known to the host (umd-d3d9.md 2.7.3).
#pragma once

#include "aerogpu/core/bytes.hpp"
#include "aerogpu/memory/texture_layout.hpp"
#include "drivers/win7/ddi/hresults.hpp"
#include "drivers/win7/umd/d3d9/resource/resource.hpp"

#include <cstddef>
#include <cstdint>

namespace aerogpu::umd {

class device;

/// Uploads bytes of the shadow, or marks bytes of the allocation dirty: buffers widened to
/// multiples of 4, textures to whole rows. Narrow texels arrive widened. Nothing for a resource
/// that the host does not know. Errors of sending. Precondition: the range lies in the resource.
[[nodiscard]] auto send_changes(device& on, resource& of, byte_range changed) noexcept -> HRESULT;

/// `range` as it travels: multiples of 4, or whole rows of the subresources that it touches.
[[nodiscard]] auto widen_range(const resource& of, byte_range range) noexcept -> byte_range;

/// X1R5G5B5 lives in a format with alpha: bit 15 of every pixel that the range touches becomes 1.
/// `bytes` are all of the resource's. Nothing for other formats.
void make_opaque(const resource& of, std::byte* bytes, byte_range range) noexcept;
/// The same for pixels alone.
void make_opaque(const resource& of, mutable_bytes pixels) noexcept;

/// Uploads `row_count` rows of a subresource, whole ones, from anywhere; narrow texels, by their
/// own bytes, arrive widened. Errors of sending, E_OUTOFMEMORY.
struct upload_rows {
  subresource where;
  std::uint32_t first_row = 0;
  std::uint32_t row_count = 0;
  std::uint32_t first_byte = 0;  ///< In a row; whole blocks.
  std::uint32_t row_size_bytes = 0;
};
[[nodiscard]] auto upload_texels(device& on, resource& to, const upload_rows& rows,
                                 const std::byte* first, std::uint64_t pitch_bytes) noexcept
    -> HRESULT;

}  // namespace aerogpu::umd

// SPDX-License-Identifier: MIT
/// \file What a backend is told about an object when it is created.
#pragma once

#include "aerogpu/abi/format.h"
#include "aerogpu/core/bytes.hpp"
#include "aerogpu/core/ids.hpp"
#include "aerogpu/memory/texture_rows.hpp"
#include "aerogpu/shader/shader_language.hpp"
#include "aerogpu/stream/stage.hpp"

#include <cstdint>

namespace aerogpu {

/// A linear buffer. `size_bytes` is a non-zero multiple of 4. New content is zero.
struct buffer_desc {
  resource_handle name;       ///< The guest's handle, for debugging; not an identity.
  std::uint32_t usage_flags;  ///< aerogpu_resource_usage_flags; hints, unknown bits ignored.
  std::uint64_t size_bytes;
};

/// A 2D texture or array. Format, sizes and counts are valid (host.md 2.7). New content is zero.
struct texture_desc {
  resource_handle name;
  std::uint32_t usage_flags;
  aerogpu_format format;
  std::uint32_t width;  ///< Texels of mip 0.
  std::uint32_t height;
  std::uint32_t mip_levels;
  std::uint32_t array_layers;
};

/// A range of a texture's subresources, read as `format` (host.md 2.9).
struct texture_view_desc {
  resource_handle name;
  aerogpu_format format;
  std::uint32_t base_mip_level;
  std::uint32_t mip_level_count;
  std::uint32_t base_array_layer;
  std::uint32_t array_layer_count;
};

/// A shader. `code` is valid during the call only; the processor keeps its own copy.
struct shader_desc {
  shader_handle name;
  shader_stage stage;
  shader_language language;
  const_bytes code;
};

/// An input layout; `blob` is an ILAY blob or a D3D9 declaration that passed host.md 3.4's
/// create-time checks. Valid during the call only.
struct input_layout_desc {
  input_layout_handle name;
  const_bytes blob;
};

/// A sampler object; the enumerators are valid.
struct sampler_desc {
  sampler_handle name;
  std::uint32_t filter;     ///< aerogpu_sampler_filter.
  std::uint32_t address_u;  ///< aerogpu_sampler_address_mode.
  std::uint32_t address_v;
  std::uint32_t address_w;
};

/// A copy between textures of one format. Offsets and extent in texels, inside both subresources;
/// whole blocks for BC, where an edge block may be cut by the texture's edge.
struct texture_copy {
  subresource destination;
  subresource source;
  std::uint32_t destination_x, destination_y;
  std::uint32_t source_x, source_y;
  std::uint32_t width, height;
};

/// Where the rows of a write-back go in guest memory. The processor checked that every row lies
/// inside the allocation and does not wrap.
struct guest_rows {
  gpa first_row;
  std::uint64_t pitch_bytes;  ///< From one row to the next.
  std::uint64_t row_size_bytes;
  std::uint32_t row_count;
};

enum class submission_id : std::uint64_t {};  ///< Rises by one for each executed submission.

/// What a backend may use to name and order a submission.
struct submission_info {
  submission_id id;
  context_id context;
  fence_value fence;  ///< 0 = signals nothing.
};

/// How a submission ended. An aborted one still executes what was recorded before the packet that
/// failed (its effects stay, host.md 2.1), but none of its write-backs is reported.
enum class submission_end : std::uint8_t { commit, abort };

}  // namespace aerogpu

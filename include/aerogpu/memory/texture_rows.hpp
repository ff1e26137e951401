// SPDX-License-Identifier: MIT
/// \file Names of texture bytes: a subresource, and rows of one.
#pragma once

#include "aerogpu/core/language.hpp"

#include <cstdint>

namespace aerogpu {

/// One mip level of one array layer.
struct subresource {
  std::uint32_t mip_level;
  std::uint32_t array_layer;
};

/// Bytes of one subresource, as rows of texels or of blocks, in the guest layout (host.md 2.6).
/// `first_byte` and `row_size_bytes` count inside a row and may cut a texel of an uncompressed
/// format; blocks are never cut.
struct texture_rows {
  subresource where;
  std::uint32_t first_row;
  std::uint32_t row_count;
  std::uint32_t first_byte;
  std::uint32_t row_size_bytes;
  std::uint64_t source_pitch_bytes;  ///< From one row to the next in the bytes that travel along.
};

}  // namespace aerogpu

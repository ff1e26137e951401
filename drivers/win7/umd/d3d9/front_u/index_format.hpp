// SPDX-License-Identifier: MIT
/// \file How profile U numbers index formats.
#pragma once

#include "drivers/win7/ddi/d3d9/d3d9_enums.hpp"

#include <cstdint>

namespace aerogpu::umd::front_u {

/// Bytes of an index; 0 for what is no format of indices.
[[nodiscard]] constexpr auto index_bytes_of(std::uint32_t format) noexcept -> std::uint32_t {
  if (format == static_cast<std::uint32_t>(D3DFMT_INDEX16)) return 2;
  return format == static_cast<std::uint32_t>(D3DFMT_INDEX32) ? 4 : 0;
}
[[nodiscard]] constexpr auto index_format_of(std::uint32_t index_bytes) noexcept -> std::uint32_t {
  return static_cast<std::uint32_t>(index_bytes == 2 ? D3DFMT_INDEX16 : D3DFMT_INDEX32);
}

}  // namespace aerogpu::umd::front_u

// SPDX-License-Identifier: MIT
/// \file The formats that the driver offers: one row each, for caps, creation and layout alike.
#pragma once

#include "aerogpu/memory/format.hpp"
#include "drivers/win7/ddi/d3d9/d3d9_enums.hpp"
#include "drivers/win7/ddi/user/d3dumddi_values.hpp"
#include "drivers/win7/umd/d3d9/adapter/adapter.hpp"

#include <cstdint>
#include <span>

namespace aerogpu::umd {

/// A D3DFORMAT and what it is on the wire (umd-d3d9.md 2.2.4).
struct surface_format {
  D3DFORMAT d3d9;
  const format_info* device;  ///< Never null.
  std::uint32_t operations;   ///< FORMATOP_*.
  /// The device's format has an alpha channel that this one has not.
  bool reads_opaque_alpha;

  [[nodiscard]] constexpr auto can_be_render_target() const noexcept -> bool {
    return (operations & FORMATOP_OFFSCREEN_RENDERTARGET) != 0;
  }
  [[nodiscard]] constexpr auto is_depth_stencil() const noexcept -> bool {
    return device->is_depth();
  }
};

/// What an adapter offers, each format once.
[[nodiscard]] auto formats_of(const adapter_facts& facts) noexcept
    -> std::span<const surface_format>;
/// The row of a D3DFORMAT; null when the adapter does not offer it.
[[nodiscard]] auto find_surface_format(const adapter_facts& facts, std::uint32_t d3d9) noexcept
    -> const surface_format*;

}  // namespace aerogpu::umd

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
  const format_info* device;  ///< On the wire. Never null.
  const format_info* memory;  ///< As programs see its texels: `device`, but for narrow formats.
  std::uint32_t operations;   ///< FORMATOP_*.
  /// The device's format has an alpha channel that this one has not.
  bool reads_opaque_alpha;

  [[nodiscard]] constexpr auto can_be_render_target() const noexcept -> bool {
    return (operations & FORMATOP_OFFSCREEN_RENDERTARGET) != 0;
  }
  [[nodiscard]] constexpr auto is_depth_stencil() const noexcept -> bool {
    return device->is_depth();
  }
  /// L8, A8 and A8L8, which the wire has not: the driver widens what it uploads
  /// (umd-d3d9.md 2.5.6).
  [[nodiscard]] constexpr auto is_narrow() const noexcept -> bool { return memory != device; }
};

/// FORMATOP_* of a D3DFORMAT that nothing here does.
struct listed_operations {
  D3DFORMAT d3d9;
  std::uint32_t operations;
};
/// What feature level 9_1 wants to see listed beside what formats_of() says (umd-d3d9.md 2.2.5):
/// for answers of profile M alone, and creation refuses it.
[[nodiscard]] auto only_listed() noexcept -> std::span<const listed_operations>;
/// Those of one format; 0 for most.
[[nodiscard]] auto only_listed_operations(std::uint32_t d3d9) noexcept -> std::uint32_t;
/// Whether nothing at all is made of a format that profile M lists.
[[nodiscard]] auto is_only_listed(std::uint32_t d3d9) noexcept -> bool;

/// What an adapter offers, each format once.
[[nodiscard]] auto formats_of(const adapter_facts& facts) noexcept
    -> std::span<const surface_format>;
/// The row of a D3DFORMAT; null when the adapter does not offer it.
[[nodiscard]] auto find_surface_format(const adapter_facts& facts, std::uint32_t d3d9) noexcept
    -> const surface_format*;

}  // namespace aerogpu::umd

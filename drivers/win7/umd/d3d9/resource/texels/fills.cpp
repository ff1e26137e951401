// SPDX-License-Identifier: MIT
#include "drivers/win7/umd/d3d9/resource/texels/fills.hpp"

#include "drivers/win7/umd/d3d9/device/device.hpp"
#include "drivers/win7/umd/d3d9/resource/changes.hpp"
#include "drivers/win7/umd/d3d9/resource/copies/target_override.hpp"
#include "drivers/win7/umd/d3d9/resource/surfaces.hpp"
#include "drivers/win7/umd/d3d9/resource/texels/color_blocks.hpp"
#include "drivers/win7/umd/d3d9/resource/texels/colors.hpp"
#include "drivers/win7/umd/d3d9/resource/texels/cpu_bytes.hpp"
#include "drivers/win7/umd/d3d9/resource/texels/narrow_texels.hpp"
#include "drivers/win7/umd/d3d9/submit/emit.hpp"

#include <array>
#include <cstring>

namespace aerogpu::umd {

namespace {

[[nodiscard]] auto cut(const surface_ref& surface, const rectangle& area) noexcept -> rectangle {
  return intersect(area, bounds_of(surface));
}

/// A clear of the target that is bound, inside the scissor that is set.
[[nodiscard]] auto send_clear(device& on, resource& target, const clear_args& args) noexcept
    -> HRESULT {
  const allocation_use use{target.backing, true};
  const HRESULT reserved =
      on.commands.reserve(packet_bytes<aerogpu_cmd_clear>(), std::span{&use, 1});
  if (FAILED(reserved)) return reserved;
  const HRESULT sent = to_hresult(on.commands.packets().clear(args));
  target.last_use = on.commands.pending_fence();
  target.is_host_newer = true;
  return sent;
}

[[nodiscard]] auto clear_target(device& on, const surface_ref& surface, const rectangle& area,
                                std::uint32_t color) noexcept -> HRESULT {
  target_override state{on};
  HRESULT sent = state.use_color(surface);
  if (SUCCEEDED(sent)) sent = state.use_scissor(area);
  // The colour is one of texels, not of light.
  if (SUCCEEDED(sent)) sent = state.use_render_state(D3DRS_SRGBWRITEENABLE, 0);
  if (FAILED(sent)) return sent;
  clear_args args;
  args.color = to_floats(color);
  if (surface.resource->reads_opaque_alpha) args.color[3] = 1;
  return send_clear(on, *surface.resource, args);
}

/// A texel or a block of one colour, as memory has it.
struct fill_unit {
  std::array<std::byte, 16> bytes{};
  std::size_t size_bytes = 0;  ///< 0: the format has none.
  std::int32_t edge = 1;       ///< Texels to each side.
};

[[nodiscard]] auto unit_of(const resource& of, std::uint32_t color) noexcept -> fill_unit {
  const std::uint32_t format = of.format;
  fill_unit made;
  if (of.is_narrow()) {
    store(made.bytes.data(), narrow_color(format, color));
    made.size_bytes = of.layout()->format().bytes_per_block;
  } else if (const block_format blocks = block_format_of(format); blocks != block_format::none) {
    block_texels texels;
    texels.fill(color);
    encode_block(blocks, texels, made.bytes.data());
    made.size_bytes = block_bytes(blocks);
    made.edge = 4;
  } else if (const auto texel = encode_color(format, color); texel) {
    store(made.bytes.data(), texel->bits);
    made.size_bytes = texel->bytes;
  }
  return made;
}

/// Blocks are filled whole; the last ones may hang over the edge.
[[nodiscard]] auto is_of_units(const rectangle& area, const rectangle& whole,
                               std::int32_t edge) noexcept -> bool {
  const auto is_between = [&](std::int32_t at, std::int32_t last) {
    return at % edge == 0 || at == last;
  };
  return area.left % edge == 0 && area.top % edge == 0 && is_between(area.right, whole.right) &&
         is_between(area.bottom, whole.bottom);
}

/// The first row unit by unit, and the others as the first.
void fill_rows(const row_target& rows, const texture_rows& where, const fill_unit& unit) noexcept {
  std::byte* const first =
      rows.first + std::size_t{where.first_row} * rows.pitch_bytes + where.first_byte;
  for (std::size_t at = 0; at < where.row_size_bytes; at += unit.size_bytes)
    std::memcpy(first + at, unit.bytes.data(), unit.size_bytes);
  for (std::size_t y = 1; y < where.row_count; ++y)
    std::memcpy(first + y * rows.pitch_bytes, first, where.row_size_bytes);
}

/// What is no render target is filled by the CPU.
[[nodiscard]] auto fill_on_cpu(device& on, const surface_ref& surface, const rectangle& area,
                               std::uint32_t color) noexcept -> HRESULT {
  resource& of = *surface.resource;
  const fill_unit unit = unit_of(of, color);
  if (unit.size_bytes == 0 || !is_of_units(area, bounds_of(surface), unit.edge)) {
    return D3DERR_INVALIDCALL;
  }
  if (const HRESULT read = read_from_host(on, of); FAILED(read)) return read;
  const texture_layout& layout = *of.layout();
  const auto rows = rows_of(layout, layout.at_index(surface.subresource), to_texels(area));
  {
    cpu_bytes bytes{on};
    const HRESULT mapped = bytes.map(of, lock_access::read_write);
    if (FAILED(mapped)) return mapped;
    fill_rows(bytes.rows(surface.subresource), rows, unit);
  }
  return send_changes(on, of, extent_of(layout, rows));
}

}  // namespace

auto fill_color(device& on, const surface_ref& surface, const rectangle& asked,
                std::uint32_t color) noexcept -> HRESULT {
  if (!is_surface(surface)) return E_INVALIDARG;
  resource& of = *surface.resource;
  if (of.layout()->format().is_depth() || of.is_mapped()) return D3DERR_INVALIDCALL;
  const rectangle area = cut(surface, asked);
  if (is_empty(area)) return S_OK;
  const bool is_target = of.flags.is_render_target && of.handle != resource_handle{};
  return is_target ? clear_target(on, surface, area, color) : fill_on_cpu(on, surface, area, color);
}

auto fill_depth(device& on, const surface_ref& surface, const rectangle& asked,
                float depth) noexcept -> HRESULT {
  if (!is_surface(surface)) return E_INVALIDARG;
  resource& of = *surface.resource;
  if (!of.layout()->format().is_depth() || of.handle == resource_handle{}) {
    return D3DERR_INVALIDCALL;
  }
  const rectangle area = cut(surface, asked);
  if (is_empty(area)) return S_OK;
  target_override state{on};
  HRESULT sent = state.use_depth(surface);
  if (SUCCEEDED(sent)) sent = state.use_scissor(area);
  if (FAILED(sent)) return sent;
  clear_args args;
  args.flags = AEROGPU_CLEAR_DEPTH;
  args.depth = depth;
  return send_clear(on, of, args);
}

}  // namespace aerogpu::umd

// SPDX-License-Identifier: MIT
/// TexBlt: one rectangle, on all levels.
#include "drivers/win7/umd/d3d9/resource/copies/copies.hpp"
#include "drivers/win7/umd/d3d9/resource/rectangles.hpp"

#include <bit>

namespace aerogpu::umd {

namespace {

/// Levels of the source above the destination's top one; false when the sizes are of no one chain.
[[nodiscard]] auto find_skipped_levels(const texture_layout& to, const texture_layout& from,
                                       std::uint32_t& out) noexcept -> bool {
  for (out = 0; out < from.shape().mip_levels; ++out) {
    const bool is_same =
        from.width_of(out) == to.width_of(0) && from.height_of(out) == to.height_of(0);
    if (is_same) return true;
  }
  return false;
}

/// A coordinate of the top level on another one, rounded up or down to whole blocks.
[[nodiscard]] constexpr auto scale_down(std::int64_t at, std::uint32_t level,
                                        std::uint32_t block) noexcept -> std::int64_t {
  return (at >> level) / block * block;
}
[[nodiscard]] constexpr auto scale_up(std::int64_t at, std::uint32_t level,
                                      std::uint32_t block) noexcept -> std::int64_t {
  const std::int64_t scaled = (at + (std::int64_t{1} << level) - 1) >> level;
  return (scaled + block - 1) / block * block;
}

/// One axis of a rectangle and of the two textures, both of one size on a level.
struct copy_axis {
  std::int32_t first, end;  ///< On the source's top level.
  std::int32_t target;      ///< On the destination's top level.
  std::uint32_t from_size;  ///< Of the source's top level.
  std::uint32_t to_size;    ///< Of the destination's top level.
  std::uint32_t level_size;
};
struct axis_share {
  std::uint32_t first = 0, size = 0, target = 0;
};

/// What of a level an axis takes; false for nothing. Levels of odd sizes are cut short: what lies
/// beyond their end is of their last block.
[[nodiscard]] auto share_of_axis(const copy_axis& axis, std::uint32_t from_level,
                                 std::uint32_t level, std::uint32_t block, axis_share& out) noexcept
    -> bool {
  const std::int64_t first = std::max<std::int64_t>(axis.first, 0);
  const std::int64_t end = std::min<std::int64_t>(axis.end, axis.from_size);
  const std::int64_t target = std::max<std::int64_t>(axis.target, 0);
  if (first >= end || target >= axis.to_size) return false;
  const std::int64_t last_block = (axis.level_size - 1) / block * block;
  const std::int64_t begin = std::min(scale_down(first, from_level, block), last_block);
  const std::int64_t at = std::min(scale_down(target, level, block), last_block);
  const std::int64_t scaled_end = std::max(scale_up(end, from_level, block), begin + block);
  const std::int64_t level_end = std::min<std::int64_t>(scaled_end, axis.level_size);
  out.first = static_cast<std::uint32_t>(begin);
  out.size = static_cast<std::uint32_t>(std::min(level_end - begin, axis.level_size - at));
  out.target = static_cast<std::uint32_t>(at);
  return true;
}

/// The share of one level: where it comes from, and where it goes.
struct level_copy {
  texel_rectangle area;
  texel_point to;
};
[[nodiscard]] auto share_of_level(const texture_copy_request& request, std::uint32_t skipped,
                                  std::uint32_t level, level_copy& out) noexcept -> bool {
  const texture_layout& to = *request.to->layout();
  const texture_layout& from = *request.from->layout();
  const std::uint32_t block = from.format().block_dim;
  const rectangle& area = request.area;
  const copy_axis columns{area.left,        area.right,     request.to_x,
                          from.width_of(0), to.width_of(0), to.width_of(level)};
  const copy_axis rows{area.top,          area.bottom,     request.to_y,
                       from.height_of(0), to.height_of(0), to.height_of(level)};
  axis_share x, y;
  if (!share_of_axis(columns, skipped + level, level, block, x)) return false;
  if (!share_of_axis(rows, skipped + level, level, block, y)) return false;
  out = {{x.first, y.first, x.size, y.size}, {x.target, y.target}};
  return true;
}

}  // namespace

auto copy_texture(device& on, const texture_copy_request& request) noexcept -> HRESULT {
  const auto is_texture = [](const resource* of) {
    return of != nullptr && of->layout() != nullptr;
  };
  if (!is_texture(request.to) || !is_texture(request.from)) return E_INVALIDARG;
  const texture_layout& to = *request.to->layout();
  const texture_layout& from = *request.from->layout();
  const std::uint32_t layers = std::min(to.shape().array_layers, from.shape().array_layers);
  if (request.layer >= layers || request.to->format != request.from->format) {
    return D3DERR_INVALIDCALL;
  }
  std::uint32_t skipped = 0;
  if (!find_skipped_levels(to, from, skipped)) return D3DERR_INVALIDCALL;
  const std::uint32_t levels = std::min(to.shape().mip_levels, from.shape().mip_levels - skipped);
  for (std::uint32_t level = 0; level < levels; ++level) {
    level_copy share;
    if (!share_of_level(request, skipped, level, share)) continue;
    const auto index = [&](const texture_layout& of, std::uint32_t mip) {
      return static_cast<std::uint32_t>(of.index_of({mip, request.layer}));
    };
    const HRESULT copied = copy_texels(on, {request.to, index(to, level)}, share.to,
                                       {request.from, index(from, skipped + level)}, share.area);
    if (FAILED(copied)) return copied;
  }
  return S_OK;
}

}  // namespace aerogpu::umd

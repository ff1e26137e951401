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

/// The share of one level: where it comes from, and where it goes.
struct level_copy {
  texel_rectangle area;
  texel_point to;
};
[[nodiscard]] auto share_of_level(const texture_copy_request& request, std::uint32_t skipped,
                                  std::uint32_t level, level_copy& out) noexcept -> bool {
  const texture_layout& to = *request.to->layout();
  const texture_layout& from = *request.from->layout();
  const std::uint32_t from_level = skipped + level;
  const std::uint32_t block = from.format().block_dim;
  const auto fit = [&](std::int64_t first, std::int64_t end, std::int64_t target,
                       std::uint32_t size, std::uint32_t& out_first, std::uint32_t& out_size,
                       std::uint32_t& out_target) {
    const std::int64_t begin = scale_down(std::max<std::int64_t>(first, 0), from_level, block);
    const std::int64_t last = std::min<std::int64_t>(scale_up(end, from_level, block), size);
    const std::int64_t at = scale_down(std::max<std::int64_t>(target, 0), level, block);
    const std::int64_t count = std::min(last - begin, std::int64_t{size} - at);
    if (count <= 0) return false;
    out_first = static_cast<std::uint32_t>(begin);
    out_size = static_cast<std::uint32_t>(count);
    out_target = static_cast<std::uint32_t>(at);
    return true;
  };
  // Both levels have one size.
  return fit(request.area.left, request.area.right, request.to_x, to.width_of(level), out.area.x,
             out.area.width, out.to.x) &&
         fit(request.area.top, request.area.bottom, request.to_y, to.height_of(level), out.area.y,
             out.area.height, out.to.y);
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

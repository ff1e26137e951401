// SPDX-License-Identifier: MIT
#include "drivers/win7/umd/d3d9/front_u/surface_copies.hpp"

#include "drivers/win7/umd/d3d9/device/device.hpp"
#include "drivers/win7/umd/d3d9/resource/copies/blit.hpp"
#include "drivers/win7/umd/d3d9/resource/copies/copies.hpp"
#include "drivers/win7/umd/d3d9/resource/rectangles.hpp"

#include <algorithm>

namespace aerogpu::umd::front_u {

namespace {

[[nodiscard]] auto are_surfaces(const resource* from, const resource* to) noexcept -> bool {
  return from != nullptr && to != nullptr && from->layout() != nullptr && to->layout() != nullptr;
}

[[nodiscard]] auto all_of(const resource& of) noexcept -> rectangle {
  return bounds_of(*of.layout(), {0, 0});
}

/// A rectangle, and where its left and top go.
struct placed_area {
  rectangle from;
  rectangle to;
};

/// What of a copy lies in both surfaces; empty when nothing does.
[[nodiscard]] auto place(const rectangle& area, const rectangle& source, std::int64_t to_x,
                         std::int64_t to_y, const rectangle& target) noexcept -> placed_area {
  const std::int64_t shift_x = to_x - area.left;
  const std::int64_t shift_y = to_y - area.top;
  const auto side = [](std::int64_t at, std::int64_t least, std::int64_t most) {
    return static_cast<std::int32_t>(std::clamp(at, least, most));
  };
  rectangle cut = intersect(area, source);
  cut.left = side(std::max<std::int64_t>(cut.left, -shift_x), 0, source.right);
  cut.top = side(std::max<std::int64_t>(cut.top, -shift_y), 0, source.bottom);
  cut.right = side(std::min<std::int64_t>(cut.right, target.right - shift_x), 0, source.right);
  cut.bottom = side(std::min<std::int64_t>(cut.bottom, target.bottom - shift_y), 0, source.bottom);
  if (is_empty(cut)) return {};
  const auto moved = [](std::int32_t at, std::int64_t by) {
    return static_cast<std::int32_t>(at + by);
  };
  return {cut,
          {moved(cut.left, shift_x), moved(cut.top, shift_y), moved(cut.right, shift_x),
           moved(cut.bottom, shift_y)}};
}

[[nodiscard]] auto copy_placed(device& on, resource& from, resource& to,
                               const placed_area& where) noexcept -> HRESULT {
  if (is_empty(where.from)) return S_OK;
  const texel_point point{static_cast<std::uint32_t>(where.to.left),
                          static_cast<std::uint32_t>(where.to.top)};
  return copy_texels(on, {&to, 0}, point, {&from, 0}, to_texels(where.from));
}

/// Formats that differ in the order of channels, or in whether alpha counts.
[[nodiscard]] auto has_bytes_for_channels(const resource& of) noexcept -> bool {
  return of.format == D3DFMT_A8R8G8B8 || of.format == D3DFMT_X8R8G8B8 ||
         of.format == D3DFMT_A8B8G8R8;
}

}  // namespace

auto read_target(device& on, resource* from, resource* to) noexcept -> HRESULT {
  if (!are_surfaces(from, to) || to->pool != memory_pool::system) return E_INVALIDARG;
  if (!from->locks.empty() || !to->locks.empty()) return E_FAIL;
  const bool is_same = from->format == to->format && is_same_size(all_of(*from), all_of(*to));
  if (!is_same) return D3DERR_INVALIDCALL;
  const std::uint32_t bytes = from->layout()->format().bytes_per_block;
  if (from->layout()->format().is_block_compressed() || (bytes != 2 && bytes != 4)) {
    return D3DERR_INVALIDCALL;
  }
  return copy_placed(on, *from, *to, {all_of(*from), all_of(*to)});
}

auto copy_rectangles(device& on, resource* from, resource* to, std::span<const RECT> areas) noexcept
    -> HRESULT {
  if (!are_surfaces(from, to)) return E_INVALIDARG;
  const auto copy = [&](const rectangle& area) {
    return copy_placed(on, *from, *to,
                       place(area, all_of(*from), area.left, area.top, all_of(*to)));
  };
  if (areas.empty()) return copy(all_of(*from));
  for (const RECT& area : areas) {
    if (const HRESULT copied = copy(to_rectangle(area)); FAILED(copied)) return copied;
  }
  return S_OK;
}

auto update_surface(device& on, resource* from, const RECT* area, resource* to,
                    const POINT* point) noexcept -> HRESULT {
  if (!are_surfaces(from, to)) return E_INVALIDARG;
  const rectangle wanted = area != nullptr ? to_rectangle(*area) : all_of(*from);
  const POINT corner = point != nullptr ? *point : POINT{0, 0};
  const placed_area where = place(wanted, all_of(*from), corner.x, corner.y, all_of(*to));
  if (is_empty(where.from)) return S_OK;
  if (from->format == to->format) return copy_placed(on, *from, *to, where);
  if (!has_bytes_for_channels(*from) || !has_bytes_for_channels(*to)) return D3DERR_INVALIDCALL;
  return blit(on, {.to = {to, 0}, .from = {from, 0}, .to_area = where.to, .from_area = where.from});
}

auto update_texture(device& on, resource* from, resource* to) noexcept -> HRESULT {
  if (from == nullptr || to == nullptr) return E_INVALIDARG;
  if (from->kind != to->kind) return D3DERR_INVALIDCALL;
  if (from->layout() == nullptr) {
    const std::uint64_t bytes = std::min(from->size_bytes, to->size_bytes);
    return copy_buffer_range(on, {to, from, 0, {0, bytes}});
  }
  const std::uint32_t layers = from->layout()->shape().array_layers;
  if (layers != to->layout()->shape().array_layers) return D3DERR_INVALIDCALL;
  for (std::uint32_t layer = 0; layer < layers; ++layer) {
    const HRESULT copied = copy_texture(on, {to, from, layer, 0, 0, all_of(*from)});
    if (FAILED(copied)) return copied;
  }
  return S_OK;
}

}  // namespace aerogpu::umd::front_u

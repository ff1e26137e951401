// SPDX-License-Identifier: MIT
/// \file Copies between resources, as the API allows them.
#include "drivers/wine/d3d9/resource/rectangles.hpp"
#include "drivers/wine/d3d9/resource/texture.hpp"
#include "drivers/wine/d3d9/resource/volume_texture.hpp"
#include "drivers/wine/d3d9/root/direct3d.hpp"
#include "drivers/wine/d3d9/state/device_states.hpp"

#include <bit>

namespace aerogpu::d3d9 {
namespace {

[[nodiscard]] auto size_of(const RECT& area) -> POINT {
  return {area.right - area.left, area.bottom - area.top};
}

[[nodiscard]] auto is_same_size(const RECT& a, const RECT& b) -> bool {
  return size_of(a).x == size_of(b).x && size_of(a).y == size_of(b).y;
}

[[nodiscard]] auto all_of(const D3DSURFACE_DESC& of) -> RECT {
  return whole_of(of.Width, of.Height);
}

/// Inside, and of whole blocks.
[[nodiscard]] auto is_copyable(const RECT& area, const D3DSURFACE_DESC& of) -> bool {
  return is_inside(area, of.Width, of.Height) &&
         is_aligned(area, sim::layout_of(of.Format), of.Width, of.Height);
}

/// Where an area may begin; its sum with the extents of another surface does not overflow.
[[nodiscard]] auto is_corner(const POINT& at, const D3DSURFACE_DESC& of) -> bool {
  return at.x >= 0 && at.y >= 0 && at.x <= static_cast<LONG>(of.Width) &&
         at.y <= static_cast<LONG>(of.Height);
}

[[nodiscard]] auto is_usable(surface* one, const device& by) -> bool {
  return one != nullptr && &one->owner() == &by && one->place().resource != nullptr &&
         !one->is_in_use();
}

/// Kinds of surfaces between which StretchRect tells (umd-d3d9.md 6.9).
enum class copy_kind : std::uint8_t { texture, target_texture, target, plain, depth };

[[nodiscard]] auto kind_of(surface& one) -> copy_kind {
  const auto usage = one.description().Usage;
  const bool is_level = one.container().of == surface_container::kind::texture;
  if ((usage & D3DUSAGE_DEPTHSTENCIL) != 0) return copy_kind::depth;
  const bool is_target = (usage & D3DUSAGE_RENDERTARGET) != 0;
  if (is_level) return is_target ? copy_kind::target_texture : copy_kind::texture;
  return is_target ? copy_kind::target : copy_kind::plain;
}

struct stretch {
  surface& source;
  RECT from;
  surface& destination;
  RECT to;
  D3DTEXTUREFILTERTYPE filter;
};

[[nodiscard]] auto check_depth_stretch(const stretch& wanted, bool is_in_scene) -> HRESULT {
  const auto& from = wanted.source.description();
  const auto& to = wanted.destination.description();
  const bool are_plain = wanted.source.container().of != surface_container::kind::texture &&
                         wanted.destination.container().of != surface_container::kind::texture;
  const bool are_whole = is_same_size(wanted.from, all_of(from)) &&
                         is_same_size(wanted.to, all_of(to)) &&
                         is_same_size(wanted.from, wanted.to);
  const bool is_allowed = are_plain && are_whole && from.Format == to.Format &&
                          kind_of(wanted.source) == kind_of(wanted.destination) && !is_in_scene;
  return is_allowed ? S_OK : D3DERR_INVALIDCALL;
}

/// The table's rows and columns.
[[nodiscard]] auto is_pair_allowed(const stretch& wanted) -> bool {
  const auto source = kind_of(wanted.source);
  const auto destination = kind_of(wanted.destination);
  if (destination == copy_kind::texture) return false;
  if (destination != copy_kind::plain) return true;
  return source == copy_kind::plain && is_same_size(wanted.from, wanted.to);
}

[[nodiscard]] auto check_stretch(const stretch& wanted, const creation_limits& limits,
                                 bool is_in_scene) -> HRESULT {
  const bool has_filter = wanted.filter >= D3DTEXF_NONE && wanted.filter <= D3DTEXF_LINEAR;
  const auto& from = wanted.source.description();
  const auto& to = wanted.destination.description();
  if (&wanted.source == &wanted.destination || !has_filter) return D3DERR_INVALIDCALL;
  if (from.Pool != D3DPOOL_DEFAULT || to.Pool != D3DPOOL_DEFAULT) return D3DERR_INVALIDCALL;
  if (!is_copyable(wanted.from, from) || !is_copyable(wanted.to, to)) return D3DERR_INVALIDCALL;
  const bool has_depth =
      kind_of(wanted.source) == copy_kind::depth || kind_of(wanted.destination) == copy_kind::depth;
  if (has_depth) return check_depth_stretch(wanted, is_in_scene);
  const bool is_of_texture = kind_of(wanted.source) == copy_kind::texture ||
                             kind_of(wanted.source) == copy_kind::target_texture;
  const bool may_be_texture =
      (limits.caps.DevCaps2 & D3DDEVCAPS2_CAN_STRETCHRECT_FROM_TEXTURES) != 0;
  if (is_of_texture && !may_be_texture) return D3DERR_INVALIDCALL;
  if (!is_pair_allowed(wanted)) return D3DERR_INVALIDCALL;
  if (from.Format == to.Format) return S_OK;
  // A conversion ends in a format that the driver draws to.
  const auto operations = operations_of(limits.formats, to.Format);
  return (operations & FORMATOP_OFFSCREEN_RENDERTARGET) != 0 ? S_OK : D3DERR_INVALIDCALL;
}

/// A level of the source is as large as the destination's top. What either has beyond those that
/// both have stays as it is.
[[nodiscard]] auto have_same_levels(const sim::resource_description& from,
                                    const sim::resource_description& to) -> bool {
  for (UINT level = 0; level < from.levels; ++level) {
    if (std::max(1u, from.width >> level) == to.width &&
        std::max(1u, from.height >> level) == to.height)
      return true;
  }
  return false;
}

/// Their texels are the same bits.
[[nodiscard]] auto differ_in_alpha(D3DFORMAT a, D3DFORMAT b) -> bool {
  return (a == D3DFMT_A8R8G8B8 && b == D3DFMT_X8R8G8B8) ||
         (a == D3DFMT_X8R8G8B8 && b == D3DFMT_A8R8G8B8);
}

/// The driver copies between textures of one format: the source's memory gets another name.
[[nodiscard]] auto update_across_alpha(device& by, sim::d3d9_resource& from, sim::d3d9_resource& to)
    -> HRESULT {
  auto shape = from.description;
  shape.format = to.description.format;
  sim::d3d9_resource* renamed = nullptr;
  auto* const memory = from.subresources.front().memory.data();
  if (const auto made = by.below.create_resource(shape, renamed, memory); FAILED(made)) return made;
  renamed->dirty = from.dirty;
  const auto result = by.wait_for([&] { return by.below.update_texture(*renamed, to); });
  from.dirty = renamed->dirty;
  static_cast<void>(by.below.release(renamed));
  return result;
}

template <class T>
[[nodiscard]] auto update_levels(device& by, T& source, T& destination) -> HRESULT {
  auto& from = source.store();
  auto& to = destination.store();
  const auto& from_shape = from.shape();
  const auto& to_shape = to.shape();
  const bool is_across_alpha = differ_in_alpha(from_shape.format, to_shape.format);
  if (from_shape.pool != D3DPOOL_SYSTEMMEM || to_shape.pool != D3DPOOL_DEFAULT ||
      (from_shape.format != to_shape.format && !is_across_alpha)) {
    return D3DERR_INVALIDCALL;
  }
  const bool takes_top = (to_shape.usage & D3DUSAGE_AUTOGENMIPMAP) != 0;
  const bool fits = takes_top
                        ? from_shape.width == to_shape.width && from_shape.height == to_shape.height
                        : have_same_levels(from_shape, to_shape);
  if (!fits) return D3DERR_INVALIDCALL;
  auto& source_below = *from.place(0).resource;
  auto& destination_below = *to.place(0).resource;
  const auto update = [&] { return by.below.update_texture(source_below, destination_below); };
  const auto result = is_across_alpha ? update_across_alpha(by, source_below, destination_below)
                                      : by.wait_for(update);
  if (FAILED(result)) return by.copied(result);
  to.note_written(0);
  return result;
}

}  // namespace

HRESULT device::UpdateSurface(IDirect3DSurface9* given_source, const RECT* area,
                              IDirect3DSurface9* given_destination, const POINT* point) {
  return run([&]() -> HRESULT {
    auto* const source = surface::of(given_source);
    auto* const destination = surface::of(given_destination);
    if (!is_usable(source, *this) || !is_usable(destination, *this)) return D3DERR_INVALIDCALL;
    const auto& from = source->description();
    const auto& to = destination->description();
    const auto chosen = area != nullptr ? *area : all_of(from);
    const auto at = point != nullptr ? *point : POINT{0, 0};
    if (from.Pool != D3DPOOL_SYSTEMMEM || to.Pool != D3DPOOL_DEFAULT || from.Format != to.Format ||
        is_depth_format(to.Format) || !is_copyable(chosen, from) || !is_corner(at, to)) {
      return D3DERR_INVALIDCALL;
    }
    const RECT target{at.x, at.y, at.x + size_of(chosen).x, at.y + size_of(chosen).y};
    if (!is_copyable(target, to)) return D3DERR_INVALIDCALL;
    const auto result = wait_for(
        [&] { return below.update_surface(source->place(), &chosen, destination->place(), &at); });
    if (FAILED(result)) return copied(result);
    destination->note_written();
    return result;
  });
}

HRESULT device::UpdateTexture(IDirect3DBaseTexture9* source, IDirect3DBaseTexture9* destination) {
  return run([&]() -> HRESULT {
    auto* const from = texture_of(source);
    auto* const to = texture_of(destination);
    if (from == nullptr || to == nullptr || source->GetType() != destination->GetType() ||
        &from->owner_device() != this || &to->owner_device() != this) {
      return D3DERR_INVALIDCALL;
    }
    switch (source->GetType()) {
      case D3DRTYPE_TEXTURE:
        return update_levels(*this, static_cast<texture&>(*from), static_cast<texture&>(*to));
      case D3DRTYPE_CUBETEXTURE:
        return update_levels(*this, static_cast<cube_texture&>(*from),
                             static_cast<cube_texture&>(*to));
      default: return D3DERR_INVALIDCALL;  // The device has no volumes.
    }
  });
}

HRESULT device::GetRenderTargetData(IDirect3DSurface9* given_source,
                                    IDirect3DSurface9* given_destination) {
  return run([&]() -> HRESULT {
    auto* const source = surface::of(given_source);
    auto* const destination = surface::of(given_destination);
    if (!is_usable(source, *this) || !is_usable(destination, *this)) return D3DERR_INVALIDCALL;
    const auto& from = source->description();
    const auto& to = destination->description();
    const bool is_target = (from.Usage & D3DUSAGE_RENDERTARGET) != 0;
    if (!is_target || from.Pool != D3DPOOL_DEFAULT || to.Pool != D3DPOOL_SYSTEMMEM ||
        from.Format != to.Format || from.Width != to.Width || from.Height != to.Height) {
      return D3DERR_INVALIDCALL;
    }
    const auto result = wait_for(
        [&] { return below.get_render_target_data(source->place(), destination->place()); });
    if (FAILED(result)) return on_failure(result);
    destination->note_written();
    return result;
  });
}

HRESULT device::StretchRect(IDirect3DSurface9* given_source, const RECT* source_area,
                            IDirect3DSurface9* given_destination, const RECT* destination_area,
                            D3DTEXTUREFILTERTYPE filter) {
  return run([&]() -> HRESULT {
    auto* const source = surface::of(given_source);
    auto* const destination = surface::of(given_destination);
    if (!is_usable(source, *this) || !is_usable(destination, *this)) return D3DERR_INVALIDCALL;
    const auto whole_source = all_of(source->description());
    const auto whole_destination = all_of(destination->description());
    const stretch wanted{
        *source, source_area != nullptr ? *source_area : whole_source, *destination,
        destination_area != nullptr ? *destination_area : whole_destination, filter};
    const auto bad = check_stretch(wanted, resources->limits(), states->is_in_scene());
    if (FAILED(bad)) return bad;
    const auto result = wait_for([&] {
      return below.stretch_rect(source->place(), &wanted.from, destination->place(), &wanted.to,
                                filter);
    });
    if (FAILED(result)) return copied(result);
    destination->note_written();
    return result;
  });
}

HRESULT device::ColorFill(IDirect3DSurface9* given, const RECT* area, D3DCOLOR color) {
  return run([&]() -> HRESULT {
    auto* const filled = surface::of(given);
    if (!is_usable(filled, *this)) return D3DERR_INVALIDCALL;
    const auto& to = filled->description();
    const auto kind = kind_of(*filled);
    const auto chosen = area != nullptr ? *area : all_of(to);
    if (to.Pool != D3DPOOL_DEFAULT || kind == copy_kind::texture || kind == copy_kind::depth ||
        !is_copyable(chosen, to)) {
      return D3DERR_INVALIDCALL;
    }
    const auto result = wait_for([&] { return below.color_fill(filled->place(), &chosen, color); });
    if (FAILED(result)) return copied(result);
    filled->note_written();
    return result;
  });
}

/// The driver composes nothing (umd-d3d9.md 2.8.7).
HRESULT device::ComposeRects(IDirect3DSurface9* source, IDirect3DSurface9* destination,
                             IDirect3DVertexBuffer9* source_areas, UINT,
                             IDirect3DVertexBuffer9* destination_areas, D3DCOMPOSERECTSOP, INT,
                             INT) {
  const bool has_all = source != nullptr && destination != nullptr && source_areas != nullptr &&
                       destination_areas != nullptr;
  return has_all ? S_OK : D3DERR_INVALIDCALL;
}

HRESULT device::SetConvolutionMonoKernel(UINT, UINT, float*, float*) {
  return S_OK;
}

}  // namespace aerogpu::d3d9

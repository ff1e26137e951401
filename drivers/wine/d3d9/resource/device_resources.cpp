// SPDX-License-Identifier: MIT
/// \file The list of a device's resources, and their creation.
#include "drivers/wine/d3d9/resource/device_resources.hpp"

#include "drivers/wine/d3d9/resource/buffer.hpp"
#include "drivers/wine/d3d9/resource/texture.hpp"
#include "drivers/wine/d3d9/resource/volume_texture.hpp"
#include "drivers/wine/d3d9/root/direct3d.hpp"

#include <algorithm>

namespace aerogpu::d3d9 {

device_resources::device_resources(device& of) : owner_(of), formats_(of.parent->formats()) {
  static_cast<void>(of.parent->adapter.get_device_caps(caps_));
}

void device_resources::add(listed_resource& made) {
  list_.push_back(&made);
  made.position_ = list_.size() - 1;
}

void device_resources::remove(listed_resource& gone) noexcept {
  const auto at = gone.position_;
  if (at >= list_.size() || list_[at] != &gone) return;
  list_[at] = list_.back();
  list_[at]->position_ = at;
  list_.pop_back();
}

auto device_resources::has_default_pool_objects() const noexcept -> bool {
  return std::any_of(list_.begin(), list_.end(), [](const listed_resource* one) {
    return one->listed_pool() == D3DPOOL_DEFAULT;
  });
}

auto device_resources::evict() -> bool {
  bool was_held = false;
  for (auto* const one : list_) was_held |= one->evict();
  if (was_held) ++evictions_;
  return was_held;
}

auto device_resources::evict_unbound() -> bool {
  bool was_held = false;
  for (auto* const one : list_) was_held |= !one->listed_object().is_bound() && one->evict();
  return was_held;
}

namespace {

[[nodiscard]] auto is_memory_full(HRESULT result) -> bool {
  return result == D3DERR_OUTOFVIDEOMEMORY || result == E_OUTOFMEMORY;
}

}  // namespace

auto device_resources::make(const sim::resource_description& wanted, sim::d3d9_resource*& made,
                            void* user_memory) -> HRESULT {
  const auto result = owner_.below.create_resource(wanted, made, user_memory);
  if (is_memory_full(result) || !owner_.hides_loss(result)) return result;
  return owner_.below.keep_resource(wanted, made, user_memory);
}

auto device_resources::make_video(const sim::resource_description& wanted,
                                  sim::d3d9_resource*& made) -> HRESULT {
  const auto create = [&] { return make(wanted, made); };
  const auto first = create();
  if (!is_memory_full(first)) return first;
  if (evict_unbound() && SUCCEEDED(create())) return S_OK;
  if (evict() && SUCCEEDED(create())) return S_OK;
  return first;
}

void device_resources::end() noexcept {
  static_cast<void>(evict());
  list_.clear();
}

auto device_resources::limits() const noexcept -> creation_limits {
  return {formats_, caps_, owner_.parent->is_ex};
}

namespace {

using check = HRESULT (*)(const creation_request&, const creation_limits&);

[[nodiscard]] auto has_user_memory(const creation_request& asked) -> bool {
  return asked.share != nullptr && asked.shape.pool == D3DPOOL_SYSTEMMEM;
}

/// The object's texels: of its own, of the program's memory, or of a shared resource.
template <class T>
[[nodiscard]] auto fill(T& made, const creation_request& asked) -> HRESULT {
  if (asked.share == nullptr) return made.create(nullptr);
  if (has_user_memory(asked)) return made.create(*asked.share);
  if (*asked.share != nullptr) return made.open(*asked.share);
  const auto result = made.create(nullptr);
  return FAILED(result) ? result : made.store().publish(*asked.share);
}

/// Checks, makes, fills, and hands out with a reference.
template <class T, class Interface, class Fill>
[[nodiscard]] auto make_object(device& of, const creation_request& asked, check may_be,
                               Interface** to, Fill&& fill_object) -> HRESULT {
  if (to == nullptr) return D3DERR_INVALIDCALL;
  *to = nullptr;
  if (const auto bad = may_be(asked, of.resources->limits()); FAILED(bad)) return bad;
  auto* const made = new T(of, asked.shape);
  const bound<T> kept{made};
  if (const auto failed = fill_object(*made); FAILED(failed)) return of.on_failure(failed);
  hand_out(to, made);
  return S_OK;
}

template <class T, class Interface>
[[nodiscard]] auto make_texels(device& of, const creation_request& asked, check may_be,
                               Interface** to) -> HRESULT {
  return make_object<T>(of, asked, may_be, to, [&](T& made) { return fill(made, asked); });
}

[[nodiscard]] auto texture_shape(D3DRESOURCETYPE type, UINT width, UINT height, UINT levels,
                                 DWORD usage, D3DFORMAT format, D3DPOOL pool)
    -> sim::resource_description {
  sim::resource_description shape;
  shape.type = type;
  shape.format = format;
  shape.pool = pool;
  shape.usage = usage;
  shape.width = width;
  shape.height = height;
  shape.levels = levels;
  shape.is_lockable = (usage & D3DUSAGE_DYNAMIC) != 0 ? 1 : 0;
  return shape;
}

[[nodiscard]] auto surface_shape(UINT width, UINT height, D3DFORMAT format, DWORD usage,
                                 D3DPOOL pool, bool is_lockable) -> sim::resource_description {
  auto shape = texture_shape(D3DRTYPE_SURFACE, width, height, 1, usage, format, pool);
  shape.is_lockable = is_lockable ? 1 : 0;
  return shape;
}

[[nodiscard]] auto is_shared(const HANDLE* share, D3DPOOL pool) -> UINT {
  return share != nullptr && pool == D3DPOOL_DEFAULT ? 1 : 0;
}

/// D3DERR_INVALIDCALL for samples that the driver does not list.
[[nodiscard]] auto check_samples(device& of, D3DFORMAT format, D3DMULTISAMPLE_TYPE samples,
                                 DWORD quality) -> HRESULT {
  if (samples == D3DMULTISAMPLE_NONE) return quality == 0 ? S_OK : D3DERR_INVALIDCALL;
  const auto type = static_cast<D3DDDIMULTISAMPLE_TYPE>(samples);
  const auto levels = of.parent->adapter.multisample_levels(format, type);
  return levels > quality ? S_OK : D3DERR_INVALIDCALL;
}

constexpr DWORD restricting_usages = D3DUSAGE_RESTRICTED_CONTENT |
                                     D3DUSAGE_RESTRICT_SHARED_RESOURCE |
                                     D3DUSAGE_RESTRICT_SHARED_RESOURCE_DRIVER;

/// Ex's surfaces: `usage` adds to what the method says itself.
[[nodiscard]] auto make_surface(device& of, const sim::resource_description& shape, DWORD usage,
                                HANDLE* share, IDirect3DSurface9** to) -> HRESULT {
  if (to == nullptr || (usage & ~restricting_usages) != 0) return D3DERR_INVALIDCALL;
  creation_request asked{shape, share};
  asked.shape.usage |= usage;
  asked.shape.is_shared = is_shared(share, shape.pool);
  return make_texels<surface>(of, asked, check_surface, to);
}

}  // namespace

HRESULT device::EvictManagedResources() {
  return run([&] {
    static_cast<void>(resources->evict());
    return S_OK;
  });
}

HRESULT device::CreateTexture(UINT width, UINT height, UINT levels, DWORD usage, D3DFORMAT format,
                              D3DPOOL pool, IDirect3DTexture9** made, HANDLE* share) {
  return run([&] {
    creation_request asked{
        texture_shape(D3DRTYPE_TEXTURE, width, height, levels, usage, format, pool), share};
    asked.shape.is_shared = is_shared(share, pool);
    return make_texels<texture>(*this, asked, check_texture, made);
  });
}

HRESULT device::CreateCubeTexture(UINT edge, UINT levels, DWORD usage, D3DFORMAT format,
                                  D3DPOOL pool, IDirect3DCubeTexture9** made, HANDLE* share) {
  return run([&]() -> HRESULT {
    const creation_request asked{
        texture_shape(D3DRTYPE_CUBETEXTURE, edge, edge, levels, usage, format, pool), share};
    // A shared resource is one surface.
    if (share != nullptr && parent->is_ex) return D3DERR_INVALIDCALL;
    return make_texels<cube_texture>(*this, asked, check_texture, made);
  });
}

HRESULT device::CreateVolumeTexture(UINT width, UINT height, UINT depth, UINT levels, DWORD usage,
                                    D3DFORMAT format, D3DPOOL pool, IDirect3DVolumeTexture9** made,
                                    HANDLE* share) {
  return run([&]() -> HRESULT {
    creation_request asked{
        texture_shape(D3DRTYPE_VOLUMETEXTURE, width, height, levels, usage, format, pool), share};
    asked.shape.depth = depth;
    if (share != nullptr && parent->is_ex) return D3DERR_INVALIDCALL;
    return make_object<volume_texture>(*this, asked, check_texture, made,
                                       [](volume_texture& one) { return one.create(); });
  });
}

HRESULT device::CreateVertexBuffer(UINT bytes, DWORD usage, DWORD fvf, D3DPOOL pool,
                                   IDirect3DVertexBuffer9** made, HANDLE* share) {
  return run([&] {
    creation_request asked{{}, share};
    asked.shape.type = D3DRTYPE_VERTEXBUFFER;
    asked.shape.format = D3DFMT_VERTEXDATA;
    asked.shape.pool = pool;
    asked.shape.usage = usage;
    asked.shape.width = bytes;
    asked.shape.vertex_format = fvf;
    asked.shape.is_lockable = 1;
    return make_object<vertex_buffer>(*this, asked, check_buffer, made,
                                      [](vertex_buffer& one) { return one.create(); });
  });
}

HRESULT device::CreateIndexBuffer(UINT bytes, DWORD usage, D3DFORMAT format, D3DPOOL pool,
                                  IDirect3DIndexBuffer9** made, HANDLE* share) {
  return run([&]() -> HRESULT {
    const bool is_index = format == D3DFMT_INDEX16 || format == D3DFMT_INDEX32;
    if (share == nullptr && !is_index) return D3DERR_INVALIDCALL;
    creation_request asked{{}, share};
    asked.shape.type = D3DRTYPE_INDEXBUFFER;
    asked.shape.format = format;
    asked.shape.pool = pool;
    asked.shape.usage = usage;
    asked.shape.width = bytes;
    asked.shape.is_lockable = 1;
    return make_object<index_buffer>(*this, asked, check_buffer, made,
                                     [](index_buffer& one) { return one.create(); });
  });
}

HRESULT device::CreateRenderTarget(UINT width, UINT height, D3DFORMAT format,
                                   D3DMULTISAMPLE_TYPE samples, DWORD quality, BOOL is_lockable,
                                   IDirect3DSurface9** made, HANDLE* share) {
  return CreateRenderTargetEx(width, height, format, samples, quality, is_lockable, made, share, 0);
}

HRESULT device::CreateRenderTargetEx(UINT width, UINT height, D3DFORMAT format,
                                     D3DMULTISAMPLE_TYPE samples, DWORD quality, BOOL is_lockable,
                                     IDirect3DSurface9** made, HANDLE* share, DWORD usage) {
  return run([&]() -> HRESULT {
    if (made == nullptr) return D3DERR_INVALIDCALL;
    *made = nullptr;
    if (is_lockable != 0 && samples != D3DMULTISAMPLE_NONE) return D3DERR_INVALIDCALL;
    if (const auto bad = check_samples(*this, format, samples, quality); FAILED(bad)) return bad;
    const auto shape = surface_shape(width, height, format, D3DUSAGE_RENDERTARGET, D3DPOOL_DEFAULT,
                                     is_lockable != 0);
    return make_surface(*this, shape, usage, share, made);
  });
}

HRESULT device::CreateDepthStencilSurface(UINT width, UINT height, D3DFORMAT format,
                                          D3DMULTISAMPLE_TYPE samples, DWORD quality,
                                          BOOL is_discardable, IDirect3DSurface9** made,
                                          HANDLE* share) {
  return CreateDepthStencilSurfaceEx(width, height, format, samples, quality, is_discardable, made,
                                     share, 0);
}

HRESULT device::CreateDepthStencilSurfaceEx(UINT width, UINT height, D3DFORMAT format,
                                            D3DMULTISAMPLE_TYPE samples, DWORD quality, BOOL,
                                            IDirect3DSurface9** made, HANDLE* share, DWORD usage) {
  return run([&]() -> HRESULT {
    // A usage that is none of Ex's leaves the program's pointer.
    if (made == nullptr || (usage & ~restricting_usages) != 0) return D3DERR_INVALIDCALL;
    *made = nullptr;
    if (const auto bad = check_samples(*this, format, samples, quality); FAILED(bad)) return bad;
    const bool is_lockable = format == D3DFMT_D16_LOCKABLE || format == D3DFMT_D32F_LOCKABLE;
    const auto shape =
        surface_shape(width, height, format, D3DUSAGE_DEPTHSTENCIL, D3DPOOL_DEFAULT, is_lockable);
    return make_surface(*this, shape, usage, share, made);
  });
}

HRESULT device::CreateOffscreenPlainSurface(UINT width, UINT height, D3DFORMAT format, D3DPOOL pool,
                                            IDirect3DSurface9** made, HANDLE* share) {
  return CreateOffscreenPlainSurfaceEx(width, height, format, pool, made, share, 0);
}

HRESULT device::CreateOffscreenPlainSurfaceEx(UINT width, UINT height, D3DFORMAT format,
                                              D3DPOOL pool, IDirect3DSurface9** made, HANDLE* share,
                                              DWORD usage) {
  return run([&]() -> HRESULT {
    if (made == nullptr) return D3DERR_INVALIDCALL;
    *made = nullptr;
    return make_surface(*this, surface_shape(width, height, format, 0, pool, true), usage, share,
                        made);
  });
}

HRESULT device::CheckResourceResidency(IDirect3DResource9** asked, std::uint32_t count) {
  constexpr std::uint32_t most = 65535;
  return run([&]() -> HRESULT {
    if (count > most || (count != 0 && asked == nullptr)) return D3DERR_INVALIDCALL;
    std::vector<sim::d3d9_resource*> list;
    for (auto* const one : std::span{asked, count}) {
      auto* const found = driver_resource_of(one);
      if (found != nullptr) list.push_back(found);
    }
    return list.empty() ? S_OK : below.check_resource_residency(list);
  });
}

}  // namespace aerogpu::d3d9

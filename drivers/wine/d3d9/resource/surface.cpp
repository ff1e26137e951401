// SPDX-License-Identifier: MIT
#include "drivers/wine/d3d9/resource/surface.hpp"

#include "drivers/wine/d3d9/root/direct3d.hpp"

#include <algorithm>
#include <array>

namespace aerogpu::d3d9 {
namespace {

[[nodiscard]] auto shape_of(const D3DSURFACE_DESC& from, const sim::d3d9_resource* resource)
    -> sim::resource_description {
  sim::resource_description shape;
  if (resource != nullptr) shape = resource->description;
  shape.format = from.Format;
  shape.usage = from.Usage;
  shape.width = from.Width;
  shape.height = from.Height;
  shape.surfaces = 1;
  return shape;
}

/// What GDI draws to.
[[nodiscard]] auto has_context(D3DFORMAT format) -> bool {
  constexpr std::array formats{D3DFMT_R8G8B8, D3DFMT_X8R8G8B8, D3DFMT_A8R8G8B8,
                               D3DFMT_R5G6B5, D3DFMT_X1R5G5B5, D3DFMT_A1R5G5B5};
  return std::find(formats.begin(), formats.end(), format) != formats.end();
}

}  // namespace

auto describe_part(const texel_store& store, UINT index) -> D3DSURFACE_DESC {
  const auto& shape = store.shape();
  const auto& at = store.part(index);
  return {shape.format, D3DRTYPE_SURFACE, shape.usage, shape.pool, D3DMULTISAMPLE_NONE, 0,
          at.width,     at.height};
}

surface::surface(device& owner, const sim::resource_description& shape)
    : resource_object(owner),
      own_(std::make_unique<texel_store>(owner, shape)),
      store_(own_.get()) {
  owner.resources->add(*this);
}

surface::surface(device& owner, texel_store& store, UINT index, const surface_container& container)
    : resource_object(owner),
      store_(&store),
      index_(index),
      container_(container),
      description_(describe_part(store, index)) {}

surface::surface(device& owner, const sim::d3d9_surface& place, const D3DSURFACE_DESC& from,
                 const surface_container& container)
    : resource_object(owner),
      own_(std::make_unique<texel_store>(owner, place, shape_of(from, place.resource))),
      store_(own_.get()),
      container_(container),
      description_(from) {}

surface::~surface() {
  if (context_) owner().parent->in.windows.bitmaps().close(*context_);
  owner().resources->remove(*this);
}

void surface::describe() {
  description_ = describe_part(*store_, index_);
}

auto surface::create(void* user_memory) -> HRESULT {
  const auto made = store_->create(user_memory);
  if (SUCCEEDED(made)) describe();
  return made;
}

auto surface::open(HANDLE share) -> HRESULT {
  const auto opened = store_->open(share);
  if (SUCCEEDED(opened)) describe();
  return opened;
}

ULONG surface::AddRef() {
  return is_level() ? container_.object->AddRef() : add_reference();
}

ULONG surface::Release() {
  return is_level() ? container_.object->Release() : drop_reference();
}

HRESULT surface::GetContainer(const iid& wanted, void** found) {
  if (found == nullptr) return D3DERR_INVALIDCALL;
  auto* const holder = container_.object;
  return holder != nullptr ? holder->QueryInterface(wanted, found)
                           : owner().QueryInterface(wanted, found);
}

HRESULT surface::GetDesc(D3DSURFACE_DESC* description) {
  if (description == nullptr) return D3DERR_INVALIDCALL;
  *description = description_;
  return S_OK;
}

auto surface::lock(D3DLOCKED_RECT* locked, const RECT* area, DWORD flags) -> HRESULT {
  if (locked == nullptr) return D3DERR_INVALIDCALL;
  return store_->lock(index_, *locked, area, flags);
}

HRESULT surface::LockRect(D3DLOCKED_RECT* locked, const RECT* area, DWORD flags) {
  return owner().run([&] { return lock(locked, area, flags); });
}

HRESULT surface::UnlockRect() {
  return owner().run([&]() -> HRESULT {
    if (context_) return D3DERR_INVALIDCALL;
    if (store_->has_context()) return S_OK;
    const auto result = store_->unlock(index_);
    // Levels of 2D textures take one Unlock too many.
    const bool is_forgiven = is_level() && store_->shape().type == D3DRTYPE_TEXTURE;
    return result == D3DERR_INVALIDCALL && is_forgiven && store_->is_lockable() ? S_OK : result;
  });
}

/// The context's bits are those of a lock.
auto surface::get_dc(HDC* context) -> HRESULT {
  if (context == nullptr || !has_context(description_.Format) || store_->has_locks())
    return D3DERR_INVALIDCALL;
  D3DLOCKED_RECT locked{};
  if (const auto result = store_->lock(index_, locked, nullptr, 0); FAILED(result)) return result;
  auto opened = owner().parent->in.windows.bitmaps().open({locked.pBits, description_.Format,
                                                           description_.Width, description_.Height,
                                                           static_cast<UINT>(locked.Pitch)});
  if (!opened) {
    static_cast<void>(store_->unlock(index_));
    return D3DERR_INVALIDCALL;
  }
  context_ = opened;
  store_->note_context(true);
  *context = opened->context;
  return S_OK;
}

HRESULT surface::GetDC(HDC* context) {
  return owner().run([&] { return get_dc(context); });
}

HRESULT surface::ReleaseDC(HDC context) {
  return owner().run([&]() -> HRESULT {
    if (!context_ || context_->context != context) return D3DERR_INVALIDCALL;
    owner().parent->in.windows.bitmaps().close(*context_);
    context_.reset();
    store_->note_context(false);
    return store_->unlock(index_);
  });
}

}  // namespace aerogpu::d3d9

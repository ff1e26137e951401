// SPDX-License-Identifier: MIT
#include "drivers/wine/d3d9/resource/volume_texture.hpp"

namespace aerogpu::d3d9 {

ULONG volume::AddRef() {
  return container_.AddRef();
}
ULONG volume::Release() {
  return container_.Release();
}

HRESULT volume::GetContainer(const iid& wanted, void** found) {
  if (found == nullptr) return D3DERR_INVALIDCALL;
  return container_.QueryInterface(wanted, found);
}
HRESULT volume::GetDesc(D3DVOLUME_DESC* description) {
  return container_.GetLevelDesc(level_, description);
}
HRESULT volume::LockBox(D3DLOCKED_BOX* locked, const D3DBOX* box, DWORD flags) {
  return container_.LockBox(level_, locked, box, flags);
}
HRESULT volume::UnlockBox() {
  return container_.UnlockBox(level_);
}

auto volume_texture::create() -> HRESULT {
  if (const auto made = store_.create(); FAILED(made)) return made;
  for (UINT level = 0; level < store_.part_count(); ++level)
    levels_.push_back(std::make_unique<volume>(owner(), *this, level));
  return S_OK;
}

HRESULT volume_texture::GetLevelDesc(UINT level, D3DVOLUME_DESC* description) {
  if (description == nullptr || level >= levels_.size()) return D3DERR_INVALIDCALL;
  const auto& shape = store_.shape();
  const auto& at = store_.part(level);
  *description = {shape.format, D3DRTYPE_VOLUME, shape.usage, shape.pool,
                  at.width,     at.height,       at.depth};
  return S_OK;
}

HRESULT volume_texture::GetVolumeLevel(UINT level, IDirect3DVolume9** to) {
  if (to == nullptr) return D3DERR_INVALIDCALL;
  *to = nullptr;
  if (level >= levels_.size()) return D3DERR_INVALIDCALL;
  hand_out(to, levels_[level].get());
  return S_OK;
}

HRESULT volume_texture::LockBox(UINT level, D3DLOCKED_BOX* locked, const D3DBOX* box, DWORD flags) {
  return owner().run([&]() -> HRESULT {
    if (locked == nullptr || level >= levels_.size()) return D3DERR_INVALIDCALL;
    return store_.lock_box(level, *locked, box, flags);
  });
}

HRESULT volume_texture::UnlockBox(UINT level) {
  return owner().run([&]() -> HRESULT {
    return level < levels_.size() ? store_.unlock(level) : D3DERR_INVALIDCALL;
  });
}

/// Nothing in video memory has to follow.
HRESULT volume_texture::AddDirtyBox(const D3DBOX* box) {
  if (box == nullptr) return S_OK;
  const auto& shape = store_.shape();
  const bool is_inside = box->Left < box->Right && box->Right <= shape.width &&
                         box->Top < box->Bottom && box->Bottom <= shape.height &&
                         box->Front < box->Back && box->Back <= shape.depth;
  return is_inside ? S_OK : D3DERR_INVALIDCALL;
}

}  // namespace aerogpu::d3d9

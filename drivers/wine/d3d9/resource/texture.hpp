// SPDX-License-Identifier: MIT
/// \file IDirect3DTexture9 and IDirect3DCubeTexture9.
#pragma once

#include "drivers/wine/d3d9/resource/texture_object.hpp"

namespace aerogpu::d3d9 {

class texture final : public texture_object<texture, IDirect3DTexture9> {
 public:
  static constexpr const iid& name = iid_texture;
  static constexpr auto type = D3DRTYPE_TEXTURE;
  using texture_object::texture_object;

  HRESULT APIENTRY GetSurfaceLevel(UINT level, IDirect3DSurface9** to) override {
    return give_level(0, level, to);
  }
  HRESULT APIENTRY LockRect(UINT level, D3DLOCKED_RECT* locked, const RECT* area,
                            DWORD flags) override {
    return lock_level(0, level, locked, area, flags);
  }
  HRESULT APIENTRY UnlockRect(UINT level) override { return unlock_level(0, level); }
  HRESULT APIENTRY AddDirtyRect(const RECT* area) override { return add_dirty(0, area); }
};

class cube_texture final : public texture_object<cube_texture, IDirect3DCubeTexture9> {
 public:
  static constexpr const iid& name = iid_cube_texture;
  static constexpr auto type = D3DRTYPE_CUBETEXTURE;
  using texture_object::texture_object;

  HRESULT APIENTRY GetCubeMapSurface(D3DCUBEMAP_FACES face, UINT level,
                                     IDirect3DSurface9** to) override {
    return give_level(static_cast<UINT>(face), level, to);
  }
  HRESULT APIENTRY LockRect(D3DCUBEMAP_FACES face, UINT level, D3DLOCKED_RECT* locked,
                            const RECT* area, DWORD flags) override {
    return lock_level(static_cast<UINT>(face), level, locked, area, flags);
  }
  HRESULT APIENTRY UnlockRect(D3DCUBEMAP_FACES face, UINT level) override {
    return unlock_level(static_cast<UINT>(face), level);
  }
  HRESULT APIENTRY AddDirtyRect(D3DCUBEMAP_FACES face, const RECT* area) override {
    constexpr UINT faces = 6;
    const auto index = static_cast<UINT>(face);
    return index < faces ? add_dirty(index, area) : D3DERR_INVALIDCALL;
  }
};

}  // namespace aerogpu::d3d9

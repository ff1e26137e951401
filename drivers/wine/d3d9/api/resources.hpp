// SPDX-License-Identifier: MIT
/// \file The interfaces of Direct3D 9's resources, in the order of their published tables.
#pragma once

#include "drivers/wine/d3d9/api/names.hpp"

struct _RGNDATA;

namespace aerogpu::d3d9 {

class IDirect3DDevice9Ex;
class any_texture;

class IDirect3DResource9 : public IUnknown {
 public:
  AEROGPU_COM(HRESULT) GetDevice(IDirect3DDevice9Ex** device) = 0;
  AEROGPU_COM(HRESULT)
  SetPrivateData(const GUID& name, const void* data, DWORD bytes, DWORD flags) = 0;
  AEROGPU_COM(HRESULT) GetPrivateData(const GUID& name, void* data, DWORD* bytes) = 0;
  AEROGPU_COM(HRESULT) FreePrivateData(const GUID& name) = 0;
  AEROGPU_COM(DWORD) SetPriority(DWORD priority) = 0;
  AEROGPU_COM(DWORD) GetPriority() = 0;
  AEROGPU_COM(void) PreLoad() = 0;
  AEROGPU_COM(D3DRESOURCETYPE) GetType() = 0;

 protected:
  ~IDirect3DResource9() = default;
};

class IDirect3DSurface9 : public IDirect3DResource9 {
 public:
  AEROGPU_COM(HRESULT) GetContainer(const iid& wanted, void** container) = 0;
  AEROGPU_COM(HRESULT) GetDesc(D3DSURFACE_DESC* description) = 0;
  AEROGPU_COM(HRESULT) LockRect(D3DLOCKED_RECT* locked, const RECT* area, DWORD flags) = 0;
  AEROGPU_COM(HRESULT) UnlockRect() = 0;
  AEROGPU_COM(HRESULT) GetDC(HDC* context) = 0;
  AEROGPU_COM(HRESULT) ReleaseDC(HDC context) = 0;

 protected:
  ~IDirect3DSurface9() = default;
};

class IDirect3DBaseTexture9 : public IDirect3DResource9 {
 public:
  AEROGPU_COM(DWORD) SetLOD(DWORD level) = 0;
  AEROGPU_COM(DWORD) GetLOD() = 0;
  AEROGPU_COM(DWORD) GetLevelCount() = 0;
  AEROGPU_COM(HRESULT) SetAutoGenFilterType(D3DTEXTUREFILTERTYPE filter) = 0;
  AEROGPU_COM(D3DTEXTUREFILTERTYPE) GetAutoGenFilterType() = 0;
  AEROGPU_COM(void) GenerateMipSubLevels() = 0;

  /// The object itself. It is found without a call: programs exchange tables of methods, and
  /// SetTexture then uses none of them.
  any_texture* behind = nullptr;

 protected:
  ~IDirect3DBaseTexture9() = default;
};

class IDirect3DTexture9 : public IDirect3DBaseTexture9 {
 public:
  AEROGPU_COM(HRESULT) GetLevelDesc(UINT level, D3DSURFACE_DESC* description) = 0;
  AEROGPU_COM(HRESULT) GetSurfaceLevel(UINT level, IDirect3DSurface9** surface) = 0;
  AEROGPU_COM(HRESULT)
  LockRect(UINT level, D3DLOCKED_RECT* locked, const RECT* area, DWORD flags) = 0;
  AEROGPU_COM(HRESULT) UnlockRect(UINT level) = 0;
  AEROGPU_COM(HRESULT) AddDirtyRect(const RECT* area) = 0;

 protected:
  ~IDirect3DTexture9() = default;
};

class IDirect3DCubeTexture9 : public IDirect3DBaseTexture9 {
 public:
  AEROGPU_COM(HRESULT) GetLevelDesc(UINT level, D3DSURFACE_DESC* description) = 0;
  AEROGPU_COM(HRESULT)
  GetCubeMapSurface(D3DCUBEMAP_FACES face, UINT level, IDirect3DSurface9** surface) = 0;
  AEROGPU_COM(HRESULT)
  LockRect(D3DCUBEMAP_FACES face, UINT level, D3DLOCKED_RECT* locked, const RECT* area,
           DWORD flags) = 0;
  AEROGPU_COM(HRESULT) UnlockRect(D3DCUBEMAP_FACES face, UINT level) = 0;
  AEROGPU_COM(HRESULT) AddDirtyRect(D3DCUBEMAP_FACES face, const RECT* area) = 0;

 protected:
  ~IDirect3DCubeTexture9() = default;
};

/// Made of system memory alone: the caps say that the device has none.
class IDirect3DVolume9 : public IUnknown {
 public:
  AEROGPU_COM(HRESULT) GetDevice(IDirect3DDevice9Ex** device) = 0;
  AEROGPU_COM(HRESULT)
  SetPrivateData(const GUID& name, const void* data, DWORD bytes, DWORD flags) = 0;
  AEROGPU_COM(HRESULT) GetPrivateData(const GUID& name, void* data, DWORD* bytes) = 0;
  AEROGPU_COM(HRESULT) FreePrivateData(const GUID& name) = 0;
  AEROGPU_COM(HRESULT) GetContainer(const iid& wanted, void** container) = 0;
  AEROGPU_COM(HRESULT) GetDesc(D3DVOLUME_DESC* description) = 0;
  AEROGPU_COM(HRESULT) LockBox(D3DLOCKED_BOX* locked, const D3DBOX* box, DWORD flags) = 0;
  AEROGPU_COM(HRESULT) UnlockBox() = 0;

 protected:
  ~IDirect3DVolume9() = default;
};

class IDirect3DVolumeTexture9 : public IDirect3DBaseTexture9 {
 public:
  AEROGPU_COM(HRESULT) GetLevelDesc(UINT level, D3DVOLUME_DESC* description) = 0;
  AEROGPU_COM(HRESULT) GetVolumeLevel(UINT level, IDirect3DVolume9** volume) = 0;
  AEROGPU_COM(HRESULT)
  LockBox(UINT level, D3DLOCKED_BOX* locked, const D3DBOX* box, DWORD flags) = 0;
  AEROGPU_COM(HRESULT) UnlockBox(UINT level) = 0;
  AEROGPU_COM(HRESULT) AddDirtyBox(const D3DBOX* box) = 0;

 protected:
  ~IDirect3DVolumeTexture9() = default;
};

class IDirect3DVertexBuffer9 : public IDirect3DResource9 {
 public:
  AEROGPU_COM(HRESULT) Lock(UINT offset, UINT bytes, void** data, DWORD flags) = 0;
  AEROGPU_COM(HRESULT) Unlock() = 0;
  AEROGPU_COM(HRESULT) GetDesc(D3DVERTEXBUFFER_DESC* description) = 0;

 protected:
  ~IDirect3DVertexBuffer9() = default;
};

class IDirect3DIndexBuffer9 : public IDirect3DResource9 {
 public:
  AEROGPU_COM(HRESULT) Lock(UINT offset, UINT bytes, void** data, DWORD flags) = 0;
  AEROGPU_COM(HRESULT) Unlock() = 0;
  AEROGPU_COM(HRESULT) GetDesc(D3DINDEXBUFFER_DESC* description) = 0;

 protected:
  ~IDirect3DIndexBuffer9() = default;
};

}  // namespace aerogpu::d3d9

// SPDX-License-Identifier: MIT
/// \file The interfaces of what a Direct3D 9 device makes beside resources.
#pragma once

#include "drivers/wine/d3d9/api/resources.hpp"

namespace aerogpu::d3d9 {

class IDirect3DVertexDeclaration9 : public IUnknown {
 public:
  AEROGPU_COM(HRESULT) GetDevice(IDirect3DDevice9Ex** device) = 0;
  AEROGPU_COM(HRESULT) GetDeclaration(D3DVERTEXELEMENT9* elements, UINT* count) = 0;

 protected:
  ~IDirect3DVertexDeclaration9() = default;
};

class IDirect3DVertexShader9 : public IUnknown {
 public:
  AEROGPU_COM(HRESULT) GetDevice(IDirect3DDevice9Ex** device) = 0;
  AEROGPU_COM(HRESULT) GetFunction(void* code, UINT* bytes) = 0;

 protected:
  ~IDirect3DVertexShader9() = default;
};

class IDirect3DPixelShader9 : public IUnknown {
 public:
  AEROGPU_COM(HRESULT) GetDevice(IDirect3DDevice9Ex** device) = 0;
  AEROGPU_COM(HRESULT) GetFunction(void* code, UINT* bytes) = 0;

 protected:
  ~IDirect3DPixelShader9() = default;
};

class IDirect3DStateBlock9 : public IUnknown {
 public:
  AEROGPU_COM(HRESULT) GetDevice(IDirect3DDevice9Ex** device) = 0;
  AEROGPU_COM(HRESULT) Capture() = 0;
  AEROGPU_COM(HRESULT) Apply() = 0;

 protected:
  ~IDirect3DStateBlock9() = default;
};

class IDirect3DQuery9 : public IUnknown {
 public:
  AEROGPU_COM(HRESULT) GetDevice(IDirect3DDevice9Ex** device) = 0;
  AEROGPU_COM(D3DQUERYTYPE) GetType() = 0;
  AEROGPU_COM(DWORD) GetDataSize() = 0;
  AEROGPU_COM(HRESULT) Issue(DWORD flags) = 0;
  AEROGPU_COM(HRESULT) GetData(void* data, DWORD bytes, DWORD flags) = 0;

 protected:
  ~IDirect3DQuery9() = default;
};

/// IDirect3DSwapChain9, and what Ex adds behind it.
class IDirect3DSwapChain9Ex : public IUnknown {
 public:
  AEROGPU_COM(HRESULT)
  Present(const RECT* source, const RECT* destination, HWND window, const _RGNDATA* dirty,
          DWORD flags) = 0;
  AEROGPU_COM(HRESULT) GetFrontBufferData(IDirect3DSurface9* destination) = 0;
  AEROGPU_COM(HRESULT)
  GetBackBuffer(UINT index, D3DBACKBUFFER_TYPE type, IDirect3DSurface9** buffer) = 0;
  AEROGPU_COM(HRESULT) GetRasterStatus(D3DRASTER_STATUS* status) = 0;
  AEROGPU_COM(HRESULT) GetDisplayMode(D3DDISPLAYMODE* mode) = 0;
  AEROGPU_COM(HRESULT) GetDevice(IDirect3DDevice9Ex** device) = 0;
  AEROGPU_COM(HRESULT) GetPresentParameters(D3DPRESENT_PARAMETERS* parameters) = 0;

  AEROGPU_COM(HRESULT) GetLastPresentCount(UINT* count) = 0;
  AEROGPU_COM(HRESULT) GetPresentStats(D3DPRESENTSTATS* statistics) = 0;
  AEROGPU_COM(HRESULT)
  GetDisplayModeEx(D3DDISPLAYMODEEX* mode, D3DDISPLAYROTATION* rotation) = 0;

 protected:
  ~IDirect3DSwapChain9Ex() = default;
};

/// IDirect3D9, and what Ex adds behind it.
class IDirect3D9Ex : public IUnknown {
 public:
  AEROGPU_COM(HRESULT) RegisterSoftwareDevice(void* initialize) = 0;
  AEROGPU_COM(UINT) GetAdapterCount() = 0;
  AEROGPU_COM(HRESULT)
  GetAdapterIdentifier(UINT adapter, DWORD flags, D3DADAPTER_IDENTIFIER9* identifier) = 0;
  AEROGPU_COM(UINT) GetAdapterModeCount(UINT adapter, D3DFORMAT format) = 0;
  AEROGPU_COM(HRESULT)
  EnumAdapterModes(UINT adapter, D3DFORMAT format, UINT index, D3DDISPLAYMODE* mode) = 0;
  AEROGPU_COM(HRESULT) GetAdapterDisplayMode(UINT adapter, D3DDISPLAYMODE* mode) = 0;
  AEROGPU_COM(HRESULT)
  CheckDeviceType(UINT adapter, D3DDEVTYPE type, D3DFORMAT display, D3DFORMAT back_buffer,
                  BOOL is_windowed) = 0;
  AEROGPU_COM(HRESULT)
  CheckDeviceFormat(UINT adapter, D3DDEVTYPE type, D3DFORMAT display, DWORD usage,
                    D3DRESOURCETYPE resource, D3DFORMAT format) = 0;
  AEROGPU_COM(HRESULT)
  CheckDeviceMultiSampleType(UINT adapter, D3DDEVTYPE type, D3DFORMAT format, BOOL is_windowed,
                             D3DMULTISAMPLE_TYPE samples, DWORD* levels) = 0;
  AEROGPU_COM(HRESULT)
  CheckDepthStencilMatch(UINT adapter, D3DDEVTYPE type, D3DFORMAT display, D3DFORMAT target,
                         D3DFORMAT depth) = 0;
  AEROGPU_COM(HRESULT)
  CheckDeviceFormatConversion(UINT adapter, D3DDEVTYPE type, D3DFORMAT source,
                              D3DFORMAT target) = 0;
  AEROGPU_COM(HRESULT) GetDeviceCaps(UINT adapter, D3DDEVTYPE type, D3DCAPS9* caps) = 0;
  AEROGPU_COM(HMONITOR) GetAdapterMonitor(UINT adapter) = 0;
  AEROGPU_COM(HRESULT)
  CreateDevice(UINT adapter, D3DDEVTYPE type, HWND focus, DWORD flags,
               D3DPRESENT_PARAMETERS* parameters, IDirect3DDevice9Ex** device) = 0;

  AEROGPU_COM(UINT) GetAdapterModeCountEx(UINT adapter, const D3DDISPLAYMODEFILTER* filter) = 0;
  AEROGPU_COM(HRESULT)
  EnumAdapterModesEx(UINT adapter, const D3DDISPLAYMODEFILTER* filter, UINT index,
                     D3DDISPLAYMODEEX* mode) = 0;
  AEROGPU_COM(HRESULT)
  GetAdapterDisplayModeEx(UINT adapter, D3DDISPLAYMODEEX* mode, D3DDISPLAYROTATION* rotation) = 0;
  AEROGPU_COM(HRESULT)
  CreateDeviceEx(UINT adapter, D3DDEVTYPE type, HWND focus, DWORD flags,
                 D3DPRESENT_PARAMETERS* parameters, D3DDISPLAYMODEEX* mode,
                 IDirect3DDevice9Ex** device) = 0;
  AEROGPU_COM(HRESULT) GetAdapterLUID(UINT adapter, LUID* name) = 0;

 protected:
  ~IDirect3D9Ex() = default;
};

}  // namespace aerogpu::d3d9

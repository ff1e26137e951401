// SPDX-License-Identifier: MIT
/// \file IDirect3DDevice9, and what Ex adds behind it, in the order of the published tables.
#pragma once

#include "drivers/wine/d3d9/api/objects.hpp"

namespace aerogpu::d3d9 {

class IDirect3DDevice9Ex : public IUnknown {
 public:
  AEROGPU_COM(HRESULT) TestCooperativeLevel() = 0;
  AEROGPU_COM(UINT) GetAvailableTextureMem() = 0;
  AEROGPU_COM(HRESULT) EvictManagedResources() = 0;
  AEROGPU_COM(HRESULT) GetDirect3D(IDirect3D9Ex** direct3d) = 0;
  AEROGPU_COM(HRESULT) GetDeviceCaps(D3DCAPS9* caps) = 0;
  AEROGPU_COM(HRESULT) GetDisplayMode(UINT chain, D3DDISPLAYMODE* mode) = 0;
  AEROGPU_COM(HRESULT) GetCreationParameters(D3DDEVICE_CREATION_PARAMETERS* parameters) = 0;
  AEROGPU_COM(HRESULT) SetCursorProperties(UINT x, UINT y, IDirect3DSurface9* bitmap) = 0;
  AEROGPU_COM(void) SetCursorPosition(int x, int y, DWORD flags) = 0;
  AEROGPU_COM(BOOL) ShowCursor(BOOL is_shown) = 0;
  AEROGPU_COM(HRESULT)
  CreateAdditionalSwapChain(D3DPRESENT_PARAMETERS* parameters, IDirect3DSwapChain9Ex** chain) = 0;
  AEROGPU_COM(HRESULT) GetSwapChain(UINT index, IDirect3DSwapChain9Ex** chain) = 0;
  AEROGPU_COM(UINT) GetNumberOfSwapChains() = 0;
  AEROGPU_COM(HRESULT) Reset(D3DPRESENT_PARAMETERS* parameters) = 0;
  AEROGPU_COM(HRESULT)
  Present(const RECT* source, const RECT* destination, HWND window, const _RGNDATA* dirty) = 0;
  AEROGPU_COM(HRESULT)
  GetBackBuffer(UINT chain, UINT index, D3DBACKBUFFER_TYPE type, IDirect3DSurface9** buffer) = 0;
  AEROGPU_COM(HRESULT) GetRasterStatus(UINT chain, D3DRASTER_STATUS* status) = 0;
  AEROGPU_COM(HRESULT) SetDialogBoxMode(BOOL is_enabled) = 0;
  AEROGPU_COM(void) SetGammaRamp(UINT chain, DWORD flags, const D3DGAMMARAMP* ramp) = 0;
  AEROGPU_COM(void) GetGammaRamp(UINT chain, D3DGAMMARAMP* ramp) = 0;
  AEROGPU_COM(HRESULT)
  CreateTexture(UINT width, UINT height, UINT levels, DWORD usage, D3DFORMAT format, D3DPOOL pool,
                IDirect3DTexture9** texture, HANDLE* share) = 0;
  AEROGPU_COM(HRESULT)
  CreateVolumeTexture(UINT width, UINT height, UINT depth, UINT levels, DWORD usage,
                      D3DFORMAT format, D3DPOOL pool, IDirect3DVolumeTexture9** texture,
                      HANDLE* share) = 0;
  AEROGPU_COM(HRESULT)
  CreateCubeTexture(UINT edge, UINT levels, DWORD usage, D3DFORMAT format, D3DPOOL pool,
                    IDirect3DCubeTexture9** texture, HANDLE* share) = 0;
  AEROGPU_COM(HRESULT)
  CreateVertexBuffer(UINT bytes, DWORD usage, DWORD fvf, D3DPOOL pool,
                     IDirect3DVertexBuffer9** buffer, HANDLE* share) = 0;
  AEROGPU_COM(HRESULT)
  CreateIndexBuffer(UINT bytes, DWORD usage, D3DFORMAT format, D3DPOOL pool,
                    IDirect3DIndexBuffer9** buffer, HANDLE* share) = 0;
  AEROGPU_COM(HRESULT)
  CreateRenderTarget(UINT width, UINT height, D3DFORMAT format, D3DMULTISAMPLE_TYPE samples,
                     DWORD quality, BOOL is_lockable, IDirect3DSurface9** surface,
                     HANDLE* share) = 0;
  AEROGPU_COM(HRESULT)
  CreateDepthStencilSurface(UINT width, UINT height, D3DFORMAT format, D3DMULTISAMPLE_TYPE samples,
                            DWORD quality, BOOL is_discardable, IDirect3DSurface9** surface,
                            HANDLE* share) = 0;
  AEROGPU_COM(HRESULT)
  UpdateSurface(IDirect3DSurface9* source, const RECT* area, IDirect3DSurface9* destination,
                const POINT* point) = 0;
  AEROGPU_COM(HRESULT)
  UpdateTexture(IDirect3DBaseTexture9* source, IDirect3DBaseTexture9* destination) = 0;
  AEROGPU_COM(HRESULT)
  GetRenderTargetData(IDirect3DSurface9* source, IDirect3DSurface9* destination) = 0;
  AEROGPU_COM(HRESULT) GetFrontBufferData(UINT chain, IDirect3DSurface9* destination) = 0;
  AEROGPU_COM(HRESULT)
  StretchRect(IDirect3DSurface9* source, const RECT* source_area, IDirect3DSurface9* destination,
              const RECT* destination_area, D3DTEXTUREFILTERTYPE filter) = 0;
  AEROGPU_COM(HRESULT) ColorFill(IDirect3DSurface9* surface, const RECT* area, D3DCOLOR color) = 0;
  AEROGPU_COM(HRESULT)
  CreateOffscreenPlainSurface(UINT width, UINT height, D3DFORMAT format, D3DPOOL pool,
                              IDirect3DSurface9** surface, HANDLE* share) = 0;
  AEROGPU_COM(HRESULT) SetRenderTarget(DWORD index, IDirect3DSurface9* surface) = 0;
  AEROGPU_COM(HRESULT) GetRenderTarget(DWORD index, IDirect3DSurface9** surface) = 0;
  AEROGPU_COM(HRESULT) SetDepthStencilSurface(IDirect3DSurface9* surface) = 0;
  AEROGPU_COM(HRESULT) GetDepthStencilSurface(IDirect3DSurface9** surface) = 0;
  AEROGPU_COM(HRESULT) BeginScene() = 0;
  AEROGPU_COM(HRESULT) EndScene() = 0;
  AEROGPU_COM(HRESULT)
  Clear(DWORD count, const D3DRECT* areas, DWORD flags, D3DCOLOR color, float depth,
        DWORD stencil) = 0;
  AEROGPU_COM(HRESULT) SetTransform(D3DTRANSFORMSTATETYPE which, const D3DMATRIX* matrix) = 0;
  AEROGPU_COM(HRESULT) GetTransform(D3DTRANSFORMSTATETYPE which, D3DMATRIX* matrix) = 0;
  AEROGPU_COM(HRESULT) MultiplyTransform(D3DTRANSFORMSTATETYPE which, const D3DMATRIX* matrix) = 0;
  AEROGPU_COM(HRESULT) SetViewport(const D3DVIEWPORT9* viewport) = 0;
  AEROGPU_COM(HRESULT) GetViewport(D3DVIEWPORT9* viewport) = 0;
  AEROGPU_COM(HRESULT) SetMaterial(const D3DMATERIAL9* material) = 0;
  AEROGPU_COM(HRESULT) GetMaterial(D3DMATERIAL9* material) = 0;
  AEROGPU_COM(HRESULT) SetLight(DWORD index, const D3DLIGHT9* light) = 0;
  AEROGPU_COM(HRESULT) GetLight(DWORD index, D3DLIGHT9* light) = 0;
  AEROGPU_COM(HRESULT) LightEnable(DWORD index, BOOL is_enabled) = 0;
  AEROGPU_COM(HRESULT) GetLightEnable(DWORD index, BOOL* is_enabled) = 0;
  AEROGPU_COM(HRESULT) SetClipPlane(DWORD index, const float* plane) = 0;
  AEROGPU_COM(HRESULT) GetClipPlane(DWORD index, float* plane) = 0;
  AEROGPU_COM(HRESULT) SetRenderState(D3DRENDERSTATETYPE state, DWORD value) = 0;
  AEROGPU_COM(HRESULT) GetRenderState(D3DRENDERSTATETYPE state, DWORD* value) = 0;
  AEROGPU_COM(HRESULT) CreateStateBlock(D3DSTATEBLOCKTYPE type, IDirect3DStateBlock9** block) = 0;
  AEROGPU_COM(HRESULT) BeginStateBlock() = 0;
  AEROGPU_COM(HRESULT) EndStateBlock(IDirect3DStateBlock9** block) = 0;
  AEROGPU_COM(HRESULT) SetClipStatus(const D3DCLIPSTATUS9* status) = 0;
  AEROGPU_COM(HRESULT) GetClipStatus(D3DCLIPSTATUS9* status) = 0;
  AEROGPU_COM(HRESULT) GetTexture(DWORD stage, IDirect3DBaseTexture9** texture) = 0;
  AEROGPU_COM(HRESULT) SetTexture(DWORD stage, IDirect3DBaseTexture9* texture) = 0;
  AEROGPU_COM(HRESULT)
  GetTextureStageState(DWORD stage, D3DTEXTURESTAGESTATETYPE state, DWORD* value) = 0;
  AEROGPU_COM(HRESULT)
  SetTextureStageState(DWORD stage, D3DTEXTURESTAGESTATETYPE state, DWORD value) = 0;
  AEROGPU_COM(HRESULT)
  GetSamplerState(DWORD sampler, D3DSAMPLERSTATETYPE state, DWORD* value) = 0;
  AEROGPU_COM(HRESULT)
  SetSamplerState(DWORD sampler, D3DSAMPLERSTATETYPE state, DWORD value) = 0;
  AEROGPU_COM(HRESULT) ValidateDevice(DWORD* passes) = 0;
  AEROGPU_COM(HRESULT) SetPaletteEntries(UINT palette, const PALETTEENTRY* entries) = 0;
  AEROGPU_COM(HRESULT) GetPaletteEntries(UINT palette, PALETTEENTRY* entries) = 0;
  AEROGPU_COM(HRESULT) SetCurrentTexturePalette(UINT palette) = 0;
  AEROGPU_COM(HRESULT) GetCurrentTexturePalette(UINT* palette) = 0;
  AEROGPU_COM(HRESULT) SetScissorRect(const RECT* area) = 0;
  AEROGPU_COM(HRESULT) GetScissorRect(RECT* area) = 0;
  AEROGPU_COM(HRESULT) SetSoftwareVertexProcessing(BOOL is_software) = 0;
  AEROGPU_COM(BOOL) GetSoftwareVertexProcessing() = 0;
  AEROGPU_COM(HRESULT) SetNPatchMode(float segments) = 0;
  AEROGPU_COM(float) GetNPatchMode() = 0;
  AEROGPU_COM(HRESULT) DrawPrimitive(D3DPRIMITIVETYPE type, UINT first_vertex, UINT count) = 0;
  AEROGPU_COM(HRESULT)
  DrawIndexedPrimitive(D3DPRIMITIVETYPE type, INT base_vertex, UINT least_index, UINT vertices,
                       UINT first_index, UINT count) = 0;
  AEROGPU_COM(HRESULT)
  DrawPrimitiveUP(D3DPRIMITIVETYPE type, UINT count, const void* vertices, UINT stride) = 0;
  AEROGPU_COM(HRESULT)
  DrawIndexedPrimitiveUP(D3DPRIMITIVETYPE type, UINT least_index, UINT vertex_count, UINT count,
                         const void* indices, D3DFORMAT format, const void* vertices,
                         UINT stride) = 0;
  AEROGPU_COM(HRESULT)
  ProcessVertices(UINT first, UINT destination, UINT count, IDirect3DVertexBuffer9* buffer,
                  IDirect3DVertexDeclaration9* declaration, DWORD flags) = 0;
  AEROGPU_COM(HRESULT)
  CreateVertexDeclaration(const D3DVERTEXELEMENT9* elements,
                          IDirect3DVertexDeclaration9** declaration) = 0;
  AEROGPU_COM(HRESULT) SetVertexDeclaration(IDirect3DVertexDeclaration9* declaration) = 0;
  AEROGPU_COM(HRESULT) GetVertexDeclaration(IDirect3DVertexDeclaration9** declaration) = 0;
  AEROGPU_COM(HRESULT) SetFVF(DWORD fvf) = 0;
  AEROGPU_COM(HRESULT) GetFVF(DWORD* fvf) = 0;
  AEROGPU_COM(HRESULT) CreateVertexShader(const DWORD* code, IDirect3DVertexShader9** shader) = 0;
  AEROGPU_COM(HRESULT) SetVertexShader(IDirect3DVertexShader9* shader) = 0;
  AEROGPU_COM(HRESULT) GetVertexShader(IDirect3DVertexShader9** shader) = 0;
  AEROGPU_COM(HRESULT) SetVertexShaderConstantF(UINT first, const float* data, UINT count) = 0;
  AEROGPU_COM(HRESULT) GetVertexShaderConstantF(UINT first, float* data, UINT count) = 0;
  AEROGPU_COM(HRESULT) SetVertexShaderConstantI(UINT first, const int* data, UINT count) = 0;
  AEROGPU_COM(HRESULT) GetVertexShaderConstantI(UINT first, int* data, UINT count) = 0;
  AEROGPU_COM(HRESULT) SetVertexShaderConstantB(UINT first, const BOOL* data, UINT count) = 0;
  AEROGPU_COM(HRESULT) GetVertexShaderConstantB(UINT first, BOOL* data, UINT count) = 0;
  AEROGPU_COM(HRESULT)
  SetStreamSource(UINT stream, IDirect3DVertexBuffer9* buffer, UINT offset, UINT stride) = 0;
  AEROGPU_COM(HRESULT)
  GetStreamSource(UINT stream, IDirect3DVertexBuffer9** buffer, UINT* offset, UINT* stride) = 0;
  AEROGPU_COM(HRESULT) SetStreamSourceFreq(UINT stream, UINT setting) = 0;
  AEROGPU_COM(HRESULT) GetStreamSourceFreq(UINT stream, UINT* setting) = 0;
  AEROGPU_COM(HRESULT) SetIndices(IDirect3DIndexBuffer9* buffer) = 0;
  AEROGPU_COM(HRESULT) GetIndices(IDirect3DIndexBuffer9** buffer) = 0;
  AEROGPU_COM(HRESULT) CreatePixelShader(const DWORD* code, IDirect3DPixelShader9** shader) = 0;
  AEROGPU_COM(HRESULT) SetPixelShader(IDirect3DPixelShader9* shader) = 0;
  AEROGPU_COM(HRESULT) GetPixelShader(IDirect3DPixelShader9** shader) = 0;
  AEROGPU_COM(HRESULT) SetPixelShaderConstantF(UINT first, const float* data, UINT count) = 0;
  AEROGPU_COM(HRESULT) GetPixelShaderConstantF(UINT first, float* data, UINT count) = 0;
  AEROGPU_COM(HRESULT) SetPixelShaderConstantI(UINT first, const int* data, UINT count) = 0;
  AEROGPU_COM(HRESULT) GetPixelShaderConstantI(UINT first, int* data, UINT count) = 0;
  AEROGPU_COM(HRESULT) SetPixelShaderConstantB(UINT first, const BOOL* data, UINT count) = 0;
  AEROGPU_COM(HRESULT) GetPixelShaderConstantB(UINT first, BOOL* data, UINT count) = 0;
  AEROGPU_COM(HRESULT)
  DrawRectPatch(UINT handle, const float* segments, const D3DRECTPATCH_INFO* info) = 0;
  AEROGPU_COM(HRESULT)
  DrawTriPatch(UINT handle, const float* segments, const D3DTRIPATCH_INFO* info) = 0;
  AEROGPU_COM(HRESULT) DeletePatch(UINT handle) = 0;
  AEROGPU_COM(HRESULT) CreateQuery(D3DQUERYTYPE type, IDirect3DQuery9** query) = 0;

  AEROGPU_COM(HRESULT)
  SetConvolutionMonoKernel(UINT width, UINT height, float* rows, float* columns) = 0;
  AEROGPU_COM(HRESULT)
  ComposeRects(IDirect3DSurface9* source, IDirect3DSurface9* destination,
               IDirect3DVertexBuffer9* source_areas, UINT count,
               IDirect3DVertexBuffer9* destination_areas, D3DCOMPOSERECTSOP operation, INT x,
               INT y) = 0;
  AEROGPU_COM(HRESULT)
  PresentEx(const RECT* source, const RECT* destination, HWND window, const _RGNDATA* dirty,
            DWORD flags) = 0;
  AEROGPU_COM(HRESULT) GetGPUThreadPriority(INT* priority) = 0;
  AEROGPU_COM(HRESULT) SetGPUThreadPriority(INT priority) = 0;
  AEROGPU_COM(HRESULT) WaitForVBlank(UINT chain) = 0;
  AEROGPU_COM(HRESULT)
  CheckResourceResidency(IDirect3DResource9** resources, std::uint32_t count) = 0;
  AEROGPU_COM(HRESULT) SetMaximumFrameLatency(UINT frames) = 0;
  AEROGPU_COM(HRESULT) GetMaximumFrameLatency(UINT* frames) = 0;
  AEROGPU_COM(HRESULT) CheckDeviceState(HWND window) = 0;
  AEROGPU_COM(HRESULT)
  CreateRenderTargetEx(UINT width, UINT height, D3DFORMAT format, D3DMULTISAMPLE_TYPE samples,
                       DWORD quality, BOOL is_lockable, IDirect3DSurface9** surface, HANDLE* share,
                       DWORD usage) = 0;
  AEROGPU_COM(HRESULT)
  CreateOffscreenPlainSurfaceEx(UINT width, UINT height, D3DFORMAT format, D3DPOOL pool,
                                IDirect3DSurface9** surface, HANDLE* share, DWORD usage) = 0;
  AEROGPU_COM(HRESULT)
  CreateDepthStencilSurfaceEx(UINT width, UINT height, D3DFORMAT format,
                              D3DMULTISAMPLE_TYPE samples, DWORD quality, BOOL is_discardable,
                              IDirect3DSurface9** surface, HANDLE* share, DWORD usage) = 0;
  AEROGPU_COM(HRESULT) ResetEx(D3DPRESENT_PARAMETERS* parameters, D3DDISPLAYMODEEX* mode) = 0;
  AEROGPU_COM(HRESULT)
  GetDisplayModeEx(UINT chain, D3DDISPLAYMODEEX* mode, D3DDISPLAYROTATION* rotation) = 0;

 protected:
  ~IDirect3DDevice9Ex() = default;
};

}  // namespace aerogpu::d3d9

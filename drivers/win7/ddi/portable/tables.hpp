// SPDX-License-Identifier: MIT
/// \file The tables of the portable Direct3D 9 DDI (umd-d3d9.md 1.2.3, 1.2.4), and what opens an
/// adapter and makes a device.
#pragma once

#include "drivers/win7/ddi/portable/callbacks.hpp"
#include "drivers/win7/ddi/portable/drawing.hpp"
#include "drivers/win7/ddi/portable/presenting.hpp"
#include "drivers/win7/ddi/portable/resources.hpp"

namespace aerogpu::d3d9ddi_u {

struct D3D9DDI_DEVICEFUNCS {
  HRESULT(APIENTRY* pfnDestroyDevice)(D3D9DDI_HDEVICE hDevice);
  HRESULT(APIENTRY* pfnCreateResource)(D3D9DDI_HDEVICE hDevice, D3D9DDIARG_CREATERESOURCE*);
  HRESULT(APIENTRY* pfnOpenResource)(D3D9DDI_HDEVICE hDevice, D3D9DDIARG_OPENRESOURCE*);
  HRESULT(APIENTRY* pfnOpenResource2)(D3D9DDI_HDEVICE hDevice, D3D9DDIARG_OPENRESOURCE*);
  HRESULT(APIENTRY* pfnDestroyResource)(D3D9DDI_HDEVICE hDevice, D3D9DDI_HRESOURCE hResource);
  HRESULT(APIENTRY* pfnLock)
  (D3D9DDI_HDEVICE hDevice, const D3D9DDIARG_LOCK*, D3D9DDI_LOCKED_BOX* pLockedBox);
  HRESULT(APIENTRY* pfnUnlock)(D3D9DDI_HDEVICE hDevice, const D3D9DDIARG_UNLOCK*);
  HRESULT(APIENTRY* pfnSetRenderTarget)
  (D3D9DDI_HDEVICE hDevice, std::uint32_t slot, D3D9DDI_HRESOURCE hSurface);
  HRESULT(APIENTRY* pfnSetDepthStencil)(D3D9DDI_HDEVICE hDevice, D3D9DDI_HRESOURCE hSurface);
  HRESULT(APIENTRY* pfnSetViewport)(D3D9DDI_HDEVICE hDevice, const D3DDDIVIEWPORTINFO*);
  HRESULT(APIENTRY* pfnSetScissorRect)(D3D9DDI_HDEVICE hDevice, const RECT*, BOOL enabled);
  HRESULT(APIENTRY* pfnSetTexture)
  (D3D9DDI_HDEVICE hDevice, std::uint32_t stage, D3D9DDI_HRESOURCE hTexture);
  HRESULT(APIENTRY* pfnSetSamplerState)
  (D3D9DDI_HDEVICE hDevice, std::uint32_t stage, std::uint32_t state, std::uint32_t value);
  HRESULT(APIENTRY* pfnSetRenderState)
  (D3D9DDI_HDEVICE hDevice, std::uint32_t state, std::uint32_t value);
  HRESULT(APIENTRY* pfnCreateVertexDecl)
  (D3D9DDI_HDEVICE hDevice, const void* pDecl, std::uint32_t size_bytes,
   D3D9DDI_HVERTEXDECL* phDecl);
  HRESULT(APIENTRY* pfnSetVertexDecl)(D3D9DDI_HDEVICE hDevice, D3D9DDI_HVERTEXDECL hDecl);
  HRESULT(APIENTRY* pfnDestroyVertexDecl)(D3D9DDI_HDEVICE hDevice, D3D9DDI_HVERTEXDECL hDecl);
  HRESULT(APIENTRY* pfnSetFVF)(D3D9DDI_HDEVICE hDevice, std::uint32_t fvf);
  HRESULT(APIENTRY* pfnCreateShader)
  (D3D9DDI_HDEVICE hDevice, std::uint32_t stage, const void* pBytecode, std::uint32_t size_bytes,
   D3D9DDI_HSHADER* phShader);
  HRESULT(APIENTRY* pfnSetShader)
  (D3D9DDI_HDEVICE hDevice, std::uint32_t stage, D3D9DDI_HSHADER hShader);
  HRESULT(APIENTRY* pfnDestroyShader)(D3D9DDI_HDEVICE hDevice, D3D9DDI_HSHADER hShader);
  HRESULT(APIENTRY* pfnSetShaderConstF)
  (D3D9DDI_HDEVICE hDevice, std::uint32_t stage, std::uint32_t start, const float* pData,
   std::uint32_t vec4_count);
  HRESULT(APIENTRY* pfnSetStreamSource)
  (D3D9DDI_HDEVICE hDevice, std::uint32_t stream, D3D9DDI_HRESOURCE hBuffer, std::uint32_t offset,
   std::uint32_t stride);
  HRESULT(APIENTRY* pfnSetIndices)
  (D3D9DDI_HDEVICE hDevice, D3D9DDI_HRESOURCE hBuffer, D3DDDIFORMAT format, std::uint32_t offset);
  HRESULT(APIENTRY* pfnBeginScene)(D3D9DDI_HDEVICE hDevice);
  HRESULT(APIENTRY* pfnEndScene)(D3D9DDI_HDEVICE hDevice);
  HRESULT(APIENTRY* pfnCreateSwapChain)(D3D9DDI_HDEVICE hDevice, D3D9DDIARG_CREATESWAPCHAIN*);
  HRESULT(APIENTRY* pfnDestroySwapChain)(D3D9DDI_HDEVICE hDevice, D3D9DDI_HSWAPCHAIN hSwapChain);
  HRESULT(APIENTRY* pfnGetSwapChain)
  (D3D9DDI_HDEVICE hDevice, std::uint32_t index, D3D9DDI_HSWAPCHAIN* phSwapChain);
  HRESULT(APIENTRY* pfnSetSwapChain)(D3D9DDI_HDEVICE hDevice, D3D9DDI_HSWAPCHAIN hSwapChain);
  HRESULT(APIENTRY* pfnReset)(D3D9DDI_HDEVICE hDevice, const D3D9DDIARG_RESET*);
  HRESULT(APIENTRY* pfnResetEx)(D3D9DDI_HDEVICE hDevice, const D3D9DDIARG_RESET*);
  HRESULT(APIENTRY* pfnCheckDeviceState)(D3D9DDI_HDEVICE hDevice, HWND hWnd);
  HRESULT(APIENTRY* pfnWaitForVBlank)(D3D9DDI_HDEVICE hDevice, std::uint32_t swapchain);
  HRESULT(APIENTRY* pfnSetGPUThreadPriority)(D3D9DDI_HDEVICE hDevice, std::int32_t priority);
  HRESULT(APIENTRY* pfnGetGPUThreadPriority)(D3D9DDI_HDEVICE hDevice, std::int32_t* pPriority);
  HRESULT(APIENTRY* pfnCheckResourceResidency)
  (D3D9DDI_HDEVICE hDevice, D3D9DDI_HRESOURCE* pResources, std::uint32_t count);
  HRESULT(APIENTRY* pfnQueryResourceResidency)
  (D3D9DDI_HDEVICE hDevice, const D3D9DDIARG_QUERYRESOURCERESIDENCY*);
  HRESULT(APIENTRY* pfnGetDisplayModeEx)(D3D9DDI_HDEVICE hDevice, D3D9DDIARG_GETDISPLAYMODEEX*);
  HRESULT(APIENTRY* pfnComposeRects)(D3D9DDI_HDEVICE hDevice, const D3D9DDIARG_COMPOSERECTS*);
  HRESULT(APIENTRY* pfnRotateResourceIdentities)
  (D3D9DDI_HDEVICE hDevice, D3D9DDI_HRESOURCE* pResources, std::uint32_t count);
  HRESULT(APIENTRY* pfnPresent)(D3D9DDI_HDEVICE hDevice, const D3D9DDIARG_PRESENT*);
  HRESULT(APIENTRY* pfnPresentEx)(D3D9DDI_HDEVICE hDevice, const D3D9DDIARG_PRESENTEX*);
  HRESULT(APIENTRY* pfnFlush)(D3D9DDI_HDEVICE hDevice);
  HRESULT(APIENTRY* pfnSetMaximumFrameLatency)(D3D9DDI_HDEVICE hDevice, std::uint32_t latency);
  HRESULT(APIENTRY* pfnGetMaximumFrameLatency)(D3D9DDI_HDEVICE hDevice, std::uint32_t* pLatency);
  HRESULT(APIENTRY* pfnGetPresentStats)(D3D9DDI_HDEVICE hDevice, D3D9DDI_PRESENTSTATS*);
  HRESULT(APIENTRY* pfnGetLastPresentCount)(D3D9DDI_HDEVICE hDevice, std::uint32_t* pCount);
  HRESULT(APIENTRY* pfnCreateQuery)(D3D9DDI_HDEVICE hDevice, D3D9DDIARG_CREATEQUERY*);
  HRESULT(APIENTRY* pfnDestroyQuery)(D3D9DDI_HDEVICE hDevice, D3D9DDI_HQUERY hQuery);
  HRESULT(APIENTRY* pfnIssueQuery)(D3D9DDI_HDEVICE hDevice, const D3D9DDIARG_ISSUEQUERY*);
  HRESULT(APIENTRY* pfnGetQueryData)(D3D9DDI_HDEVICE hDevice, const D3D9DDIARG_GETQUERYDATA*);
  HRESULT(APIENTRY* pfnGetRenderTargetData)
  (D3D9DDI_HDEVICE hDevice, const D3D9DDIARG_GETRENDERTARGETDATA*);
  HRESULT(APIENTRY* pfnCopyRects)(D3D9DDI_HDEVICE hDevice, const D3D9DDIARG_COPYRECTS*);
  HRESULT(APIENTRY* pfnWaitForIdle)(D3D9DDI_HDEVICE hDevice);
  HRESULT(APIENTRY* pfnBlt)(D3D9DDI_HDEVICE hDevice, const D3D9DDIARG_BLT*);
  HRESULT(APIENTRY* pfnColorFill)(D3D9DDI_HDEVICE hDevice, const D3D9DDIARG_COLORFILL*);
  HRESULT(APIENTRY* pfnUpdateSurface)(D3D9DDI_HDEVICE hDevice, const D3D9DDIARG_UPDATESURFACE*);
  HRESULT(APIENTRY* pfnUpdateTexture)(D3D9DDI_HDEVICE hDevice, const D3D9DDIARG_UPDATETEXTURE*);
  HRESULT(APIENTRY* pfnClear)
  (D3D9DDI_HDEVICE hDevice, std::uint32_t flags, std::uint32_t color_argb, float depth,
   std::uint32_t stencil);
  HRESULT(APIENTRY* pfnDrawPrimitive)
  (D3D9DDI_HDEVICE hDevice, std::uint32_t type, std::uint32_t start_vertex,
   std::uint32_t primitive_count);
  HRESULT(APIENTRY* pfnDrawPrimitiveUP)
  (D3D9DDI_HDEVICE hDevice, std::uint32_t type, std::uint32_t primitive_count,
   const void* pVertices, std::uint32_t stride);
  HRESULT(APIENTRY* pfnDrawIndexedPrimitive)
  (D3D9DDI_HDEVICE hDevice, std::uint32_t type, std::int32_t base_vertex, std::uint32_t min_index,
   std::uint32_t num_vertices, std::uint32_t start_index, std::uint32_t primitive_count);
  HRESULT(APIENTRY* pfnDrawPrimitive2)(D3D9DDI_HDEVICE hDevice, const D3DDDIARG_DRAWPRIMITIVE2*);
  HRESULT(APIENTRY* pfnDrawIndexedPrimitive2)
  (D3D9DDI_HDEVICE hDevice, const D3DDDIARG_DRAWINDEXEDPRIMITIVE2*);
  HRESULT(APIENTRY* pfnDrawRectPatch)(D3D9DDI_HDEVICE hDevice, const D3DDDIARG_DRAWRECTPATCH*);
  HRESULT(APIENTRY* pfnDrawTriPatch)(D3D9DDI_HDEVICE hDevice, const D3DDDIARG_DRAWTRIPATCH*);
  HRESULT(APIENTRY* pfnDeletePatch)(D3D9DDI_HDEVICE hDevice, std::uint32_t handle);
  HRESULT(APIENTRY* pfnProcessVertices)(D3D9DDI_HDEVICE hDevice, const D3DDDIARG_PROCESSVERTICES*);
  HRESULT(APIENTRY* pfnGenerateMipSubLevels)(D3D9DDI_HDEVICE hDevice, D3D9DDI_HRESOURCE hTexture);
  HRESULT(APIENTRY* pfnSetTextureStageState)
  (D3D9DDI_HDEVICE hDevice, std::uint32_t stage, std::uint32_t state, std::uint32_t value);
  HRESULT(APIENTRY* pfnGetTextureStageState)
  (D3D9DDI_HDEVICE hDevice, std::uint32_t stage, std::uint32_t state, std::uint32_t* pValue);
  HRESULT(APIENTRY* pfnSetTransform)
  (D3D9DDI_HDEVICE hDevice, std::uint32_t state, const D3DMATRIX*);
  HRESULT(APIENTRY* pfnMultiplyTransform)
  (D3D9DDI_HDEVICE hDevice, std::uint32_t state, const D3DMATRIX*);
  HRESULT(APIENTRY* pfnGetTransform)(D3D9DDI_HDEVICE hDevice, std::uint32_t state, D3DMATRIX*);
  HRESULT(APIENTRY* pfnCreateStateBlock)
  (D3D9DDI_HDEVICE hDevice, std::uint32_t type, D3D9DDI_HSTATEBLOCK* phStateBlock);
  HRESULT(APIENTRY* pfnDeleteStateBlock)(D3D9DDI_HDEVICE hDevice, D3D9DDI_HSTATEBLOCK hStateBlock);
  HRESULT(APIENTRY* pfnCaptureStateBlock)(D3D9DDI_HDEVICE hDevice, D3D9DDI_HSTATEBLOCK hStateBlock);
  HRESULT(APIENTRY* pfnApplyStateBlock)(D3D9DDI_HDEVICE hDevice, D3D9DDI_HSTATEBLOCK hStateBlock);
  HRESULT(APIENTRY* pfnBeginStateBlock)(D3D9DDI_HDEVICE hDevice);
  HRESULT(APIENTRY* pfnEndStateBlock)(D3D9DDI_HDEVICE hDevice, D3D9DDI_HSTATEBLOCK* phStateBlock);
  HRESULT(APIENTRY* pfnSetCursorProperties)
  (D3D9DDI_HDEVICE hDevice, std::uint32_t x_hotspot, std::uint32_t y_hotspot,
   D3D9DDI_HRESOURCE hBitmap);
  HRESULT(APIENTRY* pfnSetCursorPosition)
  (D3D9DDI_HDEVICE hDevice, std::int32_t x, std::int32_t y, std::uint32_t flags);
  HRESULT(APIENTRY* pfnShowCursor)(D3D9DDI_HDEVICE hDevice, BOOL show);
  HRESULT(APIENTRY* pfnSetShaderConstI)
  (D3D9DDI_HDEVICE hDevice, std::uint32_t stage, std::uint32_t start, const std::int32_t* pData,
   std::uint32_t vec4_count);
  HRESULT(APIENTRY* pfnSetShaderConstB)
  (D3D9DDI_HDEVICE hDevice, std::uint32_t stage, std::uint32_t start, const BOOL* pData,
   std::uint32_t count);
};

struct D3D9DDIARG_GETCAPS {
  std::uint32_t Type;
  void* pData;
  std::uint32_t DataSize;
};

struct D3D9DDIARG_QUERYADAPTERINFO {
  std::uint32_t Type;
  void* pPrivateDriverData;
  std::uint32_t PrivateDriverDataSize;
};

struct D3D9DDIARG_CREATEDEVICE {
  D3D9DDI_HADAPTER hAdapter;
  D3D9DDI_HDEVICE hDevice;  ///< Out.
  std::uint32_t Flags;
  const D3DDDI_DEVICECALLBACKS* pCallbacks;
};

struct D3D9DDI_ADAPTERFUNCS {
  HRESULT(APIENTRY* pfnCloseAdapter)(D3D9DDI_HADAPTER hAdapter);
  HRESULT(APIENTRY* pfnGetCaps)(D3D9DDI_HADAPTER hAdapter, const D3D9DDIARG_GETCAPS*);
  HRESULT(APIENTRY* pfnCreateDevice)(D3D9DDIARG_CREATEDEVICE*, D3D9DDI_DEVICEFUNCS*);
  HRESULT(APIENTRY* pfnQueryAdapterInfo)
  (D3D9DDI_HADAPTER hAdapter, const D3D9DDIARG_QUERYADAPTERINFO*);
};

/// A driver never calls these in the portable shape: it asks the kernel itself.
struct D3DDDI_ADAPTERCALLBACKS;
struct D3DDDI_ADAPTERCALLBACKS2;

struct D3DDDIARG_OPENADAPTER {
  std::uint32_t Interface;
  std::uint32_t Version;
  const D3DDDI_ADAPTERCALLBACKS* pAdapterCallbacks;
  const D3DDDI_ADAPTERCALLBACKS2* pAdapterCallbacks2;
  D3D9DDI_HADAPTER hAdapter;  ///< Out.
  D3D9DDI_ADAPTERFUNCS* pAdapterFuncs;
};

struct D3DDDIARG_OPENADAPTER2 : D3DDDIARG_OPENADAPTER {};

struct D3DDDIARG_OPENADAPTERFROMHDC {
  std::uint32_t Interface;
  std::uint32_t Version;
  HDC hDc;
  LUID AdapterLuid;  ///< Out.
  const D3DDDI_ADAPTERCALLBACKS* pAdapterCallbacks;
  const D3DDDI_ADAPTERCALLBACKS2* pAdapterCallbacks2;
  D3D9DDI_HADAPTER hAdapter;  ///< Out.
  D3D9DDI_ADAPTERFUNCS* pAdapterFuncs;
};

struct D3DDDIARG_OPENADAPTERFROMLUID {
  std::uint32_t Interface;
  std::uint32_t Version;
  LUID AdapterLuid;
  const D3DDDI_ADAPTERCALLBACKS* pAdapterCallbacks;
  const D3DDDI_ADAPTERCALLBACKS2* pAdapterCallbacks2;
  D3D9DDI_HADAPTER hAdapter;  ///< Out.
  D3D9DDI_ADAPTERFUNCS* pAdapterFuncs;
};

using PFND3DDDI_OPENADAPTER = HRESULT(APIENTRY*)(D3DDDIARG_OPENADAPTER*);
using PFND3DDDI_OPENADAPTER2 = HRESULT(APIENTRY*)(D3DDDIARG_OPENADAPTER2*);
using PFND3DDDI_OPENADAPTERFROMHDC = HRESULT(APIENTRY*)(D3DDDIARG_OPENADAPTERFROMHDC*);
using PFND3DDDI_OPENADAPTERFROMLUID = HRESULT(APIENTRY*)(D3DDDIARG_OPENADAPTERFROMLUID*);

}  // namespace aerogpu::d3d9ddi_u

// SPDX-License-Identifier: MIT
/// \file Further entries of the portable Direct3D 9 DDI, in a table of the project's own.
///
/// Getters and setters that a vendor's header may have beside the 86; the simulated runtime and the
/// COM layer reach them here.
#pragma once

#include "drivers/win7/ddi/portable/tables.hpp"

namespace aerogpu::d3d9ddi_u {

/// D3D9DDIARG_QUERYADAPTERINFO::Type that fills a D3D9DDI_EXTENDEDFUNCS: nobody else's number.
inline constexpr std::uint32_t info_extended_functions = 0x58455541;

struct D3D9DDI_EXTENDEDFUNCS {
  std::uint32_t Size;  ///< In: the caller's size of the table. Out: how much of it is filled.
  HRESULT(APIENTRY* pfnSetClipPlane)
  (D3D9DDI_HDEVICE hDevice, std::uint32_t index, const float* pPlane);
  HRESULT(APIENTRY* pfnGetClipPlane)(D3D9DDI_HDEVICE hDevice, std::uint32_t index, float* pPlane);
  HRESULT(APIENTRY* pfnSetMaterial)(D3D9DDI_HDEVICE hDevice, const D3DMATERIAL9*);
  HRESULT(APIENTRY* pfnGetMaterial)(D3D9DDI_HDEVICE hDevice, D3DMATERIAL9*);
  HRESULT(APIENTRY* pfnSetLight)(D3D9DDI_HDEVICE hDevice, std::uint32_t index, const D3DLIGHT9*);
  HRESULT(APIENTRY* pfnGetLight)(D3D9DDI_HDEVICE hDevice, std::uint32_t index, D3DLIGHT9*);
  HRESULT(APIENTRY* pfnLightEnable)(D3D9DDI_HDEVICE hDevice, std::uint32_t index, BOOL enable);
  HRESULT(APIENTRY* pfnGetLightEnable)(D3D9DDI_HDEVICE hDevice, std::uint32_t index, BOOL* pEnable);
  HRESULT(APIENTRY* pfnSetPaletteEntries)
  (D3D9DDI_HDEVICE hDevice, std::uint32_t palette, const PALETTEENTRY* pEntries);
  HRESULT(APIENTRY* pfnGetPaletteEntries)
  (D3D9DDI_HDEVICE hDevice, std::uint32_t palette, PALETTEENTRY* pEntries);
  HRESULT(APIENTRY* pfnSetCurrentTexturePalette)(D3D9DDI_HDEVICE hDevice, std::uint32_t palette);
  HRESULT(APIENTRY* pfnGetCurrentTexturePalette)(D3D9DDI_HDEVICE hDevice, std::uint32_t* pPalette);
  HRESULT(APIENTRY* pfnSetClipStatus)(D3D9DDI_HDEVICE hDevice, const D3DCLIPSTATUS9*);
  HRESULT(APIENTRY* pfnGetClipStatus)(D3D9DDI_HDEVICE hDevice, D3DCLIPSTATUS9*);
  HRESULT(APIENTRY* pfnSetGammaRamp)
  (D3D9DDI_HDEVICE hDevice, std::uint32_t swapchain, std::uint32_t flags, const D3DGAMMARAMP*);
  HRESULT(APIENTRY* pfnGetGammaRamp)
  (D3D9DDI_HDEVICE hDevice, std::uint32_t swapchain, D3DGAMMARAMP*);
  HRESULT(APIENTRY* pfnSetPriority)
  (D3D9DDI_HDEVICE hDevice, D3D9DDI_HRESOURCE hResource, std::uint32_t priority,
   std::uint32_t* pOldPriority);
  HRESULT(APIENTRY* pfnGetPriority)
  (D3D9DDI_HDEVICE hDevice, D3D9DDI_HRESOURCE hResource, std::uint32_t* pPriority);
  HRESULT(APIENTRY* pfnSetAutoGenFilterType)
  (D3D9DDI_HDEVICE hDevice, D3D9DDI_HRESOURCE hTexture, std::uint32_t filter);
  HRESULT(APIENTRY* pfnGetAutoGenFilterType)
  (D3D9DDI_HDEVICE hDevice, D3D9DDI_HRESOURCE hTexture, std::uint32_t* pFilter);
  HRESULT(APIENTRY* pfnSetSoftwareVertexProcessing)(D3D9DDI_HDEVICE hDevice, BOOL software);
  HRESULT(APIENTRY* pfnGetSoftwareVertexProcessing)(D3D9DDI_HDEVICE hDevice, BOOL* pSoftware);
  HRESULT(APIENTRY* pfnSetNPatchMode)(D3D9DDI_HDEVICE hDevice, float segments);
  HRESULT(APIENTRY* pfnGetNPatchMode)(D3D9DDI_HDEVICE hDevice, float* pSegments);
  HRESULT(APIENTRY* pfnSetStreamSourceFreq)
  (D3D9DDI_HDEVICE hDevice, std::uint32_t stream, std::uint32_t setting);
  HRESULT(APIENTRY* pfnGetStreamSourceFreq)
  (D3D9DDI_HDEVICE hDevice, std::uint32_t stream, std::uint32_t* pSetting);
  HRESULT(APIENTRY* pfnGetRenderTarget)
  (D3D9DDI_HDEVICE hDevice, std::uint32_t slot, D3D9DDI_HRESOURCE* phSurface);
  HRESULT(APIENTRY* pfnGetDepthStencil)(D3D9DDI_HDEVICE hDevice, D3D9DDI_HRESOURCE* phSurface);
  HRESULT(APIENTRY* pfnGetTexture)
  (D3D9DDI_HDEVICE hDevice, std::uint32_t stage, D3D9DDI_HRESOURCE* phTexture);
  HRESULT(APIENTRY* pfnGetSamplerState)
  (D3D9DDI_HDEVICE hDevice, std::uint32_t stage, std::uint32_t state, std::uint32_t* pValue);
  HRESULT(APIENTRY* pfnGetRenderState)
  (D3D9DDI_HDEVICE hDevice, std::uint32_t state, std::uint32_t* pValue);
  HRESULT(APIENTRY* pfnGetViewport)(D3D9DDI_HDEVICE hDevice, D3DDDIVIEWPORTINFO*);
  HRESULT(APIENTRY* pfnGetScissorRect)(D3D9DDI_HDEVICE hDevice, RECT*, BOOL* pEnabled);
  HRESULT(APIENTRY* pfnGetFVF)(D3D9DDI_HDEVICE hDevice, std::uint32_t* pFvf);
  HRESULT(APIENTRY* pfnGetVertexDecl)(D3D9DDI_HDEVICE hDevice, D3D9DDI_HVERTEXDECL* phDecl);
  HRESULT(APIENTRY* pfnGetStreamSource)
  (D3D9DDI_HDEVICE hDevice, std::uint32_t stream, D3D9DDI_HRESOURCE* phBuffer,
   std::uint32_t* pOffset, std::uint32_t* pStride);
  HRESULT(APIENTRY* pfnGetIndices)
  (D3D9DDI_HDEVICE hDevice, D3D9DDI_HRESOURCE* phBuffer, D3DDDIFORMAT* pFormat,
   std::uint32_t* pOffset);
  HRESULT(APIENTRY* pfnGetShader)
  (D3D9DDI_HDEVICE hDevice, std::uint32_t stage, D3D9DDI_HSHADER* phShader);
  HRESULT(APIENTRY* pfnGetShaderConstF)
  (D3D9DDI_HDEVICE hDevice, std::uint32_t stage, std::uint32_t start, float* pData,
   std::uint32_t vec4_count);
  HRESULT(APIENTRY* pfnGetShaderConstI)
  (D3D9DDI_HDEVICE hDevice, std::uint32_t stage, std::uint32_t start, std::int32_t* pData,
   std::uint32_t vec4_count);
  HRESULT(APIENTRY* pfnGetShaderConstB)
  (D3D9DDI_HDEVICE hDevice, std::uint32_t stage, std::uint32_t start, BOOL* pData,
   std::uint32_t count);
  HRESULT(APIENTRY* pfnValidateDevice)(D3D9DDI_HDEVICE hDevice, std::uint32_t* pNumPasses);
  HRESULT(APIENTRY* pfnGetRasterStatus)
  (D3D9DDI_HDEVICE hDevice, std::uint32_t swapchain, BOOL* pInVBlank, std::uint32_t* pScanLine);
  HRESULT(APIENTRY* pfnSetConvolutionMonoKernel)
  (D3D9DDI_HDEVICE hDevice, std::uint32_t width, std::uint32_t height, float* pRows,
   float* pColumns);
  HRESULT(APIENTRY* pfnSetDialogBoxMode)(D3D9DDI_HDEVICE hDevice, BOOL enable);
  HRESULT(APIENTRY* pfnDrawIndexedPrimitiveUP)
  (D3D9DDI_HDEVICE hDevice, std::uint32_t type, std::uint32_t min_index, std::uint32_t num_vertices,
   std::uint32_t primitive_count, const void* pIndices, D3DDDIFORMAT index_format,
   const void* pVertices, std::uint32_t stride);
};

}  // namespace aerogpu::d3d9ddi_u

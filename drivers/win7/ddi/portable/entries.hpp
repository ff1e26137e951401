// SPDX-License-Identifier: MIT
/// \file The entries of the portable tables, one row each (umd-d3d9.md 1.2.3, 1.2.4): index, name,
/// stack bytes of a stdcall on x86, plan.
#pragma once

#include "drivers/win7/ddi/user/entry_row.hpp"

#define AEROGPU_D3D9DDI_U_ADAPTER_ENTRIES(ENTRY) \
  ENTRY(0, CloseAdapter, 4, I)                   \
  ENTRY(1, GetCaps, 8, I)                        \
  ENTRY(2, CreateDevice, 8, I)                   \
  ENTRY(3, QueryAdapterInfo, 8, I)

#define AEROGPU_D3D9DDI_U_DEVICE_ENTRIES(ENTRY) \
  ENTRY(0, DestroyDevice, 4, I)                 \
  ENTRY(1, CreateResource, 8, I)                \
  ENTRY(2, OpenResource, 8, I)                  \
  ENTRY(3, OpenResource2, 8, I)                 \
  ENTRY(4, DestroyResource, 8, I)               \
  ENTRY(5, Lock, 12, I)                         \
  ENTRY(6, Unlock, 8, I)                        \
  ENTRY(7, SetRenderTarget, 12, I)              \
  ENTRY(8, SetDepthStencil, 8, I)               \
  ENTRY(9, SetViewport, 8, I)                   \
  ENTRY(10, SetScissorRect, 12, I)              \
  ENTRY(11, SetTexture, 12, I)                  \
  ENTRY(12, SetSamplerState, 16, I)             \
  ENTRY(13, SetRenderState, 12, I)              \
  ENTRY(14, CreateVertexDecl, 16, I)            \
  ENTRY(15, SetVertexDecl, 8, I)                \
  ENTRY(16, DestroyVertexDecl, 8, I)            \
  ENTRY(17, SetFVF, 8, I)                       \
  ENTRY(18, CreateShader, 20, I)                \
  ENTRY(19, SetShader, 12, I)                   \
  ENTRY(20, DestroyShader, 8, I)                \
  ENTRY(21, SetShaderConstF, 20, I)             \
  ENTRY(22, SetStreamSource, 20, I)             \
  ENTRY(23, SetIndices, 16, I)                  \
  ENTRY(24, BeginScene, 4, I)                   \
  ENTRY(25, EndScene, 4, I)                     \
  ENTRY(26, CreateSwapChain, 8, I)              \
  ENTRY(27, DestroySwapChain, 8, I)             \
  ENTRY(28, GetSwapChain, 12, I)                \
  ENTRY(29, SetSwapChain, 8, I)                 \
  ENTRY(30, Reset, 8, I)                        \
  ENTRY(31, ResetEx, 8, I)                      \
  ENTRY(32, CheckDeviceState, 8, I)             \
  ENTRY(33, WaitForVBlank, 8, I)                \
  ENTRY(34, SetGPUThreadPriority, 8, I)         \
  ENTRY(35, GetGPUThreadPriority, 8, I)         \
  ENTRY(36, CheckResourceResidency, 12, I)      \
  ENTRY(37, QueryResourceResidency, 8, I)       \
  ENTRY(38, GetDisplayModeEx, 8, I)             \
  ENTRY(39, ComposeRects, 8, N)                 \
  ENTRY(40, RotateResourceIdentities, 12, I)    \
  ENTRY(41, Present, 8, I)                      \
  ENTRY(42, PresentEx, 8, I)                    \
  ENTRY(43, Flush, 4, I)                        \
  ENTRY(44, SetMaximumFrameLatency, 8, I)       \
  ENTRY(45, GetMaximumFrameLatency, 8, I)       \
  ENTRY(46, GetPresentStats, 8, I)              \
  ENTRY(47, GetLastPresentCount, 8, I)          \
  ENTRY(48, CreateQuery, 8, I)                  \
  ENTRY(49, DestroyQuery, 8, I)                 \
  ENTRY(50, IssueQuery, 8, I)                   \
  ENTRY(51, GetQueryData, 8, I)                 \
  ENTRY(52, GetRenderTargetData, 8, I)          \
  ENTRY(53, CopyRects, 8, I)                    \
  ENTRY(54, WaitForIdle, 4, I)                  \
  ENTRY(55, Blt, 8, I)                          \
  ENTRY(56, ColorFill, 8, I)                    \
  ENTRY(57, UpdateSurface, 8, I)                \
  ENTRY(58, UpdateTexture, 8, I)                \
  ENTRY(59, Clear, 20, I)                       \
  ENTRY(60, DrawPrimitive, 16, I)               \
  ENTRY(61, DrawPrimitiveUP, 20, I)             \
  ENTRY(62, DrawIndexedPrimitive, 28, I)        \
  ENTRY(63, DrawPrimitive2, 8, I)               \
  ENTRY(64, DrawIndexedPrimitive2, 8, I)        \
  ENTRY(65, DrawRectPatch, 8, I)                \
  ENTRY(66, DrawTriPatch, 8, I)                 \
  ENTRY(67, DeletePatch, 8, I)                  \
  ENTRY(68, ProcessVertices, 8, I)              \
  ENTRY(69, GenerateMipSubLevels, 8, I)         \
  ENTRY(70, SetTextureStageState, 16, I)        \
  ENTRY(71, GetTextureStageState, 16, I)        \
  ENTRY(72, SetTransform, 12, I)                \
  ENTRY(73, MultiplyTransform, 12, I)           \
  ENTRY(74, GetTransform, 12, I)                \
  ENTRY(75, CreateStateBlock, 12, I)            \
  ENTRY(76, DeleteStateBlock, 8, I)             \
  ENTRY(77, CaptureStateBlock, 8, I)            \
  ENTRY(78, ApplyStateBlock, 8, I)              \
  ENTRY(79, BeginStateBlock, 4, I)              \
  ENTRY(80, EndStateBlock, 8, I)                \
  ENTRY(81, SetCursorProperties, 16, I)         \
  ENTRY(82, SetCursorPosition, 16, I)           \
  ENTRY(83, ShowCursor, 8, I)                   \
  ENTRY(84, SetShaderConstI, 20, I)             \
  ENTRY(85, SetShaderConstB, 20, I)

#define AEROGPU_D3D9DDI_U_EXTENDED_ENTRIES(ENTRY) \
  ENTRY(0, SetClipPlane, 12, I)                   \
  ENTRY(1, GetClipPlane, 12, I)                   \
  ENTRY(2, SetMaterial, 8, I)                     \
  ENTRY(3, GetMaterial, 8, I)                     \
  ENTRY(4, SetLight, 12, I)                       \
  ENTRY(5, GetLight, 12, I)                       \
  ENTRY(6, LightEnable, 12, I)                    \
  ENTRY(7, GetLightEnable, 12, I)                 \
  ENTRY(8, SetPaletteEntries, 12, I)              \
  ENTRY(9, GetPaletteEntries, 12, I)              \
  ENTRY(10, SetCurrentTexturePalette, 8, I)       \
  ENTRY(11, GetCurrentTexturePalette, 8, I)       \
  ENTRY(12, SetClipStatus, 8, I)                  \
  ENTRY(13, GetClipStatus, 8, I)                  \
  ENTRY(14, SetGammaRamp, 16, I)                  \
  ENTRY(15, GetGammaRamp, 12, I)                  \
  ENTRY(16, SetPriority, 16, I)                   \
  ENTRY(17, GetPriority, 12, I)                   \
  ENTRY(18, SetAutoGenFilterType, 12, I)          \
  ENTRY(19, GetAutoGenFilterType, 12, I)          \
  ENTRY(20, SetSoftwareVertexProcessing, 8, I)    \
  ENTRY(21, GetSoftwareVertexProcessing, 8, I)    \
  ENTRY(22, SetNPatchMode, 8, I)                  \
  ENTRY(23, GetNPatchMode, 8, I)                  \
  ENTRY(24, SetStreamSourceFreq, 12, I)           \
  ENTRY(25, GetStreamSourceFreq, 12, I)           \
  ENTRY(26, GetRenderTarget, 12, I)               \
  ENTRY(27, GetDepthStencil, 8, I)                \
  ENTRY(28, GetTexture, 12, I)                    \
  ENTRY(29, GetSamplerState, 16, I)               \
  ENTRY(30, GetRenderState, 12, I)                \
  ENTRY(31, GetViewport, 8, I)                    \
  ENTRY(32, GetScissorRect, 12, I)                \
  ENTRY(33, GetFVF, 8, I)                         \
  ENTRY(34, GetVertexDecl, 8, I)                  \
  ENTRY(35, GetStreamSource, 20, I)               \
  ENTRY(36, GetIndices, 16, I)                    \
  ENTRY(37, GetShader, 12, I)                     \
  ENTRY(38, GetShaderConstF, 20, I)               \
  ENTRY(39, GetShaderConstI, 20, I)               \
  ENTRY(40, GetShaderConstB, 20, I)               \
  ENTRY(41, ValidateDevice, 8, I)                 \
  ENTRY(42, GetRasterStatus, 16, I)               \
  ENTRY(43, SetConvolutionMonoKernel, 20, N)      \
  ENTRY(44, SetDialogBoxMode, 8, N)               \
  ENTRY(45, DrawIndexedPrimitiveUP, 36, I)

// What the runtime gives the driver: all of it, so that the letter says nothing.
#define AEROGPU_D3D9DDI_U_DEVICE_CALLBACKS(ENTRY) \
  ENTRY(0, AllocateCb, 4, I)                      \
  ENTRY(1, DeallocateCb, 4, I)                    \
  ENTRY(2, SubmitCommandCb, 4, I)                 \
  ENTRY(3, RenderCb, 4, I)                        \
  ENTRY(4, PresentCb, 4, I)                       \
  ENTRY(5, WaitForSynchronizationObjectCb, 4, I)  \
  ENTRY(6, LockCb, 4, I)                          \
  ENTRY(7, UnlockCb, 4, I)                        \
  ENTRY(8, SetErrorCb, 4, I)                      \
  ENTRY(9, CreateDeviceCb, 4, I)                  \
  ENTRY(10, DestroyDeviceCb, 4, I)                \
  ENTRY(11, CreateContextCb2, 4, I)               \
  ENTRY(12, CreateContextCb, 4, I)                \
  ENTRY(13, DestroyContextCb, 4, I)               \
  ENTRY(14, DestroySynchronizationObjectCb, 4, I) \
  ENTRY(15, GetCommandBufferCb, 4, I)

namespace aerogpu::d3d9ddi_u {

inline constexpr ddi::entry_row adapter_entries[] = {
    AEROGPU_D3D9DDI_U_ADAPTER_ENTRIES(AEROGPU_DDI_U_ADAPTER_ENTRY_ROW)};
inline constexpr ddi::entry_row device_entries[] = {
    AEROGPU_D3D9DDI_U_DEVICE_ENTRIES(AEROGPU_DDI_U_DEVICE_ENTRY_ROW)};
inline constexpr ddi::entry_row extended_entries[] = {
    AEROGPU_D3D9DDI_U_EXTENDED_ENTRIES(AEROGPU_DDI_U_DEVICE_ENTRY_ROW)};
inline constexpr ddi::entry_row device_callbacks[] = {
    AEROGPU_D3D9DDI_U_DEVICE_CALLBACKS(AEROGPU_DDI_U_DEVICE_ENTRY_ROW)};

}  // namespace aerogpu::d3d9ddi_u

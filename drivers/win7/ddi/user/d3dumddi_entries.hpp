// SPDX-License-Identifier: MIT
/// \file The entries of both tables of the Direct3D 9 user-mode driver and of the runtime's, one
/// row each (umd-d3d9.md 1.3.2 to 1.3.4): index, name, stack bytes of a stdcall on x86, plan.
///
/// The driver, its stubs, the scan for NULL, the tracer and the tests all read these rows.
#pragma once

#include "drivers/win7/ddi/user/entry_row.hpp"

#define AEROGPU_D3DDDI_ADAPTER_ENTRIES(ENTRY) \
  ENTRY(0, GetCaps, 8, I)                     \
  ENTRY(1, CreateDevice, 8, I)                \
  ENTRY(2, CloseAdapter, 4, I)

// What the plan's letters mean: entry_plan.
#define AEROGPU_D3DDDI_DEVICE_ENTRIES(ENTRY)          \
  ENTRY(0, SetRenderState, 8, I)                      \
  ENTRY(1, UpdateWInfo, 8, I)                         \
  ENTRY(2, ValidateDevice, 8, I)                      \
  ENTRY(3, SetTextureStageState, 8, I)                \
  ENTRY(4, SetTexture, 12, I)                         \
  ENTRY(5, SetPixelShader, 8, I)                      \
  ENTRY(6, SetPixelShaderConst, 12, I)                \
  ENTRY(7, SetStreamSourceUm, 12, I)                  \
  ENTRY(8, SetIndices, 8, I)                          \
  ENTRY(9, SetIndicesUm, 12, I)                       \
  ENTRY(10, DrawPrimitive, 12, I)                     \
  ENTRY(11, DrawIndexedPrimitive, 8, I)               \
  ENTRY(12, DrawRectPatch, 16, I)                     \
  ENTRY(13, DrawTriPatch, 16, I)                      \
  ENTRY(14, DrawPrimitive2, 8, I)                     \
  ENTRY(15, DrawIndexedPrimitive2, 20, I)             \
  ENTRY(16, VolBlt, 8, S)                             \
  ENTRY(17, BufBlt, 8, I)                             \
  ENTRY(18, TexBlt, 8, I)                             \
  ENTRY(19, StateSet, 8, I)                           \
  ENTRY(20, SetPriority, 8, I)                        \
  ENTRY(21, Clear, 16, I)                             \
  ENTRY(22, UpdatePalette, 12, N)                     \
  ENTRY(23, SetPalette, 8, N)                         \
  ENTRY(24, SetVertexShaderConst, 12, I)              \
  ENTRY(25, MultiplyTransform, 8, I)                  \
  ENTRY(26, SetTransform, 8, I)                       \
  ENTRY(27, SetViewport, 8, I)                        \
  ENTRY(28, SetZRange, 8, I)                          \
  ENTRY(29, SetMaterial, 8, I)                        \
  ENTRY(30, SetLight, 12, I)                          \
  ENTRY(31, CreateLight, 8, I)                        \
  ENTRY(32, DestroyLight, 8, I)                       \
  ENTRY(33, SetClipPlane, 8, I)                       \
  ENTRY(34, GetInfo, 16, I)                           \
  ENTRY(35, Lock, 8, I)                               \
  ENTRY(36, Unlock, 8, I)                             \
  ENTRY(37, CreateResource, 8, I)                     \
  ENTRY(38, DestroyResource, 8, I)                    \
  ENTRY(39, SetDisplayMode, 8, I)                     \
  ENTRY(40, Present, 8, I)                            \
  ENTRY(41, Flush, 4, I)                              \
  ENTRY(42, CreateVertexShaderFunc, 12, I)            \
  ENTRY(43, DeleteVertexShaderFunc, 8, I)             \
  ENTRY(44, SetVertexShaderFunc, 8, I)                \
  ENTRY(45, CreateVertexShaderDecl, 12, I)            \
  ENTRY(46, DeleteVertexShaderDecl, 8, I)             \
  ENTRY(47, SetVertexShaderDecl, 8, I)                \
  ENTRY(48, SetVertexShaderConstI, 12, I)             \
  ENTRY(49, SetVertexShaderConstB, 12, I)             \
  ENTRY(50, SetScissorRect, 8, I)                     \
  ENTRY(51, SetStreamSource, 8, I)                    \
  ENTRY(52, SetStreamSourceFreq, 8, I)                \
  ENTRY(53, SetConvolutionKernelMono, 8, N)           \
  ENTRY(54, ComposeRects, 8, N)                       \
  ENTRY(55, Blt, 8, I)                                \
  ENTRY(56, ColorFill, 8, I)                          \
  ENTRY(57, DepthFill, 8, I)                          \
  ENTRY(58, CreateQuery, 8, I)                        \
  ENTRY(59, DestroyQuery, 8, I)                       \
  ENTRY(60, IssueQuery, 8, I)                         \
  ENTRY(61, GetQueryData, 8, I)                       \
  ENTRY(62, SetRenderTarget, 8, I)                    \
  ENTRY(63, SetDepthStencil, 8, I)                    \
  ENTRY(64, GenerateMipSubLevels, 8, I)               \
  ENTRY(65, SetPixelShaderConstI, 12, I)              \
  ENTRY(66, SetPixelShaderConstB, 12, I)              \
  ENTRY(67, CreatePixelShader, 12, I)                 \
  ENTRY(68, DeletePixelShader, 8, I)                  \
  ENTRY(69, CreateDecodeDevice, 8, X)                 \
  ENTRY(70, DestroyDecodeDevice, 8, X)                \
  ENTRY(71, SetDecodeRenderTarget, 8, X)              \
  ENTRY(72, DecodeBeginFrame, 8, X)                   \
  ENTRY(73, DecodeEndFrame, 8, X)                     \
  ENTRY(74, DecodeExecute, 8, X)                      \
  ENTRY(75, DecodeExtensionExecute, 8, X)             \
  ENTRY(76, CreateVideoProcessDevice, 8, X)           \
  ENTRY(77, DestroyVideoProcessDevice, 8, X)          \
  ENTRY(78, VideoProcessBeginFrame, 8, X)             \
  ENTRY(79, VideoProcessEndFrame, 8, X)               \
  ENTRY(80, SetVideoProcessRenderTarget, 8, X)        \
  ENTRY(81, VideoProcessBlt, 8, X)                    \
  ENTRY(82, CreateExtensionDevice, 8, X)              \
  ENTRY(83, DestroyExtensionDevice, 8, X)             \
  ENTRY(84, ExtensionExecute, 8, X)                   \
  ENTRY(85, CreateOverlay, 8, X)                      \
  ENTRY(86, UpdateOverlay, 8, X)                      \
  ENTRY(87, FlipOverlay, 8, X)                        \
  ENTRY(88, GetOverlayColorControls, 8, X)            \
  ENTRY(89, SetOverlayColorControls, 8, X)            \
  ENTRY(90, DestroyOverlay, 8, X)                     \
  ENTRY(91, DestroyDevice, 4, I)                      \
  ENTRY(92, QueryResourceResidency, 8, I)             \
  ENTRY(93, OpenResource, 8, I)                       \
  ENTRY(94, GetCaptureAllocationHandle, 8, I)         \
  ENTRY(95, CaptureToSysMem, 8, S)                    \
  ENTRY(96, LockAsync, 8, O)                          \
  ENTRY(97, UnlockAsync, 8, O)                        \
  ENTRY(98, Rename, 8, O)                             \
  ENTRY(99, CreateVideoProcessor, 8, X)               \
  ENTRY(100, SetVideoProcessBltState, 8, X)           \
  ENTRY(101, GetVideoProcessBltStatePrivate, 8, X)    \
  ENTRY(102, SetVideoProcessStreamState, 8, X)        \
  ENTRY(103, GetVideoProcessStreamStatePrivate, 8, X) \
  ENTRY(104, VideoProcessBltHD, 8, X)                 \
  ENTRY(105, DestroyVideoProcessor, 8, X)             \
  ENTRY(106, CreateAuthenticatedChannel, 8, X)        \
  ENTRY(107, AuthenticatedChannelKeyExchange, 8, X)   \
  ENTRY(108, QueryAuthenticatedChannel, 8, X)         \
  ENTRY(109, ConfigureAuthenticatedChannel, 8, X)     \
  ENTRY(110, DestroyAuthenticatedChannel, 8, X)       \
  ENTRY(111, CreateCryptoSession, 8, X)               \
  ENTRY(112, CryptoSessionKeyExchange, 8, X)          \
  ENTRY(113, DestroyCryptoSession, 8, X)              \
  ENTRY(114, EncryptionBlt, 8, X)                     \
  ENTRY(115, GetPitch, 8, I)                          \
  ENTRY(116, StartSessionKeyRefresh, 8, X)            \
  ENTRY(117, FinishSessionKeyRefresh, 8, X)           \
  ENTRY(118, GetEncryptionBltKey, 8, X)               \
  ENTRY(119, DecryptionBlt, 8, X)                     \
  ENTRY(120, ResolveSharedResource, 8, I)

// What the runtime gives the driver: all of it, so that the letter says nothing.
#define AEROGPU_D3DDDI_ADAPTER_CALLBACKS(ENTRY) \
  ENTRY(0, QueryAdapterInfoCb, 8, I)            \
  ENTRY(1, GetMultisampleMethodListCb, 8, I)

#define AEROGPU_D3DDDI_DEVICE_CALLBACKS(ENTRY)    \
  ENTRY(0, AllocateCb, 8, I)                      \
  ENTRY(1, DeallocateCb, 8, I)                    \
  ENTRY(2, SetPriorityCb, 8, I)                   \
  ENTRY(3, QueryResidencyCb, 8, I)                \
  ENTRY(4, SetDisplayModeCb, 8, I)                \
  ENTRY(5, PresentCb, 8, I)                       \
  ENTRY(6, RenderCb, 8, I)                        \
  ENTRY(7, LockCb, 8, I)                          \
  ENTRY(8, UnlockCb, 8, I)                        \
  ENTRY(9, EscapeCb, 8, I)                        \
  ENTRY(10, CreateOverlayCb, 8, I)                \
  ENTRY(11, UpdateOverlayCb, 8, I)                \
  ENTRY(12, FlipOverlayCb, 8, I)                  \
  ENTRY(13, DestroyOverlayCb, 8, I)               \
  ENTRY(14, CreateContextCb, 8, I)                \
  ENTRY(15, DestroyContextCb, 8, I)               \
  ENTRY(16, CreateSynchronizationObjectCb, 8, I)  \
  ENTRY(17, DestroySynchronizationObjectCb, 8, I) \
  ENTRY(18, WaitForSynchronizationObjectCb, 8, I) \
  ENTRY(19, SignalSynchronizationObjectCb, 8, I)  \
  ENTRY(20, SetAsyncCallbacksCb, 8, I)            \
  ENTRY(21, SetDisplayPrivateDriverFormatCb, 8, I)

namespace aerogpu::ddi {

inline constexpr entry_row adapter_entries[] = {
    AEROGPU_D3DDDI_ADAPTER_ENTRIES(AEROGPU_DDI_M_ENTRY_ROW)};
inline constexpr entry_row device_entries[] = {
    AEROGPU_D3DDDI_DEVICE_ENTRIES(AEROGPU_DDI_M_ENTRY_ROW)};

inline constexpr entry_row adapter_callbacks[] = {
    AEROGPU_D3DDDI_ADAPTER_CALLBACKS(AEROGPU_DDI_M_ENTRY_ROW)};
inline constexpr entry_row device_callbacks[] = {
    AEROGPU_D3DDDI_DEVICE_CALLBACKS(AEROGPU_DDI_M_ENTRY_ROW)};

/// The entries that Windows Vista's table ends with; what follows is Windows 7's.
inline constexpr std::size_t vista_device_entries = 99;

}  // namespace aerogpu::ddi

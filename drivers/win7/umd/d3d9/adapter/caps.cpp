// SPDX-License-Identifier: MIT
#include "drivers/win7/umd/d3d9/adapter/caps.hpp"

#include "drivers/win7/umd/d3d9/fixed/constant_layout.hpp"
#include "drivers/win7/umd/d3d9/fixed/pixel/texture_operations.hpp"
#include "drivers/win7/umd/d3d9/state/device_state.hpp"

namespace aerogpu::umd {

namespace {

constexpr DWORD legacy_can_render_windowed = 0x00080000;  // Of Direct3D 7; a guest test wants it.
constexpr DWORD vertex_shader_3_0 = 0xFFFE0300;
constexpr DWORD pixel_shader_3_0 = 0xFFFF0300;
constexpr INT temporaries = 32;
constexpr INT static_flow_depth = 4;
constexpr INT dynamic_flow_depth = 24;
constexpr INT shader_instructions = 512;  // As many as every device with shader model 3 has.
constexpr DWORD executed_instructions = 65535;
constexpr float largest_point = 64;
constexpr DWORD most_repeats = 8192;
constexpr DWORD all_comparisons = 0xFF;
constexpr DWORD all_line_caps = 0x1F;
constexpr DWORD most_blend_matrices = 4;
/// Of no meaning without VOLUMEMAP; feature level 9_1 wants as much (umd-d3d9.md 2.2.5).
constexpr DWORD volume_extent = 256;

constexpr DWORD stretch_filters = D3DPTFILTERCAPS_MINFPOINT | D3DPTFILTERCAPS_MINFLINEAR |
                                  D3DPTFILTERCAPS_MAGFPOINT | D3DPTFILTERCAPS_MAGFLINEAR;
constexpr DWORD texture_filters = stretch_filters | D3DPTFILTERCAPS_MIPFPOINT |
                                  D3DPTFILTERCAPS_MIPFLINEAR | D3DPTFILTERCAPS_MINFANISOTROPIC |
                                  D3DPTFILTERCAPS_MAGFANISOTROPIC;
constexpr DWORD most_anisotropy = 16;  // host.md 3.12

constexpr DWORD blend_factors =
    D3DPBLENDCAPS_ZERO | D3DPBLENDCAPS_ONE | D3DPBLENDCAPS_SRCCOLOR | D3DPBLENDCAPS_INVSRCCOLOR |
    D3DPBLENDCAPS_SRCALPHA | D3DPBLENDCAPS_INVSRCALPHA | D3DPBLENDCAPS_DESTALPHA |
    D3DPBLENDCAPS_INVDESTALPHA | D3DPBLENDCAPS_DESTCOLOR | D3DPBLENDCAPS_INVDESTCOLOR |
    D3DPBLENDCAPS_SRCALPHASAT | D3DPBLENDCAPS_BLENDFACTOR;

constexpr DWORD texture_ops_of_subset =
    D3DTEXOPCAPS_DISABLE | D3DTEXOPCAPS_SELECTARG1 | D3DTEXOPCAPS_SELECTARG2 |
    D3DTEXOPCAPS_MODULATE | D3DTEXOPCAPS_MODULATE2X | D3DTEXOPCAPS_MODULATE4X | D3DTEXOPCAPS_ADD |
    D3DTEXOPCAPS_ADDSIGNED | D3DTEXOPCAPS_SUBTRACT | D3DTEXOPCAPS_BLENDDIFFUSEALPHA |
    D3DTEXOPCAPS_BLENDTEXTUREALPHA;

void set_general_caps(D3DCAPS9& caps) noexcept {
  caps.DeviceType = D3DDEVTYPE_HAL;
  caps.Caps = D3DCAPS_READ_SCANLINE;
  caps.Caps2 = D3DCAPS2_CANSHARERESOURCE | D3DCAPS2_DYNAMICTEXTURES | legacy_can_render_windowed;
  caps.Caps3 = D3DCAPS3_COPY_TO_VIDMEM | D3DCAPS3_COPY_TO_SYSTEMMEM |
               D3DCAPS3_ALPHA_FULLSCREEN_FLIP_OR_DISCARD;
  caps.PresentationIntervals = D3DPRESENT_INTERVAL_ONE | D3DPRESENT_INTERVAL_IMMEDIATE;
  caps.CursorCaps = D3DCURSORCAPS_COLOR;
  caps.DevCaps = D3DDEVCAPS_HWTRANSFORMANDLIGHT | D3DDEVCAPS_PUREDEVICE |
                 D3DDEVCAPS_DRAWPRIMITIVES2 | D3DDEVCAPS_DRAWPRIMITIVES2EX | D3DDEVCAPS_RTPATCHES |
                 D3DDEVCAPS_DRAWPRIMTLVERTEX | D3DDEVCAPS_TLVERTEXSYSTEMMEMORY |
                 D3DDEVCAPS_TLVERTEXVIDEOMEMORY | D3DDEVCAPS_TEXTUREVIDEOMEMORY |
                 D3DDEVCAPS_HWRASTERIZATION | D3DDEVCAPS_EXECUTESYSTEMMEMORY |
                 D3DDEVCAPS_EXECUTEVIDEOMEMORY | D3DDEVCAPS_RTPATCHHANDLEZERO;
  caps.DevCaps2 = D3DDEVCAPS2_STREAMOFFSET | D3DDEVCAPS2_CAN_STRETCHRECT_FROM_TEXTURES |
                  D3DDEVCAPS2_VERTEXELEMENTSCANSHARESTREAMOFFSET;
  caps.MaxNpatchTessellationLevel = 64;  // Above 0 while patches are offered.
  caps.NumberOfAdaptersInGroup = 1;
}

void set_pixel_caps(D3DCAPS9& caps) noexcept {
  caps.PrimitiveMiscCaps =
      D3DPMISCCAPS_CLIPTLVERTS | D3DPMISCCAPS_BLENDOP | D3DPMISCCAPS_SEPARATEALPHABLEND |
      D3DPMISCCAPS_CULLNONE | D3DPMISCCAPS_CULLCW | D3DPMISCCAPS_CULLCCW | D3DPMISCCAPS_MASKZ |
      D3DPMISCCAPS_COLORWRITEENABLE | D3DPMISCCAPS_INDEPENDENTWRITEMASKS |
      D3DPMISCCAPS_MRTINDEPENDENTBITDEPTHS | D3DPMISCCAPS_MRTPOSTPIXELSHADERBLENDING;
  // What the host does of depth bias and of bias in mip levels is in docs/extensions.md.
  caps.RasterCaps = D3DPRASTERCAPS_ZTEST | D3DPRASTERCAPS_FOGTABLE | D3DPRASTERCAPS_SCISSORTEST |
                    D3DPRASTERCAPS_DEPTHBIAS | D3DPRASTERCAPS_SLOPESCALEDEPTHBIAS |
                    D3DPRASTERCAPS_MIPMAPLODBIAS | D3DPRASTERCAPS_ANISOTROPY |
                    D3DPRASTERCAPS_COLORPERSPECTIVE;
  caps.ZCmpCaps = all_comparisons;
  caps.AlphaCmpCaps = all_comparisons;
  caps.SrcBlendCaps = blend_factors | D3DPBLENDCAPS_BOTHSRCALPHA | D3DPBLENDCAPS_BOTHINVSRCALPHA;
  caps.DestBlendCaps = blend_factors;
  caps.ShadeCaps = D3DPSHADECAPS_COLORGOURAUDRGB;
  caps.StencilCaps = D3DSTENCILCAPS_KEEP | D3DSTENCILCAPS_ZERO | D3DSTENCILCAPS_REPLACE |
                     D3DSTENCILCAPS_INCRSAT | D3DSTENCILCAPS_DECRSAT | D3DSTENCILCAPS_INVERT |
                     D3DSTENCILCAPS_INCR | D3DSTENCILCAPS_DECR | D3DSTENCILCAPS_TWOSIDED;
  caps.LineCaps = all_line_caps;
  caps.NumSimultaneousRTs = static_cast<DWORD>(render_target_count);
  caps.PixelShaderVersion = pixel_shader_3_0;
  caps.PixelShader1xMaxValue = 1;
  caps.PS20Caps = {D3DPS20CAPS_ARBITRARYSWIZZLE | D3DPS20CAPS_GRADIENTINSTRUCTIONS |
                       D3DPS20CAPS_PREDICATION | D3DPS20CAPS_NODEPENDENTREADLIMIT |
                       D3DPS20CAPS_NOTEXINSTRUCTIONLIMIT,
                   dynamic_flow_depth, temporaries, static_flow_depth, shader_instructions};
  caps.MaxPShaderInstructionsExecuted = executed_instructions;
  caps.MaxPixelShader30InstructionSlots = shader_instructions;
}

void set_texture_caps(D3DCAPS9& caps) noexcept {
  caps.TextureCaps = D3DPTEXTURECAPS_ALPHA | D3DPTEXTURECAPS_MIPMAP | D3DPTEXTURECAPS_CUBEMAP |
                     D3DPTEXTURECAPS_MIPCUBEMAP | D3DPTEXTURECAPS_PERSPECTIVE |
                     D3DPTEXTURECAPS_TEXREPEATNOTSCALEDBYSIZE;
  caps.TextureFilterCaps = texture_filters;
  caps.CubeTextureFilterCaps = texture_filters;
  caps.StretchRectFilterCaps = stretch_filters;
  caps.TextureAddressCaps = D3DPTADDRESSCAPS_WRAP | D3DPTADDRESSCAPS_MIRROR |
                            D3DPTADDRESSCAPS_CLAMP | D3DPTADDRESSCAPS_BORDER |
                            D3DPTADDRESSCAPS_INDEPENDENTUV;
  caps.MaxTextureWidth = max_texture_texels;
  caps.MaxTextureHeight = max_texture_texels;
  caps.MaxVolumeExtent = volume_extent;
  caps.MaxTextureRepeat = most_repeats;
  caps.MaxTextureAspectRatio = most_repeats;
  caps.MaxAnisotropy = most_anisotropy;
  caps.TextureOpCaps = texture_ops_of_subset;
  caps.MaxTextureBlendStages = 4;
  caps.MaxSimultaneousTextures = 4;
}

void set_vertex_caps(D3DCAPS9& caps) noexcept {
  caps.MaxVertexW = 1e10F;
  caps.GuardBandLeft = -32768;
  caps.GuardBandTop = -32768;
  caps.GuardBandRight = 32768;
  caps.GuardBandBottom = 32768;
  caps.FVFCaps = 1;
  caps.MaxPointSize = 1;
  caps.MaxPrimitiveCount = max_primitive_count;
  caps.MaxVertexIndex = max_vertex_index;
  caps.MaxStreams = static_cast<DWORD>(stream_count);
  caps.MaxStreamStride = max_stream_stride_bytes;
  caps.VertexShaderVersion = vertex_shader_3_0;
  caps.MaxVertexShaderConst = vertex_constant_registers;
  caps.VS20Caps = {D3DVS20CAPS_PREDICATION, dynamic_flow_depth, temporaries, static_flow_depth};
  caps.MaxVShaderInstructionsExecuted = executed_instructions;
  caps.MaxVertexShader30InstructionSlots = shader_instructions;
  // What the host's input layouts read (host.md 3.4).
  caps.DeclTypes = D3DDTCAPS_UBYTE4 | D3DDTCAPS_UBYTE4N | D3DDTCAPS_SHORT2N | D3DDTCAPS_SHORT4N |
                   D3DDTCAPS_USHORT2N | D3DDTCAPS_USHORT4N | D3DDTCAPS_UDEC3 | D3DDTCAPS_DEC3N |
                   D3DDTCAPS_FLOAT16_2 | D3DDTCAPS_FLOAT16_4;
}

/// What the complete fixed-function pipeline adds.
void add_fixed_function_caps(D3DCAPS9& caps) noexcept {
  caps.PrimitiveMiscCaps |= D3DPMISCCAPS_TSSARGTEMP | D3DPMISCCAPS_PERSTAGECONSTANT;
  caps.RasterCaps |= D3DPRASTERCAPS_FOGVERTEX | D3DPRASTERCAPS_FOGRANGE | D3DPRASTERCAPS_WFOG |
                     D3DPRASTERCAPS_ZFOG;
  caps.ShadeCaps |=
      D3DPSHADECAPS_ALPHAGOURAUDBLEND | D3DPSHADECAPS_SPECULARGOURAUDRGB | D3DPSHADECAPS_FOGGOURAUD;
  caps.TextureCaps |= D3DPTEXTURECAPS_PROJECTED;
  caps.TextureOpCaps = fixed::texture_op_caps();
  caps.MaxTextureBlendStages = static_cast<DWORD>(texture_stage_count);
  caps.MaxSimultaneousTextures = static_cast<DWORD>(texture_stage_count);
  caps.FVFCaps = static_cast<DWORD>(texture_stage_count) | D3DFVFCAPS_PSIZE;
  caps.VertexProcessingCaps = D3DVTXPCAPS_DIRECTIONALLIGHTS | D3DVTXPCAPS_POSITIONALLIGHTS |
                              D3DVTXPCAPS_TEXGEN | D3DVTXPCAPS_MATERIALSOURCE7 |
                              D3DVTXPCAPS_LOCALVIEWER | D3DVTXPCAPS_TWEENING |
                              D3DVTXPCAPS_TEXGEN_SPHEREMAP | D3DVTXPCAPS_NO_TEXGEN_NONLOCALVIEWER;
  caps.MaxVertexBlendMatrices = most_blend_matrices;
  caps.MaxVertexBlendMatrixIndex = fixed::palette_matrices - 1;
  caps.MaxActiveLights = static_cast<DWORD>(active_light_count);
  caps.MaxUserClipPlanes = static_cast<DWORD>(clip_plane_count);
  caps.MaxPointSize = largest_point;
}

}  // namespace

auto make_caps(const implemented_features& features) noexcept -> D3DCAPS9 {
  D3DCAPS9 caps{};
  set_general_caps(caps);
  set_pixel_caps(caps);
  set_texture_caps(caps);
  set_vertex_caps(caps);
  if (features.fixed_function) add_fixed_function_caps(caps);
  if (features.mip_generation) caps.Caps2 |= D3DCAPS2_CANAUTOGENMIPMAP;
  return caps;
}

}  // namespace aerogpu::umd

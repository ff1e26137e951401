// SPDX-License-Identifier: MIT
/// \file A random program's states.
#include "tests/drivers/d3d9/random/random_program.hpp"

namespace aerogpu::test {
namespace {

/// A state, and the values that mean the same everywhere.
struct state_row {
  DWORD state;
  std::array<DWORD, 8> values;
  unsigned count;
};

constexpr std::array<state_row, 57> render_states{{
    {D3DRS_SHADEMODE, {D3DSHADE_GOURAUD, D3DSHADE_FLAT}, 2},
    {D3DRS_CULLMODE, {D3DCULL_NONE, D3DCULL_CW, D3DCULL_CCW}, 3},
    {D3DRS_ZENABLE, {0, 1}, 2},
    {D3DRS_ZWRITEENABLE, {0, 1}, 2},
    {D3DRS_ZFUNC, {D3DCMP_LESSEQUAL, D3DCMP_ALWAYS, D3DCMP_GREATEREQUAL}, 3},
    {D3DRS_ALPHABLENDENABLE, {0, 1}, 2},
    {D3DRS_SRCBLEND,
     {D3DBLEND_ONE, D3DBLEND_SRCALPHA, D3DBLEND_DESTCOLOR, D3DBLEND_INVSRCCOLOR, D3DBLEND_ZERO,
      D3DBLEND_BLENDFACTOR},
     6},
    {D3DRS_DESTBLEND,
     {D3DBLEND_ZERO, D3DBLEND_INVSRCALPHA, D3DBLEND_ONE, D3DBLEND_SRCCOLOR, D3DBLEND_INVSRCCOLOR},
     5},
    {D3DRS_BLENDOP,
     {D3DBLENDOP_ADD, D3DBLENDOP_SUBTRACT, D3DBLENDOP_REVSUBTRACT, D3DBLENDOP_MIN, D3DBLENDOP_MAX},
     5},
    {D3DRS_ALPHATESTENABLE, {0, 1}, 2},
    {D3DRS_ALPHAREF, {0, 64, 200}, 3},
    {D3DRS_ALPHAFUNC, {D3DCMP_ALWAYS, D3DCMP_GREATER, D3DCMP_LESSEQUAL}, 3},
    {D3DRS_TEXTUREFACTOR, {0xFF804020, 0x40FFFFFF, 0xFF00FF80, 0x80102030}, 4},
    {D3DRS_COLORWRITEENABLE, {15, 7, 1, 14}, 4},
    {D3DRS_SCISSORTESTENABLE, {0, 1}, 2},
    {D3DRS_SPECULARENABLE, {0, 1}, 2},
    {D3DRS_LIGHTING, {0, 1}, 2},
    {D3DRS_AMBIENT, {0, 0xFF202020, 0xFF804020}, 3},
    {D3DRS_NORMALIZENORMALS, {0, 1}, 2},
    {D3DRS_COLORVERTEX, {0, 1}, 2},
    {D3DRS_DIFFUSEMATERIALSOURCE, {D3DMCS_MATERIAL, D3DMCS_COLOR1}, 2},
    {D3DRS_FOGENABLE, {0, 1}, 2},
    {D3DRS_FOGCOLOR, {0xFFFF0000, 0xFF80C0FF, 0}, 3},
    {D3DRS_FOGVERTEXMODE, {D3DFOG_NONE, D3DFOG_EXP, D3DFOG_EXP2, D3DFOG_LINEAR}, 4},
    {D3DRS_FOGTABLEMODE, {D3DFOG_NONE, D3DFOG_EXP, D3DFOG_EXP2, D3DFOG_LINEAR}, 4},
    {D3DRS_FOGSTART, {0, 0x3E800000}, 2},         // 0, 0.25
    {D3DRS_FOGEND, {0x3F800000, 0x3F400000}, 2},  // 1, 0.75
    {D3DRS_RANGEFOGENABLE, {0, 1}, 2},
    {D3DRS_LOCALVIEWER, {0, 1}, 2},
    {D3DRS_SPECULARMATERIALSOURCE, {D3DMCS_MATERIAL, D3DMCS_COLOR2}, 2},
    {D3DRS_CLIPPLANEENABLE, {0, 1, 2, 3}, 4},
    {D3DRS_SEPARATEALPHABLENDENABLE, {0, 1}, 2},
    {D3DRS_SRCBLENDALPHA, {D3DBLEND_ONE, D3DBLEND_DESTALPHA, D3DBLEND_ZERO}, 3},
    {D3DRS_BLENDFACTOR, {0xFF80C040, 0x20FFFFFF}, 2},
    {D3DRS_BLENDOPALPHA, {D3DBLENDOP_ADD, D3DBLENDOP_MAX, D3DBLENDOP_REVSUBTRACT}, 3},
    {D3DRS_EMISSIVEMATERIALSOURCE, {D3DMCS_MATERIAL, D3DMCS_COLOR1, D3DMCS_COLOR2}, 3},
    {D3DRS_AMBIENTMATERIALSOURCE, {D3DMCS_MATERIAL, D3DMCS_COLOR1, D3DMCS_COLOR2}, 3},
    {D3DRS_FOGDENSITY, {0x3F800000, 0x3F000000, 0x40000000}, 3},  // 1, 0.5, 2
    {D3DRS_DEPTHBIAS, {0, 0x3DCCCCCD, 0xBDCCCCCD}, 3},            // 0, 0.1, -0.1
    {D3DRS_SLOPESCALEDEPTHBIAS, {0, 0x3F800000}, 2},              // 0, 1
    {D3DRS_SRGBWRITEENABLE, {0, 0, 0, 1}, 4},
    {D3DRS_STENCILENABLE, {0, 1}, 2},
    {D3DRS_STENCILFUNC, {D3DCMP_ALWAYS, D3DCMP_LESSEQUAL, D3DCMP_NOTEQUAL}, 3},
    {D3DRS_STENCILREF, {0, 1, 3}, 3},
    {D3DRS_STENCILMASK, {0xFFFFFFFF, 1}, 2},
    {D3DRS_STENCILWRITEMASK, {0xFFFFFFFF, 2}, 2},
    {D3DRS_STENCILPASS, {D3DSTENCILOP_KEEP, D3DSTENCILOP_INCR, D3DSTENCILOP_REPLACE}, 3},
    {D3DRS_STENCILFAIL, {D3DSTENCILOP_KEEP, D3DSTENCILOP_INVERT, D3DSTENCILOP_ZERO}, 3},
    {D3DRS_STENCILZFAIL, {D3DSTENCILOP_KEEP, D3DSTENCILOP_DECR, D3DSTENCILOP_INCRSAT}, 3},
    {D3DRS_TWOSIDEDSTENCILMODE, {0, 1}, 2},
    {D3DRS_CCW_STENCILFUNC, {D3DCMP_ALWAYS, D3DCMP_GREATER}, 2},
    {D3DRS_CCW_STENCILPASS, {D3DSTENCILOP_KEEP, D3DSTENCILOP_INCR, D3DSTENCILOP_DECRSAT}, 3},
    {D3DRS_POINTSPRITEENABLE, {0, 1}, 2},
    {D3DRS_POINTSCALEENABLE, {0, 0, 1}, 3},
    {D3DRS_POINTSIZE, {0x3F800000, 0x40A00000, 0x41200000}, 3},  // 1, 5, 10
    {D3DRS_POINTSIZE_MIN, {0x3F800000, 0x40000000}, 2},          // 1, 2
    {D3DRS_POINTSCALE_B, {0, 0x3E800000}, 2},                    // 0, 0.25
}};

/// What colours and alphas can be made by. A stage whose alpha alone is disabled is undefined.
constexpr std::array<DWORD, 11> operations{
    D3DTOP_SELECTARG1,  D3DTOP_SELECTARG2,  D3DTOP_MODULATE, D3DTOP_MODULATE2X,
    D3DTOP_MODULATE4X,  D3DTOP_ADDSIGNED,   D3DTOP_ADD,      D3DTOP_SUBTRACT,
    D3DTOP_ADDSIGNED2X, D3DTOP_MULTIPLYADD, D3DTOP_LERP};
/// And colours alone: Wine's own d3d9 draws nothing where an alpha blends by a texture's.
constexpr std::array<DWORD, 12> color_operations{D3DTOP_DISABLE,
                                                 D3DTOP_ADDSMOOTH,
                                                 D3DTOP_BLENDDIFFUSEALPHA,
                                                 D3DTOP_BLENDTEXTUREALPHA,
                                                 D3DTOP_BLENDFACTORALPHA,
                                                 D3DTOP_BLENDCURRENTALPHA,
                                                 D3DTOP_BLENDTEXTUREALPHAPM,
                                                 D3DTOP_MODULATEALPHA_ADDCOLOR,
                                                 D3DTOP_MODULATECOLOR_ADDALPHA,
                                                 D3DTOP_MODULATEINVALPHA_ADDCOLOR,
                                                 D3DTOP_MODULATEINVCOLOR_ADDALPHA,
                                                 D3DTOP_DOTPRODUCT3};
constexpr std::array<DWORD, 9> arguments{D3DTA_TEXTURE,
                                         D3DTA_DIFFUSE,
                                         D3DTA_CURRENT,
                                         D3DTA_TFACTOR,
                                         D3DTA_SPECULAR,
                                         D3DTA_CONSTANT,
                                         D3DTA_TEMP,
                                         D3DTA_DIFFUSE | D3DTA_COMPLEMENT,
                                         D3DTA_TEXTURE | D3DTA_ALPHAREPLICATE};

// vs_2_0: dcl_position v0; dcl_color v1; dcl_texcoord v2; mov oPos, v0; mov oD0, v1; mov oD1, v1;
// mov oT0, v2; mov oT1, v2; mov oT2, v2; mov oT3, v2; mov oFog, v0.z. What the stages and fog read
// and no shader writes is undefined.
constexpr std::array<DWORD, 35> vertex_words{
    0xfffe0200, 0x0200001f, 0x80000000, 0x900f0000, 0x0200001f, 0x8000000a, 0x900f0001,
    0x0200001f, 0x80000005, 0x900f0002, 0x02000001, 0xc00f0000, 0x90e40000, 0x02000001,
    0xd00f0000, 0x90e40001, 0x02000001, 0xd00f0001, 0x90e40001, 0x02000001, 0xe00f0000,
    0x90e40002, 0x02000001, 0xe00f0001, 0x90e40002, 0x02000001, 0xe00f0002, 0x90e40002,
    0x02000001, 0xe00f0003, 0x90e40002, 0x02000001, 0xc0010001, 0x90aa0000, 0x0000ffff};
// ps_2_0: dcl v0; dcl t0.xy; dcl_2d s0; texld r0, t0, s0; mul r0, r0, v0; add r0, r0, c0; mov oC0,
// r0.
constexpr std::array<DWORD, 26> pixel_words{
    0xffff0200, 0x0200001f, 0x80000000, 0x900f0000, 0x0200001f, 0x80000000, 0xb0030000,
    0x0200001f, 0x90000000, 0xa00f0800, 0x03000042, 0x800f0000, 0xb0e40000, 0xa0e40800,
    0x03000005, 0x800f0000, 0x80e40000, 0x90e40000, 0x03000002, 0x800f0000, 0x80e40000,
    0xa0e40000, 0x02000001, 0x800f0800, 0x80e40000, 0x0000ffff};

}  // namespace

void random_program::set_render_state() {
  const auto& row = render_states[choose_.below(render_states.size())];
  const auto value = row.values[choose_.below(row.count)];
  note(device_.SetRenderState(static_cast<D3DRENDERSTATETYPE>(any_or(row.state)), any_or(value)));
}

void random_program::set_stage_state() {
  const DWORD stage = choose_.below(stages);
  const bool is_alpha = choose_.one_in(3);
  const auto operation =
      !is_alpha && choose_.one_in(2) ? one_of<DWORD>(color_operations) : one_of<DWORD>(operations);
  const DWORD first = is_alpha ? D3DTSS_ALPHAOP : D3DTSS_COLOROP;
  const auto set = [&](DWORD state, DWORD value) {
    note(device_.SetTextureStageState(
        any_or(stage), static_cast<D3DTEXTURESTAGESTATETYPE>(any_or(state)), any_or(value)));
  };
  set(first, operation);
  set(first + 1, one_of<DWORD>(arguments));
  set(first + 2, one_of<DWORD>(arguments));
  set(is_alpha ? D3DTSS_ALPHAARG0 : D3DTSS_COLORARG0, one_of<DWORD>(arguments));
  set(D3DTSS_CONSTANT, choose_.u32());
  set(D3DTSS_RESULTARG, choose_.one_in(6) ? D3DTA_TEMP : D3DTA_CURRENT);
}

void random_program::set_sampler_state() {
  constexpr std::array<DWORD, 2> filters{D3DTEXF_POINT, D3DTEXF_LINEAR};
  constexpr std::array<DWORD, 3> mips{D3DTEXF_NONE, D3DTEXF_POINT, D3DTEXF_LINEAR};
  constexpr std::array<DWORD, 5> addresses{D3DTADDRESS_WRAP, D3DTADDRESS_CLAMP, D3DTADDRESS_MIRROR,
                                           D3DTADDRESS_BORDER, D3DTADDRESS_MIRRORONCE};
  constexpr std::array<DWORD, 3> biases{0, 0x3F800000, 0xBF800000};  // 0, 1, -1
  const DWORD sampler = any_or(choose_.below(stages));
  const auto set = [&](DWORD state, DWORD value) {
    note(device_.SetSamplerState(sampler, static_cast<D3DSAMPLERSTATETYPE>(any_or(state)),
                                 any_or(value)));
  };
  const auto filter = one_of<DWORD>(filters);
  set(D3DSAMP_MINFILTER, filter);
  set(D3DSAMP_MAGFILTER, filter);
  set(D3DSAMP_MIPFILTER, one_of<DWORD>(mips));
  set(D3DSAMP_MIPMAPLODBIAS, one_of<DWORD>(biases));
  set(D3DSAMP_ADDRESSU, one_of<DWORD>(addresses));
  set(D3DSAMP_ADDRESSV, one_of<DWORD>(addresses));
  set(D3DSAMP_BORDERCOLOR, choose_.u32());
}

/// Of a moderate change of place, size and shape.
auto random_program::matrix() -> D3DMATRIX {
  D3DMATRIX made{};
  made._11 = real(0.25f, 1.5f);
  made._12 = real(-0.5f, 0.5f);
  made._22 = real(0.25f, 1.5f);
  made._33 = 1;
  made._41 = real(-0.5f, 0.5f);
  made._42 = real(-0.5f, 0.5f);
  made._44 = 1;
  return made;
}

void random_program::set_transform() {
  auto made = matrix();
  constexpr std::array<DWORD, 7> which{D3DTS_WORLD,    D3DTS_VIEW,     D3DTS_PROJECTION,
                                       D3DTS_TEXTURE0, D3DTS_TEXTURE1, D3DTS_TEXTURE2,
                                       D3DTS_TEXTURE3};
  const auto chosen = one_of<DWORD>(which);
  if (chosen == D3DTS_PROJECTION && choose_.one_in(2)) made._34 = real(0, 0.5f);
  note(device_.SetTransform(static_cast<D3DTRANSFORMSTATETYPE>(any_or(chosen)), &made));
}

void random_program::set_clip_plane() {
  const float plane[4] = {real(-1, 1), real(-1, 1), real(-1, 1), real(0, 1)};
  note(device_.SetClipPlane(any_or(choose_.below(2)), plane));
}

/// Direct3D generates coordinates for the fixed pipeline's vertices in space alone.
void random_program::pass_coordinates_on() {
  for (DWORD stage = 0; stage < stages && !is_wild(); ++stage) {
    note(device_.SetTextureStageState(stage, D3DTSS_TEXCOORDINDEX,
                                      D3DTSS_TCI_PASSTHRU | (stage & 1u)));
    note(device_.SetTextureStageState(stage, D3DTSS_TEXTURETRANSFORMFLAGS, D3DTTFF_DISABLE));
  }
}

/// Where a stage has its coordinates from.
void random_program::set_coordinates() {
  constexpr std::array<DWORD, 5> sources{
      D3DTSS_TCI_PASSTHRU, D3DTSS_TCI_CAMERASPACENORMAL, D3DTSS_TCI_CAMERASPACEPOSITION,
      D3DTSS_TCI_CAMERASPACEREFLECTIONVECTOR, D3DTSS_TCI_SPHEREMAP};
  constexpr std::array<DWORD, 3> flags{D3DTTFF_DISABLE, D3DTTFF_COUNT2, D3DTTFF_COUNT3};
  const DWORD stage = choose_.below(stages);
  const auto set = [&](DWORD state, DWORD value) {
    note(device_.SetTextureStageState(
        any_or(stage), static_cast<D3DTEXTURESTAGESTATETYPE>(any_or(state)), any_or(value)));
  };
  set(D3DTSS_TEXCOORDINDEX, one_of<DWORD>(sources) | choose_.below(2));
  set(D3DTSS_TEXTURETRANSFORMFLAGS, one_of<DWORD>(flags));
}

void random_program::set_light() {
  const auto shade = [&] {
    D3DCOLORVALUE made{};
    made.r = real(0, 1);
    made.g = real(0, 1);
    made.b = real(0, 1);
    made.a = 1;
    return made;
  };
  D3DMATERIAL9 material{};
  material.Diffuse = shade();
  material.Ambient = shade();
  material.Specular = shade();
  material.Emissive = choose_.one_in(3) ? shade() : D3DCOLORVALUE{};
  material.Power = real(0, 16);
  note(device_.SetMaterial(&material));
  D3DLIGHT9 light{};
  constexpr std::array<std::uint32_t, 3> types{D3DLIGHT_DIRECTIONAL, D3DLIGHT_POINT, D3DLIGHT_SPOT};
  light.Type = static_cast<D3DLIGHTTYPE>(one_of<std::uint32_t>(types));
  light.Theta = real(0, 1);
  light.Phi = light.Theta + real(0, 1);
  light.Falloff = real(0, 2);
  light.Ambient = shade();
  light.Diffuse = shade();
  light.Specular = shade();
  light.Position.x = real(-1, 1);
  light.Position.z = -1;
  light.Direction.y = real(-1, 1);
  light.Direction.z = 1;
  light.Range = 10;
  light.Attenuation0 = 1;
  light.Attenuation1 = real(0, 1);
  const DWORD index = any_or(choose_.below(3));
  if (is_wild() && index > 64) return;  // Each takes memory, of the program's own.
  note(device_.SetLight(index, &light));
  note(device_.LightEnable(index, choose_.below(2) != 0));
}

void random_program::set_viewport() {
  const auto inside = area();
  if (choose_.one_in(2)) {
    note(device_.SetScissorRect(&inside));
    return;
  }
  D3DVIEWPORT9 made{};
  made.X = static_cast<DWORD>(inside.left);
  made.Y = static_cast<DWORD>(inside.top);
  made.Width = static_cast<DWORD>(inside.right - inside.left);
  made.Height = static_cast<DWORD>(inside.bottom - inside.top);
  made.MaxZ = 1;
  note(device_.SetViewport(&made));
}

void random_program::use_block() {
  auto& slot = blocks_[choose_.below(static_cast<std::uint32_t>(blocks_.size()))];
  if (is_recording_) {
    d3d9_block* made = nullptr;
    is_recording_ = false;
    const auto result = device_.EndStateBlock(&made);
    note(result);
    if (result >= 0) slot.reset(made);
    return;
  }
  if (slot != nullptr && !choose_.one_in(3)) {
    note(choose_.one_in(2) ? slot->Apply() : slot->Capture());
    return;
  }
  if (choose_.one_in(2)) {
    is_recording_ = device_.BeginStateBlock() >= 0;
    return;
  }
  d3d9_block* made = nullptr;
  const auto type = static_cast<D3DSTATEBLOCKTYPE>(any_or(1 + choose_.below(3)));
  const auto result = device_.CreateStateBlock(type, &made);
  note(result);
  if (result >= 0) slot.reset(made);
}

/// A shader's words. A wild program changes one, which the validator must find; behind it enough
/// stands that ends a shader for any length.
auto random_program::shader_words(std::span<const DWORD> words) -> std::vector<DWORD> {
  constexpr DWORD end = 0xffff;
  std::vector<DWORD> made(words.begin(), words.end());
  if (!is_wild() || !choose_.one_in(2)) return made;
  made[1 + choose_.below(static_cast<std::uint32_t>(words.size() - 2))] = choose_.u32();
  made.resize(words.size() + 0x8000, end);
  return made;
}

/// Sets one, or none again.
void random_program::set_shaders() {
  const bool has_shader = choose_.one_in(3);
  if (choose_.one_in(2)) {
    d3d9_vertex_shader* made = nullptr;
    if (has_shader) note(device_.CreateVertexShader(shader_words(vertex_words).data(), &made));
    note(device_.SetVertexShader(made));
    if (made != nullptr) made->Release();
    return;
  }
  d3d9_pixel_shader* made = nullptr;
  if (has_shader) note(device_.CreatePixelShader(shader_words(pixel_words).data(), &made));
  note(device_.SetPixelShader(made));
  if (made != nullptr) made->Release();
  const float constant[4] = {real(0, 0.5f), real(0, 0.5f), real(0, 0.5f), 0};
  note(device_.SetPixelShaderConstantF(any_or(0), constant, 1));
}

}  // namespace aerogpu::test

// SPDX-License-Identifier: MIT
#include "drivers/wine/d3d9/state/values.hpp"

#include "drivers/sim/runtime/d3d9/default_states.hpp"

#include <span>

namespace aerogpu::d3d9 {
namespace {

constexpr std::array vertex_render_states{
    D3DRS_CULLMODE,
    D3DRS_SHADEMODE,
    D3DRS_FOGENABLE,
    D3DRS_SPECULARENABLE,
    D3DRS_FOGCOLOR,
    D3DRS_FOGTABLEMODE,
    D3DRS_FOGSTART,
    D3DRS_FOGEND,
    D3DRS_FOGDENSITY,
    D3DRS_RANGEFOGENABLE,
    D3DRS_CLIPPING,
    D3DRS_LIGHTING,
    D3DRS_AMBIENT,
    D3DRS_FOGVERTEXMODE,
    D3DRS_COLORVERTEX,
    D3DRS_LOCALVIEWER,
    D3DRS_NORMALIZENORMALS,
    D3DRS_DIFFUSEMATERIALSOURCE,
    D3DRS_SPECULARMATERIALSOURCE,
    D3DRS_AMBIENTMATERIALSOURCE,
    D3DRS_EMISSIVEMATERIALSOURCE,
    D3DRS_VERTEXBLEND,
    D3DRS_CLIPPLANEENABLE,
    D3DRS_POINTSIZE,
    D3DRS_POINTSIZE_MIN,
    D3DRS_POINTSIZE_MAX,
    D3DRS_POINTSPRITEENABLE,
    D3DRS_POINTSCALEENABLE,
    D3DRS_POINTSCALE_A,
    D3DRS_POINTSCALE_B,
    D3DRS_POINTSCALE_C,
    D3DRS_MULTISAMPLEANTIALIAS,
    D3DRS_MULTISAMPLEMASK,
    D3DRS_PATCHEDGESTYLE,
    D3DRS_INDEXEDVERTEXBLENDENABLE,
    D3DRS_TWEENFACTOR,
    D3DRS_POSITIONDEGREE,
    D3DRS_NORMALDEGREE,
    D3DRS_MINTESSELLATIONLEVEL,
    D3DRS_MAXTESSELLATIONLEVEL,
    D3DRS_ADAPTIVETESS_X,
    D3DRS_ADAPTIVETESS_Y,
    D3DRS_ADAPTIVETESS_Z,
    D3DRS_ADAPTIVETESS_W,
    D3DRS_ENABLEADAPTIVETESSELLATION,
};

constexpr std::array pixel_render_states{
    D3DRS_ZENABLE,
    D3DRS_FILLMODE,
    D3DRS_SHADEMODE,
    D3DRS_ZWRITEENABLE,
    D3DRS_ALPHATESTENABLE,
    D3DRS_LASTPIXEL,
    D3DRS_SRCBLEND,
    D3DRS_DESTBLEND,
    D3DRS_ZFUNC,
    D3DRS_ALPHAREF,
    D3DRS_ALPHAFUNC,
    D3DRS_DITHERENABLE,
    D3DRS_ALPHABLENDENABLE,
    D3DRS_FOGSTART,
    D3DRS_FOGEND,
    D3DRS_FOGDENSITY,
    D3DRS_STENCILENABLE,
    D3DRS_STENCILFAIL,
    D3DRS_STENCILZFAIL,
    D3DRS_STENCILPASS,
    D3DRS_STENCILFUNC,
    D3DRS_STENCILREF,
    D3DRS_STENCILMASK,
    D3DRS_STENCILWRITEMASK,
    D3DRS_TEXTUREFACTOR,
    D3DRS_WRAP0,
    D3DRS_WRAP1,
    D3DRS_WRAP2,
    D3DRS_WRAP3,
    D3DRS_WRAP4,
    D3DRS_WRAP5,
    D3DRS_WRAP6,
    D3DRS_WRAP7,
    D3DRS_WRAP8,
    D3DRS_WRAP9,
    D3DRS_WRAP10,
    D3DRS_WRAP11,
    D3DRS_WRAP12,
    D3DRS_WRAP13,
    D3DRS_WRAP14,
    D3DRS_WRAP15,
    D3DRS_COLORWRITEENABLE,
    D3DRS_BLENDOP,
    D3DRS_SCISSORTESTENABLE,
    D3DRS_SLOPESCALEDEPTHBIAS,
    D3DRS_ANTIALIASEDLINEENABLE,
    D3DRS_TWOSIDEDSTENCILMODE,
    D3DRS_CCW_STENCILFAIL,
    D3DRS_CCW_STENCILZFAIL,
    D3DRS_CCW_STENCILPASS,
    D3DRS_CCW_STENCILFUNC,
    D3DRS_COLORWRITEENABLE1,
    D3DRS_COLORWRITEENABLE2,
    D3DRS_COLORWRITEENABLE3,
    D3DRS_BLENDFACTOR,
    D3DRS_SRGBWRITEENABLE,
    D3DRS_DEPTHBIAS,
    D3DRS_SEPARATEALPHABLENDENABLE,
    D3DRS_SRCBLENDALPHA,
    D3DRS_DESTBLENDALPHA,
    D3DRS_BLENDOPALPHA,
};

/// Of a stage, those that vertices need; both kinds of blocks hold them.
constexpr std::array vertex_stage_states{D3DTSS_TEXCOORDINDEX, D3DTSS_TEXTURETRANSFORMFLAGS};

void add(std::bitset<render_state_count>& to, std::span<const D3DRENDERSTATETYPE> states) {
  for (const auto state : states) to.set(static_cast<std::size_t>(state));
}

/// Registers that the device has.
template <std::size_t N, class Register>
void add(std::bitset<N>& to, const std::vector<Register>& registers) {
  for (std::size_t i = 0; i < registers.size(); ++i) to.set(i);
}

void add(constant_mask& to, const constant_values& registers) {
  add(to.floats, registers.floats);
  add(to.integers, registers.integers);
  add(to.booleans, registers.booleans);
}

void add_vertex_states(state_mask& to, const state_values& like) {
  add(to.render, vertex_render_states);
  for (auto& stage : to.stages)
    for (const auto state : vertex_stage_states) stage.set(static_cast<std::size_t>(state));
  for (auto& sampler : to.samplers) sampler.set(D3DSAMP_DMAPOFFSET);
  to.frequencies.set();
  to.declaration = to.vertex = to.npatch_segments = to.all_lights = true;
  add(to.vertex_constants, like.vertex_constants);
}

void add_pixel_states(state_mask& to, const state_values& like) {
  add(to.render, pixel_render_states);
  for (auto& stage : to.stages) {
    for (const auto& one : sim::default_stage_states())
      stage.set(static_cast<std::size_t>(one.state));
    stage.set(D3DTSS_TEXCOORDINDEX);
  }
  for (auto& sampler : to.samplers) {
    for (const auto& one : sim::default_sampler_states())
      if (one.state != D3DSAMP_DMAPOFFSET) sampler.set(static_cast<std::size_t>(one.state));
  }
  to.pixel = true;
  add(to.pixel_constants, like.pixel_constants);
}

void add_other_states(state_mask& to) {
  to.textures.set();
  to.transforms.set();
  to.clip_planes.set();
  to.streams.set();
  to.viewport = to.scissor = to.material = to.palette = to.indices = true;
}

[[nodiscard]] auto all_named_render_states() -> std::bitset<render_state_count> {
  std::bitset<render_state_count> all;
  for (const auto& one : sim::default_render_states()) all.set(static_cast<std::size_t>(one.state));
  all.set(D3DRS_ZENABLE);
  all.set(D3DRS_POINTSIZE_MAX);
  return all;
}

}  // namespace

auto states_of(D3DSTATEBLOCKTYPE type, const state_values& like) -> state_mask {
  state_mask mask;
  if (type != D3DSBT_PIXELSTATE) add_vertex_states(mask, like);
  if (type != D3DSBT_VERTEXSTATE) add_pixel_states(mask, like);
  if (type == D3DSBT_ALL) add_other_states(mask);
  return mask;
}

auto named_render_states() -> const std::bitset<render_state_count>& {
  static const auto all = all_named_render_states();
  return all;
}

}  // namespace aerogpu::d3d9

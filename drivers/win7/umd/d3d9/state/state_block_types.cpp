// SPDX-License-Identifier: MIT
#include "drivers/win7/umd/d3d9/state/state_block_types.hpp"

#include "drivers/win7/umd/d3d9/state/device_state.hpp"
#include "drivers/win7/umd/d3d9/state/setters.hpp"
#include "drivers/win7/umd/d3d9/state/state_blocks.hpp"

#include <algorithm>
#include <array>

namespace aerogpu::umd {

namespace {

enum block_part : std::uint8_t { pixel = 1, vertex = 2, both = 3 };

struct state_row {
  std::uint8_t state;
  block_part in;
};

// As the API's documentation of D3DSTATEBLOCKTYPE lists them.
constexpr state_row render_state_rows[] = {
    {D3DRS_ZENABLE, pixel},
    {D3DRS_FILLMODE, pixel},
    {D3DRS_SHADEMODE, both},
    {D3DRS_ZWRITEENABLE, pixel},
    {D3DRS_ALPHATESTENABLE, pixel},
    {D3DRS_LASTPIXEL, pixel},
    {D3DRS_SRCBLEND, pixel},
    {D3DRS_DESTBLEND, pixel},
    {D3DRS_CULLMODE, vertex},
    {D3DRS_ZFUNC, pixel},
    {D3DRS_ALPHAREF, pixel},
    {D3DRS_ALPHAFUNC, pixel},
    {D3DRS_DITHERENABLE, pixel},
    {D3DRS_ALPHABLENDENABLE, pixel},
    {D3DRS_FOGENABLE, vertex},
    {D3DRS_SPECULARENABLE, vertex},
    {D3DRS_FOGCOLOR, vertex},
    {D3DRS_FOGTABLEMODE, vertex},
    {D3DRS_FOGSTART, both},
    {D3DRS_FOGEND, both},
    {D3DRS_FOGDENSITY, both},
    {D3DRS_RANGEFOGENABLE, vertex},
    {D3DRS_STENCILENABLE, pixel},
    {D3DRS_STENCILFAIL, pixel},
    {D3DRS_STENCILZFAIL, pixel},
    {D3DRS_STENCILPASS, pixel},
    {D3DRS_STENCILFUNC, pixel},
    {D3DRS_STENCILREF, pixel},
    {D3DRS_STENCILMASK, pixel},
    {D3DRS_STENCILWRITEMASK, pixel},
    {D3DRS_TEXTUREFACTOR, pixel},
    {D3DRS_WRAP0, pixel},
    {D3DRS_WRAP1, pixel},
    {D3DRS_WRAP2, pixel},
    {D3DRS_WRAP3, pixel},
    {D3DRS_WRAP4, pixel},
    {D3DRS_WRAP5, pixel},
    {D3DRS_WRAP6, pixel},
    {D3DRS_WRAP7, pixel},
    {D3DRS_CLIPPING, vertex},
    {D3DRS_LIGHTING, vertex},
    {D3DRS_AMBIENT, vertex},
    {D3DRS_FOGVERTEXMODE, vertex},
    {D3DRS_COLORVERTEX, vertex},
    {D3DRS_LOCALVIEWER, vertex},
    {D3DRS_NORMALIZENORMALS, vertex},
    {D3DRS_DIFFUSEMATERIALSOURCE, vertex},
    {D3DRS_SPECULARMATERIALSOURCE, vertex},
    {D3DRS_AMBIENTMATERIALSOURCE, vertex},
    {D3DRS_EMISSIVEMATERIALSOURCE, vertex},
    {D3DRS_VERTEXBLEND, vertex},
    {D3DRS_CLIPPLANEENABLE, vertex},
    {D3DRS_POINTSIZE, vertex},
    {D3DRS_POINTSIZE_MIN, vertex},
    {D3DRS_POINTSPRITEENABLE, vertex},
    {D3DRS_POINTSCALEENABLE, vertex},
    {D3DRS_POINTSCALE_A, vertex},
    {D3DRS_POINTSCALE_B, vertex},
    {D3DRS_POINTSCALE_C, vertex},
    {D3DRS_MULTISAMPLEANTIALIAS, vertex},
    {D3DRS_MULTISAMPLEMASK, vertex},
    {D3DRS_PATCHEDGESTYLE, vertex},
    {D3DRS_POINTSIZE_MAX, vertex},
    {D3DRS_INDEXEDVERTEXBLENDENABLE, vertex},
    {D3DRS_COLORWRITEENABLE, pixel},
    {D3DRS_TWEENFACTOR, vertex},
    {D3DRS_BLENDOP, pixel},
    {D3DRS_POSITIONDEGREE, vertex},
    {D3DRS_NORMALDEGREE, vertex},
    {D3DRS_SCISSORTESTENABLE, pixel},
    {D3DRS_SLOPESCALEDEPTHBIAS, pixel},
    {D3DRS_ANTIALIASEDLINEENABLE, pixel},
    {D3DRS_MINTESSELLATIONLEVEL, vertex},
    {D3DRS_MAXTESSELLATIONLEVEL, vertex},
    {D3DRS_ADAPTIVETESS_X, vertex},
    {D3DRS_ADAPTIVETESS_Y, vertex},
    {D3DRS_ADAPTIVETESS_Z, vertex},
    {D3DRS_ADAPTIVETESS_W, vertex},
    {D3DRS_ENABLEADAPTIVETESSELLATION, vertex},
    {D3DRS_TWOSIDEDSTENCILMODE, pixel},
    {D3DRS_CCW_STENCILFAIL, pixel},
    {D3DRS_CCW_STENCILZFAIL, pixel},
    {D3DRS_CCW_STENCILPASS, pixel},
    {D3DRS_CCW_STENCILFUNC, pixel},
    {D3DRS_COLORWRITEENABLE1, pixel},
    {D3DRS_COLORWRITEENABLE2, pixel},
    {D3DRS_COLORWRITEENABLE3, pixel},
    {D3DRS_BLENDFACTOR, pixel},
    {D3DRS_SRGBWRITEENABLE, pixel},
    {D3DRS_DEPTHBIAS, pixel},
    {D3DRS_WRAP8, pixel},
    {D3DRS_WRAP9, pixel},
    {D3DRS_WRAP10, pixel},
    {D3DRS_WRAP11, pixel},
    {D3DRS_WRAP12, pixel},
    {D3DRS_WRAP13, pixel},
    {D3DRS_WRAP14, pixel},
    {D3DRS_WRAP15, pixel},
    {D3DRS_SEPARATEALPHABLENDENABLE, pixel},
    {D3DRS_SRCBLENDALPHA, pixel},
    {D3DRS_DESTBLENDALPHA, pixel},
    {D3DRS_BLENDOPALPHA, pixel},
};

constexpr state_row stage_state_rows[] = {
    {D3DTSS_COLOROP, pixel},        {D3DTSS_COLORARG1, pixel},
    {D3DTSS_COLORARG2, pixel},      {D3DTSS_ALPHAOP, pixel},
    {D3DTSS_ALPHAARG1, pixel},      {D3DTSS_ALPHAARG2, pixel},
    {D3DTSS_BUMPENVMAT00, pixel},   {D3DTSS_BUMPENVMAT01, pixel},
    {D3DTSS_BUMPENVMAT10, pixel},   {D3DTSS_BUMPENVMAT11, pixel},
    {D3DTSS_TEXCOORDINDEX, both},   {D3DTSS_BUMPENVLSCALE, pixel},
    {D3DTSS_BUMPENVLOFFSET, pixel}, {D3DTSS_TEXTURETRANSFORMFLAGS, both},
    {D3DTSS_COLORARG0, pixel},      {D3DTSS_ALPHAARG0, pixel},
    {D3DTSS_RESULTARG, pixel},      {D3DTSS_CONSTANT, pixel},
};

/// Of pixel samplers; vertex samplers and DMAPOFFSET belong to the vertex state.
[[nodiscard]] constexpr auto part_of_sampler(std::size_t sampler, std::uint32_t state) noexcept
    -> block_part {
  if (state == D3DSAMP_DMAPOFFSET) return both;
  return sampler < pixel_sampler_count ? pixel : vertex;
}

constexpr std::size_t largest_value = sizeof(D3DLIGHT9);
constexpr std::size_t stage_transforms_end = 24;

/// Adds states with their values until memory runs out.
class collector {
 public:
  collector(state_block& block, const device_state& state) noexcept
      : block_(block), state_(state) {}

  void add(state_group group, std::size_t slot = 0, std::size_t index = 0) noexcept {
    const state_key key{group, static_cast<std::uint8_t>(slot), static_cast<std::uint32_t>(index)};
    std::array<std::byte, largest_value> storage{};
    const mutable_bytes value{storage.data(), state_bytes(group)};
    read_state(state_, key, value);
    is_good_ = is_good_ && block_.add(key, value);
  }
  void add_slots(state_group group, std::size_t count) noexcept {
    for (std::size_t i = 0; i < count; ++i) add(group, i);
  }
  void add_indices(state_group group, std::size_t count) noexcept {
    for (std::size_t i = 0; i < count; ++i) add(group, 0, i);
  }
  [[nodiscard]] auto is_good() const noexcept -> bool { return is_good_; }

 private:
  state_block& block_;
  const device_state& state_;
  bool is_good_ = true;
};

void add_numbered_states(collector& to, block_part part) noexcept {
  for (const state_row& row : render_state_rows) {
    if ((row.in & part) != 0) to.add(state_group::render_state, 0, row.state);
  }
  for (std::size_t stage = 0; stage < texture_stage_count; ++stage) {
    for (const state_row& row : stage_state_rows) {
      if ((row.in & part) != 0) to.add(state_group::stage_state, stage, row.state);
    }
  }
  for (std::size_t sampler = 0; sampler < sampler_count; ++sampler) {
    for (std::uint32_t state = 1; state < sampler_state_count; ++state) {
      if ((part_of_sampler(sampler, state) & part) != 0)
        to.add(state_group::sampler_state, sampler, state);
    }
  }
}

void add_pixel_states(collector& to) noexcept {
  to.add(state_group::pixel_shader);
  to.add_indices(state_group::pixel_float, constant_count);
  to.add_indices(state_group::pixel_int, constant_count);
  to.add_indices(state_group::pixel_bool, constant_count);
}

void add_vertex_states(collector& to, const device_state& state) noexcept {
  state.fixed.lights.for_each([&](light_key key, const light&) {
    const std::size_t index = static_cast<std::uint32_t>(key) - 1;
    to.add(state_group::light, 0, index);
    to.add(state_group::light_enable, 0, index);
  });
  to.add(state_group::declaration);
  to.add(state_group::vertex_shader);
  to.add_slots(state_group::stream_frequency, stream_count);
  to.add_indices(state_group::vertex_float, constant_count);
  to.add_indices(state_group::vertex_int, constant_count);
  to.add_indices(state_group::vertex_bool, constant_count);
}

void add_remaining_states(collector& to) noexcept {
  to.add(state_group::viewport);
  to.add(state_group::depth_range);
  to.add(state_group::scissor_rect);
  to.add(state_group::material);
  to.add(state_group::indices);
  to.add_slots(state_group::stream, stream_count);
  to.add_slots(state_group::texture, sampler_count);
  to.add_slots(state_group::clip_plane, clip_plane_count);
  to.add_indices(state_group::transform, stage_transforms_end);  // View, projection, textures.
  for (std::size_t i = D3DTS_WORLD; i < transform_count; ++i) to.add(state_group::transform, 0, i);
}

}  // namespace

auto add_states_of(state_block& block, const device_state& state, D3DSTATEBLOCKTYPE type) noexcept
    -> bool {
  collector to{block, state};
  const bool is_pixel = type == D3DSBT_PIXELSTATE, is_vertex = type == D3DSBT_VERTEXSTATE;
  add_numbered_states(to, is_pixel ? pixel : is_vertex ? vertex : both);
  if (!is_vertex) add_pixel_states(to);
  if (!is_pixel) add_vertex_states(to, state);
  if (!is_pixel && !is_vertex) add_remaining_states(to);
  return to.is_good();
}

}  // namespace aerogpu::umd

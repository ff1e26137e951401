// SPDX-License-Identifier: MIT
#include "drivers/win7/umd/d3d9/fixed/pixel/texture_operations.hpp"
#include "drivers/win7/umd/d3d9/fixed/state_keys.hpp"

#include <algorithm>

namespace aerogpu::umd::fixed {

namespace detail {

namespace {

using stage_values = std::array<std::uint32_t, stage_state_count>;

constexpr std::uint32_t modifiers = D3DTA_COMPLEMENT | D3DTA_ALPHAREPLICATE;

/// Where an operation and its ARG0, ARG1, ARG2 are.
struct operation_states {
  std::uint8_t op;
  std::array<std::uint8_t, 3> args;
};
constexpr operation_states color_states{D3DTSS_COLOROP,
                                        {D3DTSS_COLORARG0, D3DTSS_COLORARG1, D3DTSS_COLORARG2}};
constexpr operation_states alpha_states{D3DTSS_ALPHAOP,
                                        {D3DTSS_ALPHAARG0, D3DTSS_ALPHAARG1, D3DTSS_ALPHAARG2}};

/// CURRENT is DIFFUSE before anything was made, and alpha has nothing to replicate.
[[nodiscard]] auto make_argument(std::uint32_t value, bool is_first, bool is_alpha,
                                 std::uint8_t& out) noexcept -> bool {
  const std::uint32_t what = value & D3DTA_SELECTMASK;
  if (what > D3DTA_CONSTANT || (value & ~(D3DTA_SELECTMASK | modifiers)) != 0) return false;
  std::uint32_t made = is_first && what == D3DTA_CURRENT ? D3DTA_DIFFUSE : what;
  made |= value & modifiers;
  if (is_alpha) made &= ~D3DTA_ALPHAREPLICATE;
  out = static_cast<std::uint8_t>(made);
  return true;
}

[[nodiscard]] auto make_operation(const stage_values& values, const operation_states& states,
                                  bool is_first, stage_operation& out) noexcept -> HRESULT {
  const bool is_alpha = states.op == D3DTSS_ALPHAOP;
  const operation_row* row = find_operation(values[states.op]);
  if (row == nullptr || (is_alpha && row->is_of_color)) return D3DERR_INVALIDCALL;
  out.op = static_cast<std::uint8_t>(row->op);
  for (unsigned i = 0; i < out.args.size(); ++i) {
    if ((row->args >> i & 1u) == 0) continue;
    if (!make_argument(values[states.args[i]], is_first, is_alpha, out.args[i])) {
      return D3DERR_INVALIDCALL;
    }
  }
  return S_OK;
}

[[nodiscard]] auto reads_next_texture(const pixel_stage& stage) noexcept -> bool {
  return stage.color.op == D3DTOP_PREMODULATE || stage.alpha.op == D3DTOP_PREMODULATE;
}

/// The last component that is emitted divides: the fourth without a transform. A sprite's
/// coordinate has 0 there (shaders.md 2.4).
[[nodiscard]] auto divisor_of(const draw_inputs& draw, unsigned stage) noexcept -> std::uint8_t {
  const std::uint32_t flags = draw.state->stage_states[stage][D3DTSS_TEXTURETRANSFORMFLAGS];
  if ((flags & D3DTTFF_PROJECTED) == 0 || draw.draws_sprites) return 0;
  const std::uint32_t count = flags & 0xFF;
  if (count == D3DTTFF_DISABLE || count > D3DTTFF_COUNT4) return 3;
  return static_cast<std::uint8_t>(count - 1);
}

void sample(const draw_inputs& draw, unsigned stage, pixel_key& key) noexcept {
  key.stages[stage].texture = draw.textures[stage];
  key.stages[stage].divisor = divisor_of(draw, stage);
}

/// False: the chain ends before this stage.
[[nodiscard]] auto make_stage(const draw_inputs& draw, unsigned index, pixel_key& key,
                              HRESULT& result) noexcept -> bool {
  const stage_values& values = draw.state->stage_states[index];
  if (values[D3DTSS_COLOROP] == D3DTOP_DISABLE) return false;
  pixel_stage stage;
  const bool is_first = index == 0;
  result = make_operation(values, color_states, is_first, stage.color);
  if (result != S_OK) return false;
  stage.alpha.op = D3DTOP_DISABLE;
  if (stage.color.op != D3DTOP_DOTPRODUCT3) {
    result = make_operation(values, alpha_states, is_first, stage.alpha);
  }
  if (result != S_OK) return false;
  stage.writes_temp = (values[D3DTSS_RESULTARG] & D3DTA_SELECTMASK) == D3DTA_TEMP;
  if (draw.textures[index] == texture_shape::none) {
    if (reads(stage.color, D3DTA_TEXTURE)) return false;
    // Alpha stays as it is.
    if (reads(stage.alpha, D3DTA_TEXTURE)) stage.alpha = {D3DTOP_DISABLE};
  }
  const bool samples = reads(stage, D3DTA_TEXTURE);
  stage.texture = key.stages[index].texture;  // PREMODULATE before it may have asked for it.
  stage.divisor = key.stages[index].divisor;
  key.stages[index] = stage;
  if (samples) sample(draw, index, key);
  const unsigned next = index + 1;
  const bool has_next = next < texture_stage_count && draw.textures[next] != texture_shape::none;
  if (reads_next_texture(stage) && has_next) sample(draw, next, key);
  return true;
}

constexpr std::array<pixel_fog, 4> table_fog{pixel_fog::factor, pixel_fog::exponential,
                                             pixel_fog::exponential_squared, pixel_fog::linear};

/// One that does not exist is none.
[[nodiscard]] auto table_mode_of(const draw_inputs& draw) noexcept -> std::uint32_t {
  const std::uint32_t mode = draw.state->render_states[D3DRS_FOGTABLEMODE];
  return mode > D3DFOG_LINEAR ? std::uint32_t{D3DFOG_NONE} : mode;
}

/// Of vertices that are on the screen already: w may be anything, also where fog goes by z.
[[nodiscard]] auto is_screen_z_fog(const draw_inputs& draw) noexcept -> bool {
  return draw.format.is_pretransformed && table_mode_of(draw) != D3DFOG_NONE &&
         !is_w_fog(draw.state->fixed);
}

/// Eight coordinates leave one component beside the specular colour.
[[nodiscard]] auto has_room_for_divisor(const pixel_key& key) noexcept -> bool {
  const auto is_sampled = [](const pixel_stage& s) { return s.texture != texture_shape::none; };
  return !std::all_of(key.stages.begin(), key.stages.end(), is_sampled);
}

}  // namespace

auto fog_modes_of(const draw_inputs& draw) noexcept -> fog_modes {
  const auto& states = draw.state->render_states;
  if (draw.has_vertex_shader || !draw.has_fog_behind || states[D3DRS_FOGENABLE] == 0) return {};
  if (draw.has_pixel_shader && is_screen_z_fog(draw)) return {};  // The host has the depth itself.
  fog_modes modes{true, table_mode_of(draw), states[D3DRS_FOGVERTEXMODE]};
  // The specular alpha of transformed vertices is their factor, whatever the mode.
  if (modes.vertex > D3DFOG_LINEAR || draw.format.is_pretransformed) modes.vertex = D3DFOG_NONE;
  return modes;
}

auto make_pixel_key(const draw_inputs& draw, pixel_key& out) noexcept -> HRESULT {
  out = {};
  HRESULT result = S_OK;
  unsigned count = 0;
  while (count < texture_stage_count && make_stage(draw, count, out, result)) ++count;
  if (result != S_OK) return result;
  out.stage_count = static_cast<std::uint8_t>(count);
  out.adds_specular = draw.state->render_states[D3DRS_SPECULARENABLE] != 0;
  out.clamps_colors = draw.has_unclamped_colors;
  const fog_modes fog = fog_modes_of(draw);
  if (!fog.is_on) return S_OK;
  out.fog = table_fog[fog.table];
  out.fog_divides = is_screen_z_fog(draw) && has_room_for_divisor(out);
  return S_OK;
}

}  // namespace detail

auto host_fog_of(const draw_inputs& draw) noexcept -> host_fog {
  const bool is_off = draw.state->render_states[D3DRS_FOGENABLE] == 0;
  if (is_off || draw.is_full() || !draw.has_fog_behind) return host_fog::none;
  if (detail::table_mode_of(draw) == D3DFOG_NONE) return host_fog::on;
  if (draw.has_vertex_shader) {
    // The projection says what depth is, though no vertex goes through it.
    const bool is_w = is_w_fog(draw.state->fixed);
    return is_w ? host_fog::by_w : host_fog::by_z;
  }
  return detail::is_screen_z_fog(draw) ? host_fog::by_z : host_fog::by_depth;
}

auto make_keys(const draw_inputs& draw, shader_keys& out) noexcept -> HRESULT {
  out = {};
  if (!draw.has_vertex_shader && !draw.format.is_valid) return D3DERR_INVALIDCALL;
  if (!draw.has_pixel_shader) {
    const HRESULT result = detail::make_pixel_key(draw, out.pixel);
    if (result != S_OK) return result;
  }
  if (!draw.has_vertex_shader) out.vertex = detail::make_vertex_key(draw, out.pixel);
  return S_OK;
}

}  // namespace aerogpu::umd::fixed

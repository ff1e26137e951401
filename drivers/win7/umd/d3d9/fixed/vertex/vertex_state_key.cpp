// SPDX-License-Identifier: MIT
#include "drivers/win7/umd/d3d9/fixed/state_keys.hpp"

namespace aerogpu::umd::fixed {

namespace {

using render_values = std::array<std::uint32_t, render_state_count>;

constexpr std::uint32_t source_shift = 16;
constexpr std::uint32_t last_source = D3DTSS_TCI_SPHEREMAP >> source_shift;

[[nodiscard]] auto reads_normal(coordinate_source source) noexcept -> bool {
  return source == coordinate_source::camera_normal ||
         source == coordinate_source::camera_reflection || source == coordinate_source::sphere_map;
}

[[nodiscard]] auto make_coordinates(const draw_inputs& draw, unsigned stage) noexcept
    -> stage_coordinates {
  const auto& values = draw.state->stage_states[stage];
  const std::uint32_t index = values[D3DTSS_TEXCOORDINDEX];
  const std::uint32_t set = index & 0xFFFF;
  const std::uint32_t source = index >> source_shift;
  const bool is_generated = source != 0 && source <= last_source && !draw.format.is_pretransformed;
  stage_coordinates made;
  made.source = static_cast<coordinate_source>(1 + (is_generated ? source : 0));
  const std::uint32_t count = values[D3DTSS_TEXTURETRANSFORMFLAGS] & 0xFF;
  const bool transforms = count <= D3DTTFF_COUNT4 && !draw.format.is_pretransformed;
  made.transform_count = static_cast<std::uint8_t>(transforms ? count : 0);
  if (is_generated) return made;
  const bool is_there = set < texcoord_set_count && draw.format.texcoord_components[set] != 0;
  if (!is_there) return made;
  made.set = static_cast<std::uint8_t>(set);
  // As it is, a set of any size is passed on alike.
  made.components = transforms && count != 0 ? draw.format.texcoord_components[set] : 4;
  return made;
}

/// The driver's pixel shader reads what it samples; the application's may read all there is.
void add_coordinates(const draw_inputs& draw, const pixel_key& pixel, vertex_key& key) noexcept {
  for (unsigned stage = 0; stage < texture_stage_count; ++stage) {
    const stage_coordinates made = make_coordinates(draw, stage);
    const bool is_there = made.source != coordinate_source::vertex_set || made.components != 0;
    const bool is_read =
        draw.has_pixel_shader ? is_there : pixel.stages[stage].texture != texture_shape::none;
    if (is_read) key.stages[stage] = made;
  }
}

[[nodiscard]] auto source_of(const render_values& states, std::uint8_t which,
                             const vertex_format& format) noexcept -> color_source {
  if (states[D3DRS_COLORVERTEX] == 0) return color_source::material;
  if (states[which] == D3DMCS_COLOR1 && format.has_color0) return color_source::color0;
  if (states[which] == D3DMCS_COLOR2 && format.has_color1) return color_source::color1;
  return color_source::material;
}

void add_lighting(const draw_inputs& draw, vertex_key& key) noexcept {
  const render_values& states = draw.state->render_states;
  const vertex_format& format = draw.format;
  const active_lights lights = find_active_lights(draw.state->fixed);
  key.is_lit = true;
  key.light_count = static_cast<std::uint8_t>(lights.count);
  for (std::size_t i = 0; i < lights.count; ++i) {
    key.lights[i] = static_cast<light_kind>(lights.lights[i]->Type);
  }
  const bool has_directions = lights.count != 0 && format.has_normal;
  key.has_normal = has_directions;
  key.has_specular = has_directions && states[D3DRS_SPECULARENABLE] != 0;
  key.has_local_viewer = key.has_specular && states[D3DRS_LOCALVIEWER] != 0;
  key.diffuse = source_of(states, D3DRS_DIFFUSEMATERIALSOURCE, format);
  key.ambient = source_of(states, D3DRS_AMBIENTMATERIALSOURCE, format);
  key.emissive = source_of(states, D3DRS_EMISSIVEMATERIALSOURCE, format);
  if (key.has_specular) key.specular = source_of(states, D3DRS_SPECULARMATERIALSOURCE, format);
}

void add_color_inputs(const vertex_format& format, vertex_key& key) noexcept {
  const auto reads = [&key](color_source which) {
    return key.diffuse == which || key.ambient == which || key.specular == which ||
           key.emissive == which;
  };
  const bool has_fog_alpha = key.fog == vertex_fog::specular_alpha;
  key.has_color0 = format.has_color0 && (!key.is_lit || reads(color_source::color0));
  key.has_color1 =
      format.has_color1 && (!key.is_lit || reads(color_source::color1) || has_fog_alpha);
}

void add_blending(const draw_inputs& draw, vertex_key& key) noexcept {
  const render_values& states = draw.state->render_states;
  const vertex_format& format = draw.format;
  const std::uint32_t mode = states[D3DRS_VERTEXBLEND];
  if (mode == D3DVBF_TWEENING) {
    if (!format.has_position1) return;
    key.blend = blend_mode::tween;
    key.has_normal1 = key.has_normal && format.has_normal1;
    return;
  }
  const bool is_weighted = mode >= D3DVBF_1WEIGHTS && mode <= D3DVBF_3WEIGHTS;
  if (!is_weighted && mode != D3DVBF_0WEIGHTS) return;
  const bool is_indexed =
      states[D3DRS_INDEXEDVERTEXBLENDENABLE] != 0 && format.blend_indices != blend_index_type::none;
  if (!is_indexed && !is_weighted) return;  // WORLD0 alone.
  key.blend = blend_mode::weights;
  if (is_indexed) {
    const bool is_color = format.blend_indices == blend_index_type::color;
    key.blend = is_color ? blend_mode::indexed_by_color : blend_mode::indexed;
  }
  key.blend_matrices = static_cast<std::uint8_t>(is_weighted ? mode + 1 : 1);
  key.has_blend_weights = is_weighted && format.has_blend_weights;
}

void add_fog(const draw_inputs& draw, const pixel_key& pixel, vertex_key& key) noexcept {
  constexpr std::array<vertex_fog, 4> factors{vertex_fog::specular_alpha, vertex_fog::exponential,
                                              vertex_fog::exponential_squared, vertex_fog::linear};
  const detail::fog_modes fog = detail::fog_modes_of(draw);
  if (!fog.is_on) return;
  if (fog.table != D3DFOG_NONE) {
    const bool is_w = is_w_fog(draw.state->fixed);
    const auto by_z = pixel.fog_divides ? vertex_fog::table_clip : vertex_fog::table_z;
    key.fog = is_w ? vertex_fog::table_w : by_z;
    return;
  }
  key.fog = factors[fog.vertex];
  key.has_range_fog =
      key.fog != vertex_fog::specular_alpha && draw.state->render_states[D3DRS_RANGEFOGENABLE] != 0;
}

[[nodiscard]] auto point_size_of(const draw_inputs& draw) noexcept -> point_size_mode {
  const bool is_scaled =
      draw.state->render_states[D3DRS_POINTSCALEENABLE] != 0 && !draw.format.is_pretransformed;
  if (draw.format.has_point_size) {
    return is_scaled ? point_size_mode::scaled_element : point_size_mode::element;
  }
  return is_scaled ? point_size_mode::scaled : point_size_mode::by_state;
}

}  // namespace

auto is_w_fog(const fixed_state& state) noexcept -> bool {
  if (state.has_w_fog) return *state.has_w_fog;
  const auto& m = state.transforms[D3DTS_PROJECTION].m;
  return m[0][3] != 0 || m[1][3] != 0 || m[2][3] != 0 || m[3][3] != 1;
}

auto find_active_lights(const fixed_state& state) noexcept -> active_lights {
  struct numbered {
    std::uint32_t number;
    const D3DLIGHT9* values;
  };
  std::array<numbered, active_light_count> lowest{};
  std::size_t count = 0;
  state.lights.for_each([&](auto key, const light& l) {
    const bool is_known = l.values.Type >= D3DLIGHT_POINT && l.values.Type <= D3DLIGHT_DIRECTIONAL;
    if (!l.is_enabled || !is_known) return;
    numbered adding{static_cast<std::uint32_t>(key), &l.values};
    for (std::size_t i = 0; i < count; ++i) {
      if (adding.number < lowest[i].number) std::swap(adding, lowest[i]);
    }
    if (count < lowest.size()) lowest[count++] = adding;
  });
  active_lights found;
  for (const D3DLIGHTTYPE type : {D3DLIGHT_DIRECTIONAL, D3DLIGHT_POINT, D3DLIGHT_SPOT}) {
    for (std::size_t i = 0; i < count; ++i) {
      if (lowest[i].values->Type == type) found.lights[found.count++] = lowest[i].values;
    }
  }
  return found;
}

namespace detail {

auto make_vertex_key(const draw_inputs& draw, const pixel_key& pixel) noexcept -> vertex_key {
  const render_values& states = draw.state->render_states;
  vertex_key key;
  key.is_pretransformed = draw.format.is_pretransformed;
  key.is_in_screen_space = draw.format.is_in_screen_space;
  add_coordinates(draw, pixel, key);
  add_fog(draw, pixel, key);
  key.has_fog_output = key.fog != vertex_fog::none && draw.has_pixel_shader;
  key.point_size = point_size_of(draw);
  const bool is_lit = !key.is_pretransformed && states[D3DRS_LIGHTING] != 0;
  if (is_lit) add_lighting(draw, key);
  add_color_inputs(draw.format, key);
  if (key.is_pretransformed) return key;
  for (const stage_coordinates& stage : key.stages) {
    if (reads_normal(stage.source)) key.has_normal |= draw.format.has_normal;
  }
  key.normalizes = key.has_normal && states[D3DRS_NORMALIZENORMALS] != 0;
  add_blending(draw, key);
  return key;
}

}  // namespace detail

}  // namespace aerogpu::umd::fixed

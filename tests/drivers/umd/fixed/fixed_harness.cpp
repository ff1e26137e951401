// SPDX-License-Identifier: MIT
#include "tests/drivers/umd/fixed/fixed_harness.hpp"

#include "d3d9_to_spirv/assembly/disassemble.hpp"

#include <algorithm>
#include <cmath>

namespace aerogpu::test {

using umd::fixed::classify;
using umd::fixed::constant_file;
using umd::fixed::constant_upload;
using umd::fixed::coordinate_source;
using umd::fixed::draw_inputs;
using umd::fixed::make_keys;
using umd::fixed::point_size_mode;
using umd::fixed::shader_keys;
using umd::fixed::texture_shape;
using umd::fixed::vertex_key;

auto recording_factory::create(umd::fixed::shader_stage, std::span<const std::uint32_t> tokens,
                               shader_handle& out) noexcept -> HRESULT {
  if (next_result != S_OK) return next_result;
  out = shader_handle{++last_};
  shaders[out].assign(tokens.begin(), tokens.end());
  ++created;
  return S_OK;
}

void recording_factory::destroy(umd::fixed::shader_stage, shader_handle shader) noexcept {
  destroyed.push_back(shader);
  shaders.erase(shader);
}

auto matrix_of(const std::array<std::array<float, 4>, 4>& rows) -> D3DMATRIX {
  D3DMATRIX m{};
  for (std::size_t i = 0; i < 4; ++i) {
    for (std::size_t j = 0; j < 4; ++j) m.m[i][j] = rows[i][j];
  }
  return m;
}

auto translation(float x, float y, float z) -> D3DMATRIX {
  return matrix_of({{{1, 0, 0, 0}, {0, 1, 0, 0}, {0, 0, 1, 0}, {x, y, z, 1}}});
}

auto turned(float angle, float scale, float x, float y, float z) -> D3DMATRIX {
  const float c = std::cos(angle) * scale, s = std::sin(angle) * scale;
  return matrix_of({{{c, 0, -s, 0}, {0, scale, 0, 0}, {s, 0, c, 0}, {x, y, z, 1}}});
}

auto perspective() -> D3DMATRIX {
  return matrix_of({{{1.5f, 0, 0, 0}, {0, 2, 0, 0}, {0, 0, 1.01f, 1}, {0, 0, -1.01f, 0}}});
}

auto default_state() -> umd::device_state {
  umd::device_state state;
  const auto set = [&state](D3DRENDERSTATETYPE which, std::uint32_t value) {
    state.render_states[static_cast<std::size_t>(which)] = value;
  };
  set(D3DRS_SHADEMODE, 2);
  set(D3DRS_LIGHTING, 1);
  set(D3DRS_FOGEND, bits(1));
  set(D3DRS_FOGDENSITY, bits(1));
  set(D3DRS_TEXTUREFACTOR, 0xFFFFFFFF);
  set(D3DRS_CLIPPING, 1);
  set(D3DRS_COLORVERTEX, 1);
  set(D3DRS_LOCALVIEWER, 1);
  set(D3DRS_DIFFUSEMATERIALSOURCE, D3DMCS_COLOR1);
  set(D3DRS_SPECULARMATERIALSOURCE, D3DMCS_COLOR2);
  set(D3DRS_POINTSIZE, bits(1));
  set(D3DRS_POINTSIZE_MIN, bits(1));
  set(D3DRS_POINTSIZE_MAX, bits(64));
  set(D3DRS_POINTSCALE_A, bits(1));
  for (unsigned i = 0; i < 8; ++i) {
    auto& stage = state.stage_states[i];
    stage[D3DTSS_COLOROP] = i == 0 ? D3DTOP_MODULATE : D3DTOP_DISABLE;
    stage[D3DTSS_ALPHAOP] = i == 0 ? D3DTOP_SELECTARG1 : D3DTOP_DISABLE;
    stage[D3DTSS_COLORARG1] = stage[D3DTSS_ALPHAARG1] = D3DTA_TEXTURE;
    stage[D3DTSS_COLORARG2] = stage[D3DTSS_ALPHAARG2] = D3DTA_CURRENT;
    stage[D3DTSS_COLORARG0] = stage[D3DTSS_ALPHAARG0] = D3DTA_CURRENT;
    stage[D3DTSS_RESULTARG] = D3DTA_CURRENT;
    stage[D3DTSS_TEXCOORDINDEX] = i;
  }
  for (D3DMATRIX& m : state.fixed.transforms) m = translation(0, 0, 0);
  return state;
}

auto elements_of(const reference_format& format) -> std::vector<D3DVERTEXELEMENT9> {
  std::vector<D3DVERTEXELEMENT9> out;
  WORD offset = 0;
  const auto add = [&](int type, int usage, unsigned index = 0) {
    out.push_back({0, offset, static_cast<BYTE>(type), 0, static_cast<BYTE>(usage),
                   static_cast<BYTE>(index)});
    offset = static_cast<WORD>(offset + 16);
  };
  for (unsigned i = 0; i < 8; ++i) {
    if (format.texcoords[i] != 0) add(format.texcoords[i] - 1, D3DDECLUSAGE_TEXCOORD, i);
  }
  if (format.has_color1) add(D3DDECLTYPE_D3DCOLOR, D3DDECLUSAGE_COLOR, 1);
  if (format.has_normal) add(D3DDECLTYPE_FLOAT3, D3DDECLUSAGE_NORMAL);
  if (format.has_normal1) add(D3DDECLTYPE_FLOAT3, D3DDECLUSAGE_NORMAL, 1);
  if (format.is_pretransformed) {
    add(D3DDECLTYPE_FLOAT4, D3DDECLUSAGE_POSITIONT);
  } else {
    add(D3DDECLTYPE_FLOAT3, D3DDECLUSAGE_POSITION);
  }
  if (format.has_position1) add(D3DDECLTYPE_FLOAT3, D3DDECLUSAGE_POSITION, 1);
  if (format.has_color0) add(D3DDECLTYPE_D3DCOLOR, D3DDECLUSAGE_COLOR);
  if (format.has_weights) add(D3DDECLTYPE_FLOAT3, D3DDECLUSAGE_BLENDWEIGHT);
  if (format.has_indices) {
    add(format.indices_are_colors ? D3DDECLTYPE_D3DCOLOR : D3DDECLTYPE_UBYTE4,
        D3DDECLUSAGE_BLENDINDICES);
  }
  if (format.has_point_size) add(D3DDECLTYPE_FLOAT1, D3DDECLUSAGE_PSIZE);
  out.push_back({0xFF, 0, D3DDECLTYPE_UNUSED, 0, 0, 0});
  return out;
}

auto texel_of(unsigned stage, const double4& coordinate) -> double4 {
  double4 out;
  for (std::size_t i = 0; i < 4; ++i) {
    const double phase = coordinate[0] * 0.7 + coordinate[1] * 0.9 + coordinate[2] * 0.3;
    out[i] = 0.5 + 0.45 * std::sin(phase + static_cast<double>(i) * 1.3 + stage);
  }
  return out;
}

fixed_harness::fixed_harness() {
  format.has_color0 = true;
}

void fixed_harness::set(D3DRENDERSTATETYPE which, std::uint32_t value) {
  state.render_states[static_cast<std::size_t>(which)] = value;
  pipeline.invalidate();
}

void fixed_harness::set(unsigned stage, D3DTEXTURESTAGESTATETYPE which, std::uint32_t value) {
  state.stage_states[stage][static_cast<std::size_t>(which)] = value;
  pipeline.invalidate();
}

void fixed_harness::set_light(std::uint32_t number, const D3DLIGHT9& light, bool is_enabled) {
  const umd::light_key key{number + 1};
  if (umd::light* there = state.fixed.lights.find(key); there != nullptr) {
    *there = {light, is_enabled};
  } else {
    REQUIRE(state.fixed.lights.insert(key, {light, is_enabled}).second);
  }
  pipeline.invalidate();
}

void fixed_harness::set_transform(unsigned which, const D3DMATRIX& value) {
  state.fixed.transforms[which] = value;
  pipeline.invalidate();
}

void fixed_harness::set_stage(unsigned stage, std::uint32_t op, std::uint32_t arg1,
                              std::uint32_t arg2, std::uint32_t arg0) {
  set(stage, D3DTSS_COLOROP, op);
  set(stage, D3DTSS_COLORARG1, arg1);
  set(stage, D3DTSS_COLORARG2, arg2);
  set(stage, D3DTSS_COLORARG0, arg0);
  set(stage, D3DTSS_ALPHAOP, D3DTOP_SELECTARG1);
  set(stage, D3DTSS_ALPHAARG1, arg1);
}

void fixed_harness::bind(unsigned stage, texture_shape shape) {
  textures[stage] = shape;
  pipeline.invalidate();
}

auto fixed_harness::inputs() const -> draw_inputs {
  draw_inputs in;
  in.state = &state;
  in.format = classify(elements_of(format));
  in.textures = textures;
  in.has_vertex_shader = has_vertex_shader;
  in.has_pixel_shader = has_pixel_shader;
  in.has_unclamped_colors = has_unclamped_colors;
  in.draws_sprites = draws_sprites;
  in.has_fog_behind = has_fog_behind;
  in.viewport = viewport;
  return in;
}

auto fixed_harness::reference() const -> reference_draw {
  reference_draw draw;
  draw.state = &state;
  draw.format = format;
  draw.viewport_height = static_cast<double>(viewport.height);
  for (unsigned i = 0; i < 8; ++i) draw.has_texture[i] = textures[i] != texture_shape::none;
  return draw;
}

auto fixed_harness::prepare() -> HRESULT {
  uploaded_registers = 0;
  const HRESULT result = pipeline.prepare(inputs(), vertex_file, pixel_file, plan);
  if (result != S_OK) return result;
  const auto send = [this](auto uploads, constant_file& file, d3d9::constant_block& host) {
    for (const constant_upload& upload : uploads) {
      file.note_sent(upload.first, upload.values);
      std::copy(upload.values.begin(), upload.values.end(), host.floats.begin() + upload.first);
      uploaded_registers += upload.values.size();
    }
  };
  send(plan.vertex_uploads.view(), vertex_file, vertex_constants);
  send(plan.pixel_uploads.view(), pixel_file, pixel_constants);
  return result;
}

auto fixed_harness::vertex_tokens() const -> const std::vector<std::uint32_t>& {
  return factory.shaders.at(plan.vertex_shader);
}

auto fixed_harness::pixel_tokens() const -> const std::vector<std::uint32_t>& {
  return factory.shaders.at(plan.pixel_shader);
}

namespace {

auto parsed(const std::vector<std::uint32_t>& tokens) -> d3d9::program {
  auto program = d3d9::parse(std::as_bytes(std::span{tokens}));
  REQUIRE(program);
  return std::move(*program);
}

auto narrow(const double4& v) -> float4 {
  return {static_cast<float>(v[0]), static_cast<float>(v[1]), static_cast<float>(v[2]),
          static_cast<float>(v[3])};
}
auto wide(const float4& v) -> double4 {
  return {v[0], v[1], v[2], v[3]};
}
auto position_of(const std::array<double, 3>& v) -> double4 {
  return {v[0], v[1], v[2], 1};
}

auto fetched(const reference_format& format, const reference_vertex& v, d3d9::usage what,
             unsigned index) -> double4 {
  switch (what) {
    case d3d9::usage::position: return position_of(index == 0 ? v.position : v.position1);
    case d3d9::usage::position_t: return v.clip;
    case d3d9::usage::normal: return position_of(index == 0 ? v.normal : v.normal1);
    case d3d9::usage::blend_weight: return position_of(v.weights);
    case d3d9::usage::blend_indices: {
      const auto& i = v.indices;
      if (!format.indices_are_colors) {
        return {double(i[0]), double(i[1]), double(i[2]), double(i[3])};
      }
      return {i[2] / 255.0, i[1] / 255.0, i[0] / 255.0, i[3] / 255.0};
    }
    case d3d9::usage::point_size: return {v.point_size, 0, 0, 1};
    case d3d9::usage::color: return v.colors[index];
    default: break;
  }
  double4 out{0, 0, 0, 1};
  for (std::size_t i = 0; i < static_cast<std::size_t>(format.texcoords[index]); ++i) {
    out[i] = v.texcoords[index][i];
  }
  return out;
}

}  // namespace

auto fetched_element(const reference_format& format, const reference_vertex& vertex,
                     const d3d9::declaration& input) -> float4 {
  return narrow(fetched(format, vertex, input.semantic, input.semantic_index));
}

auto fixed_harness::run_vertex(const reference_vertex& vertex) const -> reference_varyings {
  const d3d9::program program = parsed(vertex_tokens());
  interpreter_inputs in;
  in.constants = vertex_constants;
  for (const d3d9::declaration& d : program.declarations) {
    if (d.reg.type != d3d9::register_type::input) continue;
    in.v[d.reg.number] = fetched_element(format, vertex, d);
  }
  const interpreter_outputs made = interpret(program, in);
  reference_varyings out;
  for (const d3d9::declaration& d : program.declarations) {
    if (d.reg.type != d3d9::register_type::texcoord_out_or_output) continue;
    const double4 value = wide(made.o[d.reg.number]);
    switch (d.semantic) {
      case d3d9::usage::position: out.position = value; break;
      case d3d9::usage::point_size: {
        const auto first = static_cast<std::size_t>(std::countr_zero(d.write_mask));
        out.point_size = value[first];
        break;
      }
      case d3d9::usage::texcoord: out.texcoords[d.semantic_index] = value; break;
      case d3d9::usage::color: (d.semantic_index == 0 ? out.color0 : out.color1) = value; break;
      case d3d9::usage::fog: out.fog = value[0]; break;
      default: out.fog = d.write_mask == 8 ? value[3] : value[2] / value[3]; break;
    }
  }
  return out;
}

auto fixed_harness::run_pixel(const reference_varyings& in) const -> double4 {
  const d3d9::program program = parsed(pixel_tokens());
  interpreter_inputs from;
  from.constants = pixel_constants;
  from.read_texel = [](std::uint32_t stage, const float4& at) {
    return narrow(texel_of(stage, wide(at)));
  };
  for (const d3d9::declaration& d : program.declarations) {
    if (d.reg.type != d3d9::register_type::input) continue;
    float4& v = from.v[d.reg.number];
    const auto put = [&](const double4& value) {
      for (std::size_t i = 0; i < 4; ++i) {
        if ((d.write_mask >> i & 1u) != 0) v[i] = static_cast<float>(value[i]);
      }
    };
    switch (d.semantic) {
      case d3d9::usage::texcoord: put(in.texcoords[d.semantic_index]); break;
      case d3d9::usage::color: put(d.semantic_index == 0 ? in.color0 : in.color1); break;
      default: {
        constexpr double w = 1.75;
        put(d.write_mask == 8 ? double4{0, 0, 0, in.fog} : double4{0, 0, in.fog * w, w});
        break;
      }
    }
  }
  return wide(interpret(program, from).colors[0]);
}

auto text_of(const double4& v) -> std::string {
  std::string text = "(";
  for (const double x : v) text += std::to_string(x) + " ";
  return text + ")";
}

auto is_near(const double4& a, const double4& b, double tolerance) -> bool {
  for (std::size_t i = 0; i < 4; ++i) {
    const double size = std::max({1.0, std::fabs(a[i]), std::fabs(b[i])});
    if (!(std::fabs(a[i] - b[i]) <= tolerance * size)) return false;
  }
  return true;
}

void fixed_harness::check_vertex(const reference_vertex& vertex, double tolerance) {
  REQUIRE(prepare() == S_OK);
  const reference_varyings wanted = process_vertex(reference(), vertex);
  const reference_varyings made = run_vertex(vertex);
  const vertex_key key = [this] {
    shader_keys keys;
    REQUIRE(make_keys(inputs(), keys) == S_OK);
    return keys.vertex;
  }();
  const auto check = [&](const char* what, const double4& a, const double4& b) {
    INFO(what << " is " << text_of(a) << ", not " << text_of(b));
    const bool is_right = is_near(a, b, tolerance);
    if (!is_right) UNSCOPED_INFO(assembly_of(vertex_tokens()));
    CHECK(is_right);
  };
  check("position", made.position, wanted.position);
  check("color0", made.color0, wanted.color0);
  check("color1", made.color1, wanted.color1);
  for (unsigned i = 0; i < 8; ++i) {
    if (key.stages[i].source == coordinate_source::none) continue;
    check("a texture coordinate", made.texcoords[i], wanted.texcoords[i]);
  }
  if (state.render_states[D3DRS_FOGENABLE] != 0) check("fog", {made.fog}, {wanted.fog});
  if (key.point_size != point_size_mode::by_state) {
    check("point size", {made.point_size}, {wanted.point_size});
  }
}

void fixed_harness::check_pixel(const reference_varyings& given, double tolerance) {
  REQUIRE(prepare() == S_OK);
  reference_varyings in = given;
  const double4 wanted = process_pixel(reference(), in, texel_of);
  const double4 made = run_pixel(in);
  INFO("the colour is " << text_of(made) << ", not " << text_of(wanted));
  const bool is_right = is_near(made, wanted, tolerance);
  if (!is_right) UNSCOPED_INFO(assembly_of(pixel_tokens()));
  CHECK(is_right);
}

auto count_of(const std::vector<std::uint32_t>& tokens, d3d9::opcode op) -> std::size_t {
  const d3d9::program program = parsed(tokens);
  return static_cast<std::size_t>(
      std::count_if(program.instructions.begin(), program.instructions.end(),
                    [op](const d3d9::instruction& in) { return in.op == op; }));
}

auto assembly_of(const std::vector<std::uint32_t>& tokens) -> std::string {
  return d3d9::disassemble(parsed(tokens));
}

}  // namespace aerogpu::test

// SPDX-License-Identifier: MIT
// Pictures: generated shaders on a Vulkan device, both stages linked, against the reference that is
// evaluated at the corners and interpolated.
#include "tests/drivers/umd/fixed/fixed_random_state.hpp"
#include "tests/shaders/shader_suite.hpp"

#include <cmath>

namespace aerogpu::test {

namespace {

constexpr std::uint32_t picture_size = 4;

/// A triangle around the whole target, seen from any of the views below.
constexpr std::array<std::array<double, 2>, 3> corners{{{-30, -30}, {0, 60}, {30, -30}}};

auto float_matrix(float z_scale, float z_offset, float w_from_z, float w) -> D3DMATRIX {
  return matrix_of(
      {{{1.5f, 0, 0, 0}, {0, 2, 0, 0}, {0, 0, z_scale, w_from_z}, {0, 0, z_offset, w}}});
}

/// A random state whose transforms keep the triangle around the target.
void fill(fixed_harness& h, random_state& random, std::uint32_t seed) {
  random.fill(h);
  h.set_transform(D3DTS_VIEW, turned(random.real(-0.05, 0.05), 1, random.real(-1, 1), 0, 10));
  h.set_transform(D3DTS_PROJECTION, seed % 3 == 0 ? float_matrix(0.02f, 0.2f, 0, 1)
                                                  : float_matrix(1.01f, -1.01f, 1, 0));
  for (unsigned i = 0; i < 32; ++i) {
    h.set_transform(256 + i, turned(random.real(-0.1, 0.1), random.real(0.9, 1.1),
                                    random.real(-0.5, 0.5), random.real(-0.5, 0.5), 0));
  }
}

auto corner_of(random_state& random, unsigned i) -> reference_vertex {
  reference_vertex v = random.vertex();
  v.position = {corners[i][0], corners[i][1], 0};
  v.position1 = {corners[i][0] * 1.1, corners[i][1] * 1.1, 0.3};
  const double w = random.number(0.5, 2);
  v.clip = {corners[i][0] * w / 10, corners[i][1] * w / 10, random.number(0, 1) * w, w};
  return v;
}

auto attributes_of(const fixed_harness& h, const d3d9::program& program,
                   const d3d9::translation& translated_vertex, const reference_vertex& v)
    -> attributes {
  attributes out{};
  for (const d3d9::declaration& d : program.declarations) {
    if (d.reg.type != d3d9::register_type::input) continue;
    const std::uint8_t location = translated_vertex.input_locations[d.reg.number];
    if (location != d3d9::no_location) out[location] = fetched_element(h.format, v, d);
  }
  return out;
}

auto determinant(const std::array<double4, 3>& m) -> double {
  return m[0][0] * (m[1][1] * m[2][3] - m[1][3] * m[2][1]) -
         m[0][1] * (m[1][0] * m[2][3] - m[1][3] * m[2][0]) +
         m[0][3] * (m[1][0] * m[2][1] - m[1][1] * m[2][0]);
}

/// Whether a table's fog has z of the pixel.
auto fog_is_z(const reference_draw& draw) -> bool {
  const auto& m = draw.state->fixed.transforms[D3DTS_PROJECTION].m;
  const bool is_affine = m[0][3] == 0 && m[1][3] == 0 && m[2][3] == 0 && m[3][3] == 1;
  return draw.state->render_states[D3DRS_FOGTABLEMODE] != 0 && is_affine;
}

/// What the rasterizer makes of three corners at a place: linear in what was divided by w.
auto interpolated_at(const reference_draw& draw, const std::array<reference_varyings, 3>& at,
                     double x, double y) -> reference_varyings {
  std::array<double, 3> weights{};
  double sum = 0;
  for (std::size_t i = 0; i < 3; ++i) {
    std::array<double4, 3> m{at[0].position, at[1].position, at[2].position};
    m[i] = {x, y, 0, 1};
    weights[i] = determinant(m);
    sum += weights[i];
  }
  reference_varyings out;
  out.fog = 0;
  for (std::size_t i = 0; i < 3; ++i) {
    const double weight = weights[i] / sum;
    for (std::size_t j = 0; j < 4; ++j) {
      out.position[j] += weight * at[i].position[j];
      out.color0[j] += weight * at[i].color0[j];
      out.color1[j] += weight * at[i].color1[j];
      for (std::size_t t = 0; t < 8; ++t) out.texcoords[t][j] += weight * at[i].texcoords[t][j];
    }
    out.fog += weight * at[i].fog;
  }
  if (fog_is_z(draw)) out.fog = out.position[2] / out.position[3];
  return out;
}

auto plain_texel(unsigned stage) -> float4 {
  const float s = static_cast<float>(stage) * 0.1f;
  return {0.9f - s, 0.2f + s, 0.5f, 0.75f - s};
}

auto parsed_shader(const std::vector<std::uint32_t>& tokens) -> d3d9::program {
  auto program = d3d9::parse(std::as_bytes(std::span{tokens}));
  REQUIRE(program);
  return std::move(*program);
}

auto translated_shader(const d3d9::program& program, const d3d9::translate_options& options)
    -> d3d9::translation {
  auto made = d3d9::translate(program, options);
  REQUIRE(made);
  return std::move(*made);
}

auto make_draw(const fixed_harness& h, const std::array<reference_vertex, 3>& vertices)
    -> shader_draw {
  const d3d9::program vertex = parsed_shader(h.vertex_tokens());
  const d3d9::translation vs = translated_shader(vertex, {});
  d3d9::translate_options options;
  options.extra_varyings = vs.extra_varyings;
  const d3d9::translation ps = translated_shader(parsed_shader(h.pixel_tokens()), options);
  shader_draw draw;
  draw.vertex = code_of(vs, h.vertex_constants);
  draw.pixel = code_of(ps, h.pixel_constants);
  draw.width = draw.height = picture_size;
  for (const reference_vertex& v : vertices) {
    draw.vertices.push_back(attributes_of(h, vertex, vs, v));
  }
  for (unsigned i = 0; i < 8; ++i) {
    if ((ps.samplers >> i & 1u) == 0) continue;
    draw.textures.push_back({.binding = i, .levels = {{plain_texel(i)}}});
  }
  return draw;
}

/// Draws a picture and compares every pixel.
void check_picture(fixed_harness& h, const std::array<reference_vertex, 3>& vertices) {
  REQUIRE(h.prepare() == S_OK);
  const shader_pixels made = device().draw(make_draw(h, vertices));
  const reference_draw reference = h.reference();
  std::array<reference_varyings, 3> at;
  for (std::size_t i = 0; i < 3; ++i) at[i] = process_vertex(reference, vertices[i]);
  const auto texture = [](unsigned stage, const double4&) {
    const float4 t = plain_texel(stage);
    return double4{t[0], t[1], t[2], t[3]};
  };
  for (std::uint32_t i = 0; i < picture_size * picture_size; ++i) {
    const double x = (i % picture_size + 0.5) * 2 / picture_size - 1;
    const double y = 1 - (i / picture_size + 0.5) * 2 / picture_size;
    const double4 wanted = process_pixel(reference, interpolated_at(reference, at, x, y), texture);
    const float4& p = made.colors[0][i];
    const double4 pixel{p[0], p[1], p[2], p[3]};
    INFO("pixel " << i << " is " << text_of(pixel) << ", not " << text_of(wanted));
    CHECK(is_near(pixel, wanted, 2e-3));
  }
}

}  // namespace

TEST_CASE("pictures of random states come out as the reference says", "[umd][fixed][T183]") {
  for (std::uint32_t seed = 1; seed <= 60; ++seed) {
    INFO("seed " << seed);
    random_state random{seed * 31337};
    fixed_harness h;
    fill(h, random, seed);
    check_picture(h, {corner_of(random, 0), corner_of(random, 1), corner_of(random, 2)});
  }
}

TEST_CASE("a picture with all that two stages hand over", "[umd][fixed]") {
  const std::uint32_t table_mode = GENERATE(0u, 1u, 2u, 3u);
  random_state random{table_mode + 5};
  fixed_harness h;
  fill(h, random, 1);
  h.format.is_pretransformed = false;
  h.format.has_color0 = h.format.has_color1 = h.format.has_point_size = true;
  h.set(D3DRS_LIGHTING, 0);
  h.set(D3DRS_SPECULARENABLE, 1);
  h.set(D3DRS_FOGENABLE, 1);
  h.set(D3DRS_FOGTABLEMODE, table_mode);
  h.set(D3DRS_FOGVERTEXMODE, D3DFOG_LINEAR);
  h.set(D3DRS_FOGEND, bits(20));
  for (unsigned i = 0; i < 8; ++i) {
    h.set_stage(i, D3DTOP_MODULATE2X, D3DTA_TEXTURE, D3DTA_CURRENT);
    h.set(i, D3DTSS_RESULTARG, D3DTA_CURRENT);
    h.bind(i);
  }
  check_picture(h, {corner_of(random, 0), corner_of(random, 1), corner_of(random, 2)});
}

TEST_CASE("z fog of vertices on the screen is linear there, whatever their w",
          "[umd][fixed][T173]") {
  fixed_harness h;
  h.format.is_pretransformed = true;
  h.set(0, D3DTSS_COLOROP, D3DTOP_DISABLE);
  h.set(D3DRS_FOGENABLE, 1);
  h.set(D3DRS_FOGCOLOR, 0xFF000000);
  h.set(D3DRS_FOGTABLEMODE, D3DFOG_LINEAR);
  h.set(D3DRS_FOGSTART, bits(0));
  h.set(D3DRS_FOGEND, bits(1));
  // From z 0 of w 1 at the left edge towards z 1 of w 10 beyond the right one.
  const auto corner = [](double x, double y, double z, double w) {
    reference_vertex v;
    v.colors[0] = {1, 1, 1, 1};
    v.clip = {x * w, y * w, z * w, w};
    return v;
  };
  REQUIRE(h.prepare() == S_OK);
  const shader_pixels made = device().draw(
      make_draw(h, {corner(-1, -1, 0, 1), corner(-1, 3, 0, 1), corner(3, -1, 1, 10)}));
  for (std::uint32_t i = 0; i < picture_size * picture_size; ++i) {
    const double z = (i % picture_size + 0.5) / (2 * picture_size);
    CHECK(made.colors[0][i][0] == Approx(1 - z).margin(1e-3));
  }
}

}  // namespace aerogpu::test

// SPDX-License-Identifier: MIT
// Texture stages: the rows of umd-d3d9.md 3.7.
#include "drivers/win7/umd/d3d9/fixed/pixel/texture_operations.hpp"
#include "tests/drivers/umd/fixed/fixed_harness.hpp"

namespace aerogpu::test {

namespace {

using d3d9::opcode;
using umd::fixed::texture_shape;

auto interpolated(double shift = 0) -> reference_varyings {
  reference_varyings in;
  in.color0 = {0.2 + shift, 0.75, 0.4, 0.6};
  in.color1 = {0.3, 0.1 + shift, 0.55, 0.35};
  for (unsigned i = 0; i < 8; ++i) in.texcoords[i] = {0.3 * i, 0.7 - 0.1 * i, 0.2, 1};
  return in;
}

struct stage_harness : fixed_harness {
  stage_harness() {
    set(D3DRS_LIGHTING, 0);
    set(D3DRS_TEXTUREFACTOR, 0x80C04020);
    for (unsigned i = 0; i < 8; ++i) {
      format.texcoords[i] = 2;
      set(i, D3DTSS_CONSTANT, 0x30405060u + 0x11111111u * i);
    }
  }
  /// One stage whose alpha is an operation too.
  void set_both(unsigned stage, std::uint32_t op, std::uint32_t arg1, std::uint32_t arg2,
                std::uint32_t arg0) {
    set_stage(stage, op, arg1, arg2, arg0);
    set(stage, D3DTSS_ALPHAOP, op);
    set(stage, D3DTSS_ALPHAARG1, arg1);
    set(stage, D3DTSS_ALPHAARG2, arg2);
    set(stage, D3DTSS_ALPHAARG0, arg0);
  }
};

auto is_of_color(std::uint32_t op) -> bool {
  return op >= D3DTOP_MODULATEALPHA_ADDCOLOR && op <= D3DTOP_MODULATEINVCOLOR_ADDALPHA;
}

auto is_texture_operation(std::uint32_t op) -> bool {
  return op <= D3DTOP_LERP && op != D3DTOP_BUMPENVMAP && op != D3DTOP_BUMPENVMAPLUMINANCE;
}

}  // namespace

TEST_CASE("each operation computes its row, in colour and in alpha", "[umd][fixed][T183]") {
  const std::uint32_t op = GENERATE(range<std::uint32_t>(D3DTOP_SELECTARG1, D3DTOP_LERP + 1));
  if (!is_texture_operation(op)) return;
  const std::uint32_t arg2 = GENERATE(D3DTA_TFACTOR, D3DTA_CURRENT, D3DTA_CONSTANT);
  stage_harness h;
  h.set_stage(0, D3DTOP_MODULATE, D3DTA_TEXTURE, D3DTA_DIFFUSE);
  const std::uint32_t alpha_op = is_of_color(op) ? std::uint32_t{D3DTOP_MODULATE} : op;
  h.set_both(1, op, D3DTA_TEXTURE, arg2, D3DTA_SPECULAR);
  h.set(1, D3DTSS_ALPHAOP, alpha_op);
  for (unsigned i = 0; i < 3; ++i) h.bind(i);
  h.check_pixel(interpolated());
}

TEST_CASE("colour and alpha of a stage have operations of their own", "[umd][fixed]") {
  stage_harness h;
  h.set_stage(0, D3DTOP_ADD, D3DTA_TEXTURE, D3DTA_DIFFUSE);
  h.set(0, D3DTSS_ALPHAOP, D3DTOP_SUBTRACT);
  h.set(0, D3DTSS_ALPHAARG1, D3DTA_DIFFUSE);
  h.set(0, D3DTSS_ALPHAARG2, D3DTA_TFACTOR | D3DTA_COMPLEMENT);
  h.bind(0);
  h.check_pixel(interpolated());
}

TEST_CASE("each argument and modifier reads what it names", "[umd][fixed][T178]") {
  const std::uint32_t what = GENERATE(D3DTA_DIFFUSE, D3DTA_CURRENT, D3DTA_TEXTURE, D3DTA_TFACTOR,
                                      D3DTA_SPECULAR, D3DTA_TEMP, D3DTA_CONSTANT);
  const std::uint32_t modifier =
      GENERATE(0u, D3DTA_COMPLEMENT, D3DTA_ALPHAREPLICATE, D3DTA_COMPLEMENT | D3DTA_ALPHAREPLICATE);
  stage_harness h;
  h.set_stage(0, D3DTOP_MODULATE, D3DTA_TEXTURE, D3DTA_DIFFUSE);
  h.set(0, D3DTSS_RESULTARG, what == D3DTA_TEMP ? D3DTA_TEMP : D3DTA_CURRENT);
  h.set_both(1, D3DTOP_LERP, what | modifier, D3DTA_TFACTOR, D3DTA_DIFFUSE);
  h.bind(0);
  h.bind(1);
  h.check_pixel(interpolated());
}

TEST_CASE("CURRENT in the first stage is DIFFUSE", "[umd][fixed][T178]") {
  stage_harness h;
  h.set_both(0, D3DTOP_MODULATE, D3DTA_CURRENT, D3DTA_TFACTOR, 0);
  h.check_pixel(interpolated());
  const auto first = h.plan.pixel_shader;
  h.set_both(0, D3DTOP_MODULATE, D3DTA_DIFFUSE, D3DTA_TFACTOR, 0);
  REQUIRE(h.prepare() == S_OK);
  CHECK(h.plan.pixel_shader == first);
}

TEST_CASE("TEMP is zero until a stage writes it, and CURRENT stays meanwhile", "[umd][fixed]") {
  const bool writes = GENERATE(false, true);
  stage_harness h;
  h.set_both(0, D3DTOP_MODULATE, D3DTA_TEXTURE, D3DTA_DIFFUSE, 0);
  if (writes) h.set(0, D3DTSS_RESULTARG, D3DTA_TEMP);
  h.set_both(1, D3DTOP_ADD, D3DTA_TEMP, D3DTA_CURRENT, 0);
  h.bind(0);
  h.check_pixel(interpolated());
}

TEST_CASE("arguments that an operation does not read do not matter", "[umd][fixed][T178]") {
  const auto [op, ignored] = GENERATE(table<std::uint32_t, D3DTEXTURESTAGESTATETYPE>({
      {D3DTOP_SELECTARG1, D3DTSS_COLORARG2},
      {D3DTOP_SELECTARG2, D3DTSS_COLORARG1},
      {D3DTOP_MODULATE, D3DTSS_COLORARG0},
  }));
  const std::uint32_t value = GENERATE(D3DTA_TEXTURE, 0xFFu, 0xF0000000u);
  stage_harness h;
  h.set_stage(0, op, D3DTA_DIFFUSE, D3DTA_DIFFUSE);
  REQUIRE(h.prepare() == S_OK);
  const auto before = h.plan.pixel_shader;
  h.set(0, ignored, value);
  h.check_pixel(interpolated());
  CHECK(h.plan.pixel_shader == before);
}

TEST_CASE("as many textures, as many lookups with their own samplers", "[umd][fixed][T174]") {
  const unsigned count = GENERATE(1u, 2u, 3u, 4u, 8u);
  stage_harness h;
  for (unsigned i = 0; i < count; ++i) {
    h.set_both(i, D3DTOP_MODULATE, D3DTA_TEXTURE, D3DTA_CURRENT, 0);
    h.bind(i);
  }
  h.check_pixel(interpolated());
  CHECK(count_of(h.pixel_tokens(), opcode::tex) == count);
  const std::string text = assembly_of(h.pixel_tokens());
  for (unsigned i = 0; i < count; ++i) {
    CHECK(text.find("dcl_2d s" + std::to_string(i)) != std::string::npos);
  }
}

TEST_CASE("a stage that reads no texture does not sample; later ones keep their sampler",
          "[umd][fixed][T174]") {
  stage_harness h;
  h.set_both(0, D3DTOP_MODULATE, D3DTA_TFACTOR, D3DTA_DIFFUSE, 0);
  h.set_both(1, D3DTOP_MODULATE, D3DTA_TEXTURE, D3DTA_CURRENT, 0);
  h.bind(0);
  h.bind(1);
  h.check_pixel(interpolated());
  const std::string text = assembly_of(h.pixel_tokens());
  CHECK(count_of(h.pixel_tokens(), opcode::tex) == 1);
  CHECK(text.find("s0") == std::string::npos);
  CHECK(text.find("dcl_2d s1") != std::string::npos);
}

TEST_CASE("a texture that is read twice is sampled once", "[umd][fixed]") {
  stage_harness h;
  h.set_both(0, D3DTOP_BLENDTEXTUREALPHA, D3DTA_TEXTURE, D3DTA_TEXTURE | D3DTA_COMPLEMENT, 0);
  h.bind(0);
  h.check_pixel(interpolated());
  CHECK(count_of(h.pixel_tokens(), opcode::tex) == 1);
}

TEST_CASE("the chain ends before a stage whose colour reads a missing texture, and alpha stays",
          "[umd][fixed][T175]") {
  struct row {
    std::uint32_t color_op, color_arg, alpha_op, alpha_arg;
    bool ends;
  };
  const row r = GENERATE(values<row>({
      {D3DTOP_MODULATE, D3DTA_TEXTURE, D3DTOP_SELECTARG1, D3DTA_CURRENT, true},
      {D3DTOP_MODULATE, D3DTA_TFACTOR, D3DTOP_SELECTARG1, D3DTA_TEXTURE, false},
      {D3DTOP_MODULATE, D3DTA_TFACTOR, D3DTOP_BLENDTEXTUREALPHA, D3DTA_CURRENT, false},
      {D3DTOP_BLENDTEXTUREALPHA, D3DTA_TFACTOR, D3DTOP_SELECTARG1, D3DTA_CURRENT, true},
      {D3DTOP_BLENDTEXTUREALPHAPM, D3DTA_TFACTOR, D3DTOP_SELECTARG1, D3DTA_CURRENT, true},
      {D3DTOP_MODULATE, D3DTA_TFACTOR, D3DTOP_SELECTARG1, D3DTA_CURRENT, false},
      {D3DTOP_MODULATE, D3DTA_TFACTOR, D3DTOP_DISABLE, D3DTA_TEXTURE, false},
      {D3DTOP_SELECTARG2, D3DTA_TEXTURE, D3DTOP_SELECTARG1, D3DTA_CURRENT, false},
      {D3DTOP_DOTPRODUCT3, D3DTA_TFACTOR, D3DTOP_SELECTARG1, D3DTA_TEXTURE, false},
  }));
  stage_harness h;
  h.set_both(0, D3DTOP_MODULATE, D3DTA_TFACTOR, D3DTA_DIFFUSE, 0);
  h.set_stage(1, r.color_op, r.color_arg, D3DTA_CURRENT);
  h.set(1, D3DTSS_ALPHAOP, r.alpha_op);
  h.set(1, D3DTSS_ALPHAARG1, r.alpha_arg);
  h.set_both(2, D3DTOP_MODULATE, D3DTA_CONSTANT, D3DTA_CURRENT, 0);
  h.check_pixel(interpolated());
  umd::fixed::shader_keys keys;
  REQUIRE(make_keys(h.inputs(), keys) == S_OK);
  CHECK(keys.pixel.stage_count == (r.ends ? 1 : 3));
}

TEST_CASE("DISABLE ends the chain, with its own alpha and all that follows", "[umd][fixed][T176]") {
  const unsigned at = GENERATE(0u, 1u, 3u, 7u);
  stage_harness h;
  for (unsigned i = 0; i < 8; ++i) {
    h.set_both(i, D3DTOP_ADDSMOOTH, D3DTA_TFACTOR, D3DTA_CURRENT, 0);
  }
  h.set(at, D3DTSS_COLOROP, D3DTOP_DISABLE);
  if (at < 7) h.set(at + 1, D3DTSS_COLOROP, 77);
  h.check_pixel(interpolated());
}

TEST_CASE("without a stage the diffuse colour comes out", "[umd][fixed][T176]") {
  stage_harness h;
  h.set(0, D3DTSS_COLOROP, D3DTOP_DISABLE);
  h.check_pixel(interpolated());
  CHECK(h.run_pixel(interpolated())[1] == 0.75);
}

TEST_CASE("an alpha operation that is disabled keeps the alpha of CURRENT", "[umd][fixed]") {
  const std::uint32_t to = GENERATE(D3DTA_CURRENT, D3DTA_TEMP);
  stage_harness h;
  h.set_stage(0, D3DTOP_MODULATE, D3DTA_TEXTURE, D3DTA_DIFFUSE);
  h.set(0, D3DTSS_ALPHAOP, D3DTOP_DISABLE);
  h.set(0, D3DTSS_RESULTARG, to);
  h.set_both(1, D3DTOP_ADD, D3DTA_TEMP, D3DTA_CURRENT, 0);
  h.bind(0);
  h.check_pixel(interpolated());
}

TEST_CASE("what operations cost in instructions", "[umd][fixed][T177]") {
  const auto count = [](std::uint32_t op, opcode which) {
    stage_harness h;
    h.set_both(0, op, D3DTA_TFACTOR, D3DTA_DIFFUSE, 0);
    h.check_pixel(interpolated());
    return count_of(h.pixel_tokens(), which);
  };
  CHECK(count(D3DTOP_MODULATE, opcode::mul) == 1);
  CHECK(count(D3DTOP_MODULATE, opcode::add) == 0);
  CHECK(count(D3DTOP_MODULATE2X, opcode::mul) == 1);
  CHECK(count(D3DTOP_MODULATE2X, opcode::add) == 1);
  CHECK(count(D3DTOP_MODULATE4X, opcode::mul) == 1);
  CHECK(count(D3DTOP_MODULATE4X, opcode::add) == 2);
  CHECK(count(D3DTOP_ADD, opcode::add) == 1);
  CHECK(count(D3DTOP_ADDSIGNED, opcode::add) == 2);
  CHECK(count(D3DTOP_SUBTRACT, opcode::add) == 1);
  CHECK(count(D3DTOP_BLENDDIFFUSEALPHA, opcode::tex) == 0);
}

TEST_CASE("SUBTRACT negates a source, ALPHAREPLICATE swizzles it", "[umd][fixed][T177][T178]") {
  stage_harness h;
  h.set_both(0, D3DTOP_SUBTRACT, D3DTA_DIFFUSE, D3DTA_TFACTOR, 0);
  REQUIRE(h.prepare() == S_OK);
  CHECK(assembly_of(h.pixel_tokens()).find("add_sat r0, v0, -c223") != std::string::npos);
  h.set_stage(0, D3DTOP_SELECTARG1, D3DTA_TFACTOR | D3DTA_ALPHAREPLICATE, 0);
  REQUIRE(h.prepare() == S_OK);
  CHECK(assembly_of(h.pixel_tokens()).find("c223.w") != std::string::npos);
}

TEST_CASE("an operation or argument that no stage has fails the draw", "[umd][fixed][T179]") {
  const unsigned stage = GENERATE(0u, 3u, 7u);
  const auto [which, value] = GENERATE(table<D3DTEXTURESTAGESTATETYPE, std::uint32_t>({
      {D3DTSS_COLOROP, 0u},
      {D3DTSS_COLOROP, 22u},
      {D3DTSS_COLOROP, 23u},
      {D3DTSS_COLOROP, 27u},
      {D3DTSS_COLOROP, 0xFFFFFFFFu},
      {D3DTSS_ALPHAOP, 0u},
      {D3DTSS_ALPHAOP, 18u},
      {D3DTSS_ALPHAOP, 21u},
      {D3DTSS_ALPHAOP, 27u},
      {D3DTSS_COLORARG1, 7u},
      {D3DTSS_COLORARG2, 15u},
      {D3DTSS_COLORARG2, 0x40u},
      {D3DTSS_ALPHAARG1, 7u},
  }));
  stage_harness h;
  for (unsigned i = 0; i <= stage; ++i) {
    h.set_both(i, D3DTOP_MODULATE, D3DTA_TFACTOR, D3DTA_CURRENT, 0);
  }
  REQUIRE(h.prepare() == S_OK);
  h.set(stage, which, value);
  CHECK(h.prepare() == D3DERR_INVALIDCALL);
  h.set(stage, D3DTSS_COLOROP, D3DTOP_DISABLE);
  CHECK(h.prepare() == S_OK);
}

TEST_CASE("a pixel shader of the application does not mind the stages", "[umd][fixed][T169]") {
  stage_harness h;
  h.set(0, D3DTSS_COLOROP, 22);
  h.has_pixel_shader = true;
  CHECK(h.prepare() == S_OK);
  h.has_pixel_shader = false;
  h.has_vertex_shader = true;
  CHECK(h.prepare() == D3DERR_INVALIDCALL);
}

TEST_CASE("stages sample two-dimensional, cube and volume textures", "[umd][fixed]") {
  const auto [shape, text] = GENERATE(table<texture_shape, const char*>({
      {texture_shape::image_2d, "dcl_2d s0"},
      {texture_shape::cube, "dcl_cube s0"},
      {texture_shape::volume, "dcl_volume s0"},
  }));
  stage_harness h;
  h.set_stage(0, D3DTOP_SELECTARG1, D3DTA_TEXTURE, 0);
  h.bind(0, shape);
  h.check_pixel(interpolated());
  CHECK(assembly_of(h.pixel_tokens()).find(text) != std::string::npos);
}

TEST_CASE("PREMODULATE takes the texture of the next stage, which may not be there",
          "[umd][fixed]") {
  const bool has_next = GENERATE(false, true);
  const unsigned stage = GENERATE(0u, 7u);
  stage_harness h;
  for (unsigned i = 0; i < stage; ++i) h.set_both(i, D3DTOP_SELECTARG1, D3DTA_CURRENT, 0, 0);
  h.set_both(stage, D3DTOP_PREMODULATE, D3DTA_TEXTURE, 0, 0);
  h.bind(stage);
  if (has_next && stage < 7) h.bind(stage + 1);
  if (stage < 7) h.set_both(stage + 1, D3DTOP_ADDSMOOTH, D3DTA_CURRENT, D3DTA_TFACTOR, 0);
  h.check_pixel(interpolated());
}

TEST_CASE("SPECULARENABLE adds the specular colour behind the last stage", "[umd][fixed][T183]") {
  const std::uint32_t op = GENERATE(std::uint32_t{D3DTOP_DISABLE}, std::uint32_t{D3DTOP_ADD});
  stage_harness h;
  h.set_both(0, op, D3DTA_TFACTOR, D3DTA_CURRENT, 0);
  h.set(D3DRS_SPECULARENABLE, 1);
  h.check_pixel(interpolated(0.4));
}

TEST_CASE("colours of a vertex shader of model 3 are clamped before a stage reads them",
          "[umd][fixed][T168]") {
  const std::uint32_t op = GENERATE(std::uint32_t{D3DTOP_DISABLE}, std::uint32_t{D3DTOP_MODULATE});
  const std::uint32_t what = GENERATE(D3DTA_DIFFUSE, D3DTA_SPECULAR);
  const std::uint32_t adds_specular = GENERATE(0u, 1u);
  stage_harness h;
  h.has_vertex_shader = true;
  h.set_both(0, op, D3DTA_TEXTURE, what, 0);
  h.set(D3DRS_SPECULARENABLE, adds_specular);
  h.bind(0);
  reference_varyings open = interpolated(), clamped = interpolated();
  open.color0 = {2, -1, 0.5, 3};
  open.color1 = {-4, 0.25, 1.5, 2};
  clamped.color0 = {1, 0, 0.5, 1};
  clamped.color1 = {0, 0.25, 1, 1};
  h.check_pixel(clamped);
  CHECK(assembly_of(h.pixel_tokens()).find("mov_sat r16") == std::string::npos);
  h.has_unclamped_colors = true;
  h.check_pixel(clamped);
  CHECK(is_near(h.run_pixel(open), h.run_pixel(clamped), 0));
}

TEST_CASE("the caps of operations are those that have a row", "[umd][fixed]") {
  std::uint32_t caps = 0;
  for (std::uint32_t op = D3DTOP_DISABLE; op <= D3DTOP_LERP; ++op) {
    if (is_texture_operation(op)) caps |= 1u << (op - 1);
  }
  CHECK(umd::fixed::texture_op_caps() == caps);
}

}  // namespace aerogpu::test

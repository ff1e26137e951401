// SPDX-License-Identifier: MIT
// What ps_1_x computes: clamped constants, modifiers, shifts, conditions and pairs.
#include "tests/shaders/shader_suite.hpp"

namespace aerogpu::test {
namespace {

constexpr std::string_view before_1_4 = "ps_1_1 ps_1_2 ps_1_3";
constexpr std::string_view every_ps_1 = "ps_1_1 ps_1_2 ps_1_3 ps_1_4";

/// c0 = (1,2,3,4), c1 = (-3,0.5,-0.25,0.75), c2 = (0.6,0.5,0.4,0), c3 = 1, c4 = 0.25; c255 = 0.125.
struct legacy_row {
  std::string_view versions;
  std::string_view body;
  float4 wanted;
};

const std::vector<legacy_row>& legacy_rows() {
  static const std::vector<legacy_row> all{
      {every_ps_1, "mov r0, c0", {1, 1, 1, 1}},
      {every_ps_1, "mov r0, c1", {-1, .5f, -.25f, .75f}},
      {every_ps_1, "def c5, 2, -2, 0.5, 0\nmov r0, c5", {1, -1, .5f, 0}},
      {every_ps_1, "mov r0, c255", {.125f, .125f, .125f, .125f}},
      {every_ps_1, "mov r0, -c1", {1, -.5f, .25f, -.75f}},
      {every_ps_1, "mov r1, c1\nmov r0, r1_bias", {-1.5f, 0, -.75f, .25f}},
      {every_ps_1, "mov r1, c1\nmov r0, -r1_bias", {1.5f, 0, .75f, -.25f}},
      {every_ps_1, "mov r1, c1\nmov r0, r1_bx2", {-3, 0, -1.5f, .5f}},
      {every_ps_1, "mov r1, c1\nmov r0, -r1_bx2", {3, 0, 1.5f, -.5f}},
      {every_ps_1, "mov r1, c1\nmov r0, 1-r1", {2, .5f, 1.25f, .25f}},
      {"ps_1_4", "mov r1, c1\nmov r0, r1_x2", {-2, 1, -.5f, 1.5f}},
      {"ps_1_4", "mov r1, c1\nmov r0, -r1_x2", {2, -1, .5f, -1.5f}},
      {every_ps_1, "mov_x2 r0, c1", {-2, 1, -.5f, 1.5f}},
      {every_ps_1, "mov_x4 r0, c1", {-4, 2, -1, 3}},
      {every_ps_1, "mov_x8 r0, c1", {-8, 4, -2, 6}},
      {every_ps_1, "mov_d2 r0, c1", {-.5f, .25f, -.125f, .375f}},
      {every_ps_1, "mov_d4 r0, c1", {-.25f, .125f, -.0625f, .1875f}},
      {every_ps_1, "mov_d8 r0, c1", {-.125f, .0625f, -.03125f, .09375f}},
      {every_ps_1, "mov_x4_sat r0, c4", {1, 1, 1, 1}},
      {every_ps_1, "mov_d2_sat r0, c1", {0, .25f, 0, .375f}},
      {before_1_4, "mov r0, c2.x\ncnd r0, r0.a, c3, c4", {1, 1, 1, 1}},
      {before_1_4, "mov r0, c2.y\ncnd r0, r0.a, c3, c4", {.25f, .25f, .25f, .25f}},
      {"ps_1_4", "mov r1, c2\ncnd r0, r1, c3, c4", {1, .25f, .25f, .25f}},
      {"ps_1_2 ps_1_3 ps_1_4", "mov r1, c1\ncmp r0, r1, c3, c4", {.25f, 1, .25f, 1}},
      {every_ps_1, "mov r1, c1\nlrp r0, c4, c3, r1", {-.5f, .625f, .0625f, .8125f}},
      {every_ps_1, "mov r0, c2\nmov r0.rgb, r0.a\n+ mov r0.a, r0.b", {0, 0, 0, .4f}},
      {every_ps_1, "mov r0, c2\nmov r0.a, r0.b\n+ mov r0.rgb, r0.a", {0, 0, 0, .4f}},
      // A colour cnd that is issued with another instruction copies.
      {before_1_4, "mov r0, c4\nmov r0.a, c4\n+ cnd r0.rgb, r0.a, c3, c4", {1, 1, 1, .25f}},
      {"ps_1_4", "mov r0, c1\nmov r1, c3\nbem r0.rg, r1, c4", {1, 1, -.25f, .75f}},
      {"ps_1_4", "mov r1, c1\nphase\nmov r0, r1", {-1, .5f, -.25f, .75f}},
  };
  return all;
}

auto legacy_constants() -> d3d9::constant_block {
  d3d9::constant_block block{};
  block.floats[0] = {1, 2, 3, 4};
  block.floats[1] = {-3, .5f, -.25f, .75f};
  block.floats[2] = {.6f, .5f, .4f, 0};
  block.floats[3].fill(1);
  block.floats[4].fill(.25f);
  block.floats[255].fill(.125f);
  return block;
}

}  // namespace

TEST_CASE("ps_1_x computes by its own rules", "[shaders][legacy]") {
  for (const legacy_row& row : legacy_rows()) {
    for (const std::string& version : split(row.versions)) {
      const float4 got = run_body(version, row.body, legacy_constants());
      INFO(version << ":\n"
                   << row.body << "\ngives " << text_of(got) << ", not " << text_of(row.wanted));
      CHECK(is_close(got, row.wanted, 1e-6f));
    }
  }
}

TEST_CASE("from SM2 on constants keep their value, up to c255", "[shaders][legacy]") {
  CHECK(run_body("ps_2_0", "mov r0, c0", legacy_constants()) == float4{1, 2, 3, 4});
  CHECK(run_body("ps_2_0", "mov r0, c255", legacy_constants())[0] == .125f);
  CHECK(run_body("ps_2_0", "def c0, 9, 8, 7, 6\nmov r0, c0", legacy_constants()) ==
        float4{9, 8, 7, 6});
}

}  // namespace aerogpu::test

// SPDX-License-Identifier: MIT
// What arithmetic instructions compute, by the tables of shaders.md 1.10 and 6.2.
#include "tests/shaders/shader_suite.hpp"

namespace aerogpu::test {
namespace {

constexpr float any = -7;  ///< What D holds before the instruction runs.

constexpr std::string_view vs = "vs_1_1 vs_2_0 vs_3_0";
constexpr std::string_view sm1 = "vs_1_1 vs_2_0 vs_3_0 ps_2_0 ps_3_0";
constexpr std::string_view sm2 = "vs_2_0 vs_3_0 ps_2_0 ps_3_0";
constexpr std::string_view ps2 = "ps_2_0 ps_3_0";
constexpr std::string_view sm3 = "vs_3_0 ps_3_0";

/// D is the result; A, B, C are registers that hold the operands.
struct alu_row {
  std::string_view versions;
  std::string_view body;
  std::array<float4, 3> operands;
  float4 wanted;
  float tolerance = 0;
};

constexpr float4 splat(float v) {
  return {v, v, v, v};
}

constexpr float near = 1e-5f;  ///< For functions that Vulkan leaves some freedom.

const std::vector<alu_row>& alu_rows() {
  static const std::vector<alu_row> all{
      {sm1, "mov D, A", {{{1, 2, 3, 4}}}, {1, 2, 3, 4}},
      {sm1, "mov D, -A.wzyx", {{{1, 2, 3, 4}}}, {-4, -3, -2, -1}},
      {sm1, "mov D.yw, A.x", {{{1, 2, 3, 4}}}, {any, 1, any, 1}},
      {sm1, "add D, A, B", {{{1, 2, 3, 4}, {10, 20, 30, 40}}}, {11, 22, 33, 44}},
      {sm1, "sub D, A, B", {{{1, 2, 3, 4}, {10, 20, 30, 40}}}, {-9, -18, -27, -36}},
      {sm1, "sub D, A, A", {{{inf, nan, 1, -inf}}}, {nan, nan, 0, nan}},
      {sm1, "mul D, A, B", {{{1, 2, 3, 4}, {2, 0, -1, .5f}}}, {2, 0, -3, 2}},
      {sm1, "mul D, A, B", {{{0, 0, inf, nan}, {inf, nan, 0, -0.f}}}, splat(0)},
      {sm1, "mul D, A, B", {{{inf, -inf, nan, 2}, {2, 3, 1, inf}}}, {inf, -inf, nan, inf}},
      {sm1, "mad D, A, B, C", {{{2, 3, 4, 5}, splat(2), splat(1)}}, {5, 7, 9, 11}},
      {sm1, "mad D, A, B, C", {{splat(0), {inf, nan, -inf, 1}, splat(3)}}, splat(3)},
      // A fused multiply-add would keep what rounding the product loses.
      {sm1,
       "mad D, A, B, C",
       {{splat(1.00024414f), splat(1.00024414f), splat(-1.00048828f)}},
       splat(0)},
      {sm1, "rcp D, A.w", {{{1, 2, 3, 4}}}, splat(.25f), near},
      {sm1, "rcp D, A.x", {{{1, 2, 3, 4}}}, splat(1)},
      {sm1, "rcp D, A.x", {{splat(0)}}, splat(largest)},
      {sm1, "rcp D, A.x", {{splat(-0.f)}}, splat(-largest)},
      {sm1, "rcp D, A.x", {{splat(-2)}}, splat(-.5f), near},
      {sm1, "rcp D, A.x", {{splat(nan)}}, splat(nan)},
      {sm1, "rcp D, A.x", {{splat(inf)}}, splat(0)},
      {sm1, "rsq D, A.x", {{splat(4)}}, splat(.5f), near},
      {sm1, "rsq D, A.x", {{splat(-4)}}, splat(.5f), near},
      {sm1, "rsq D, A.x", {{splat(0)}}, splat(largest)},
      {sm1, "rsq D, A.x", {{splat(1)}}, splat(1), 1e-7f},
      {sm1, "exp D, A.x", {{splat(3)}}, splat(8), near},
      {sm1, "exp D, A.x", {{splat(-1)}}, splat(.5f), near},
      {sm1, "exp D, A.x", {{splat(.5f)}}, splat(1.41421356f), near},
      {sm1, "exp D, A.x", {{splat(200)}}, splat(inf)},
      {sm1, "log D, A.x", {{splat(8)}}, splat(3), near},
      {sm1, "log D, A.x", {{splat(-8)}}, splat(3), near},
      {sm1, "log D, A.x", {{splat(0)}}, splat(-largest)},
      {"vs_1_1", "expp D, A.x", {{splat(2.25f)}}, {4, .25f, 4.75682846f, 1}, near},
      {"vs_1_1", "expp D, A.x", {{splat(-1.5f)}}, {.25f, .5f, .353553391f, 1}, near},
      {"vs_1_1", "expp D.y, A.x", {{splat(2.25f)}}, {any, .25f, any, any}},
      {"vs_2_0 vs_3_0", "expp D, A.x", {{splat(2.25f)}}, splat(4.75682846f), near},
      {vs, "logp D, A.x", {{splat(10)}}, splat(3.32192809f), near},
      {sm1, "dp3 D, A, B", {{{1, 2, 3, 9}, {4, 5, 6, 9}}}, splat(32)},
      {sm1, "dp4 D, A, B", {{{1, 2, 3, 4}, {5, 6, 7, 8}}}, splat(70)},
      {sm1, "dp4 D, A, B", {{{0, inf, nan, 0}, {nan, 0, 0, 3}}}, splat(0)},
      {sm1, "dp3 D, A, B", {{{1, 1, 1, nan}, {1, 2, 3, nan}}}, splat(6)},
      {ps2, "dp2add D, A, B, C.x", {{{1, 2, 3, 4}, {5, 6, 7, 8}, splat(9)}}, splat(26)},
      {sm1, "min D, A, B", {{{1, 5, nan, 1}, {2, 3, 1, nan}}}, {1, 3, 1, 1}},
      {sm1, "max D, A, B", {{{1, 5, nan, 1}, {2, 3, 1, nan}}}, {2, 5, 1, 1}},
      {vs, "slt D, A, B", {{{1, 2, 3, nan}, {2, 2, 2, 0}}}, {1, 0, 0, 0}},
      {vs, "sge D, A, B", {{{1, 2, 3, nan}, {2, 2, 2, 0}}}, {0, 1, 1, 0}},
      {sm2, "lrp D, A, B, C", {{{.25f, 0, 1, .5f}, splat(10), splat(20)}}, {17.5f, 20, 10, 15}},
      {sm2, "lrp D, A, B, C", {{splat(0), splat(inf), splat(20)}}, splat(20)},
      {sm2, "frc D, A", {{{-.25f, 1.75f, -3, .5f}}}, {.75f, .75f, 0, .5f}},
      {sm2, "frc D, A", {{splat(-1e-9f)}}, splat(0.99999994f)},
      {"vs_1_1", "frc D.xy, A", {{{-.25f, 1.75f, 0, 0}}}, {.75f, .75f, any, any}},
      {sm2, "abs D, A", {{{-2, 3, -0.f, nan}}}, {2, 3, 0, nan}},
      {"vs_3_0", "sgn D, A", {{{-3, 0, 5, -0.f}}}, {-1, 0, 1, 0}},
      {"vs_2_0", "sgn D, A, r5, r6", {{{-inf, 0, 5, nan}}}, {-1, 0, 1, 0}},
      {sm2, "crs D.xyz, A, B", {{{1, 0, 0, 9}, {0, 1, 0, 9}}}, {0, 0, 1, any}},
      {sm2, "crs D.xyz, A, A", {{{1.1f, 2.3f, 3.7f, 9}}}, {0, 0, 0, any}},
      {sm2, "crs D.y, A, B", {{{1, 2, 3, 9}, {4, 5, 7, 9}}}, {any, 5, any, any}},
      {sm2, "nrm D, A", {{{3, 0, 4, 5}}}, {.6f, 0, .8f, 1}, near},
      {sm2, "nrm D, A", {{{0, 0, 0, 0}}}, splat(0)},
      {sm2, "nrm D, A", {{{0, 0, 0, 1}}}, {0, 0, 0, largest}},
      {sm2, "pow D, A.x, B.x", {{splat(-2), splat(3)}}, splat(8), near},
      {sm2, "pow D, A.x, B.x", {{splat(0), splat(0)}}, splat(1)},
      {sm2, "pow D, A.x, B.x", {{splat(nan), splat(0)}}, splat(1)},
      {sm2, "pow D, A.x, B.x", {{splat(0), splat(2)}}, splat(0)},
      {sm2, "pow D, A.x, B.x", {{splat(0), splat(-2)}}, splat(largest)},
      {sm2, "pow D, A.x, B.x", {{splat(4), splat(.5f)}}, splat(2), near},
      {sm2, "pow D, A.x, B.x", {{splat(-3), splat(2)}}, splat(9), near},
      {vs, "lit D, A", {{{.5f, .5f, 9, 2}}}, {1, .5f, .25f, 1}, near},
      {vs, "lit D, A", {{{-.5f, .5f, 9, 2}}}, {1, 0, 0, 1}},
      {vs, "lit D, A", {{{.5f, -.5f, 9, 2}}}, {1, .5f, 0, 1}},
      {vs, "lit D, A", {{{.5f, 0, 9, 0}}}, {1, .5f, 0, 1}},
      {vs, "lit D, A", {{{.5f, 1.01f, 9, 1000}}}, {1, .5f, 3.5737f, 1}, 1e-4f},
      {vs, "lit D.z, A", {{{.5f, .5f, 9, 2}}}, {any, any, .25f, any}, near},
      {vs, "dst D, A, B", {{{1, 2, 3, 4}, {5, 6, 7, 8}}}, {1, 12, 3, 8}},
      {vs, "dst D.yw, A, B", {{{1, 2, 3, 4}, {5, 6, 7, 8}}}, {any, 12, any, 8}},
      {sm3, "sincos D.xy, A.x", {{splat(.5f)}}, {.87758256f, .47942554f, any, any}, near},
      {sm3, "sincos D.xy, A.x", {{splat(0)}}, {1, 0, any, any}, near},
      {sm3, "sincos D.y, A.x", {{splat(.5f)}}, {any, .47942554f, any, any}, near},
      {"vs_2_0 ps_2_0",
       "sincos D.xy, A.x, B, C",
       {{splat(.5f), splat(9), splat(nan)}},
       {.87758256f, .47942554f, any, any},
       near},
      {ps2, "cmp D, A, B, C", {{{-0.f, 1, -1, nan}, splat(1), splat(2)}}, {1, 1, 2, 2}},
      {sm3, "mov D, A_abs", {{{-1, 2, -0.f, -inf}}}, {1, 2, 0, inf}},
      {sm3, "mov D, -A_abs", {{{-1, 2, -0.f, inf}}}, {-1, -2, 0, -inf}},
      {"vs_3_0 ps_2_0 ps_3_0",
       "add_sat D, A, B",
       {{{.7f, -1, nan, .25f}, {.7f, .5f, 0, .5f}}},
       {1, 0, 0, .75f}},
      {"vs_3_0 ps_2_0 ps_3_0", "mul_sat D.xw, A, B", {{splat(2), splat(-1)}}, {0, any, any, 0}},
      {"ps_2_0", "add D, 1-A, B", {{splat(.75f), splat(0)}}, splat(.25f)},
      {"ps_2_0", "add D, A_bias, B", {{splat(.75f), splat(0)}}, splat(.25f)},
  };
  return all;
}

/// The operands come as constants, and from there to temporaries.
auto constants_of(const alu_row& row) -> d3d9::constant_block {
  d3d9::constant_block block{};
  for (std::size_t i = 0; i < row.operands.size(); ++i) block.floats[i] = row.operands[i];
  block.floats[3] = splat(any);
  return block;
}

constexpr std::string_view loads = "mov r1, c0\nmov r2, c1\nmov r3, c2\nmov r0, c3\n";

auto body_of(std::string_view body) -> std::string {
  return std::string{loads} +
         with_names(body, {{"D", "r0"}, {"A", "r1"}, {"B", "r2"}, {"C", "r3"}}) + "\n";
}

}  // namespace

TEST_CASE("arithmetic gives Direct3D's results on the device", "[shaders][alu]") {
  for (const alu_row& row : alu_rows()) {
    for (const std::string& version : split(row.versions)) {
      // Shared arithmetic is spelled out at its first use, and called from then on.
      const std::string body = body_of(row.body);
      for (const std::string& code : {body, body + body}) {
        const float4 got = run_body(version, code, constants_of(row));
        INFO(version << ": " << row.body << " gives " << text_of(got) << ", not "
                     << text_of(row.wanted) << (code == body ? "" : ", at its second use"));
        CHECK(is_close(got, row.wanted, row.tolerance));
      }
    }
  }
}

}  // namespace aerogpu::test

// SPDX-License-Identifier: MIT
// What flow control and relative addressing do, by the table of shaders.md 6.3.
#include "tests/shaders/shader_suite.hpp"

namespace aerogpu::test {
namespace {

constexpr std::string_view vs2 = "vs_2_0 vs_3_0";
constexpr std::string_view sm2x = "vs_2_x vs_3_0 ps_2_x ps_3_0";

struct flow_row {
  std::string_view versions;
  std::string_view body;  ///< Ends in r0, which starts as zero.
  float4 wanted;
};

/// c0 = (1,2,3,4), c1 = (10,20,30,40), c2 = (0,NaN,2.5,-0.5), c3 = (-5,300,3.5,1.49); c60 + n is
/// n four times. i1 = (4,2,3,0), i2 = (-1,2,3,0), i3 = (300,0,0,0). Only b3 holds.
auto flow_constants() -> d3d9::constant_block {
  d3d9::constant_block block{};
  block.floats[0] = {1, 2, 3, 4};
  block.floats[1] = {10, 20, 30, 40};
  block.floats[2] = {0, nan, 2.5f, -.5f};
  block.floats[3] = {-5, 300, 3.5f, 1.49f};
  for (std::uint32_t i = 0; i < 40; ++i) block.floats[60 + i].fill(static_cast<float>(i));
  block.ints[1] = {4, 2, 3, 0};
  block.ints[2] = {-1, 2, 3, 0};
  block.ints[3] = {300, 0, 0, 0};
  block.bools = 1u << 3;
  return block;
}

const std::vector<flow_row>& flow_rows() {
  static const std::vector<flow_row> all{
      {sm2x, "defi i0, 3, 0, 0, 0\nrep i0\nadd r0, r0, c0\nendrep", {3, 6, 9, 12}},
      {sm2x, "rep i2\nadd r0, r0, c0\nendrep", {0, 0, 0, 0}},
      {vs2, "rep i3\nadd r0.x, r0.x, c0.x\nendrep", {255, 0, 0, 0}},
      {vs2,
       "loop aL, i1\nadd r0.x, r0.x, c[aL+60].x\nadd r0.y, r0.y, c0.x\nendloop",
       {26, 4, 0, 0}},
      {vs2, "loop aL, i2\nadd r0.x, r0.x, c[aL+60].x\nendloop", {0, 0, 0, 0}},
      {vs2,
       "defi i0, 2, 1, 1, 0\nloop aL, i0\nloop aL, i1\nadd r0.x, r0.x, c[aL+60].x\nendloop\n"
       "add r0.y, r0.y, c[aL+60].x\nendloop",
       {52, 3, 0, 0}},
      {vs2,
       "defi i0, 2, 1, 1, 0\nloop aL, i0\nrep i1\nadd r0.x, r0.x, c[aL+60].x\nendrep\nendloop",
       {12, 0, 0, 0}},
      {vs2, "defi i0, 3, 3, -2, 0\nloop aL, i0\nadd r0.x, r0.x, c[aL+60].x\nendloop", {4, 0, 0, 0}},
      {sm2x, "rep i1\nadd r0, r0, c0\nbreak_gt r0.x, c0.y\nendrep", {3, 6, 9, 12}},
      {sm2x, "rep i1\nadd r0, r0, c0\nif_eq r0.x, c0.y\nbreak\nendif\nendrep", {2, 4, 6, 8}},
      {sm2x, "rep i1\nadd r0, r0, c0\nbreak\nadd r0, r0, c1\nendrep", {1, 2, 3, 4}},
      {sm2x, "rep i1\nadd r0, r0, c0\nsetp_ge p0, r0, c2.z\nbreak p0.x\nendrep", {3, 6, 9, 12}},
      {sm2x, "rep i1\nadd r0, r0, c0\nsetp_lt p0, r0, c2.z\nbreak !p0.x\nendrep", {3, 6, 9, 12}},
      {sm2x, "if b3\nmov r0, c1\nelse\nmov r0, c0\nendif", {10, 20, 30, 40}},
      {sm2x, "if !b3\nmov r0, c1\nelse\nmov r0, c0\nendif", {1, 2, 3, 4}},
      {sm2x, "if b2\nmov r0, c1\nendif", {0, 0, 0, 0}},
      {sm2x,
       "defb b2, true\ndefb b3, false\nif b2\nmov r0, c1\nendif\nif b3\nmov r0, c0\nendif",
       {10, 20, 30, 40}},
      {sm2x,
       "call l0\ncallnz l1, b3\ncallnz l1, b2\ncallnz l1, !b3\nret\nlabel l0\nadd r0, r0, c0\n"
       "call l1\nret\nlabel l1\nadd r0, r0, c1\nret",
       {21, 42, 63, 84}},
      {sm2x,
       "setp_gt p0, c0, c2.z\ncallnz l0, p0.z\ncallnz l0, p0.x\ncallnz l0, !p0.x\nret\n"
       "label l0\nadd r0, r0, c0\nret",
       {2, 4, 6, 8}},
      {vs2,
       "loop aL, i1\ncall l0\nendloop\nret\nlabel l0\nadd r0.x, r0.x, c[aL+60].x\nret",
       {26, 0, 0, 0}},
      {sm2x, "setp_ge p0, c0, c2.z\n(p0) mov r0, c1", {0, 0, 30, 40}},
      {sm2x, "setp_ge p0, c0, c2.z\n(!p0) mov r0.yz, c1", {0, 20, 0, 0}},
      {sm2x, "setp_ge p0, c0, c2.z\n(!p0.x) mov r0, c1", {10, 20, 30, 40}},
      {sm2x, "setp_ge p0, c0, c2.z\n(p0.y) mov r0, c1", {0, 0, 0, 0}},
      {sm2x, "setp_gt p0.x, c0, c2.x\n(p0) setp_gt p0, c0.y, c2.x\n(p0) mov r0, c1", {10, 0, 0, 0}},
      {sm2x, "setp_eq p0, c2.y, c2.y\nsetp_ne p0.w, c2.y, c2.y\n(p0) mov r0, c1", {0, 0, 0, 40}},
      {vs2,
       "mova a0, c3.zwxx\nmov r0.x, c[a0.x + 60].x\nmov r0.y, c[a0.y + 60].x\n"
       "mova a0, c2\nmov r0.z, c[a0.z + 60].x\nmov r0.w, c[a0.w + 60].x",
       {4, 1, 2, 0}},
      {"vs_1_1",
       "mov a0.x, c3.z\nmov r0.x, c[a0.x + 60].x\nmov a0.x, c2.w\n"
       "mov r0.y, c[a0.x + 62].x",
       {3, 1, 0, 0}},
      {vs2, "mova a0.x, c3.x\nmov r0, c[a0.x + 4]", {0, 0, 0, 0}},
      {vs2, "mova a0.x, c3.y\nmov r0, c[a0.x]", {0, 0, 0, 0}},
      {vs2, "def c5, 7, 7, 7, 8\nmova a0.x, c0.x\nmov r0, c[a0.x + 4]", {7, 7, 7, 8}},
      {vs2, "def c5, 7, 7, 7, 8\nmova a0.x, c0.x\nmov r0, c[a0.x]", {10, 20, 30, 40}},
      {vs2, "mova a0.x, c0.x\nmov r1, c0\nm3x2 r0.xy, r1, c[a0.x + 60]", {6, 12, 0, 0}},
      {vs2, "mov r0, c0\nm4x4 r0, r0, c60", {0, 10, 20, 30}},
      {vs2, "mov r1, c0\nm4x3 r0.xyz, r1, c61", {10, 20, 30, 0}},
      {vs2, "mov r1, c0\nm3x4 r0, r1, c61", {6, 12, 18, 24}},
      {vs2, "mov r1, c0\nm3x3 r0.xyz, r1, c61", {6, 12, 18, 0}},
      {vs2, "mov r0, c0\nmov r1, c0\nm3x2 r0, r1, c61", {6, 12, 3, 4}},
  };
  return all;
}

}  // namespace

TEST_CASE("flow control, predicates and addressing do as Direct3D says", "[shaders][flow]") {
  for (const flow_row& row : flow_rows()) {
    for (const std::string& version : split(row.versions)) {
      const float4 got = run_body(version, row.body, flow_constants());
      INFO(version << ":\n"
                   << row.body << "\ngives " << text_of(got) << ", not " << text_of(row.wanted));
      CHECK(is_close(got, row.wanted, 0));
    }
  }
}

TEST_CASE("the six comparisons differ at equality, on both sides and for NaN", "[shaders][flow]") {
  struct outcome {
    std::string_view name;
    float4 holds;  ///< For 1 beside 1, 1 beside 2, 2 beside 1, 1 beside NaN.
  };
  const auto row = GENERATE(values<outcome>({{"gt", {0, 0, 1, 0}},
                                             {"eq", {1, 0, 0, 0}},
                                             {"ge", {1, 0, 1, 0}},
                                             {"lt", {0, 1, 0, 0}},
                                             {"ne", {0, 1, 1, 1}},
                                             {"le", {1, 1, 0, 0}}}));
  const auto version = GENERATE("vs_2_x", "vs_3_0", "ps_2_x", "ps_3_0");
  d3d9::constant_block block{};
  block.floats[0] = {1, 1, 2, 1};
  block.floats[1] = {1, 2, 1, nan};
  const auto text = [&](std::string_view pattern) {
    std::string body;
    for (const char* component : {"x", "y", "z", "w"}) {
      body += with_names(pattern, {{"CMP", row.name}, {"K", component}}) + "\n";
    }
    return body;
  };
  INFO(version << " " << row.name);
  const std::string set = "setp_" + std::string{row.name} + " p0, c0, c1\n(p0) mov r0, c2.x\n";
  const std::string one = "def c2, 1, 0, 0, 0\n";
  CHECK(run_body(version, one + set, block) == row.holds);
  const std::string by_if = text("if_CMP c0.K, c1.K\nmov r0.K, c2.x\nendif");
  CHECK(run_body(version, one + by_if, block) == row.holds);
  const std::string by_break = text(
      "defi i0, 1, 0, 0, 0\nmov r0.K, c2.x\nrep i0\nbreak_CMP c0.K, c1.K\nmov r0.K, c2.y\n"
      "endrep");
  CHECK(run_body(version, one + by_break, block) == row.holds);
}

TEST_CASE("ifs nest 24 deep", "[shaders][flow]") {
  const auto version = GENERATE("vs_2_x", "vs_3_0", "ps_2_x", "ps_3_0");
  std::string body = "def c2, 1, 0, 0, 0\n", ends;
  for (int i = 0; i < 24; ++i) {
    body += "if_ge r0.x, c2.y\nadd r0.x, r0.x, c2.x\n";
    ends += "else\nadd r0.y, r0.y, c2.x\nendif\nadd r0.z, r0.z, c2.x\n";
  }
  CHECK(run_body(version, body + ends, {}) == float4{24, 0, 24, 0});
}

TEST_CASE("loops of one invocation end together after 65,536 rounds", "[shaders][flow]") {
  const std::string body =
      "defi i0, 255, 0, 0, 0\ndef c2, 1, 0, 0, 0\nrep i0\nrep i0\nrep i0\nadd r0, r0, c2\nendrep\n"
      "endrep\nendrep\n";
  const float4 got = run_body("vs_3_0", body, {});
  CHECK(got[0] > 60000);
  CHECK(got[0] <= 65536);
}

TEST_CASE("outputs and inputs can be indexed, and stay inside the file", "[shaders][flow]") {
  const auto [index, wanted] = GENERATE(table<float, float4>(
      {{1, {9, 0, 0, 0}}, {2, {0, 9, 0, 0}}, {3, {0, 0, 9, 0}}, {-4, {0, 0, 0, 0}}}));
  d3d9::constant_block block{};
  block.floats[0] = {index, 9, 0, 0};
  const auto code =
      code_of(translated("vs_3_0\ndcl_position v0\ndcl_position o0\ndcl_texcoord o1.x\n"
                         "dcl_texcoord1 o2.x\ndcl_texcoord2 o3.x\nmova a0.x, c0.x\n"
                         "mov o[a0.x], c0.y\nmov o0, v0\n"),
              block);
  constexpr std::uint32_t first = 2;
  const auto got = device().run_vertex(code, std::vector<attributes>(1), 7u << first)[0];
  CHECK(float4{got[first][0], got[first + 1][0], got[first + 2][0], 0} == wanted);
}

TEST_CASE("inputs beyond the file read zero, and outputs beyond it are not written",
          "[shaders][flow]") {
  const auto [index, wanted] = GENERATE(table<float, float4>({{15, {5, 0, 0, 0}},
                                                              {16, {0, 0, 0, 0}},
                                                              {-1, {0, 0, 0, 0}},
                                                              {1e9f, {0, 0, 0, 0}},
                                                              {-1e9f, {0, 0, 0, 0}}}));
  d3d9::constant_block block{};
  block.floats[0] = {index, 0, 0, 0};
  const auto code = code_of(translated("vs_3_0\ndcl_position v0\ndcl_texcoord v15\n"
                                       "dcl_position o0\ndcl_texcoord o1\nmova a0.x, c0.x\n"
                                       "mov o1, v[a0.x]\nmov o0, v0\n"),
                            block);
  attributes in{};
  for (float4& each : in) each = {5, 0, 0, 0};
  CHECK(device().run_vertex(code, std::vector{in}, 1u << 2)[0][2] == wanted);
  // The last output keeps what was written to it where the index goes beyond it.
  const auto writing =
      code_of(translated("vs_3_0\ndcl_position v0\ndcl_texcoord v1\ndcl_position o0\n"
                         "dcl_texcoord o11\nmov o11, v1\nmova a0.x, c0.x\n"
                         "mov o[a0.x], c0.yyyy\nmov o0, v0\n"),
              block);
  CHECK(device().run_vertex(writing, std::vector{in}, 1u << 2)[0][2] == float4{5, 0, 0, 0});
}

TEST_CASE("ps_3_0 sums the inputs that a loop indexes", "[shaders][flow]") {
  const auto code = code_of(
      translated("ps_3_0\ndcl_texcoord1 v3\ndcl_texcoord v2\ndefi i0, 2, 2, 1, 0\nloop aL, i0\n"
                 "add r0, r0, v[aL]\nendloop\nmov oC0, r0\n"));
  varyings in{};
  in[2] = {1, 2, 3, 4};
  in[3] = {10, 20, 30, 40};
  CHECK(device().run_pixel(code, std::vector{in}).colors[0][0] == float4{11, 22, 33, 44});
}

}  // namespace aerogpu::test

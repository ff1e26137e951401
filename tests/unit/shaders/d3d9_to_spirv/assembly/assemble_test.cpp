// SPDX-License-Identifier: MIT
#include "tests/unit/shaders/d3d9_to_spirv/shader_text.hpp"

namespace aerogpu::d3d9::test {
namespace {

/// "3 register is unknown": the line and what is wrong there.
auto refusal(std::string_view text) -> std::string {
  const auto shader = assemble(text);
  if (shader) return "";
  CHECK(shader.why().code == error_code::invalid_parameter);
  return std::to_string(shader.why().detail) + " " + shader.why().what;
}

}  // namespace

TEST_CASE("assembled tokens are those of Direct3D", "[d3d9]") {
  const auto [text, expected] = GENERATE(table<std::string_view, tokens>({
      {"vs_2_0", {0xFFFE0200, end}},
      {"vs_2_0\nmov oPos, v0", {0xFFFE0200, 0x02000001, 0xC00F0000, 0x90E40000, end}},
      {"vs_1_1\nmov oD0, c[a0.x + 3]", {0xFFFE0101, 0x00000001, 0xD00F0000, 0xA0E42003, end}},
      {"vs_2_0\nmov oT0, c[a0.y + 2]",
       {0xFFFE0200, 0x03000001, 0xE00F0000, 0xA0E42002, 0xB0550000, end}},
      {"vs_2_0\nmov r0, c[aL + 2]",
       {0xFFFE0200, 0x03000001, 0x800F0000, 0xA0E42002, 0xF0E40800, end}},
      {"vs_3_0\nmov o[aL + 1], v0",
       {0xFFFE0300, 0x03000001, 0xE00F2001, 0xF0E40800, 0x90E40000, end}},
      {"vs_1_1\nmov a0.x, r0", {0xFFFE0101, 0x00000001, 0xB0010000, 0x80E40000, end}},
      {"ps_2_0\nmov oC1, r0", {0xFFFF0200, 0x02000001, 0x800F0801, 0x80E40000, end}},
      {"ps_2_0\nmov oDepth, r0.x", {0xFFFF0200, 0x02000001, 0x900F0800, 0x80000000, end}},
      {"vs_2_0\nloop aL, i1\nendloop",
       {0xFFFE0200, 0x0200001B, 0xF0E40800, 0xF0E40001, 0x0000001D, end}},
      {"vs_2_0\nif !b2\nendif", {0xFFFE0200, 0x01000028, 0xEDE40802, 0x0000002B, end}},
      {"vs_3_0\nsetp_gt p0, r0, r1",
       {0xFFFE0300, 0x0301005E, 0xB00F1000, 0x80E40000, 0x80E40001, end}},
      {"vs_3_0\nif_lt r0.x, r1.x\nendif",
       {0xFFFE0300, 0x02040029, 0x80000000, 0x80000001, 0x0000002B, end}},
      {"vs_3_0\n(!p0) add r0, v0, v1",
       {0xFFFE0300, 0x14000002, 0x800F0000, 0xBDE41000, 0x90E40000, 0x90E40001, end}},
      {"vs_2_0\ncall l0\nret\nlabel l0\nret",
       {0xFFFE0200, 0x01000019, 0xA0E41000, 0x0000001C, 0x0100001E, 0xA0E41000, 0x0000001C, end}},
      {"ps_1_1\ntex t0", {0xFFFF0101, 0x00000042, 0xB00F0000, end}},
      {"ps_1_4\ntexld r0, t0_dw.xyw\nphase",
       {0xFFFF0104, 0x00000042, 0x800F0000, 0xBAF40000, 0x0000FFFD, end}},
      {"ps_1_1\nmul_d2 r0.xyz, 1-r0, v0_bx2\n+ mad_x4_sat r0.w, -r0, v0, v0",
       {0xFFFF0101, 0x00000005, 0x8F070000, 0x86E40000, 0x94E40000, 0x40000004, 0x82180000,
        0x81E40000, 0x90E40000, 0x90E40000, end}},
      {"ps_2_0\ntexldp r0, t0, s3\ntexldb r0, t0, s3",
       {0xFFFF0200, 0x03010042, 0x800F0000, 0xB0E40000, 0xA0E40803, 0x03020042, 0x800F0000,
        0xB0E40000, 0xA0E40803, end}},
      {"ps_3_0\ndcl_texcoord3_pp_centroid v2.xy\ndcl_cube s3\ndcl vPos.xy\ndcl vFace",
       {0xFFFF0300, 0x0200001F, 0x80030005, 0x90630002, 0x0200001F, 0x98000000, 0xA00F0803,
        0x0200001F, 0x80000000, 0x90031000, 0x0200001F, 0x80000000, 0x900F1001, end}},
      {"vs_2_0\ndef c7, 1, -0.5, 1e+20, 0x7fc00001",
       {0xFFFE0200, 0x05000051, 0xA00F0007, 0x3F800000, 0xBF000000, 0x60AD78EC, 0x7FC00001, end}},
      {"vs_2_0\ndefi i2, 1, -2, 2147483647, -2147483648",
       {0xFFFE0200, 0x05000030, 0xF00F0002, 1, 0xFFFFFFFE, 0x7FFFFFFF, 0x80000000, end}},
      {"vs_2_0\ndefb b4, true\ndefb b5, false",
       {0xFFFE0200, 0x0200002F, 0xE00F0804, 1, 0x0200002F, 0xE00F0805, 0, end}},
      {"vs_2_sw\nmov r0, c2047\nmov r0, c2048\nmov r0, c4097\nmov r0, c8191",
       {0xFFFE02FF, 0x02000001, 0x800F0000, 0xA0E407FF, 0x02000001, 0x800F0000, 0xB0E40800,
        0x02000001, 0x800F0000, 0xC0E40801, 0x02000001, 0x800F0000, 0xD0E40FFF, end}},
  }));
  CAPTURE(text);
  CHECK(assembled(text) == expected);
}

TEST_CASE("blanks, comments and the letters of colours mean nothing", "[d3d9]") {
  CHECK(
      assembled(
          "\n; a comment\n  vs_2_0 // another\r\n\n\tmad\tr0.rgb , v0.bgra ,c1,  -c2.a ; end\n") ==
      assembled("vs_2_0\nmad r0.xyz, v0.zyxw, c1, -c2.w"));
}

TEST_CASE("every version has its name", "[d3d9]") {
  for (const auto& [token, name] : versions) CHECK(assembled(name) == tokens{token, end});
}

TEST_CASE("text that is wrong is refused with its line", "[d3d9]") {
  const auto [text, why] = GENERATE(table<std::string_view, std::string_view>({
      {"", "0 shader is empty"},
      {"; nothing\n", "1 shader is empty"},
      {"mov r0, r1", "1 first line is not a version such as vs_2_0"},
      {"gs_2_0", "1 first line is not a version such as vs_2_0"},
      {"vs_2.0", "1 first line is not a version such as vs_2_0"},
      {"vs_3_x", "1 shader version is unknown"},
      {"vs_4_0", "1 shader version is unknown"},
      {"vs_1_2", "1 shader version is unknown"},
      {"vs_1_sw", "1 shader version is unknown"},
      {"vs_2_0\n\nfly r0", "3 mnemonic is unknown"},
      {"vs_2_0\ntex r0", "2 mnemonic is unknown"},
      {"ps_1_1\ntexld r0, t0", "2 mnemonic is unknown"},
      {"ps_1_1\ntexldp r0, t0", "2 mnemonic is unknown"},
      {"vs_2_0\nmov_gt r0, r1", "2 mnemonic is unknown"},
      {"vs_2_0\nsetp p0, r0, r1", "2 mnemonic is unknown"},
      {"vs_2_0\ndclposition v0", "2 mnemonic is unknown"},
      {"vs_2_0\ndcl_ v0", "2 mnemonic is unknown"},
      {"vs_2_0\ndcl_depths v0", "2 declaration usage is unknown"},
      {"vs_2_0\ndcl_texcoord16 v0", "2 declaration index exceeds 15"},
      {"vs_2_0\nmov r0", "2 operand is missing"},
      {"vs_2_0\nmov r0 r1", "2 operand is missing"},
      {"vs_2_0\nmov r0, r1, r2", "2 text follows the instruction"},
      {"vs_2_0 mov", "1 text follows the instruction"},
      {"vs_2_0\nret r0", "2 text follows the instruction"},
      {"vs_2_0\nret_sat", "2 instruction has no destination to modify"},
      {"vs_3_0\n(p0) ret", "2 instruction has no destination to modify"},
      {"vs_3_0\n(p0 mov r0, r1", "2 predicate is not closed"},
      {"vs_2_0\nmov q0, r1", "2 register is unknown"},
      {"vs_2_0\nmov r, r1", "2 register is unknown"},
      {"vs_2_0\nmov r0, 5", "2 register is unknown"},
      {"vs_2_0\nmov r0, vs99999999999", "2 register is unknown"},
      {"vs_2_0\nmov r0, r2048", "2 register number is too large"},
      {"vs_2_0\nmov r0, c8192", "2 register number is too large"},
      {"vs_2_0\nmov r0, c[r0.x]", "2 index is neither a0 nor aL"},
      {"vs_2_0\nmov r0, c[a0.q]", "2 swizzle is malformed"},
      {"vs_2_0\nmov r0, c[a0.x + y]", "2 index offset is malformed"},
      {"vs_2_0\nmov r0, c[a0.x", "2 index is not closed"},
      {"vs_2_0\nmov r0, c[a0.x + 9000]", "2 register number is too large"},
      {"vs_1_1\nmov r0, c[a0.y]", "2 SM1 indexes by a0.x alone"},
      {"vs_1_1\nmov r0, c[aL]", "2 SM1 indexes by a0.x alone"},
      {"vs_2_0\nmov r0.xq, r1", "2 write mask is malformed"},
      {"vs_2_0\nmov r0., r1", "2 write mask is malformed"},
      {"vs_2_0\nmov r0, r1.q", "2 swizzle is malformed"},
      {"vs_2_0\nmov r0, r1.xyzwx", "2 swizzle is malformed"},
      {"vs_2_0\nmov r0, r1.", "2 swizzle is malformed"},
      {"ps_1_4\nmov r0, -r1_dz", "2 source modifier is unknown"},
      {"ps_1_4\nmov r0, !r1_abs", "2 source modifier is unknown"},
      {"vs_2_0\ndef c0, 1, 2, 3", "2 operand is missing"},
      {"vs_2_0\ndef c0, 1, 2, 3, x", "2 float is malformed"},
      {"vs_2_0\ndef c0, 1, 2, 3, 0xq", "2 float is malformed"},
      {"vs_2_0\ndefi i0, 1, 2, 3, 2147483648", "2 integer is malformed"},
      {"vs_2_0\ndefb b0, 1", "2 bool is neither true nor false"},
  }));
  CAPTURE(text);
  CHECK(refusal(text) == why);
}

}  // namespace aerogpu::d3d9::test

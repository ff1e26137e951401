// SPDX-License-Identifier: MIT
#include "tests/unit/shaders/d3d9_to_spirv/shader_text.hpp"

#include <random>

namespace aerogpu::d3d9::test {
namespace {

/// Text that must come out of the tokens it assembles to.
void check_survives(const std::string& text) {
  CAPTURE(text);
  const tokens shader = assembled(text);
  CHECK(disassemble(program_of(shader)) == text);
}

}  // namespace

TEST_CASE("instructions print as Direct3D's assembler writes them", "[d3d9]") {
  const auto text = GENERATE(as<std::string>{},                                            //
                             "vs_3_0\nmad_sat r0.xyz, v0.yzwx, c1, -c2_abs.w\n",           //
                             "vs_3_0\n(!p0.x) mov o[aL + 1].xy, v[a0.z + 3]\n",            //
                             "vs_1_1\nmov oFog.x, c[a0.x + 95].y\nmov oPts.x, c[a0.x]\n",  //
                             "vs_2_sw\nmov r0, c2048\nmov r1, c[aL + 8191].w\n",           //
                             "ps_1_4\ntexcrd r0.xyz, t1\ntexld r1, r0_dz\nphase\nnop\n",   //
                             "ps_1_3\ntexcoord t0\ntex t1\ntexm3x2depth t2, t1_bx2\n",     //
                             "ps_2_x\ndsx_pp_centroid r0, t1\n(p0.w) texkill r0.xy\n",     //
                             "ps_3_0\ntexldd_sat_pp oC0, v0, s1.wzyx, r1, -r2\n",          //
                             "vs_3_0\nsetp_le p0.xz, r0, r1\nmova a0.x, r0\n",             //
                             "ps_2_0\nmov oDepth.x, r0.x\nmov r0._, r1\n");
  check_survives(text);
}

TEST_CASE("every source modifier has a spelling", "[d3d9]") {
  for (const std::string_view operand :
       {"r1", "-r1", "r1_bias", "-r1_bias", "r1_bx2", "-r1_bx2", "1-r1", "r1_x2", "-r1_x2", "r1_dz",
        "r1_dw", "r1_abs", "-r1_abs", "c[aL + 2]_abs.x", "-c[aL]_bias"}) {
    check_survives("vs_3_0\nmov r0, " + std::string{operand} + "\n");
  }
  check_survives("vs_2_0\nif !b1\nendif\n");
}

TEST_CASE("every result modifier and mask has a spelling", "[d3d9]") {
  for (const std::string_view suffix : {"", "_x2", "_x4", "_x8", "_d2", "_d4", "_d8"}) {
    for (const std::string_view more : {"", "_sat", "_pp", "_centroid", "_sat_pp_centroid"}) {
      check_survives("ps_1_1\nadd" + std::string{suffix} + std::string{more} + " r0.w, v0, v1\n");
    }
  }
  for (unsigned mask = 0; mask < 16; ++mask) {
    instruction in;
    in.op = opcode::mov;
    in.has_destination = true;
    in.source_count = 1;
    in.destination.write_mask = static_cast<std::uint8_t>(mask);
    check_survives("vs_2_0\n" + disassemble(in, {false, 2, 0}) + "\n");
  }
}

TEST_CASE("every swizzle has a spelling", "[d3d9]") {
  instruction in;
  in.op = opcode::mov;
  in.has_destination = true;
  in.source_count = 1;
  for (unsigned swizzle = 0; swizzle < 256; ++swizzle) {
    in.sources[0].swizzle = static_cast<std::uint8_t>(swizzle);
    check_survives("vs_2_0\n" + disassemble(in, {false, 2, 0}) + "\n");
  }
}

TEST_CASE("every comparison has a spelling", "[d3d9]") {
  for (const std::string_view name : {"never", "gt", "eq", "ge", "lt", "ne", "le", "always"}) {
    const std::string suffix = "_" + std::string{name};
    check_survives("vs_3_0\nrep i0\n  if" + suffix + " r0.x, r1.y\n    break" + suffix +
                   " r0.x, r1.y\n  endif\nendrep\nsetp" + suffix + " p0, r0, r1\n");
  }
}

TEST_CASE("every register file has a name", "[d3d9]") {
  check_survives(
      "vs_2_x\nmov oPos, v15\nmov oFog.x, c0.x\nmov oPts.x, r31.x\nmov oD1, v0\nmov oT7, v0\n"
      "mova a0, r0\nrep i15\nendrep\nif b15\nendif\nloop aL, i0\nendloop\nsetp_eq p0, r0, r1\n"
      "call l2047\nret\nlabel l2047\nret\n");
  check_survives("vs_3_0\nmov o11, v0\ntexldl r0, v0, s3\n");
  check_survives("ps_3_0\nmov oC3, vPos\nmov oDepth.x, vFace.x\ntexld r0, v9, s15\n");
  check_survives("ps_1_1\nmov t3, v1\n");
}

TEST_CASE("every usage and texture type has a name", "[d3d9]") {
  for (const std::string_view usage :
       {"position", "blendweight", "blendindices", "normal", "psize", "texcoord", "tangent",
        "binormal", "tessfactor", "positiont", "color", "fog", "depth", "sample"}) {
    check_survives("vs_3_0\ndcl_" + std::string{usage} + " v0\ndcl_" + std::string{usage} +
                   "15 o0.xz\n");
  }
  check_survives(
      "ps_2_0\ndcl t0.xy\ndcl_pp_centroid v1\ndcl_1d s0\ndcl_2d s1\ndcl_cube s2\n"
      "dcl_volume s15\n");
  check_survives("ps_3_0\ndcl_texcoord_centroid v0.zw\ndcl vPos.xy\ndcl vFace\n");
}

TEST_CASE("float constants keep every bit", "[d3d9]") {
  std::mt19937 random{3};
  std::vector<std::uint32_t> words{0,          0x80000000, 1,          0x007FFFFF,
                                   0x00800000, 0x7F7FFFFF, 0x7F800000, 0xFF800000,
                                   0x7FC00000, 0xFFFFFFFF, 0x3DCCCCCD, 0x4B800000};
  while (words.size() < 4000) words.push_back(static_cast<std::uint32_t>(random()));
  tokens shader{0xFFFE0200};
  for (std::size_t i = 0; i < words.size(); i += 4) {
    shader.insert(shader.end(),
                  {0x05000051, 0xA00F0000, words[i], words[i + 1], words[i + 2], words[i + 3]});
  }
  shader.push_back(end);
  CHECK(assembled(disassemble(program_of(shader))) == shader);
}

TEST_CASE("integer and bool constants print as numbers and words", "[d3d9]") {
  check_survives(
      "vs_2_0\ndefi i3, 0, -1, 2147483647, -2147483648\ndefb b3, true\ndefb b4, false\n");
}

TEST_CASE("blocks are indented, and declarations come first", "[d3d9]") {
  check_survives(
      "ps_3_0\n"
      "dcl_color v0\n"
      "def c0, 1, 0.5, -0, 1e-20\n"
      "if b0\n"
      "  rep i0\n"
      "    break\n"
      "  endrep\n"
      "else\n"
      "  mov r0, v0\n"
      "endif\n");
  const program late = program_of("vs_2_0\nmov oPos, v0\ndef c0, 1, 2, 3, 4\ndcl_position v0");
  CHECK(disassemble(late) == "vs_2_0\ndcl_position v0\ndef c0, 1, 2, 3, 4\nmov oPos, v0\n");
}

TEST_CASE("a listing says where each line's first token is, and assembles as well", "[d3d9]") {
  const program shader = program_of(tokens{0xFFFE0200, 0x0001FFFE, 0, 0x0200001F, 0x80000000,
                                           0x900F0000, 0x02000001, 0xC00F0000, 0x90E40000, end});
  const std::string listing = disassemble_listing(shader);
  CHECK(listing ==
        "vs_2_0           ; token 0\n"
        "dcl_position v0  ; token 3\n"
        "mov oPos, v0     ; token 6\n");
  CHECK(assembled(listing) == assembled(disassemble(shader)));
}

}  // namespace aerogpu::d3d9::test

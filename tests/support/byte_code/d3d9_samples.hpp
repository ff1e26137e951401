// SPDX-License-Identifier: MIT
/// \file Direct3D 9 programs as text: every opcode in every version that has it, and features.
#pragma once

#include "d3d9_to_spirv/assembly/assemble.hpp"

#include <array>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace aerogpu::test {

/// Versions [first, last] as major << 8 | minor; first > last = none.
struct version_range {
  std::uint32_t first = 1;
  std::uint32_t last = 0;

  [[nodiscard]] constexpr auto has(std::uint32_t version) const noexcept -> bool {
    return version >= first && version <= last;
  }
};

/// Lines with an instruction to look at, and where shaders.md 1.9 says it is legal.
struct d3d9_sample {
  std::string_view body;
  version_range vertex;
  version_range pixel;
};

namespace parts {

inline constexpr version_range no_version{};
inline constexpr version_range all{0x0100, 0x03FF};
inline constexpr version_range sm1_and_2{0x0100, 0x02FF};
inline constexpr version_range sm2{0x0200, 0x03FF};
inline constexpr version_range sm2_only{0x0200, 0x02FF};
inline constexpr version_range sm2x{0x0201, 0x03FF};
inline constexpr version_range sm3{0x0300, 0x03FF};
inline constexpr version_range ps_1_0_to_1_3{0x0100, 0x0103};
inline constexpr version_range ps_1_2_to_1_3{0x0102, 0x0103};
inline constexpr version_range ps_1_2{0x0102, 0x03FF};
inline constexpr version_range ps_1_3{0x0103, 0x0103};
inline constexpr version_range ps_1_4{0x0104, 0x0104};
inline constexpr version_range sm1_pixel{0x0100, 0x0104};

}  // namespace parts

inline constexpr std::array d3d9_samples{
    d3d9_sample{"nop", parts::all, parts::all},
    d3d9_sample{"mov r0, v0", parts::all, parts::all},
    d3d9_sample{"add r0, r1, c0", parts::all, parts::all},
    d3d9_sample{"sub r0, r1, c0", parts::all, parts::all},
    d3d9_sample{"mad r0, r1, c0, v0", parts::all, parts::all},
    d3d9_sample{"mul r0, r1, c0", parts::all, parts::all},
    d3d9_sample{"rcp r0, c0.w", parts::all, parts::sm2},
    d3d9_sample{"rsq r0.x, c0.w", parts::all, parts::sm2},
    d3d9_sample{"dp3 r0, r1, c0", parts::all, parts::all},
    d3d9_sample{"dp4 r0, r1, c0", parts::all, parts::ps_1_2},
    d3d9_sample{"min r0, r1, c0", parts::all, parts::sm2},
    d3d9_sample{"max r0, r1, c0", parts::all, parts::sm2},
    d3d9_sample{"slt r0, r1, c0", parts::all, parts::no_version},
    d3d9_sample{"sge r0, r1, c0", parts::all, parts::no_version},
    d3d9_sample{"exp r0, c0.x", parts::all, parts::sm2},
    d3d9_sample{"log r0, c0.x", parts::all, parts::sm2},
    d3d9_sample{"lit r0, r1", parts::all, parts::no_version},
    d3d9_sample{"lit r0.z, r1", parts::all, parts::no_version},
    d3d9_sample{"dst r0.yw, r1, c0", parts::all, parts::no_version},
    d3d9_sample{"lrp r0, c0, v0, r1", parts::sm2, parts::all},
    d3d9_sample{"frc r0.xy, r1", parts::all, parts::sm2},
    d3d9_sample{"m4x4 r0, r0, c0", parts::all, parts::sm2},
    d3d9_sample{"m4x3 r0.xyz, r1, c0", parts::all, parts::sm2},
    d3d9_sample{"m3x4 r0, r1, c253", parts::all, parts::sm2},
    d3d9_sample{"m3x3 r0.xyz, r1, c0", parts::all, parts::sm2},
    d3d9_sample{"m3x2 r0.xy, r1, r2", parts::all, parts::sm2},
    d3d9_sample{"call l0\nret\nlabel l0\nmul r0, r0, c0\nret", parts::sm2, parts::sm2x},
    d3d9_sample{"callnz l3, !b1\nret\nlabel l3\nmov r0, c0\nret", parts::sm2, parts::sm2x},
    d3d9_sample{"callnz l3, p0.y\nret\nlabel l3\nmov r0, c0\nret", parts::sm2x, parts::sm2x},
    d3d9_sample{"loop aL, i0\nadd r0, r0, c0\nendloop", parts::sm2, parts::sm3},
    d3d9_sample{"dcl_texcoord3 v3\nmov r0, v3", parts::all, parts::sm3},
    d3d9_sample{"dcl t1\ndcl_cube s1\ntexld r0, t1, s1", parts::no_version, parts::sm2_only},
    d3d9_sample{"pow r0, c0.x, c1.y", parts::sm2, parts::sm2},
    d3d9_sample{"crs r0.xyz, r1, c0", parts::sm2, parts::sm2},
    d3d9_sample{"sgn r0, r1, r2, r3", {0x0200, 0x02FF}, parts::no_version},
    d3d9_sample{"sgn r0, r1", parts::sm3, parts::no_version},
    d3d9_sample{"abs r0, r1", parts::sm2, parts::sm2},
    d3d9_sample{"nrm r0, r1", parts::sm2, parts::sm2},
    d3d9_sample{"sincos r0.xy, c0.w, c1, c2", parts::sm2_only, parts::sm2_only},
    d3d9_sample{"sincos r0.y, c0.w", parts::sm3, parts::sm3},
    d3d9_sample{"rep i2\nadd r0, r0, c0\nendrep", parts::sm2, parts::sm2x},
    d3d9_sample{"if b2\nmov r0, c0\nendif", parts::sm2, parts::sm2x},
    d3d9_sample{"if !b2\nmov r0, c0\nelse\nmov r0, c1\nendif", parts::sm2, parts::sm2x},
    d3d9_sample{"if p0.x\nmov r0, c0\nendif", parts::sm2x, parts::sm2x},
    d3d9_sample{"if_ge r0.x, c0.y\nmov r0, c0\nelse\nmov r0, c1\nendif", parts::sm2x, parts::sm2x},
    d3d9_sample{"rep i0\nbreak\nadd r0, r0, c0\nendrep", parts::sm2x, parts::sm2x},
    d3d9_sample{"rep i0\nbreak_gt r0.x, c0.x\nadd r0, r0, c0\nendrep", parts::sm2x, parts::sm2x},
    d3d9_sample{"rep i0\nbreak !p0.w\nadd r0, r0, c0\nendrep", parts::sm2x, parts::sm2x},
    d3d9_sample{"mova a0, c0\nmov r0, c[a0.z + 4]", parts::sm2, parts::no_version},
    d3d9_sample{"mov a0.x, c0\nadd r0, c[a0.x + 3], c[a0.x]", {0x0100, 0x01FF}, parts::no_version},
    d3d9_sample{"defb b2, true\nif b2\nmov r0, c0\nendif", parts::sm2, parts::sm2x},
    d3d9_sample{"defi i1, 3, 0, 1, 0\nrep i1\nadd r0, r0, c0\nendrep", parts::sm2, parts::sm2x},
    d3d9_sample{"def c2, 1, -2, 0.5, 0x7fc00000\nmov r0, c2", parts::all, parts::all},
    d3d9_sample{"texcoord t0\nmov r0, t0", parts::no_version, parts::ps_1_0_to_1_3},
    d3d9_sample{"texcrd r0.xyz, t0", parts::no_version, parts::ps_1_4},
    d3d9_sample{"texkill t0", parts::no_version, parts::sm1_and_2},
    d3d9_sample{"texkill r0", parts::no_version, parts::sm2},
    d3d9_sample{"tex t0\nmov r0, t0", parts::no_version, parts::ps_1_0_to_1_3},
    d3d9_sample{"texld r0, t0_dw.xyw", parts::no_version, parts::ps_1_4},
    d3d9_sample{"texld r0, r1, s0", parts::sm3, parts::sm2},
    d3d9_sample{"texldp r0, r1, s0.wzyx", parts::no_version, parts::sm2},
    d3d9_sample{"texldb r0, r1, s0", parts::no_version, parts::sm2},
    d3d9_sample{"tex t0\ntexbem t1, t0_bx2\nmov r0, t1", parts::no_version, parts::ps_1_0_to_1_3},
    d3d9_sample{"tex t0\ntexbeml t1, t0\nmov r0, t1", parts::no_version, parts::ps_1_0_to_1_3},
    d3d9_sample{"tex t0\ntexreg2ar t1, t0\nmov r0, t1", parts::no_version, parts::ps_1_0_to_1_3},
    d3d9_sample{"tex t0\ntexreg2gb t1, t0\nmov r0, t1", parts::no_version, parts::ps_1_0_to_1_3},
    d3d9_sample{"tex t0\ntexm3x2pad t1, t0\ntexm3x2tex t2, t0\nmov r0, t2", parts::no_version,
                parts::ps_1_0_to_1_3},
    d3d9_sample{"tex t0\ntexm3x3pad t1, t0\ntexm3x3pad t2, t0\ntexm3x3tex t3, t0\nmov r0, t3",
                parts::no_version, parts::ps_1_0_to_1_3},
    d3d9_sample{"tex t0\ntexm3x3pad t1, t0\ntexm3x3pad t2, t0\ntexm3x3spec t3, t0, c0",
                parts::no_version, parts::ps_1_0_to_1_3},
    d3d9_sample{"tex t0\ntexm3x3pad t1, t0_bx2\ntexm3x3pad t2, t0_bx2\ntexm3x3vspec t3, t0_bx2",
                parts::no_version, parts::ps_1_0_to_1_3},
    d3d9_sample{"expp r0, c0.x", parts::all, parts::no_version},
    d3d9_sample{"logp r0, c0.x", parts::all, parts::no_version},
    d3d9_sample{"cnd r0, r0.a, c0, c1", parts::no_version, parts::sm1_pixel},
    d3d9_sample{"tex t0\ntexreg2rgb t1, t0", parts::no_version, parts::ps_1_2_to_1_3},
    d3d9_sample{"tex t0\ntexdp3tex t1, t0", parts::no_version, parts::ps_1_2_to_1_3},
    d3d9_sample{"tex t0\ntexm3x2pad t1, t0\ntexm3x2depth t2, t0", parts::no_version, parts::ps_1_3},
    d3d9_sample{"tex t0\ntexdp3 t1, t0", parts::no_version, parts::ps_1_2_to_1_3},
    d3d9_sample{"tex t0\ntexm3x3pad t1, t0\ntexm3x3pad t2, t0\ntexm3x3 t3, t0", parts::no_version,
                parts::ps_1_2_to_1_3},
    d3d9_sample{"texdepth r5", parts::no_version, parts::ps_1_4},
    d3d9_sample{"cmp r0, r1, c0, c1", parts::no_version, parts::ps_1_2},
    d3d9_sample{"bem r0.rg, r1, c0", parts::no_version, parts::ps_1_4},
    d3d9_sample{"dp2add r0, r1, c0, c1.z", parts::no_version, parts::sm2},
    d3d9_sample{"dsx r0, r1", parts::no_version, parts::sm2x},
    d3d9_sample{"dsy r0, r1", parts::no_version, parts::sm2x},
    d3d9_sample{"texldd r0, r1, s0, r0, c0", parts::no_version, parts::sm2x},
    d3d9_sample{"setp_lt p0.xz, r1, c0\n(p0) mov r0, c1", parts::sm2x, parts::sm2x},
    d3d9_sample{"setp_ne p0, r1, c0\n(!p0.y) add r0.xw, r0, c1", parts::sm2x, parts::sm2x},
    d3d9_sample{"texldl r0, r1, s0", parts::sm3, parts::sm3},
    d3d9_sample{"texld r1, t0\nphase\nmul r0, r1, v0", parts::no_version, parts::ps_1_4},
    // Features that are not opcodes.
    d3d9_sample{"mul_x4_sat r0, r0, c0\nmul_d8 r0.a, r0, c0", parts::no_version, parts::sm1_pixel},
    d3d9_sample{"mul r0.rgb, r0, c0\n+ add r0.a, r0, c1", parts::no_version, parts::sm1_pixel},
    d3d9_sample{"mov r0.a, c0\n+ cnd r0.rgb, r0.a, c0, c1", parts::no_version, parts::sm1_pixel},
    d3d9_sample{"add r0, r0_bx2, -r1_bx2\nadd r0, 1-r0, -c0_bias\nmul r0, c0_bias, -r1",
                parts::no_version, parts::sm1_pixel},
    d3d9_sample{"add r0, r0_x2, -r1_x2", parts::no_version, parts::ps_1_4},
    d3d9_sample{"add r0, 1-r0, c255_bias", parts::no_version, parts::sm2_only},
    d3d9_sample{"add_sat r0, r0_abs, -c0_abs.wzyx", parts::sm3, parts::sm3},
    d3d9_sample{"loop aL, i0\nadd r0, r0, c[aL + 2]\nadd r0, r0, v[aL + 1]\nendloop", parts::sm3,
                parts::no_version},
    d3d9_sample{"loop aL, i0\nadd r0, r0, v[aL]\nendloop", parts::no_version, parts::sm3},
    d3d9_sample{"loop aL, i0\nmov o[aL + 1], r0\nendloop", parts::sm3, parts::no_version},
    d3d9_sample{"m4x4 r0, r1, c[a0.x + 1]", parts::all, parts::no_version},
    d3d9_sample{"def c4, 1, 2, 3, 4\ndef c9, 4, 3, 2, 1\nmov r0, c[a0.x + 4]", parts::all,
                parts::no_version},
    d3d9_sample{"mov oFog.y, r0\nmov oPts, c0.y\nmov oD0, c0\nmov oD1.xyz, c1\nmov oT7.xy, r0",
                parts::sm1_and_2, parts::no_version},
    d3d9_sample{"dcl_psize o3.w\ndcl_fog o3.x\ndcl_color1 o2\ndcl_normal o4.xyz\ndcl_tangent o4.w\n"
                "mov o2, r0\nmov o3, c0\nmov o4, r1",
                parts::sm3, parts::no_version},
    d3d9_sample{"mov oC1, c0\nmov oC3.xy, c1\nmov oDepth, r0.z", parts::no_version, parts::sm2},
    d3d9_sample{"dcl_centroid t2\nmov r0, t2", parts::no_version, parts::sm2_only},
    d3d9_sample{"dcl vPos.xy\ndcl vFace\nadd r0, vPos, vFace.x", parts::no_version, parts::sm3},
    d3d9_sample{"dcl_volume s3\ndcl_1d s4\ntexld r0, r1, s3\ntexldb r0, r0, s4", parts::no_version,
                parts::sm2},
    d3d9_sample{"if b0\nrep i0\nif_lt r0.x, c0.x\nbreak\nelse\nbreak\nendif\nadd r0, r0, c0\n"
                "endrep\nelse\nadd r0, r0, c0\nendif",
                parts::sm2x, parts::sm2x},
    d3d9_sample{"loop aL, i0\nloop aL, i1\nrep i2\ncall l1\nendrep\nendloop\nendloop\nret\n"
                "label l1\nrep i3\nbreak_ne r0.x, c0.x\ncallnz l2, b3\nendrep\nret\n"
                "label l2\nadd r0, r0, c0\nret",
                parts::sm3, parts::sm3},
};

/// A version with its spelling.
struct d3d9_version_name {
  std::string_view name;
  bool is_pixel;
  std::uint32_t number;
};

inline constexpr std::array d3d9_version_names{
    d3d9_version_name{"vs_1_0", false, 0x0100},  d3d9_version_name{"vs_1_1", false, 0x0101},
    d3d9_version_name{"vs_2_0", false, 0x0200},  d3d9_version_name{"vs_2_x", false, 0x0201},
    d3d9_version_name{"vs_2_sw", false, 0x02FF}, d3d9_version_name{"vs_3_0", false, 0x0300},
    d3d9_version_name{"vs_3_sw", false, 0x03FF}, d3d9_version_name{"ps_1_0", true, 0x0100},
    d3d9_version_name{"ps_1_1", true, 0x0101},   d3d9_version_name{"ps_1_2", true, 0x0102},
    d3d9_version_name{"ps_1_3", true, 0x0103},   d3d9_version_name{"ps_1_4", true, 0x0104},
    d3d9_version_name{"ps_2_0", true, 0x0200},   d3d9_version_name{"ps_2_x", true, 0x0201},
    d3d9_version_name{"ps_2_sw", true, 0x02FF},  d3d9_version_name{"ps_3_0", true, 0x0300},
    d3d9_version_name{"ps_3_sw", true, 0x03FF},
};

/// A whole shader around the lines: what they read is declared, what they leave in r0 comes out.
[[nodiscard]] inline auto make_d3d9_shader(const d3d9_version_name& version, std::string_view body)
    -> std::string {
  const bool is_sm3 = version.number >= 0x0300;
  std::string text{version.name};
  if (!version.is_pixel) {
    text += "\ndcl_position v0\ndcl_texcoord v1\n";
    text += is_sm3 ? "dcl_position o0\ndcl_texcoord o1\ndcl_2d s0\nmov o0, v0\nmov o1, v1\n"
                   : "mov oPos, v0\nmov oT0, v1\n";
  } else if (is_sm3) {
    text += "\ndcl_color v0\ndcl_texcoord v1\ndcl_2d s0\nmov oC0, v0\n";
  } else {
    text += version.number >= 0x0200 ? "\ndcl v0\ndcl t0\ndcl_2d s0\nmov oC0, v0\n" : "\n";
  }
  text += "mov r0, v0\nmov r1, c1\n";
  text += body;
  text += '\n';
  return text;
}

/// Every sample in every version that has it.
[[nodiscard]] inline auto make_d3d9_shaders() -> std::vector<std::string> {
  std::vector<std::string> shaders;
  for (const d3d9_version_name& version : d3d9_version_names) {
    for (const d3d9_sample& sample : d3d9_samples) {
      const version_range& range = version.is_pixel ? sample.pixel : sample.vertex;
      if (range.has(version.number)) shaders.push_back(make_d3d9_shader(version, sample.body));
    }
  }
  return shaders;
}

}  // namespace aerogpu::test

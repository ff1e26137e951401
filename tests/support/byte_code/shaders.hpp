// SPDX-License-Identifier: MIT
/// \file Small valid shaders as data, with their disassembly beside them.
#pragma once

#include "tests/support/byte_code/dxbc_container.hpp"

#include <cstdint>

namespace aerogpu::test {

// Direct3D 9: raw token streams.

/// Passes POSITION0 through.
[[nodiscard]] inline auto vs_2_0_position() -> byte_vector {
  return token_bytes({
      0xFFFE0200,                          // vs_2_0
      0x0200001F, 0x80000000, 0x900F0000,  // dcl_position0 v0
      0x02000001, 0xC00F0000, 0x90E40000,  // mov oPos, v0
      0x0000FFFF,                          // end
  });
}

/// Opaque white.
[[nodiscard]] inline auto ps_2_0_white() -> byte_vector {
  return token_bytes({
      0xFFFF0200,                                                              // ps_2_0
      0x05000051, 0xA00F0000, 0x3F800000, 0x3F800000, 0x3F800000, 0x3F800000,  // def c0, 1, 1, 1, 1
      0x02000001, 0x800F0800, 0xA0E40000,                                      // mov oC0, c0
      0x0000FFFF,                                                              // end
  });
}

/// Samples s0 at TEXCOORD0.
[[nodiscard]] inline auto ps_2_0_textured() -> byte_vector {
  return token_bytes({
      0xFFFF0200,                                      // ps_2_0
      0x0200001F, 0x80000000, 0xB0030000,              // dcl t0.xy
      0x0200001F, 0x90000000, 0xA00F0800,              // dcl_2d s0
      0x03000042, 0x800F0000, 0xB0E40000, 0xA0E40800,  // texld r0, t0, s0
      0x02000001, 0x800F0800, 0x80E40000,              // mov oC0, r0
      0x0000FFFF,                                      // end
  });
}

// Direct3D 10 and 11: containers.

namespace parts {

inline constexpr signature_entry position_input{"POSITION", 0, 0, 3, 0, 0xF, 0xF};
inline constexpr signature_entry position_output{"SV_Position", 0, 1, 3, 0, 0xF, 0};
inline constexpr signature_entry position_read{"SV_Position", 0, 1, 3, 0, 0xF, 0xF};
inline constexpr signature_entry target_output{"SV_Target", 0, 0, 3, 0, 0xF, 0};

}  // namespace parts

/// Passes POSITION0 through.
[[nodiscard]] inline auto vs_4_0_position() -> byte_vector {
  return make_sm4("SHDR", make_signature({parts::position_input}),
                  make_signature({parts::position_output}),
                  {
                      0x00010040, 15,                            // vs_4_0
                      0x0300005F, 0x001010F2, 0,                 // dcl_input v0.xyzw
                      0x04000067, 0x001020F2, 0, 1,              // dcl_output_siv o0, position
                      0x05000036, 0x001020F2, 0, 0x00101E46, 0,  // mov o0.xyzw, v0.xyzw
                      0x0100003E,                                // ret
                  });
}

/// Reads nothing; every vertex lies at the origin. Draws without an input layout.
[[nodiscard]] inline auto vs_4_0_origin() -> byte_vector {
  return make_sm4("SHDR", make_signature({}), make_signature({parts::position_output}),
                  {
                      0x00010040, 15,                         // vs_4_0
                      0x04000067, 0x001020F2, 0, 1,           // dcl_output_siv o0, position
                      0x08000036, 0x001020F2, 0, 0x00004002,  // mov o0.xyzw,
                      0, 0, 0, 0x3F800000,                    //   l(0, 0, 0, 1)
                      0x0100003E,                             // ret
                  });
}

/// Opaque white.
[[nodiscard]] inline auto ps_4_0_white() -> byte_vector {
  return make_sm4("SHDR", make_signature({}), make_signature({parts::target_output}),
                  {
                      0x00000040, 14,                                  // ps_4_0
                      0x03000065, 0x001020F2, 0,                       // dcl_output o0.xyzw
                      0x08000036, 0x001020F2, 0, 0x00004002,           // mov o0.xyzw,
                      0x3F800000, 0x3F800000, 0x3F800000, 0x3F800000,  //   l(1, 1, 1, 1)
                      0x0100003E,                                      // ret
                  });
}

/// Does nothing in groups of one thread.
[[nodiscard]] inline auto cs_5_0_nothing() -> byte_vector {
  return make_sm4("SHEX", make_signature({}), make_signature({}),
                  {
                      0x00050050, 7,        // cs_5_0
                      0x0400009B, 1, 1, 1,  // dcl_thread_group 1, 1, 1
                      0x0100003E,           // ret
                  });
}

/// Emits the point it gets.
[[nodiscard]] inline auto gs_4_0_point() -> byte_vector {
  return make_sm4("SHDR", make_signature({parts::position_read}),
                  make_signature({parts::position_output}),
                  {
                      0x00020040, 23,                            // gs_4_0
                      0x05000061, 0x002010F2, 1, 0,          1,  // dcl_input_siv v[1][0], position
                      0x0100085D,                                // dcl_inputprimitive point
                      0x0100085C,                                // dcl_outputtopology pointlist
                      0x04000067, 0x001020F2, 0, 1,              // dcl_output_siv o0, position
                      0x0200005E, 1,                             // dcl_maxout 1
                      0x06000036, 0x001020F2, 0, 0x00201E46, 0, 0,  // mov o0.xyzw, v[0][0].xyzw
                      0x01000013,                                   // emit
                      0x0100003E,                                   // ret
                  });
}

/// Transforms POSITION by cb0[0..3] and passes TEXCOORD.
[[nodiscard]] inline auto vs_4_0_transformed() -> byte_vector {
  return make_sm4(
      "SHDR", make_signature({parts::position_input, {"TEXCOORD", 0, 0, 3, 1, 0x3, 0x3}}),
      make_signature({parts::position_output, {"TEXCOORD", 0, 0, 3, 1, 0x3, 0xC}}),
      {
          0x00010040, 57,                // vs_4_0
          0x04000059, 0x00208E46, 0, 4,  // dcl_constantbuffer cb0[4]
          0x0300005F, 0x001010F2, 0,     // dcl_input v0.xyzw
          0x0300005F, 0x00101032, 1,     // dcl_input v1.xy
          0x04000067, 0x001020F2, 0, 1,  // dcl_output_siv o0.xyzw, position
          0x03000065, 0x00102032, 1,     // dcl_output o1.xy
          0x08000011, 0x00102012, 0, 0x00101E46, 0, 0x00208E46, 0, 0,  // dp4 o0.x, v0, cb0[0]
          0x08000011, 0x00102022, 0, 0x00101E46, 0, 0x00208E46, 0, 1,  // dp4 o0.y, v0, cb0[1]
          0x08000011, 0x00102042, 0, 0x00101E46, 0, 0x00208E46, 0, 2,  // dp4 o0.z, v0, cb0[2]
          0x08000011, 0x00102082, 0, 0x00101E46, 0, 0x00208E46, 0, 3,  // dp4 o0.w, v0, cb0[3]
          0x05000036, 0x00102032, 1, 0x00101046, 1,                    // mov o1.xy, v1.xyxx
          0x0100003E,                                                  // ret
      });
}

/// Samples t3 with s2 at TEXCOORD, times cb1[0].
[[nodiscard]] inline auto ps_4_0_textured() -> byte_vector {
  return make_sm4(
      "SHDR", make_signature({parts::position_output, {"TEXCOORD", 0, 0, 3, 1, 0x3, 0x3}}),
      make_signature({parts::target_output}),
      {
          0x00000040, 39,                                              // ps_4_0
          0x04000059, 0x00208E46, 1, 1,                                // dcl_constantbuffer cb1[1]
          0x0300005A, 0x00106000, 2,                                   // dcl_sampler s2
          0x04001858, 0x00107000, 3, 0x00005555,                       // dcl_resource_texture2d t3
          0x03001062, 0x00101032, 1,                                   // dcl_input_ps linear v1.xy
          0x03000065, 0x001020F2, 0,                                   // dcl_output o0.xyzw
          0x02000068, 1,                                               // dcl_temps 1
          0x09000045, 0x001000F2, 0, 0x00101046, 1, 0x00107E46, 3,     // sample r0, v1.xyxx, t3,
          0x00106000, 2,                                               //   s2
          0x08000038, 0x001020F2, 0, 0x00100E46, 0, 0x00208E46, 1, 0,  // mul o0, r0, cb1[0]
          0x0100003E,                                                  // ret
      });
}

}  // namespace aerogpu::test

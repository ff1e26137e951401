// SPDX-License-Identifier: MIT
// What the programs draw with: quads in pixels, text, a lit cube.
#include "examples/aero_desktop/guest/shader_text.hpp"

namespace desktop {

namespace {

/// c0 = pixels to clip space, scale and offset; c1 = rectangle in pixels, x y w h; c2 = the same of
/// the texture; c3 = one over the target's size. v0 = a corner, 0 or 1.
/// Texcoords: 0 = texture; 1 = pixels from the centre, and the corner; 2 = place in the target.
constexpr std::string_view quad_vertex = R"(vs_3_0
dcl_position v0
dcl_position o0
dcl_texcoord0 o1
dcl_texcoord1 o2
dcl_texcoord2 o3
def c10, 0, 1, 0.5, 0
mul r0.xy, v0, c1.zwzw
add r1.xy, r0, c1
mad o0.xy, r1, c0, c0.zwzw
mov o0.zw, c10.xyxy
mad o1.xy, v0, c2.zwzw, c2
mov o1.zw, c10.x
mov r2.xy, c1.zwzw
mad o2.xy, r2, -c10.z, r0
mov o2.zw, v0.xyxy
mul o3.xy, r1, c3
mov o3.zw, c10.x
)";

constexpr std::string_view flat_quad_vertex = R"(vs_2_0
dcl_position v0
def c10, 0, 1, 0.5, 0
mul r0.xy, v0, c1.zwzw
add r1.xy, r0, c1
mad oPos.xy, r1, c0, c0.zwzw
mov oPos.zw, c10.xyxy
mad oT0.xy, v0, c2.zwzw, c2
)";

/// c4 = scale and offset in pixels, for text on a window that opens or closes.
constexpr std::string_view text_vertex = R"(vs_2_0
dcl_position v0
dcl_texcoord v1
dcl_color v2
def c10, 0, 1, 0.5, 0
mad r0.xy, v0, c4, c4.zwzw
mad oPos.xy, r0, c0, c0.zwzw
mov oPos.zw, c10.xyxy
mov oT0.xy, v1
mov oD0, v2
)";

/// c8..c11 = world-view-projection; c12..c14 = world-view.
constexpr std::string_view cube_vertex = R"(vs_2_0
dcl_position v0
dcl_normal v1
dcl_texcoord v2
dcl_color v3
m4x4 oPos, v0, c8
m3x3 oT0.xyz, v1, c12
m4x3 oT1.xyz, v0, c12
mov oT2.xy, v2
mov oD0, v3
)";

/// Premultiplied texels, times c0.
constexpr std::string_view image = R"(ps_2_0
dcl t0.xy
dcl_2d s0
texld r0, t0, s0
mul r0, r0, c0
mov oC0, r0
)";

/// Nine taps of a Gaussian in five lookups along c0, one texel. Linear filtering does the rest.
constexpr std::string_view blur = R"(ps_2_0
dcl t0.xy
dcl_2d s0
def c20, 1.38461538, 3.23076923, 0.22702703, 0.31621622
def c21, 0.07027027, 0, 0, 0
mov r5.xy, c0
mad r0.xy, r5, c20.x, t0
mad r1.xy, r5, -c20.x, t0
mad r2.xy, r5, c20.y, t0
mad r3.xy, r5, -c20.y, t0
texld r4, t0, s0
texld r0, r0, s0
texld r1, r1, s0
texld r2, r2, s0
texld r3, r3, s0
mul r4, r4, c20.z
add r0, r0, r1
mad r4, r0, c20.w, r4
add r2, r2, r3
mad r4, r2, c21.x, r4
mov oC0, r4
)";

/// Coverage out of a distance: c0 = scale, bias, and how much of the squared value (1 = a glow).
constexpr std::string_view glyph = R"(ps_2_0
dcl t0.xy
dcl v0
dcl_2d s0
texld r0, t0, s0
mad_sat r0.x, r0.w, c0.x, c0.y
mul r0.y, r0.x, r0.x
lrp r0.x, c0.z, r0.y, r0.x
mul r0.w, r0.x, v0.w
mul r0.w, r0.w, c0.w
mul r0.xyz, v0, r0.w
mov oC0, r0
)";

/// Two lights, a specular highlight and bright edges. c0 = towards the key light, c1 = towards the
/// fill light, both in view space; c2 = fill colour; c3.x = opacity.
constexpr std::string_view cube = R"(ps_2_0
dcl t0.xyz
dcl t1.xyz
dcl t2.xy
dcl v0
def c20, 0, 1, 0.5, 2
def c21, 0.30, 34, 0.80, 16
def c22, 0.85, 0.95, 1.0, 7.2
nrm r0.xyz, t0
dp3_sat r1.x, r0, c0
dp3_sat r1.y, r0, c1
nrm r2.xyz, t1
add r3.xyz, c0, -r2
nrm r4.xyz, r3
dp3_sat r1.z, r0, r4
pow r1.w, r1.z, c21.y
mad r1.x, r1.x, c21.z, c21.x
mul r5.xyz, v0, r1.x
mul r6.xyz, c2, r1.y
mad r5.xyz, r6, v0, r5
add r7.xy, t2, -c20.z
abs r7.xy, r7
max r7.x, r7.x, r7.y
mad_sat r7.x, r7.x, c21.w, -c22.w
mul r7.x, r7.x, r7.x
mad r5.xyz, c22, r7.x, r5
mad r5.xyz, r1.w, c20.z, r5
mov r5.w, c20.y
mul r5, r5, c3.x
mov oC0, r5
)";

using enum aerogpu::shader_stage;
constexpr std::array<shader_source, 8> drawing_sources{{
    {"quad_vertex", vertex, {quad_vertex}},
    {"flat_quad_vertex", vertex, {flat_quad_vertex}},
    {"text_vertex", vertex, {text_vertex}},
    {"cube_vertex", vertex, {cube_vertex}},
    {"image", pixel, {image}},
    {"blur", pixel, {blur}},
    {"glyph", pixel, {glyph}},
    {"cube", pixel, {cube}},
}};

}  // namespace

auto drawing_shaders() -> std::span<const shader_source> {
  return drawing_sources;
}

}  // namespace desktop

// SPDX-License-Identifier: MIT
// Procedural surfaces of the desktop: wallpaper, shadows, panels, glass and the start orb.
#include "examples/aero_desktop/guest/shader_text.hpp"

namespace desktop {

namespace {

/// r1.x = distance in pixels from the edge of a rounded rectangle around the quad's centre,
/// negative inside. c1 = half size less radius, x y; radius.
constexpr std::string_view rounded_head = R"(ps_3_0
dcl_texcoord1 v0
dcl_texcoord2 v1.xy
def c20, 0, 1, 0.5, 2
abs r0.xy, v0
sub r0.xy, r0, c1
max r1.xy, r0, c20.x
dp2add r1.x, r1, r1, c20.x
rsq r1.y, r1.x
mul r1.x, r1.x, r1.y
max r1.y, r0.x, r0.y
min r1.y, r1.y, c20.x
add r1.x, r1.x, r1.y
sub r1.x, r1.x, c1.z
)";

/// c1.w = one over the width of the soft edge; c2 = colour and strength.
constexpr std::string_view shadow = R"(
def c21, -2, 3, 0, 0
mad_sat r1.x, r1.x, -c1.w, c20.z
mul r1.y, r1.x, r1.x
mad r1.z, r1.x, c21.x, c21.y
mul r1.x, r1.y, r1.z
mul r1.x, r1.x, c2.w
mul r2.xyz, c2, r1.x
mov r2.w, r1.x
mov oC0, r2
)";

/// c0 = opacity, gloss, sharpness of the glow; c1.w = one over the height; c2, c3 = top and bottom
/// colour; c4 = border; c5 = glow outside. Straight alpha.
constexpr std::string_view panel = R"(
def c21, 1.2, 0.4, 0, 0
mad_sat r2.x, v0.y, c1.w, c20.z
lrp r3, r2.x, c3, c2
sub r2.y, c20.z, r2.x
cmp r2.z, r2.y, c20.y, c20.x
mad r2.y, r2.y, c21.x, c21.y
mul r2.z, r2.z, r2.y
mul r2.z, r2.z, c0.y
add_sat r3.xyz, r3, r2.z
add r2.x, r1.x, c20.z
abs r2.x, r2.x
sub_sat r2.x, c20.y, r2.x
mul r2.x, r2.x, c4.w
lrp r3.xyz, r2.x, c4, r3
max r3.w, r3.w, r2.x
sub_sat r2.y, c20.z, r1.x
mul r3.w, r3.w, r2.y
mul r3.xyz, r3, r3.w
max r2.z, r1.x, c20.x
mul r2.z, r2.z, r2.z
mul r2.z, r2.z, -c0.z
exp r2.z, r2.z
mul r2.z, r2.z, c5.w
sub r2.w, c20.y, r2.y
mul r2.z, r2.z, r2.w
mad r3.xyz, c5, r2.z, r3
add r3.w, r3.w, r2.z
mul r3, r3, c0.x
mov oC0, r3
)";

/// s0 = what lies below, blurred. c0 = opacity, strength of the tint, one over the height of the
/// gloss, strength of the streaks; c1.w = half height; c2 = tint.
constexpr std::string_view glass = R"(
dcl_2d s0
def c21, 1.55, 0.85, 0.31, 6.2831853
def c22, 0.299, 0.587, 0.114, 1.35
def c23, 0.05, 0.09, 0.15, 0.62
def c24, 1.5, 0.55, 0.34, 3.1
texld r2, v1, s0
dp3 r3.x, r2, c22
lrp r2.xyz, c22.w, r2, r3.x
lrp r2.xyz, c0.y, c2, r2
; Streaks of light that stand still while the window moves.
dp2add r3.x, v1, c21, c21.z
mul r3.y, r3.x, c24.w
frc r3.xy, r3
mad r3.xy, r3, c20.w, -c20.y
abs r3.xy, r3
mul r3.xy, r3, r3
mul r3.xy, r3, r3
mad r3.x, r3.y, c20.z, r3.x
mul r3.x, r3.x, c0.w
; Gloss below the upper edge.
add r3.y, v0.y, c1.w
mul r3.y, r3.y, c0.z
sub_sat r3.y, c20.y, r3.y
mul r3.y, r3.y, r3.y
mad r3.x, r3.y, c24.z, r3.x
add_sat r2.xyz, r2, r3.x
; A bright line inside a dark one.
add r3.x, r1.x, c24.x
add r3.y, r1.x, c20.z
abs r3.xy, r3
sub_sat r3.xy, c20.y, r3
mul r3.x, r3.x, c24.y
mul r3.y, r3.y, c23.w
lrp r2.xyz, r3.x, c20.y, r2
lrp r2.xyz, r3.y, c23, r2
sub_sat r2.w, c20.z, r1.x
mul r2.w, r2.w, c0.x
mul r2.xyz, r2, r2.w
mov oC0, r2
)";

/// A glass ball. c0 = opacity, heat 0..1, radius in pixels, one over the radius.
constexpr std::string_view orb = R"(ps_3_0
dcl_texcoord1 v0
def c20, 0, 1, 0.5, 2
def c21, 0.015, 0.075, 0.23, 1.05
def c22, 0.10, 0.62, 1.0, 0.62
def c23, 1.15, 1.9, 0.50, 0.62
def c24, 0.38, 0.86, 1.1268, 0.46
def c25, 0.92, 0.22, 0.075, 0.12
def c26, 0.55, 0.9, 1.0, -9
mul r0.xy, v0, c0.w
dp2add r0.z, r0, r0, c20.x
rsq r0.w, r0.z
mul r0.z, r0.z, r0.w
; Light that gathers at the bottom.
mov r1.x, r0.x
sub r1.y, r0.y, c22.w
dp2add r1.z, r1, r1, c20.x
rsq r1.w, r1.z
mul r1.z, r1.z, r1.w
mad_sat r1.z, r1.z, -c25.x, c20.y
mad r1.w, c0.y, c20.z, c20.y
mul r1.z, r1.z, r1.w
mov r2.xyz, c21
mad r2.xyz, c22, r1.z, r2
; The chevron: a capsule, mirrored, and a bar.
abs r3.x, r0.x
add r3.y, r0.y, c24.w
dp2add_sat r3.z, r3, c24, c20.x
mul r3.z, r3.z, c24.z
min r3.z, r3.z, c20.y
mad r3.xy, c24, -r3.z, r3
dp2add r3.z, r3, r3, c20.x
rsq r3.w, r3.z
mul r3.z, r3.z, r3.w
abs r4.x, r0.x
sub_sat r4.x, r4.x, c25.w
sub r4.y, r0.y, c25.y
dp2add r4.z, r4, r4, c20.x
rsq r4.w, r4.z
mul r4.z, r4.z, r4.w
min r3.z, r3.z, r4.z
sub r3.z, c25.z, r3.z
mad_sat r3.z, r3.z, c0.z, c20.z
mad r4.x, r0.y, c20.z, c20.z
lrp r4.xyz, r4.x, c26, c20.y
lrp r2.xyz, r3.z, r4, r2
; Gloss on the upper half, a rim, and the edge.
mov r5.x, r0.x
add r5.y, r0.y, c23.z
mul r5.xy, r5, c23
dp2add r5.z, r5, r5, c20.x
sub_sat r5.z, c20.y, r5.z
mul r5.z, r5.z, c23.w
add_sat r2.xyz, r2, r5.z
sub r6.x, r0.z, c25.x
mul r6.x, r6.x, r6.x
mul r6.x, r6.x, -c0.z
mul r6.x, r6.x, c0.z
exp r6.x, r6.x
mul r6.x, r6.x, c20.z
mad_sat r2.xyz, c26, r6.x, r2
sub r6.y, c20.y, r0.z
mad_sat r2.w, r6.y, c0.z, c20.z
mul r2.xyz, r2, r2.w
; The glow around it.
max r6.z, -r6.y, c20.x
mul r6.z, r6.z, c26.w
exp r6.z, r6.z
mul r6.z, r6.z, c0.y
sub r6.w, c20.y, r2.w
mul r6.z, r6.z, r6.w
mad r2.xyz, c22, r6.z, r2
mad r2.w, r6.z, c20.z, r2.w
mul r2, r2, c0.x
mov oC0, r2
)";

/// Blue depth, beams from a light low in the picture, and three veils. c0.x = time.
constexpr std::string_view wallpaper_light = R"(ps_3_0
dcl_texcoord0 v0.xy
def c20, 0, 1, 0.5, 2
def c21, 0.47, 0.83, 1.6, 1
def c22, 0.008, 0.043, 0.145, 0
def c23, 0.035, 0.33, 0.74, -1.75
def c24, 0.62, 0.92, 1.0, -7.5
def c25, -1.15, -7, 0.55, 1
def c26, -0.94, -0.34, 260, 0.30
def c27, -0.72, -0.69, 46, 0.34
def c28, -0.38, -0.925, 420, 0.26
def c29, 0.06, -0.998, 70, 0.42
def c30, 0.43, -0.903, 600, 0.24
def c31, 0.74, -0.673, 60, 0.36
def c32, 0.955, -0.296, 320, 0.28
sub r0.xy, v0, c21
mul r0.xy, r0, c21.zwzw
dp2add r1.x, r0, r0, c20.x
rsq r1.y, r1.x
mul r1.z, r1.x, r1.y
mul r0.zw, r0.xyxy, r1.y
mul r2.x, r1.z, c23.w
exp r2.x, r2.x
mul r2.y, r1.x, c24.w
exp r2.y, r2.y
lrp r3.xyz, r2.x, c23, c22
mul r2.y, r2.y, c25.z
mad r3.xyz, c24, r2.y, r3
mul r2.x, r1.z, c25.x
exp r2.x, r2.x
mul r2.y, r1.z, c25.y
exp r2.y, r2.y
sub r2.y, c20.y, r2.y
mul r2.x, r2.x, r2.y
mov r4.w, c20.x
dp2add_sat r4.x, r0.zwzw, c26, c20.x
pow r4.x, r4.x, c26.z
mad r4.w, r4.x, c26.w, r4.w
dp2add_sat r4.x, r0.zwzw, c27, c20.x
pow r4.x, r4.x, c27.z
mad r4.w, r4.x, c27.w, r4.w
dp2add_sat r4.x, r0.zwzw, c28, c20.x
pow r4.x, r4.x, c28.z
mad r4.w, r4.x, c28.w, r4.w
dp2add_sat r4.x, r0.zwzw, c29, c20.x
pow r4.x, r4.x, c29.z
mad r4.w, r4.x, c29.w, r4.w
dp2add_sat r4.x, r0.zwzw, c30, c20.x
pow r4.x, r4.x, c30.z
mad r4.w, r4.x, c30.w, r4.w
dp2add_sat r4.x, r0.zwzw, c31, c20.x
pow r4.x, r4.x, c31.z
mad r4.w, r4.x, c31.w, r4.w
dp2add_sat r4.x, r0.zwzw, c32, c20.x
pow r4.x, r4.x, c32.z
mad r4.w, r4.x, c32.w, r4.w
mul r4.w, r4.w, r2.x
mul r4.xyz, c24, r4.w
add r3.xyz, r3, r4
)";

/// A veil is sharp below and fades upwards.
constexpr std::string_view wallpaper_veils = R"(
def c33, 2.6, 0.5, 0.07, 0.71
def c34, 3.4, 2.2, 0.055, 0.80
def c35, 2.1, 4.1, 0.09, 0.60
def c36, -70, -9000, 0.20, 0
def c37, -160, -14000, 0.17, 0
def c38, -45, -6000, 0.11, 0
def c39, 0.30, 0.95, 0.92, 0.6
def c40, 12.9898, 78.233, 43758.5453, 0.0063
mad r5.x, v0.x, c33.x, c33.y
sincos r6.y, r5.x
mad r5.y, r6.y, c33.z, c33.w
sub r5.y, v0.y, r5.y
cmp r5.z, r5.y, c36.y, c36.x
mul r5.y, r5.y, r5.y
mul r5.y, r5.y, r5.z
exp r5.y, r5.y
mul r5.w, r5.y, c36.z
mad r5.x, v0.x, c34.x, c34.y
sincos r6.y, r5.x
mad r5.y, r6.y, c34.z, c34.w
sub r5.y, v0.y, r5.y
cmp r5.z, r5.y, c37.y, c37.x
mul r5.y, r5.y, r5.y
mul r5.y, r5.y, r5.z
exp r5.y, r5.y
mad r5.w, r5.y, c37.z, r5.w
mad r5.x, v0.x, c35.x, c35.y
sincos r6.y, r5.x
mad r5.y, r6.y, c35.z, c35.w
sub r5.y, v0.y, r5.y
cmp r5.z, r5.y, c38.y, c38.x
mul r5.y, r5.y, r5.y
mul r5.y, r5.y, r5.z
exp r5.y, r5.y
mad r5.w, r5.y, c38.z, r5.w
mad r3.xyz, c39, r5.w, r3
; Darker corners; noise against bands.
sub r7.xy, v0, c20.z
dp2add r7.x, r7, r7, c20.x
mad r7.x, r7.x, -c39.w, c20.y
mul r3.xyz, r3, r7.x
dp2add r7.x, v0, c40, c20.x
sincos r8.y, r7.x
mul r7.x, r8.y, c40.z
frc r7.x, r7.x
sub r7.x, r7.x, c20.z
mad_sat r3.xyz, r7.x, c40.w, r3
mov r3.w, c20.y
mov oC0, r3
)";

using enum aerogpu::shader_stage;
constexpr std::array<shader_source, 5> desktop_sources{{
    {"wallpaper", pixel, {wallpaper_light, wallpaper_veils}},
    {"shadow", pixel, {rounded_head, shadow}},
    {"panel", pixel, {rounded_head, panel}},
    {"glass", pixel, {rounded_head, glass}},
    {"orb", pixel, {orb}},
}};

}  // namespace

auto desktop_shaders() -> std::span<const shader_source> {
  return desktop_sources;
}

}  // namespace desktop

// SPDX-License-Identifier: MIT
// The pictures of the clock and of the oscilloscope.
#include "examples/aero_desktop/guest/shader_text.hpp"

namespace desktop {

namespace {

/// A plasma behind a clock's face. c0 = four phases of the plasma; c1..c3 = hands: direction,
/// length, half width, all in units of half the height; c4.x = aspect, c4.y = pixels a unit.
constexpr std::string_view clock_plasma = R"(ps_3_0
dcl_texcoord0 v0.xy
def c20, 0, 1, 0.5, 2
def c21, 3.1, 2.7, 2.3, 4.2
def c22, 0, 0, 1.2, 2.0
def c23, 0.42, 0.26, 0.36, 0
def c24, 0.44, 0.30, 0.62, 1.1
mad r0.xy, v0, c20.w, -c20.y
mul r0.x, r0.x, c4.x
dp2add r0.z, r0, r0, c20.x
rsq r0.w, r0.z
mul r0.w, r0.z, r0.w
mad r1.x, r0.x, c21.x, c0.x
mad r1.y, r0.y, c21.y, c0.y
add r1.z, r0.x, r0.y
mad r1.z, r1.z, c21.z, c0.z
mad r1.w, r0.w, c21.w, c0.w
sincos r2.y, r1.x
mov r3.x, r2.y
sincos r2.y, r1.y
add r3.x, r3.x, r2.y
sincos r2.y, r1.z
add r3.x, r3.x, r2.y
sincos r2.y, r1.w
add r3.x, r3.x, r2.y
mul r3.x, r3.x, c24.w
add r4.xyz, r3.x, c22.yzww
sincos r2.x, r4.x
mov r5.x, r2.x
sincos r2.x, r4.y
mov r5.y, r2.x
sincos r2.x, r4.z
mov r5.z, r2.x
mad_sat r5.xyz, r5, c23, c24
)";

constexpr std::string_view clock_face = R"(
def c25, 0.82, 0.70, 0.606218, 0.35
def c26, 0.62, 0.045, 0.03, 0.90
def c27, 0.03, 0.05, 0.12, 0.55
def c28, 1.0, 0.36, 0.22, 0.055
; The dial: dark glass with a bright rim.
sub r6.x, c25.x, r0.w
mul r6.x, r6.x, c4.y
add_sat r6.y, r6.x, c20.z
mul r6.y, r6.y, c27.w
lrp r5.xyz, r6.y, c27, r5
abs r6.x, r6.x
mad_sat r6.x, r6.x, -c20.z, c20.y
mul r6.x, r6.x, c26.w
lrp r5.xyz, r6.x, c20.y, r5
; Twelve marks: folded into one eighth, two are left.
abs r7.xy, r0
max r8.x, r7.x, r7.y
min r8.y, r7.x, r7.y
sub r9.x, r8.x, c25.y
mov r9.y, r8.y
dp2add r9.z, r9, r9, c20.x
rsq r9.w, r9.z
mul r9.x, r9.z, r9.w
sub r9.x, c26.y, r9.x
mad_sat r9.x, r9.x, c4.y, c20.z
sub r10.x, r8.x, c25.z
sub r10.y, r8.y, c25.w
dp2add r10.z, r10, r10, c20.x
rsq r10.w, r10.z
mul r10.x, r10.z, r10.w
sub r10.x, c26.z, r10.x
mad_sat r10.x, r10.x, c4.y, c20.z
max r9.x, r9.x, r10.x
mul r9.x, r9.x, c26.w
lrp r5.xyz, r9.x, c20.y, r5
)";

constexpr std::string_view clock_hands = R"(
; Hands: capsules from the middle.
dp2add r11.x, r0, c1, c20.x
rcp r11.y, c1.z
mul_sat r11.x, r11.x, r11.y
mul r11.x, r11.x, c1.z
mad r11.yz, c1.xxyy, -r11.x, r0.xxyy
dp2add r11.x, r11.yzyz, r11.yzyz, c20.x
rsq r11.w, r11.x
mul r11.x, r11.x, r11.w
sub r11.x, c1.w, r11.x
mad_sat r11.x, r11.x, c4.y, c20.z
lrp r5.xyz, r11.x, c20.y, r5
dp2add r11.x, r0, c2, c20.x
rcp r11.y, c2.z
mul_sat r11.x, r11.x, r11.y
mul r11.x, r11.x, c2.z
mad r11.yz, c2.xxyy, -r11.x, r0.xxyy
dp2add r11.x, r11.yzyz, r11.yzyz, c20.x
rsq r11.w, r11.x
mul r11.x, r11.x, r11.w
sub r11.x, c2.w, r11.x
mad_sat r11.x, r11.x, c4.y, c20.z
lrp r5.xyz, r11.x, c20.y, r5
dp2add r11.x, r0, c3, c20.x
rcp r11.y, c3.z
mul_sat r11.x, r11.x, r11.y
mul r11.x, r11.x, c3.z
mad r11.yz, c3.xxyy, -r11.x, r0.xxyy
dp2add r11.x, r11.yzyz, r11.yzyz, c20.x
rsq r11.w, r11.x
mul r11.x, r11.x, r11.w
sub r11.x, c3.w, r11.x
mad_sat r11.x, r11.x, c4.y, c20.z
lrp r5.xyz, r11.x, c28, r5
sub r11.x, c28.w, r0.w
mad_sat r11.x, r11.x, c4.y, c20.z
lrp r5.xyz, r11.x, c28, r5
mov r5.w, c20.y
mov oC0, r5
)";

/// An oscilloscope: a grid and three glowing lines. c0 = phases, c0.w = time; c1 = frequencies;
/// c2 = amplitudes; c3 = cells of the grid, x y, and pixels across and down.
constexpr std::string_view wave = R"(ps_3_0
dcl_texcoord0 v0.xy
def c20, 0, 1, 0.5, 2
def c21, 0.010, 0.020, 0.055, 0.014
def c22, 0.020, 0.070, 0.140, 4
def c23, 0.15, 0.85, 1.0, 0.07
def c24, 1.0, 0.35, 0.75, 0.10
def c25, 0.45, 1.0, 0.45, 3.1415927
lrp r0.xyz, v0.y, c22, c21
; Grid lines of one pixel.
mul r1.xy, v0, c3
frc r1.xy, r1
sub r1.xy, r1, c20.z
abs r1.xy, r1
sub r1.xy, c20.z, r1
rcp r2.x, c3.x
rcp r2.y, c3.y
mul r1.xy, r1, r2
mul r1.xy, r1, c3.zwzw
sub_sat r1.xy, c20.y, r1
max r1.x, r1.x, r1.y
mul r1.x, r1.x, c24.w
mad r0.xyz, c23, r1.x, r0
; The envelope: still at both ends.
mul r1.x, v0.x, c25.w
sincos r2.y, r1.x
mov r1.w, r2.y
sub r1.y, v0.y, c20.z
mad r3.xyz, v0.x, c1, c0
sincos r2.xy, r3.x
mul r4.x, r2.y, c2.x
mul r4.x, r4.x, r1.w
sub r4.x, r1.y, r4.x
mul r4.y, r2.x, c2.x
mul r4.y, r4.y, c1.x
mad r4.y, r4.y, r4.y, c22.w
rsq r4.y, r4.y
mul r4.x, r4.x, r4.y
abs r4.x, r4.x
mad r4.x, r4.x, c20.w, c21.w
rcp r4.x, r4.x
mul r4.x, r4.x, c21.w
mul r4.y, r4.x, r4.x
mad r4.x, r4.x, c20.z, r4.y
mad r0.xyz, c23, r4.x, r0
sincos r2.xy, r3.y
mul r4.x, r2.y, c2.y
mul r4.x, r4.x, r1.w
sub r4.x, r1.y, r4.x
mul r4.y, r2.x, c2.y
mul r4.y, r4.y, c1.y
mad r4.y, r4.y, r4.y, c22.w
rsq r4.y, r4.y
mul r4.x, r4.x, r4.y
abs r4.x, r4.x
mad r4.x, r4.x, c20.w, c21.w
rcp r4.x, r4.x
mul r4.x, r4.x, c21.w
mul r4.y, r4.x, r4.x
mad r4.x, r4.x, c20.z, r4.y
mad r0.xyz, c24, r4.x, r0
sincos r2.xy, r3.z
mul r4.x, r2.y, c2.z
mul r4.x, r4.x, r1.w
sub r4.x, r1.y, r4.x
mul r4.y, r2.x, c2.z
mul r4.y, r4.y, c1.z
mad r4.y, r4.y, r4.y, c22.w
rsq r4.y, r4.y
mul r4.x, r4.x, r4.y
abs r4.x, r4.x
mad r4.x, r4.x, c20.w, c21.w
rcp r4.x, r4.x
mul r4.x, r4.x, c21.w
mul r4.y, r4.x, r4.x
mad r4.x, r4.x, c20.z, r4.y
mad_sat r0.xyz, c25, r4.x, r0
mov r0.w, c20.y
mov oC0, r0
)";

using enum aerogpu::shader_stage;
constexpr std::array<shader_source, 2> program_sources{{
    {"clock", pixel, {clock_plasma, clock_face, clock_hands}},
    {"wave", pixel, {wave}},
}};

}  // namespace

auto program_shaders() -> std::span<const shader_source> {
  return program_sources;
}

}  // namespace desktop

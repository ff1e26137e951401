// SPDX-License-Identifier: MIT
/// \file Direct3D 9 shaders as SPIR-V for Vulkan (docs/shaders/shader-translation.md).
#pragma once

#include "aerogpu/core/fixed_vector.hpp"
#include "aerogpu/core/result.hpp"
#include "aerogpu/hosted/heap_array.hpp"
#include "d3d9_to_spirv/program.hpp"

#include <array>
#include <cstddef>
#include <cstdint>

namespace aerogpu::d3d9 {

/// How arithmetic treats zero, infinity and NaN (shaders.md 1.10).
enum class float_rules : std::uint8_t {
  exact,  ///< Zero times anything is zero; rcp, rsq, log, pow and nrm stay finite.
  fast,   ///< Products follow IEEE; the functions still stay finite.
};

/// What a pixel shader reads where its vertex shader writes nothing.
enum class unwritten_varyings : std::uint8_t {
  zero,       ///< host.md 3.2.
  direct3d9,  ///< shaders.md 1.14: COLOR0 and its parts are white, FOG0 is 1, all others are 0.
};

enum class sampler_dimension : std::uint8_t { image_2d, cube, volume };

/// Fog behind a pixel shader (shaders.md 2.7). Its numbers are push constants.
enum class fog_mode : std::uint8_t {
  none,
  vertex,               ///< The factor is oFog.
  exponential,          ///< e^(-depth * density)
  exponential_squared,  ///< e^(-(depth * density)^2)
  linear,               ///< (end - depth) * inverse_range
};

/// What fog counts as depth.
enum class fog_depth : std::uint8_t {
  of_position,  ///< z of the clip-space position.
  of_varying,   ///< What the vertex shader hands on as FOG0.
  of_w,         ///< w of the clip-space position.
  of_fragment,  ///< z of the fragment: what depth tests compare.
};

struct semantic {
  usage what = usage::position;
  std::uint8_t index = 0;

  friend constexpr auto operator==(const semantic&, const semantic&) -> bool = default;
};

inline constexpr std::uint32_t fixed_varyings = 11;  ///< Locations 0..10: shaders.md 1.14.
inline constexpr std::uint32_t max_extra_varyings = 16;
/// Semantics beyond the fixed ones, sorted; the first has location 11.
using varying_list = fixed_vector<semantic, max_extra_varyings>;
/// Locations of varyings, a bit each.
using varying_mask = std::uint32_t;
inline constexpr varying_mask all_varyings = 0xFFFFFFFF;
static_assert(fixed_varyings + max_extra_varyings <= 32);

inline constexpr std::uint32_t sampler_count = 16;
inline constexpr std::uint32_t vertex_sampler_count = 4;
inline constexpr std::uint32_t vertex_sampler_binding = 16;  ///< Of VS s0; PS s0 is binding 0.
inline constexpr std::uint32_t max_clip_planes = 6;
inline constexpr std::uint32_t vertex_register_count = 16;
inline constexpr std::uint8_t no_location = 0xFF;
inline constexpr std::int32_t back_edge_budget = 65536;  ///< Loop iterations of one invocation.

/// The uniform buffer of a stage: set 0, binding 0 (VS) or 1 (PS). For a module that reads no i# or
/// b# it begins with the floats.
struct constant_block {
  std::array<std::array<std::int32_t, 4>, 16> ints;
  std::uint32_t bools;  ///< Bit n is b#n.
  std::array<std::uint32_t, 3> padding;
  std::array<std::array<float, 4>, 256> floats;
};
static_assert(offsetof(constant_block, bools) == 256 && offsetof(constant_block, floats) == 272);

/// The push constants of both stages.
struct push_constants {
  std::array<std::array<float, 4>, max_clip_planes> clip_planes;
  float point_size;      ///< Of shaders that write none.
  float point_size_min;  ///< In [1, device limit].
  float point_size_max;
  float alpha_reference;    ///< ref / 255.
  std::uint32_t fog_color;  ///< ARGB.
  float fog_end;
  float fog_inverse_range;  ///< 1 / (end - start).
  float fog_density;
};
static_assert(sizeof(push_constants) == 128);

/// D3DCMPFUNC of the alpha test; 8 (ALWAYS) or 0 = off.
inline constexpr std::uint32_t alpha_function_spec_id = 0;
inline constexpr std::uint32_t alpha_always = 8;

/// All that a module depends on besides its byte code: the key of its cache.
struct translate_options {
  float_rules rules = float_rules::exact;
  bool wants_names = false;  ///< OpName for registers.
  /// Of samplers without a declaration: all in SM1, and in what the guest's driver writes.
  std::array<sampler_dimension, sampler_count> undeclared_samplers{};

  // Vertex shaders.
  unwritten_varyings unwritten = unwritten_varyings::zero;
  /// `translation::read_varyings` of the pixel shader: no others are written. Drivers compile each
  /// output, and interpolate most of them.
  varying_mask written_varyings = all_varyings;
  bool draws_points = true;      ///< Nothing else needs a point size, and drivers compile it, too.
  std::uint8_t clip_planes = 0;  ///< How many user clip planes, 0..6.
  std::uint16_t inputs_with_w_one = 0;  ///< v# whose format delivers a wrong w (UDEC3, DEC3N).
  std::uint16_t unsigned_inputs = 0;    ///< v# fetched as UINT because USCALED is missing.
  std::uint16_t signed_inputs = 0;      ///< v# fetched as SINT because SSCALED is missing.

  // Pixel shaders.
  varying_list extra_varyings;   ///< `collect_extra_varyings` of the vertex shader.
  bool is_flat_shaded = false;   ///< COLOR of the first vertex.
  bool is_point_sprite = false;  ///< TEXCOORD inputs are the place in the point.
  fog_mode fog = fog_mode::none;
  fog_depth fog_from = fog_depth::of_position;
  bool fogs_model_3 = false;  ///< Fog is behind ps_3_0, too.
  /// s# whose texture has a depth format: the lookup compares (shaders.md 2.10). Of 2D samplers.
  std::uint16_t depth_samplers = 0;

  friend auto operator==(const translate_options&, const translate_options&) -> bool = default;
};

/// A module with entry point `main`, and what its pipeline must provide.
struct translation {
  heap_array<std::uint32_t> words;
  std::uint16_t samplers = 0;  ///< s# that are used.
  std::array<sampler_dimension, sampler_count> dimensions{};
  std::uint16_t depth_samplers = 0;  ///< s# that take a sampler with comparison.
  bool uses_constants = false;       ///< Has the uniform buffer.
  /// One past the highest c# that is read from the uniform buffer, 0..256: only as many need to be
  /// there. 256 where a c# is indexed, 0 where none is read.
  std::uint32_t float_constants = 0;
  bool uses_ints_or_bools = false;  ///< The uniform buffer has i# and b#.

  // Vertex shaders.
  varying_list extra_varyings;
  /// Attribute location of each v# (host.md 3.4); `no_location` = not read.
  std::array<std::uint8_t, vertex_register_count> input_locations{};

  // Pixel shaders.
  varying_mask read_varyings = 0;  ///< What its vertex shader has to write.
  std::uint8_t color_outputs = 0;  ///< oC# that are written; mask off all others.
  bool writes_depth = false;
};

/// Of c0 in the uniform buffer. llvmpipe compiles what lies at 0 the fastest.
[[nodiscard]] inline auto float_constants_offset(const translation& of) noexcept -> std::size_t {
  return of.uses_ints_or_bools ? offsetof(constant_block, floats) : 0;
}

inline constexpr std::size_t max_module_words = 4u << 20;
inline constexpr std::uint32_t max_expanded_instructions = 65536;

/// What a vertex shader hands on beside the fixed varyings, whether it is used or not. Errors:
/// unsupported (more than fit), with the size of the byte code as offset.
[[nodiscard]] auto collect_extra_varyings(const program& shader) noexcept -> result<varying_list>;

/// Translates for Vulkan 1.3; the module is SPIR-V 1.3. Errors, with the byte offset of the
/// instruction and its opcode as `detail`: invalid_parameter (an operand that the instruction
/// cannot have, or options out of range), unsupported (more varyings, calls or code than fit),
/// out_of_memory.
[[nodiscard]] auto translate(const program& shader, const translate_options& options = {}) noexcept
    -> result<translation>;

}  // namespace aerogpu::d3d9

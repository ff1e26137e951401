// SPDX-License-Identifier: MIT
/// \file What the parts of the translator share while they build one module.
#pragma once

#include "aerogpu/core/check.hpp"
#include "aerogpu/core/fixed_vector.hpp"
#include "aerogpu/hosted/heap_array.hpp"
#include "d3d9_to_spirv/module/spirv_module.hpp"
#include "d3d9_to_spirv/program.hpp"
#include "d3d9_to_spirv/shader_math.hpp"
#include "d3d9_to_spirv/shader_registers.hpp"
#include "d3d9_to_spirv/translate.hpp"

#include <array>
#include <span>

namespace aerogpu::d3d9 {

/// A shader under translation. The program has passed `check_program`.
struct shader_context {
  shader_context(const program& from, const translate_options& how)
      : shader(from),
        options(how),
        module(from.instructions.size()),
        math(module, how.rules, how.wants_names),
        registers(module, math, from, how.wants_names) {
    for (const declaration& d : from.declarations) {
      if (d.reg.type == register_type::sampler) textures[d.reg.number] = d.texture;
    }
  }

  const program& shader;
  const translate_options& options;
  spirv_module module;
  shader_math math;
  shader_registers registers;
  /// Inputs and outputs of the entry point: attributes or varyings, built-in ones, targets.
  fixed_vector<spirv_id, 96> interface;
  std::array<spirv_id, sampler_count> samplers{};      ///< Variables of the used ones.
  std::array<texture_type, sampler_count> textures{};  ///< What the shader declares.
  spirv_id push_block{};
  bool kills = false;
  translation out;

  [[nodiscard]] auto is_pixel() const noexcept -> bool { return shader.version.is_pixel; }
  [[nodiscard]] auto major() const noexcept -> std::uint32_t { return shader.version.major; }
  [[nodiscard]] auto is_ps_1_4() const noexcept -> bool {
    return is_pixel() && major() == 1 && shader.version.minor == 4;
  }
  /// ps_1_0 to ps_1_3, where t# holds texels and coordinates are apart.
  [[nodiscard]] auto is_ps_below_1_4() const noexcept -> bool {
    return is_pixel() && major() == 1 && shader.version.minor < 4;
  }
};

/// Every operand of every instruction is one that the translation knows (translate_check.cpp).
[[nodiscard]] auto check_program(const program& shader, const translate_options& options)
    -> result<void>;

// Operands (translate_operands.cpp).

/// The source after swizzle and modifier.
[[nodiscard]] auto read_source(shader_context& to, const source_operand& from) -> value;
/// Its first component.
[[nodiscard]] auto read_scalar(shader_context& to, const source_operand& from) -> value;
/// A b# or p0 condition of if, callnz or breakp.
[[nodiscard]] auto read_condition(shader_context& to, const source_operand& from) -> truth;
/// What the destination's mask and the predicate let through.
[[nodiscard]] auto filter_of(shader_context& to, const instruction& in) -> write_filter;
/// Shift, saturation, mask and predicate, then the register: of its components those in
/// `can_write`.
void write_destination(shader_context& to, const instruction& in, value v,
                       std::uint8_t can_write = full_mask);

// Instructions.

/// What an arithmetic instruction other than setp computes, all four components.
[[nodiscard]] auto evaluate_arithmetic(shader_context& to, const instruction& in) -> value;
/// One arithmetic instruction, or two that were issued together.
void emit_arithmetic(shader_context& to, std::span<const instruction> group);
void emit_texture(shader_context& to, const instruction& in);
/// The texture instructions of ps_1_0 - 1_3 that address by registers and matrices.
void emit_texture_addressing(shader_context& to, const instruction& in);
/// A texel of stage or sampler `number`, at implicit level of detail in pixel shaders.
[[nodiscard]] auto sample(shader_context& to, std::uint32_t number, value coordinate) -> value;
/// Gives up the pixel while its neighbours keep their derivatives.
void emit_kill_if(shader_context& to, truth is_killed);
/// One function for each routine; [0] is main's body.
[[nodiscard]] auto emit_routines(shader_context& to, heap_array<spirv_id>& functions)
    -> result<void>;

// Interface (translate_interface.cpp).

[[nodiscard]] auto location_of(semantic s, const varying_list& extra) noexcept -> std::uint8_t;
[[nodiscard]] auto interface_variable(shader_context& to, spv::StorageClass storage, spirv_id type)
    -> spirv_id;
[[nodiscard]] auto builtin_variable(shader_context& to, spv::StorageClass storage, spirv_id type,
                                    spv::BuiltIn what) -> spirv_id;
/// A member of `push_constants`: a float, or for the fog colour a uint.
[[nodiscard]] auto push_constant(shader_context& to, std::size_t offset) -> spirv_id;
[[nodiscard]] auto clip_plane(shader_context& to, std::uint32_t number) -> value;

// Stages: the entry point around main's body.
void emit_vertex_entry(shader_context& to, spirv_id body);
void emit_pixel_entry(shader_context& to, spirv_id body);

}  // namespace aerogpu::d3d9

// SPDX-License-Identifier: MIT
/// \file The parts of a vertex shader that is being written. Only vertex_*.cpp includes this.
#pragma once

#include "drivers/win7/umd/d3d9/fixed/constant_layout.hpp"
#include "drivers/win7/umd/d3d9/fixed/shader_assembler.hpp"
#include "drivers/win7/umd/d3d9/fixed/vertex/vertex_key.hpp"

#include <array>
#include <cstdint>
#include <span>

namespace aerogpu::umd::fixed::detail {

/// {0, 1, 0.5, 2}
inline constexpr source numbers = constant(vertex_registers::definitions);
inline constexpr source zero = numbers.x();
inline constexpr source one = numbers.y();
inline constexpr source half = numbers.z();
inline constexpr source two = numbers.w();
/// {registers of a palette matrix, 255 times that, -1, 0}
inline constexpr source more_numbers = constant(vertex_registers::definitions + 1);
inline constexpr source palette_step = more_numbers.x();
inline constexpr source palette_step_of_fraction = more_numbers.y();
inline constexpr source minus_z = more_numbers.with(swizzle(3, 3, 2, 3));  ///< (0, 0, -1, 0)

// Values that live through the shader, then scratch.
inline constexpr temp view_position{0};  ///< w is 1.
inline constexpr temp view_normal{1};
inline constexpr temp diffuse_sum{2};
inline constexpr temp ambient_sum{3};
inline constexpr temp specular_sum{4};
inline constexpr temp to_viewer{5};
inline constexpr temp model_position{6};
inline constexpr temp model_normal{7};
inline constexpr temp clip_position{8};
inline constexpr temp weights{9};
inline constexpr temp reflection{10};
inline constexpr temp scratch0{11};
inline constexpr temp scratch1{12};
inline constexpr temp scratch2{13};
inline constexpr temp scratch3{14};
inline constexpr temp far_viewer{15};  ///< (0, 0, -1), without LOCALVIEWER.

inline constexpr std::uint8_t no_register = 0xFF;

/// Registers of the inputs that the shader reads.
struct vertex_inputs_used {
  std::uint8_t position = no_register;
  std::uint8_t position1 = no_register;
  std::uint8_t weights = no_register;
  std::uint8_t indices = no_register;
  std::uint8_t normal = no_register;
  std::uint8_t normal1 = no_register;
  std::uint8_t point_size = no_register;
  std::array<std::uint8_t, 2> colors{no_register, no_register};
  std::array<std::uint8_t, texcoord_set_count> texcoords{no_register, no_register, no_register,
                                                         no_register, no_register, no_register,
                                                         no_register, no_register};
};

class vertex_writer {
 public:
  vertex_writer(const vertex_key& key, std::span<std::uint32_t> out) noexcept;

  [[nodiscard]] auto write() noexcept -> std::span<const std::uint32_t>;

 private:
  // vertex_program.cpp
  void define_numbers() noexcept;
  void declare_inputs() noexcept;
  void declare_outputs() noexcept;
  [[nodiscard]] auto take_input(usage what, unsigned index) noexcept -> std::uint8_t;
  void declare_fog(unsigned next) noexcept;
  [[nodiscard]] auto is_fog_in_color1() const noexcept -> bool;
  void write_fog() noexcept;
  void write_fog_factor(source distance) noexcept;
  void write_point_size() noexcept;
  void write_view_distance(temp to) noexcept;

  // vertex_transform.cpp
  void write_position() noexcept;
  void write_normal() noexcept;
  void tween() noexcept;
  void blend() noexcept;
  void prepare_weights() noexcept;
  void add_blended(unsigned matrix, source position) noexcept;
  [[nodiscard]] auto palette_register(unsigned matrix, unsigned column) const noexcept -> source;
  [[nodiscard]] auto weight_of(unsigned matrix) const noexcept -> source;
  void transform_rows(destination to, source vector, source first_column, unsigned columns,
                      opcode product) noexcept;
  void write_to_viewer() noexcept;

  // vertex_lighting.cpp
  void write_colors() noexcept;
  void write_unlit_colors() noexcept;
  void light() noexcept;
  void write_lit_colors() noexcept;
  void add_light(unsigned index) noexcept;
  void write_light_direction(source registers, light_kind kind) noexcept;
  void write_spot_factor(source registers) noexcept;
  void add_specular(source registers, source toward_light, bool is_attenuated) noexcept;
  [[nodiscard]] auto color_of(color_source from, unsigned which) const noexcept -> source;

  // vertex_texcoords.cpp
  void write_texcoords() noexcept;
  void write_texcoord(unsigned stage, destination to) noexcept;
  [[nodiscard]] auto generated(const stage_coordinates& stage) noexcept -> source;
  void write_reflection() noexcept;
  void write_sphere_coordinates() noexcept;

  const vertex_key& key_;
  shader_assembler code_;
  vertex_needs needs_;
  vertex_inputs_used inputs_;
  std::uint8_t input_count_ = 0;
  destination point_output_;
  destination fog_output_;  ///< Where the factor or the coordinate goes.
  bool has_reflection_ = false;
  std::array<std::uint8_t, texture_stage_count> texcoord_outputs_{};
};

inline constexpr unsigned position_output = 0;
inline constexpr unsigned color0_output = 1;
inline constexpr unsigned color1_output = 2;
inline constexpr unsigned first_free_output = 3;
inline constexpr unsigned output_limit = 12;

}  // namespace aerogpu::umd::fixed::detail

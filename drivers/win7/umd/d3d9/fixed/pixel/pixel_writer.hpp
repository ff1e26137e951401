// SPDX-License-Identifier: MIT
/// \file The parts of a pixel shader that is being written. Only pixel_*.cpp includes this.
#pragma once

#include "drivers/win7/umd/d3d9/fixed/constant_layout.hpp"
#include "drivers/win7/umd/d3d9/fixed/pixel/pixel_key.hpp"
#include "drivers/win7/umd/d3d9/fixed/pixel/texture_operations.hpp"
#include "drivers/win7/umd/d3d9/fixed/shader_assembler.hpp"

#include <array>
#include <cstdint>
#include <span>

namespace aerogpu::umd::fixed::detail {

/// {0, 1, 0.5, 4}
inline constexpr source pixel_numbers = constant(pixel_registers::definitions);
inline constexpr source pixel_zero = pixel_numbers.x();
inline constexpr source pixel_one = pixel_numbers.y();
inline constexpr source pixel_half = pixel_numbers.z();
inline constexpr source pixel_four = pixel_numbers.w();

inline constexpr temp current_register{0};
inline constexpr temp temp_register{1};
inline constexpr temp made{2};   ///< Intermediate of an operation.
inline constexpr temp other{3};  ///< The second one.
inline constexpr temp coordinate{4};
inline constexpr std::uint16_t first_complement = 5;  ///< One for each argument.
inline constexpr std::uint16_t first_texel = 8;       ///< One for each stage.
inline constexpr temp diffuse_register{16};
inline constexpr temp specular_register{17};

/// Arguments of an operation, resolved to operands: ARG0, ARG1, ARG2.
using arguments = std::array<source, 3>;

class pixel_writer {
 public:
  pixel_writer(const pixel_key& key, std::span<std::uint32_t> out) noexcept;

  [[nodiscard]] auto write() noexcept -> std::span<const std::uint32_t>;

 private:
  // pixel_program.cpp
  void declare() noexcept;
  void clamp_colors() noexcept;
  void split_specular() noexcept;
  void write_stage(unsigned stage) noexcept;
  void write_alpha(unsigned stage, temp to) noexcept;
  void finish_color() noexcept;
  void write_fog() noexcept;
  void write_fog_amount() noexcept;
  [[nodiscard]] auto texel(unsigned stage) noexcept -> source;
  [[nodiscard]] auto register_of(unsigned stage, std::uint8_t argument) noexcept -> source;
  [[nodiscard]] auto argument(unsigned stage, std::uint8_t value, unsigned which) noexcept
      -> source;
  [[nodiscard]] auto resolve(unsigned stage, const stage_operation& from) noexcept -> arguments;
  [[nodiscard]] auto reads(std::uint8_t argument) const noexcept -> bool;
  [[nodiscard]] auto has_specular() const noexcept -> bool;

  // pixel_operations.cpp
  void operate(unsigned stage, const stage_operation& what, destination to) noexcept;
  void compute(unsigned stage, const operation_row& row, destination to,
               const arguments& args) noexcept;
  void finish_doubled(const operation_row& row, destination to) noexcept;

  const pixel_key& key_;
  shader_assembler code_;
  source diffuse_;
  source specular_;
  source fog_input_;
  bool is_fog_in_specular_ = false;  ///< COLOR1 leaves its alpha to DEPTH0.
  std::array<source, texture_stage_count> texcoords_{};
  source current_;
  std::uint8_t sampled_stages_ = 0;  ///< Whose texel is in its register.
};

}  // namespace aerogpu::umd::fixed::detail

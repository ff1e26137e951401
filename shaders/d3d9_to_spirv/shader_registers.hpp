// SPDX-License-Identifier: MIT
/// \file The register files of one Direct3D 9 shader as SPIR-V variables.
#pragma once

#include "aerogpu/hosted/heap_array.hpp"
#include "d3d9_to_spirv/module/spirv_module.hpp"
#include "d3d9_to_spirv/program.hpp"
#include "d3d9_to_spirv/shader_math.hpp"

#include <array>
#include <cstdint>
#include <string_view>

namespace aerogpu::d3d9 {

/// A file of four-component registers: those of `register_type`, and two of our own.
enum class register_file : std::uint8_t {
  texture_coordinates = 20,  ///< ps_1_1 - 1_3: what t# interpolates, apart from what it holds.
  matrix_rows = 21,          ///< ps_1_2 - 1_3: what texm3x2pad and texm3x3pad leave behind.
};
inline constexpr std::uint32_t register_file_count = 22;

[[nodiscard]] constexpr auto file_of(register_type type) noexcept -> register_file {
  return static_cast<register_file>(type);
}

/// Which components a write reaches.
struct write_filter {
  std::uint8_t mask = full_mask;
  truth where{{}, 0};  ///< Of width 4, or of width 0 for everywhere.

  [[nodiscard]] auto is_open() const noexcept -> bool {
    return mask == full_mask && where.width == 0;
  }
};

/// Variables come into being at their first use; each starts as zero.
class shader_registers {
 public:
  shader_registers(spirv_module& module, shader_math& math, const program& shader,
                   bool wants_names) noexcept;
  /// Whether there was no memory for all definitions: what is translated then is of no use.
  [[nodiscard]] auto is_exhausted() const noexcept -> bool { return is_exhausted_; }

  /// Any register that can be an operand of arithmetic, as four floats.
  [[nodiscard]] auto load(const register_ref& reg) -> value;
  /// To a register of a writable file: floats as they are, a0 as integers.
  void store(const register_ref& reg, value v, const write_filter& filter);
  [[nodiscard]] auto load(register_file file, std::uint32_t number) -> value;
  void store(register_file file, std::uint32_t number, value v);
  [[nodiscard]] auto is_used(register_file file, std::uint32_t number) const noexcept -> bool;

  [[nodiscard]] auto int_constant(std::uint32_t number) -> spirv_id;  ///< int4
  [[nodiscard]] auto bool_constant(std::uint32_t number) -> truth;
  [[nodiscard]] auto predicate() -> truth;
  void store_predicate(truth t, const write_filter& filter);
  [[nodiscard]] auto loop_counter() -> spirv_id;  ///< The variable aL, an int.

  [[nodiscard]] auto uses_constants() const noexcept -> bool { return block_ != spirv_id{}; }
  /// One past the highest c# that is read from the uniform buffer.
  [[nodiscard]] auto float_constants() const noexcept -> std::uint32_t { return float_constants_; }
  [[nodiscard]] auto uses_ints_or_bools() const noexcept -> bool { return uses_ints_or_bools_; }

 private:
  /// What a register holds for sure, in one basic block.
  struct known_value {
    spirv_id id{};
    std::uint32_t block = 0;  ///< 0 = none.
  };

  [[nodiscard]] auto reads_small_constant(const instruction& in) const noexcept -> bool;
  [[nodiscard]] auto is_known(const known_value& known) const noexcept -> bool;
  [[nodiscard]] auto filtered(value old, value v, const write_filter& filter) -> value;
  [[nodiscard]] auto new_register(spirv_id type, std::string_view name) -> spirv_id;
  [[nodiscard]] auto pointer(register_file file, std::uint32_t number) -> spirv_id;
  /// A register by index: one of the file, and whether it is the one that was meant.
  struct indexed_register {
    spirv_id pointer{};
    truth is_inside;
  };
  [[nodiscard]] auto indexed(const register_ref& reg) -> indexed_register;
  [[nodiscard]] auto array_of(register_file file) -> spirv_id;
  [[nodiscard]] auto index_of(const register_ref& reg) -> spirv_id;
  [[nodiscard]] auto address() -> spirv_id;
  void store_address(value v, const write_filter& filter);
  [[nodiscard]] auto constant_register(const register_ref& reg) -> value;
  [[nodiscard]] auto find_definition(std::uint32_t number) const -> const definition*;
  [[nodiscard]] auto fixed_constant(std::uint32_t number) -> value;
  [[nodiscard]] auto indexed_constant(const register_ref& reg) -> value;
  /// The c# at `index`, where the highest that the index can name is `last`.
  [[nodiscard]] auto float_uniform(spirv_id index, std::uint32_t last) -> value;
  [[nodiscard]] auto uniform(std::uint32_t member, spirv_id type, spirv_id index) -> spirv_id;
  [[nodiscard]] auto block() -> spirv_id;
  [[nodiscard]] auto whole_block(spirv_id floats) -> spirv_id;

  spirv_module& module_;
  shader_math& math_;
  const program& shader_;
  bool wants_names_;
  std::array<std::array<spirv_id, 32>, register_file_count> registers_{};
  std::array<spirv_id, register_file_count> arrays_{};  ///< Of files that are indexed.
  std::array<bool, register_file_count> is_indexed_{};
  std::array<std::array<const definition*, 16>, 2> small_definitions_{};  ///< i#, b#.
  std::array<const definition*, 256> float_definitions_{};                ///< By number, or null.
  heap_array<const definition*> far_definitions_;  ///< Of all others, by number.
  std::array<std::array<known_value, 32>, register_file_count> known_{};
  std::array<known_value, 256> known_constants_{};
  spirv_id block_{}, address_{}, loop_counter_{}, predicate_{};
  std::uint32_t float_constants_ = 0;
  bool uses_ints_or_bools_ = false;
  bool is_exhausted_ = false;
};

}  // namespace aerogpu::d3d9

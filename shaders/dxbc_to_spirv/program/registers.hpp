// SPDX-License-Identifier: MIT
/// \file Which registers a program declares, and whether an operand names one of them. The compiler
/// behind aborts the process on some that are missing, so nothing unchecked reaches it.
#pragma once

#include "aerogpu/stream/stage.hpp"
#include "dxbc_to_spirv/binding_map.hpp"
#include "dxbc_to_spirv/program/opcodes.hpp"
#include "dxbc_to_spirv/program/operand.hpp"

#include <array>
#include <cstddef>
#include <cstdint>

namespace aerogpu::dxbc {

/// What stands behind t#, u# and g#, as a bit.
enum resource_shape : std::uint8_t {
  shape_none = 0,
  shape_sampled = 1,
  shape_multisampled = 2,
  shape_typed_buffer = 4,
  shape_raw = 8,
  shape_structured = 16,
};
inline constexpr std::uint8_t any_buffer = shape_typed_buffer | shape_raw | shape_structured;

inline constexpr std::uint32_t temp_limit = 4096;             ///< r#, and elements of an x#.
inline constexpr std::uint32_t indexable_temp_limit = 64;     ///< x#
inline constexpr std::uint32_t indexable_word_limit = 16384;  ///< Of all x# together.
inline constexpr std::uint32_t group_shared_limit = 64;       ///< g#
inline constexpr std::uint32_t group_shared_bytes = 32768;    ///< Of all g# together.
inline constexpr std::uint32_t constant_limit = 4096;         ///< Elements of a b# or the table.
inline constexpr std::uint32_t interface_limit = 32;          ///< v#, o# and vpc#
inline constexpr std::uint32_t control_point_limit = 32;

using register_masks = std::array<std::uint8_t, interface_limit>;

/// Interface registers and temporaries: a hull shader has its own in each phase.
struct phase_registers {
  std::uint32_t temps = 0;
  std::array<std::uint16_t, indexable_temp_limit> indexable{};
  std::array<register_masks, operand_type_count> masks{};  ///< Of v#, o#, vicp, vocp and vpc#.
  std::uint64_t scalars = 0;       ///< By `operand_type`: registers that stand alone.
  bool has_output_ranges = false;  ///< o# may be indexed; of fork and join phases.

  [[nodiscard]] auto masks_of(operand_type type) noexcept -> register_masks& {
    return masks[static_cast<std::size_t>(type)];
  }
  [[nodiscard]] auto masks_of(operand_type type) const noexcept -> const register_masks& {
    return masks[static_cast<std::size_t>(type)];
  }
};

struct declared_registers {
  shader_stage stage = shader_stage::vertex;
  phase_registers phase;
  std::array<std::uint16_t, range_of(register_file::constant_buffer).count> constants{};
  std::array<std::uint8_t, range_of(register_file::resource).count> resources{};
  /// `image_dimension` of typed t#.
  std::array<std::uint8_t, range_of(register_file::resource).count> dimensions{};
  std::array<std::uint8_t, range_of(register_file::uav).count> uavs{};
  std::array<std::uint8_t, group_shared_limit> group_shared{};
  std::uint16_t samplers = 0;  ///< Bits.
  std::uint32_t immediate_constants = 0;
};

/// Whether registers of the type are rows of an interface, with a number.
[[nodiscard]] auto is_interface_type(operand_type type) noexcept -> bool;

/// Whether v# of the stage has a vertex in front of its register.
[[nodiscard]] constexpr auto has_vertex_index(shader_stage stage, operand_type type) noexcept
    -> bool {
  const bool is_array_stage = stage == shader_stage::geometry || stage == shader_stage::hull;
  return type == operand_type::input_control_point || type == operand_type::output_control_point ||
         (type == operand_type::input && is_array_stage);
}

/// Whether the register type stands alone, without a number.
[[nodiscard]] auto is_scalar_input(operand_type type) noexcept -> bool;
/// Those of more than one component.
[[nodiscard]] auto is_vector_input(operand_type type) noexcept -> bool;
[[nodiscard]] auto is_scalar_output(operand_type type) noexcept -> bool;

/// Whether an operand may stand where an instruction has one of `kind`.
[[nodiscard]] auto may_stand(const declared_registers& declared, operand_kind kind,
                             const operand& what) noexcept -> bool;

}  // namespace aerogpu::dxbc

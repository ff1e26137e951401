/// \file Operands of SM4 and SM5 instructions (shaders.md 3.6).
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>

namespace aerogpu::dxbc {

inline constexpr std::size_t header_words = 2;              ///< Version and length of a program.
inline constexpr std::uint32_t extended_bit = 0x80000000u;  ///< Of tokens: another one follows.

using token_span = std::span<const std::uint32_t>;

/// D3D10_SB_OPERAND_TYPE and D3D11_SB_OPERAND_TYPE.
enum class operand_type : std::uint8_t {
  temp = 0,
  input = 1,
  output = 2,
  indexable_temp = 3,
  immediate32 = 4,
  sampler = 6,
  resource = 7,
  constant_buffer = 8,
  immediate_constant_buffer = 9,
  primitive_id = 11,
  output_depth = 12,
  null = 13,
  rasterizer = 14,
  output_coverage = 15,
  stream = 16,
  output_control_point_id = 22,
  fork_instance_id = 23,
  join_instance_id = 24,
  input_control_point = 25,
  output_control_point = 26,
  patch_constant = 27,
  domain_point = 28,
  uav = 30,
  group_shared = 31,
  thread_id = 32,
  thread_group_id = 33,
  thread_id_in_group = 34,
  input_coverage = 35,
  thread_id_in_group_flattened = 36,
  gs_instance_id = 37,
  output_depth_greater = 38,
  output_depth_less = 39,
};
inline constexpr std::size_t operand_type_count = 40;

enum class selection : std::uint8_t { mask = 0, swizzle = 1, one = 2, none = 3 };

/// A register that an index adds: r#.c or x#[n].c.
struct relative_index {
  operand_type type = operand_type::temp;
  std::uint32_t index = 0;
  std::uint32_t second = 0;  ///< Of x#[n].
};

struct operand_index {
  std::uint32_t value = 0;
  bool is_relative = false;
  relative_index base;
};

struct operand {
  operand_type type = operand_type::null;
  std::uint8_t components = 0;  ///< 0, 1 or 4.
  selection selected = selection::none;
  std::uint8_t components_selected = 0;  ///< Mask, swizzle or number of the one component.
  std::uint8_t dimensions = 0;
  std::array<operand_index, 3> indices{};
  std::size_t words = 0;  ///< Length in the token stream.
};

/// Where the operands of a whole instruction begin. Precondition: its extensions end.
[[nodiscard]] constexpr auto first_operand(token_span instruction) noexcept -> std::size_t {
  std::size_t at = 0;
  while ((instruction[at++] & extended_bit) != 0) {
  }
  return at;
}

/// Reads the operand at the front of `tokens`. False for what no compiler writes: cut operands,
/// unknown types, 64-bit indices, indices that are indexed by what is indexed itself.
[[nodiscard]] auto read_operand(token_span tokens, operand& into) noexcept -> bool;

}  // namespace aerogpu::dxbc

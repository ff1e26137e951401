// SPDX-License-Identifier: MIT
/// \file The SPIR-V instructions that a shader of ours can have, and the form of each. What is not
/// here is not handed to a driver: pointers that are computed, signed division, which can trap,
/// indices into vectors that are values, streams, subgroups, ray tracing, and whatever comes later.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <spirv/unified1/spirv.hpp11>

namespace aerogpu::spirv {

/// Where in a module an instruction stands; they come in this order.
enum class module_section : std::uint8_t {
  capability,
  extension,
  import,
  memory_model,
  entry_point,
  execution_mode,
  debug,
  annotation,
  global,
  function,
  global_or_function,
  anywhere,
};

/// What stands in front of the operands.
enum class result_form : std::uint8_t { none, id, type_and_id };

struct instruction_form {
  std::uint16_t op = 0;
  std::uint8_t least_words = 0;  ///< With the first one; 0 = not allowed.
  result_form result = result_form::none;
  module_section section = module_section::function;
  std::uint8_t leading_ids = 0;   ///< Operands that are ids of values.
  bool has_trailing_ids = false;  ///< So are all but one literal behind them.
  std::uint8_t weight = 0;        ///< `module_cost::instructions`.
  bool is_by_component = false;   ///< The weight is of each component of the result.
};

inline constexpr std::uint8_t all_ids = 0xFF;

namespace detail {

/// By number. The last is the form of what is not allowed.
inline constexpr std::size_t form_count = 321;
extern const std::array<instruction_form, form_count> forms;
[[nodiscard]] auto form_of_extension(spv::Op op) noexcept -> const instruction_form&;

}  // namespace detail

/// The form of an instruction; one with `least_words` 0 where it is not allowed.
[[nodiscard]] inline auto form_of(spv::Op op) noexcept -> const instruction_form& {
  const auto number = static_cast<std::size_t>(op);
  return number + 1 < detail::form_count ? detail::forms[number] : detail::form_of_extension(op);
}

/// Weight of an instruction of GLSL.std.450; 0 where it is not allowed.
[[nodiscard]] auto weight_of_extended(std::uint32_t number) noexcept -> std::uint32_t;

}  // namespace aerogpu::spirv

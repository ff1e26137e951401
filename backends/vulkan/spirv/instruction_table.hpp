/// \file The SPIR-V instructions that a shader of ours can have, and the form of each. What is not
/// here is not handed to a driver: pointers that are computed, signed division, which can trap,
/// indices into vectors that are values, streams, subgroups, ray tracing, and whatever comes later.
#pragma once

#include <cstdint>
#include <spirv/unified1/spirv.hpp11>

namespace aerogpu::vulkan::spirv {

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
};

inline constexpr std::uint8_t all_ids = 0xFF;

/// The form of an instruction; one with `least_words` 0 where it is not allowed.
[[nodiscard]] auto form_of(spv::Op op) noexcept -> const instruction_form&;

/// Weight of an instruction of GLSL.std.450; 0 where it is not allowed.
[[nodiscard]] auto weight_of_extended(std::uint32_t number) noexcept -> std::uint32_t;

}  // namespace aerogpu::vulkan::spirv

// SPDX-License-Identifier: MIT
/// \file Arithmetic on shader values as Direct3D 9 defines it (shaders.md 1.10).
#pragma once

#include "d3d9_to_spirv/module/spirv_module.hpp"
#include "d3d9_to_spirv/token.hpp"
#include "d3d9_to_spirv/translate.hpp"

#include <array>
#include <cstdint>
#include <span>

namespace aerogpu::d3d9 {

/// A float, or a vector of 2 to 4.
struct value {
  spirv_id id{};
  std::uint32_t width = 4;
};

/// A bool, or a vector of 2 to 4.
struct truth {
  spirv_id id{};
  std::uint32_t width = 4;
};

/// Arithmetic of several instructions, once in a module.
enum class helper_function : std::uint8_t {
  product,
  dot2,
  dot3,
  dot4,
  reciprocal,
  reciprocal_root,
  logarithm,
  power,
  fraction,
};
inline constexpr std::size_t helper_count = 9;

/// Appends arithmetic to the function under construction. Operands of one call have equal widths.
class shader_math {
 public:
  shader_math(spirv_module& module, float_rules rules, bool wants_names) noexcept
      : module_(module), rules_(rules), wants_names_(wants_names) {}

  [[nodiscard]] auto float_type(std::uint32_t width) -> spirv_id {
    spirv_id& id = float_types_[width];
    return id != spirv_id{} ? id : id = vector_of(module_.type_float(), width);
  }
  [[nodiscard]] auto bool_type(std::uint32_t width) -> spirv_id {
    spirv_id& id = bool_types_[width];
    return id != spirv_id{} ? id : id = vector_of(module_.type_bool(), width);
  }

  [[nodiscard]] auto constant(float number, std::uint32_t width = 4) -> value;
  [[nodiscard]] auto constant_bits(std::span<const std::uint32_t, 4> bits) -> value;
  [[nodiscard]] auto truth_constant(bool holds, std::uint32_t width) -> truth;

  // Components.
  [[nodiscard]] auto component(value v, std::uint32_t index) -> value;
  [[nodiscard]] auto component(truth t, std::uint32_t index) -> truth;
  [[nodiscard]] auto splat(value scalar, std::uint32_t width = 4) -> value;
  [[nodiscard]] auto splat(truth scalar, std::uint32_t width = 4) -> truth;
  [[nodiscard]] auto compose(std::initializer_list<value> scalars) -> value;
  [[nodiscard]] auto swizzle(value v, std::uint8_t components, std::uint32_t width = 4) -> value;
  [[nodiscard]] auto swizzle(truth t, std::uint8_t components) -> truth;
  /// Components of `with` where `mask` has a bit, else of `into`.
  [[nodiscard]] auto merge(value into, value with, std::uint8_t mask) -> value;

  // One instruction each; never contracted with another.
  [[nodiscard]] auto add(value a, value b) -> value;
  [[nodiscard]] auto subtract(value a, value b) -> value;
  [[nodiscard]] auto multiply(value a, value b) -> value;
  [[nodiscard]] auto divide(value a, value b) -> value;
  [[nodiscard]] auto negate(value v) -> value;
  [[nodiscard]] auto glsl(GLSLstd450 op, std::initializer_list<value> operands) -> value;
  [[nodiscard]] auto select(truth which, value yes, value no) -> value;

  // Truths.
  [[nodiscard]] auto compare(comparison how, value a, value b) -> truth;
  [[nodiscard]] auto both(truth a, truth b) -> truth;
  [[nodiscard]] auto either(truth a, truth b) -> truth;
  [[nodiscard]] auto invert(truth t) -> truth;

  // Direct3D's own.
  /// a * b, where zero wins over infinity and NaN.
  [[nodiscard]] auto product(value a, value b) -> value;
  /// Sum of the products of the first `count` components, in their order.
  [[nodiscard]] auto dot(value a, value b, std::uint32_t count) -> value;
  [[nodiscard]] auto saturate(value v) -> value;
  [[nodiscard]] auto clamp(value v, float low, float high) -> value;
  /// Infinity as the largest float of its sign.
  [[nodiscard]] auto finite(value v) -> value;
  [[nodiscard]] auto reciprocal(value v) -> value;
  [[nodiscard]] auto reciprocal_root(value v) -> value;
  [[nodiscard]] auto logarithm(value v) -> value;
  [[nodiscard]] auto power(value base, value exponent) -> value;
  [[nodiscard]] auto fraction(value v) -> value;

 private:
  /// A splatted constant that was made lately.
  struct recent_constant {
    std::uint32_t bits = 0;
    value made{{}, 0};
  };

  /// The function of a helper for operands of one width.
  struct known_helper {
    spirv_id function{};
    bool is_used = false;
  };

  [[nodiscard]] auto apply(helper_function which, std::initializer_list<value> operands) -> value;
  [[nodiscard]] auto function_of(helper_function which, std::uint32_t width, std::size_t operands)
      -> spirv_id;
  [[nodiscard]] auto ordered(spv::Op op, value a, value b) -> value;
  [[nodiscard]] auto vector_of(spirv_id component, std::uint32_t width) -> spirv_id {
    return width == 1 ? component : module_.type_vector(component, width);
  }

  spirv_module& module_;
  float_rules rules_;
  bool wants_names_;
  bool is_in_helper_ = false;
  std::array<std::array<known_helper, 5>, helper_count> helpers_{};  ///< By width.
  std::array<spirv_id, 5> float_types_{};                            ///< By width.
  std::array<spirv_id, 5> bool_types_{};
  std::array<recent_constant, 16> recent_{};
};

}  // namespace aerogpu::d3d9

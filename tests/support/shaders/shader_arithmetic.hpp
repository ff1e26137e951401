// SPDX-License-Identifier: MIT
/// \file Direct3D 9 arithmetic on four floats, as shaders.md 1.9 and 1.10 define it.
#pragma once

#include "d3d9_to_spirv/program.hpp"
#include "tests/support/shaders/float4.hpp"

#include <array>
#include <span>
#include <string>

namespace aerogpu::test {

/// Sums keep their order and nothing is fused: compile with -ffp-contract=off.
[[nodiscard]] auto legacy_product(float a, float b) -> float;
[[nodiscard]] auto legacy_dot(const float4& a, const float4& b, std::size_t count) -> float;
[[nodiscard]] auto saturated(float v) -> float;
[[nodiscard]] auto holds(d3d9::comparison how, float a, float b) -> bool;

/// What an instruction without registers of its own makes of its sources, in all components, and
/// which of them it has a value for. m#x# get the matrix rows behind the vector. Precondition: an
/// arithmetic instruction, neither setp nor dsx nor dsy.
struct arithmetic_result {
  float4 value{};
  std::uint8_t mask = d3d9::full_mask;
};
[[nodiscard]] auto compute(const d3d9::instruction& in, d3d9::shader_version version,
                           std::span<const float4> sources) -> arithmetic_result;

/// Whether two floats are the same number: equal, both NaN, or apart by no more than `tolerance` of
/// the larger of 1 and their size. Zeroes of either sign are equal.
[[nodiscard]] auto is_close(float a, float b, float tolerance) -> bool;
[[nodiscard]] auto is_close(const float4& a, const float4& b, float tolerance) -> bool;
[[nodiscard]] auto text_of(const float4& v) -> std::string;

}  // namespace aerogpu::test

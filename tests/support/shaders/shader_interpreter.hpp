// SPDX-License-Identifier: MIT
/// \file Executes Direct3D 9 shaders on the host: the oracle for what translated ones compute.
#pragma once

#include "d3d9_to_spirv/program.hpp"
#include "d3d9_to_spirv/translate.hpp"
#include "tests/support/shaders/shader_arithmetic.hpp"

#include <array>
#include <cstdint>
#include <functional>
#include <span>

namespace aerogpu::test {

/// A texel of sampler or stage `number`; which level is up to the callee.
using texel_reader = std::function<float4(std::uint32_t number, const float4& coordinate)>;

struct interpreter_inputs {
  std::array<float4, 16> v{};    ///< v#, colours of pixel shaders below 3.0 included.
  std::array<float4, 8> t{};     ///< Texture coordinates of pixel shaders below 3.0.
  std::array<float4, 2> misc{};  ///< vPos, vFace.
  d3d9::constant_block constants{};
  texel_reader read_texel;
};

struct interpreter_outputs {
  std::array<float4, 3> rast{};        ///< oPos, oFog, oPts.
  std::array<float4, 2> attributes{};  ///< oD#, held in 0..1.
  std::array<float4, 12> o{};          ///< oT# or o#.
  std::array<float4, 4> colors{};      ///< oC#; that of ps_1_x is r0.
  float depth = 0;                     ///< Held in 0..1.
  bool is_killed = false;
};

/// Runs a whole shader once. dsx and dsy give zero.
[[nodiscard]] auto interpret(const d3d9::program& shader, const interpreter_inputs& inputs)
    -> interpreter_outputs;

}  // namespace aerogpu::test

// SPDX-License-Identifier: MIT
/// \file The fixed-function pipeline of Direct3D 9 in double precision, written from its documented
/// equations (umd-d3d9.md 3.4 to 3.8): the oracle for what generated shaders compute. Shares no
/// code with the driver but the structure that holds the state.
#pragma once

#include "drivers/win7/umd/d3d9/state/device_state.hpp"

#include <array>
#include <cstdint>
#include <functional>

namespace aerogpu::test {

using double4 = std::array<double, 4>;

/// Which elements vertices have.
struct reference_format {
  bool is_pretransformed = false;
  bool has_position1 = false;
  bool has_weights = false;
  bool has_indices = false;
  bool indices_are_colors = false;
  bool has_normal = false;
  bool has_normal1 = false;
  bool has_point_size = false;
  bool has_color0 = false;
  bool has_color1 = false;
  std::array<int, 8> texcoords{};  ///< Components, 0 = not there.
};

/// A vertex as the application means it: elements that the format has not are ignored.
struct reference_vertex {
  std::array<double, 3> position{};
  std::array<double, 3> position1{};
  double4 clip{};  ///< Instead of a position, where it is pretransformed.
  std::array<double, 3> weights{};
  std::array<std::uint8_t, 4> indices{};
  std::array<double, 3> normal{};
  std::array<double, 3> normal1{};
  double point_size = 1;
  std::array<double4, 2> colors{};
  std::array<double4, 8> texcoords{};
};

struct reference_varyings {
  double4 position{};
  double4 color0{};
  double4 color1{};  ///< Only rgb counts where `fog` is a factor.
  std::array<double4, 8> texcoords{};
  double fog = 1;  ///< Factor, or the coordinate of table fog.
  double point_size = 1;
};

struct reference_draw {
  const umd::device_state* state = nullptr;
  reference_format format;
  double viewport_height = 1;
  std::array<bool, 8> has_texture{};
};

[[nodiscard]] auto process_vertex(const reference_draw& draw, const reference_vertex& vertex)
    -> reference_varyings;

using reference_texture = std::function<double4(unsigned stage, const double4& coordinate)>;

/// The colour of a pixel whose interpolated values are `in`.
[[nodiscard]] auto process_pixel(const reference_draw& draw, const reference_varyings& in,
                                 const reference_texture& texture) -> double4;

}  // namespace aerogpu::test

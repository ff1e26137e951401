// SPDX-License-Identifier: MIT
#include "programs.hpp"
#include "shapes.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <span>
#include <vector>

namespace win7_desktop {

namespace {

using vector3 = std::array<double, 3>;

struct lit_vertex {
  float x, y, z;
  float nx, ny, nz;
  color diffuse;
};
constexpr DWORD lit_format = D3DFVF_XYZ | D3DFVF_NORMAL | D3DFVF_DIFFUSE;
constexpr color above = 0xFF0D2B33, below = 0xFF2E6A5C;
constexpr double ambient = 0.4;
constexpr float brightness = 0.85F;  // Of the light.
constexpr vector3 to_light{-0.46, 0.52, -0.72};
constexpr double near_plane = 1, far_plane = 10, focus = 1.9;

struct face {
  vector3 normal, right, up;
  color diffuse;
};
constexpr std::array<face, 6> faces{{
    {{0, 0, -1}, {1, 0, 0}, {0, 1, 0}, 0xFFF2B134},
    {{1, 0, 0}, {0, 0, 1}, {0, 1, 0}, 0xFFED553B},
    {{0, 0, 1}, {-1, 0, 0}, {0, 1, 0}, 0xFFE0708F},
    {{-1, 0, 0}, {0, 0, -1}, {0, 1, 0}, 0xFF4F7CD8},
    {{0, 1, 0}, {1, 0, 0}, {0, 0, 1}, 0xFFD8CFA8},
    {{0, -1, 0}, {1, 0, 0}, {0, 0, -1}, 0xFF8A5FBF},
}};

struct placed_cube {
  double size, x, y, z, yaw, pitch;
};
[[nodiscard]] auto cubes_at(double turn) -> std::array<placed_cube, 2> {
  return {{{1.02, 0, 0, 4.4, turn, -0.55 + 0.2 * std::sin(turn)},
           {0.3, 2 * std::cos(turn * 1.4), 0.7, 4.4 + 2 * std::sin(turn * 1.4), -2 * turn, turn}}};
}

/// Rows as Direct3D multiplies them: by yaw, then pitch, then to its place.
[[nodiscard]] auto world_of(const placed_cube& cube) -> D3DMATRIX {
  const double c = std::cos(cube.yaw), s = std::sin(cube.yaw);
  const double d = std::cos(cube.pitch), t = std::sin(cube.pitch);
  const std::array<double, 16> rows{cube.size * c,
                                    cube.size * s * t,
                                    -cube.size * s * d,
                                    0,
                                    0,
                                    cube.size * d,
                                    cube.size * t,
                                    0,
                                    cube.size * s,
                                    -cube.size * c * t,
                                    cube.size * c * d,
                                    0,
                                    cube.x,
                                    cube.y,
                                    cube.z,
                                    1};
  D3DMATRIX made{};
  for (std::size_t i = 0; i < rows.size(); ++i) made.m[i / 4][i % 4] = static_cast<float>(rows[i]);
  return made;
}
[[nodiscard]] auto projection() -> D3DMATRIX {
  D3DMATRIX made{};
  made.m[0][0] = static_cast<float>(focus * content_height / content_width);
  made.m[1][1] = static_cast<float>(focus);
  made.m[2][2] = static_cast<float>(far_plane / (far_plane - near_plane));
  made.m[2][3] = 1;
  made.m[3][2] = static_cast<float>(-near_plane * far_plane / (far_plane - near_plane));
  return made;
}

/// Two triangles; `i` from 0 to 5.
[[nodiscard]] auto corner_of(const face& side, int i) -> vector3 {
  constexpr std::array<std::array<int, 2>, 6> corners{
      {{-1, 1}, {1, 1}, {-1, -1}, {-1, -1}, {1, 1}, {1, -1}}};
  const auto [across, upward] = corners[static_cast<std::size_t>(i)];
  vector3 made{};
  for (std::size_t axis = 0; axis < 3; ++axis)
    made[axis] = side.normal[axis] + across * side.right[axis] + upward * side.up[axis];
  return made;
}

[[nodiscard]] auto cube_vertices() -> std::vector<lit_vertex> {
  std::vector<lit_vertex> made;
  for (const face& side : faces) {
    for (int i = 0; i < 6; ++i) {
      const auto at = corner_of(side, i);
      const auto real = [](double value) { return static_cast<float>(value); };
      made.push_back({real(at[0]), real(at[1]), real(at[2]), real(side.normal[0]),
                      real(side.normal[1]), real(side.normal[2]), side.diffuse});
    }
  }
  return made;
}

/// A row vector times the upper rows; `w` = 0 for directions.
[[nodiscard]] auto transform(const vector3& v, double w, const D3DMATRIX& by) -> vector3 {
  vector3 made{};
  for (std::size_t i = 0; i < 3; ++i) {
    made[i] = w * static_cast<double>(by.m[3][i]);
    for (std::size_t k = 0; k < 3; ++k) made[i] += v[k] * static_cast<double>(by.m[k][i]);
  }
  return made;
}

[[nodiscard]] auto lit_color(const face& side, const D3DMATRIX& world, double size) -> color {
  const auto normal = transform(side.normal, 0, world);
  double share = 0;
  for (std::size_t i = 0; i < 3; ++i) share += normal[i] / size * to_light[i];
  share = std::max(share, 0.0);
  const auto lit = [&](int shift) {
    return channel(side.diffuse, shift) / 255 * (brightness * share + ambient);
  };
  return make_color(std::min(lit(16), 1.0), std::min(lit(8), 1.0), std::min(lit(0), 1.0));
}

[[nodiscard]] auto to_screen(const vector3& view, color lit) -> screen_vertex {
  const double range = far_plane / (far_plane - near_plane);
  const double x = focus * content_height / content_width * view[0] / view[2];
  const double y = focus * view[1] / view[2];
  return {static_cast<float>((1 + x) / 2 * content_width - 0.5),
          static_cast<float>((1 - y) / 2 * content_height - 0.5),
          static_cast<float>(range * (1 - near_plane / view[2])), 1, lit};
}

[[nodiscard]] auto set_up_light(aerogpu::sim::d3d9_device& device, journal& log) -> bool {
  D3DLIGHT9 light{};
  light.Type = D3DLIGHT_DIRECTIONAL;
  light.Diffuse = {brightness, brightness, brightness, 1};
  light.Direction = {static_cast<float>(-to_light[0]), static_cast<float>(-to_light[1]),
                     static_cast<float>(-to_light[2])};
  return log.check(device.set_render_state(D3DRS_AMBIENTMATERIALSOURCE, D3DMCS_COLOR1),
                   "SetRenderState") &&
         log.check(device.set_light(0, light), "SetLight") &&
         log.check(device.light_enable(0, true), "LightEnable") &&
         log.check(device.set_render_state(D3DRS_AMBIENT, make_color(ambient, ambient, ambient)),
                   "SetRenderState") &&
         log.check(device.set_render_state(D3DRS_NORMALIZENORMALS, 1), "SetRenderState") &&
         log.check(device.set_transform(D3DTS_PROJECTION, projection()), "SetTransform");
}

[[nodiscard]] auto draw_background(aerogpu::sim::d3d9_device& device, journal& log) -> bool {
  shape_list behind;
  add_gradient(behind, content_width, content_height, above, below);
  return log.check(device.clear({}, D3DCLEAR_TARGET | D3DCLEAR_ZBUFFER, 0xFF000000, 1, 0),
                   "Clear") &&
         log.check(device.set_render_state(D3DRS_ZENABLE, D3DZB_FALSE), "SetRenderState") &&
         log.check(device.set_render_state(D3DRS_LIGHTING, 0), "SetRenderState") &&
         log.check(device.set_fvf(D3DFVF_XYZRHW | D3DFVF_DIFFUSE), "SetFVF") &&
         log.check(device.draw_primitive_up(D3DPT_TRIANGLELIST, 2, std::as_bytes(std::span{behind}),
                                            sizeof(screen_vertex)),
                   "DrawPrimitiveUP");
}

}  // namespace

auto cubes_program::draw(aerogpu::sim::d3d9_device& device, journal& log, double turn) -> bool {
  const auto vertices = cube_vertices();
  const bool is_ready =
      draw_background(device, log) && set_up_light(device, log) &&
      log.check(device.set_render_state(D3DRS_ZENABLE, D3DZB_TRUE), "SetRenderState") &&
      log.check(device.set_render_state(D3DRS_LIGHTING, 1), "SetRenderState") &&
      log.check(device.set_render_state(D3DRS_CULLMODE, D3DCULL_CCW), "SetRenderState") &&
      log.check(device.set_fvf(lit_format), "SetFVF");
  if (!is_ready) return false;
  constexpr auto world = static_cast<D3DTRANSFORMSTATETYPE>(256);  // D3DTS_WORLD
  for (const placed_cube& cube : cubes_at(turn)) {
    if (!log.check(device.set_transform(world, world_of(cube)), "SetTransform") ||
        !log.check(
            device.draw_primitive_up(D3DPT_TRIANGLELIST, static_cast<UINT>(vertices.size() / 3),
                                     std::as_bytes(std::span{vertices}), sizeof(lit_vertex)),
            "DrawPrimitiveUP")) {
      return false;
    }
  }
  return true;
}

auto cubes_program::expected(double turn) const -> canvas {
  canvas made(content_width, content_height);
  shape_list behind, solid;
  add_gradient(behind, content_width, content_height, above, below);
  fill_triangles(made, behind);
  for (const placed_cube& cube : cubes_at(turn)) {
    const D3DMATRIX world = world_of(cube);
    for (const face& side : faces) {
      const color lit = lit_color(side, world, cube.size);
      for (int i = 0; i < 6; ++i)
        solid.push_back(to_screen(transform(corner_of(side, i), 1, world), lit));
    }
  }
  std::vector<float> depth(static_cast<std::size_t>(content_width * content_height), 1.0F);
  fill_triangles(made, solid, &depth);
  return made;
}

}  // namespace win7_desktop

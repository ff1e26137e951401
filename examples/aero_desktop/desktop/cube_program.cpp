// SPDX-License-Identifier: MIT
#include "examples/aero_desktop/desktop/cube_program.hpp"

#include "aerogpu/stream/d3d9_state_ids.hpp"

#include <cmath>

namespace desktop {

using namespace aerogpu;

namespace {

struct cube_vertex {
  std::array<float, 3> position;
  std::array<float, 3> normal;
  std::array<float, 2> texel;
  std::uint32_t color;
};

constexpr std::uint32_t face_vertices = 6;
constexpr std::array<std::uint32_t, 6> face_colors{0xFF2E9BFF, 0xFFFF7A3C, 0xFF36D48A,
                                                   0xFFFFC83A, 0xFFE8508C, 0xFF8E6CFF};

/// Six faces of two triangles: axis, its sign, and the two axes beside it.
auto make_cube() -> std::vector<cube_vertex> {
  constexpr std::array<std::array<float, 2>, face_vertices> corners{
      {{0, 0}, {1, 0}, {0, 1}, {0, 1}, {1, 0}, {1, 1}}};
  std::vector<cube_vertex> cube;
  for (std::size_t face = 0; face < face_colors.size(); ++face) {
    const std::size_t axis = face / 2;
    const float sign = face % 2 == 0 ? 1.0F : -1.0F;
    for (const auto& [u, v] : corners) {
      cube_vertex corner{{}, {}, {u, v}, face_colors[face]};
      corner.position[axis] = corner.normal[axis] = sign;
      corner.position[(axis + 1) % 3] = 2 * u - 1;
      corner.position[(axis + 2) % 3] = 2 * v - 1;
      cube.push_back(corner);
    }
  }
  return cube;
}

/// Rows of a 3x4 matrix that turns about y, then about x, and moves.
using rigid = std::array<float4, 3>;

auto spin(float about_y, float about_x, float mirror, float down, float away) -> rigid {
  const float cy = std::cos(about_y), sy = std::sin(about_y);
  const float cx = std::cos(about_x), sx = std::sin(about_x);
  return {{{cy, 0, sy, 0},
           {mirror * sx * sy, mirror * cx, mirror * -sx * cy, down},
           {-cx * sy, sx, cx * cy, away}}};
}

}  // namespace

void cube_program::create(d3d_device& device) {
  depth_ = device.create_target(traits().width, traits().height, AEROGPU_FORMAT_D24_UNORM_S8_UINT);
  const std::vector<cube_vertex> cube = make_cube();
  vertices_ =
      device.create_buffer(AEROGPU_RESOURCE_USAGE_VERTEX_BUFFER, std::as_bytes(std::span{cube}));
  constexpr std::uint8_t float2 = 1, float3 = 2, d3dcolor = 4;
  constexpr std::uint8_t position = 0, normal = 3, texcoord = 5, color = 10;
  constexpr std::array elements{d3d9_vertex_element{0, 0, float3, 0, position, 0},
                                d3d9_vertex_element{0, 12, float3, 0, normal, 0},
                                d3d9_vertex_element{0, 24, float2, 0, texcoord, 0},
                                d3d9_vertex_element{0, 32, d3dcolor, 0, color, 0}};
  layout_ = device.create_layout(elements);
}

void cube_program::draw(d3d_device& device, float seconds) {
  device.set_target(image(), depth_);
  device.clear_depth();
  const box all = area();
  const box floor{0, all.height * 0.62F, all.width, all.height * 0.38F};
  const auto backdrop = [&](const box& where, const float4& top, const float4& bottom) {
    device.set_pixel_constants(0, {{1, 0, 1, 0},
                                   {where.width, where.height, 0, 1 / where.height},
                                   top,
                                   bottom,
                                   {0, 0, 0, 0},
                                   {0, 0, 0, 0}});
    device.draw_box(shader::panel, where);
  };
  backdrop(all, {0.07F, 0.09F, 0.20F, 1}, {0.42F, 0.55F, 0.78F, 1});
  backdrop(floor, {0.16F, 0.20F, 0.33F, 1}, {0.03F, 0.04F, 0.09F, 1});
  draw_cube(device, seconds, -1, 1);
  backdrop(floor, {0.13F, 0.17F, 0.29F, 0.50F}, {0.02F, 0.03F, 0.07F, 0.97F});
  device.clear_depth();
  draw_cube(device, seconds, 1, 1);
}

void cube_program::draw_cube(d3d_device& device, float seconds, float mirror, float opacity) {
  constexpr float focus = 2.6F, near = 2, far = 12, away = 5.6F;
  const float height = mirror > 0 ? 0.34F : -2.42F;
  const rigid view = spin(0.55F + seconds * 2.6F, -0.52F, mirror, height, away);
  const float aspect = area().width / area().height;
  float4 x = view[0], y = view[1], z = view[2];
  for (float& value : x) value *= focus / aspect;
  for (float& value : y) value *= focus;
  for (float& value : z) value *= far / (far - near);
  z[3] -= near * far / (far - near);
  device.set_shaders(shader::cube_vertex, shader::cube);
  device.set_vertex_constants(8, {x, y, z, view[2], view[0], view[1], view[2]});
  const float side = mirror;
  device.set_pixel_constants(0, {{-0.42F, 0.70F * side, -0.577F, 0},
                                 {0.88F, -0.18F * side, -0.44F, 0},
                                 {0.30F, 0.42F, 0.70F, 0},
                                 {opacity, 0, 0, 0}});
  device.set_state(d3drs_zenable, 1);
  device.set_vertices(layout_, vertices_, sizeof(cube_vertex));
  device.draw_triangles(face_vertices * static_cast<std::uint32_t>(face_colors.size()));
  device.set_state(d3drs_zenable, 0);
}

}  // namespace desktop

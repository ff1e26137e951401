// SPDX-License-Identifier: MIT
/// \file Triangles: what programs send to the device, and what the CPU makes of the same.
#pragma once

#include "canvas.hpp"

#include <array>
#include <vector>

namespace win7_desktop {

/// XYZRHW and a colour; whole numbers are pixel centres, as in Direct3D 9.
struct screen_vertex {
  float x, y, z, rhw;
  color diffuse;
};

/// A list of triangles, blended in their order by the alpha of their corners.
using shape_list = std::vector<screen_vertex>;

/// A rectangle whose edges are those of pixels, from one colour above to another below.
void add_gradient(shape_list& to, int width, int height, color above, color below);
/// A star or, with `inner` = `outer`, a polygon, around its middle.
void add_star(shape_list& to, float x, float y, float outer, float inner, int points, float turn,
              color middle, color rim);

/// Fills what of the triangles lies on the canvas; with a depth buffer, only what is nearest.
void fill_triangles(canvas& on, const shape_list& shapes, std::vector<float>* depth = nullptr);

}  // namespace win7_desktop

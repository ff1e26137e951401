/// \file The size of points, which Direct3D 10 fixes at one pixel and Vulkan wants to be told.
#pragma once

#include <cstdint>
#include <vector>

namespace aerogpu::vulkan::dxbc {

/// Makes a vertex shader's module write PointSize 1, unless it writes one. Modules without an entry
/// point of that stage stay as they are. Precondition: `words` is a whole module.
void write_point_size(std::vector<std::uint32_t>& words);

}  // namespace aerogpu::vulkan::dxbc

// SPDX-License-Identifier: MIT
/// \file A small scene of Direct3D 9 for attacks on what draws make a backend hold.
#pragma once

#include "tests/hostile/guest.hpp"

#include <cstdint>

namespace aerogpu::hostile::scene {

// Handles.
inline constexpr std::uint32_t target = 0x7401, vertices = 0x7402, texture = 0x7403, vs = 0x7404,
                               ps = 0x7405, textured_ps = 0x7406, layout = 0x7407;

/// Creates the scene, and binds a 4 x 4 target, a triangle that covers it, and a white pixel
/// shader. `textured_ps` samples slot 0.
void create(stream_builder& stream);

/// Binds it again, in another context or after something else was bound.
void bind(stream_builder& stream);

void destroy(stream_builder& stream);

/// Pixels of the target as R, G, B, A, tight.
[[nodiscard]] auto read_target(guest& g) -> byte_vector;

}  // namespace aerogpu::hostile::scene

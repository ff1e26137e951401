// SPDX-License-Identifier: MIT
/// \file The least that draws: a small target, programs and a stream of vertices, all bound.
#pragma once

#include "tests/support/byte_code/shaders.hpp"
#include "tests/support/layout_blobs.hpp"
#include "tests/support/stream_builder.hpp"

#include <cstdint>

namespace aerogpu::test::small_scene {

inline constexpr std::uint32_t target = 1, vertices = 2, vs = 1, ps = 2, layout = 1;

[[nodiscard]] inline auto objects() -> stream_builder {
  return stream_builder{}
      .create_texture(target, {.format = AEROGPU_FORMAT_R8G8B8A8_UNORM,
                               .width = 16,
                               .height = 16,
                               .usage = AEROGPU_RESOURCE_USAGE_RENDER_TARGET})
      .create_buffer(vertices, 64)
      .create_shader(vs, wire_vs, vs_2_0_position())
      .create_shader(ps, wire_ps, ps_2_0_white())
      .create_layout(layout, declaration_blob({{0, 0, 3, 0, 0, 0}, declaration_end}))
      .targets({target})
      .viewport({0, 0, 16, 16, 0, 1})
      .bind_shaders(vs, ps)
      .set_layout(layout)
      .vertex_buffer(0, vertices, 16)
      .topology(AEROGPU_TOPOLOGY_TRIANGLELIST);
}

}  // namespace aerogpu::test::small_scene

// SPDX-License-Identifier: MIT
#include "tests/hostile/scene.hpp"

#include "tests/support/byte_code/shaders.hpp"
#include "tests/support/layout_blobs.hpp"

#include <array>
#include <span>

namespace aerogpu::hostile::scene {

using namespace test;

void create(stream_builder& stream) {
  constexpr std::array<float, 12> corners{-1, 3, 0.5f, 1, 3, -1, 0.5f, 1, -1, -1, 0.5f, 1};
  const auto bytes = std::as_bytes(std::span{corners});
  stream
      .create_texture(target, {.format = AEROGPU_FORMAT_R8G8B8A8_UNORM,
                               .usage = AEROGPU_RESOURCE_USAGE_RENDER_TARGET})
      .create_texture(texture, {.format = AEROGPU_FORMAT_R8G8B8A8_UNORM, .mips = 3})
      .create_buffer(vertices, bytes.size())
      .upload(vertices, 0, {bytes.begin(), bytes.end()})
      .create_shader(vs, wire_vs, vs_2_0_position())
      .create_shader(ps, wire_ps, ps_2_0_white())
      .create_shader(textured_ps, wire_ps, ps_2_0_textured())
      .create_layout(layout, declaration_blob({{0, 0, 3, 0, 0, 0}, declaration_end}));
  bind(stream);
}

void bind(stream_builder& stream) {
  stream.targets({target})
      .bind_shaders(vs, ps)
      .set_layout(layout)
      .topology(AEROGPU_TOPOLOGY_TRIANGLELIST)
      .vertex_buffer(0, vertices, 16);
}

void destroy(stream_builder& stream) {
  stream.targets({}).bind_shaders(0, 0);
  for (const std::uint32_t handle : {target, vertices, texture}) stream.destroy(handle);
  for (const std::uint32_t handle : {vs, ps, textured_ps}) stream.destroy_shader(handle);
  stream.destroy_layout(layout);
}

auto read_target(guest& g) -> byte_vector {
  constexpr std::uint32_t copy = 0x7480;
  const guest_memory_block block = g.allocate(64);
  g.must_run(
      stream_builder{}
          .create_texture(
              copy, {.format = AEROGPU_FORMAT_R8G8B8A8_UNORM, .pitch = 16, .memory = {block.id, 0}})
          .copy_texture({copy}, {target}, 4, 4, AEROGPU_COPY_FLAG_WRITEBACK_DST)
          .destroy(copy));
  const mutable_bytes bytes = g.memory().ram(block.at, 64);
  return {bytes.begin(), bytes.end()};
}

}  // namespace aerogpu::hostile::scene

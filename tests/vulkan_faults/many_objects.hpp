// SPDX-License-Identifier: MIT
/// \file Streams that make a backend need many objects of one kind: a pixel each.
#pragma once

#include "aerogpu/abi/cmd_binding.h"
#include "d3d9_to_spirv/assembly/assemble.hpp"
#include "tests/support/byte_patterns.hpp"
#include "tests/support/layout_blobs.hpp"
#include "tests/support/stream_builder.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <cstdint>
#include <span>
#include <string_view>

namespace aerogpu::test::many {

// Handles.
inline constexpr std::uint32_t target = 1, texture = 2, corners = 3, first_view = 1'000;
inline constexpr std::uint32_t program_vs = 1, program_ps = 2, layout = 1;

inline constexpr std::uint32_t size = 32;  ///< Of the target, in pixels.
inline constexpr std::uint32_t pixels = size * size;
/// Of the texture that has many views: of its two largest mips, one for each mip and layer.
inline constexpr std::uint32_t texture_size = 4, texture_mips = 2, texture_layers = 512;
inline constexpr std::uint32_t view_count = texture_mips * texture_layers;

inline auto program(std::string_view assembly) -> byte_vector {
  const auto words = d3d9::assemble(assembly);
  REQUIRE(words);
  const const_bytes bytes = std::as_bytes(std::span{*words});
  return {bytes.begin(), bytes.end()};
}

/// A triangle over the whole target, and what all streams here bind.
inline auto begin() -> stream_builder {
  constexpr std::array<float, 15> triangle{-1,   1,    0,  0.5f, 0.5f, 3,    1,   0,
                                           0.5f, 0.5f, -1, -3,   0,    0.5f, 0.5f};
  const const_bytes bytes = std::as_bytes(std::span{triangle});
  return stream_builder{}
      .create_texture(
          target, {.format = AEROGPU_FORMAT_R8G8B8A8_UNORM,
                   .width = size,
                   .height = size,
                   .usage = AEROGPU_RESOURCE_USAGE_TEXTURE | AEROGPU_RESOURCE_USAGE_RENDER_TARGET})
      .create_texture(texture, {.format = AEROGPU_FORMAT_R8G8B8A8_UNORM,
                                .width = texture_size,
                                .height = texture_size,
                                .mips = texture_mips,
                                .layers = texture_layers})
      .upload(texture, 0, counting((16 + 4) * 4 * texture_layers, 29, 11))
      .create_buffer(corners, sizeof triangle)
      .upload(corners, 0, {bytes.begin(), bytes.end()})
      .create_shader(program_vs, wire_vs,
                     program("vs_2_0\ndcl_position v0\ndcl_texcoord v1\nmov oPos, v0\nmov oT0, v1"))
      .create_shader(program_ps, wire_ps,
                     program("ps_2_0\ndcl t0.xy\ndcl_2d s0\ntexld r0, t0, s0\nadd r0, r0, c0\n"
                             "mov oC0, r0"))
      .create_layout(layout,
                     declaration_blob({{0, 0, 2, 0, 0, 0}, {0, 12, 1, 0, 5, 0}, declaration_end}));
}

inline auto bind(stream_builder& stream) -> stream_builder& {
  return stream.targets({target})
      .bind_shaders(program_vs, program_ps)
      .set_layout(layout)
      .vertex_buffer(0, corners, 20)
      .topology(AEROGPU_TOPOLOGY_TRIANGLELIST)
      .constants_f(wire_ps, 0, {{0, 0, 0, 0}})
      .set_texture(wire_ps, 0, texture);
}

inline auto draw_pixel(stream_builder& stream, std::uint32_t number) -> stream_builder& {
  const auto x = static_cast<float>(number % size);
  const auto y = static_cast<float>(number / size % size);
  return stream.viewport({x, y, 1, 1, 0, 1}).draw(3);
}

/// States of blending: no two of the first 24,000 numbers give the same pipeline.
inline auto blend_of(std::uint32_t number) -> aerogpu_blend_state {
  const auto take = [&](std::uint32_t count) {
    const std::uint32_t digit = number % count;
    number /= count;
    return digit;
  };
  aerogpu_blend_state state{};
  state.enable = 1;
  state.src_factor = take(8);
  state.dst_factor = take(8);
  state.blend_op = take(5);
  state.color_write_mask = static_cast<std::uint8_t>(1 + take(15));
  state.src_factor_alpha = AEROGPU_BLEND_ONE;
  state.dst_factor_alpha = AEROGPU_BLEND_ZERO;
  state.blend_op_alpha = take(5);
  state.sample_mask = ~0u;
  return state;
}

inline auto pipelines(std::uint32_t first, std::uint32_t count) -> stream_builder {
  stream_builder stream;
  bind(stream);
  for (std::uint32_t i = first; i < first + count; ++i) {
    draw_pixel(stream.blend(blend_of(i)), i);
  }
  return stream;
}

inline auto views(std::uint32_t first, std::uint32_t count) -> stream_builder {
  stream_builder stream;
  bind(stream);
  for (std::uint32_t i = first; i < first + count; ++i) {
    stream.create_view(first_view + i, texture,
                       {.format = AEROGPU_FORMAT_R8G8B8A8_UNORM,
                        .base_mip = i % texture_mips,
                        .base_layer = i / texture_mips % texture_layers});
    draw_pixel(stream.set_texture(wire_ps, 0, first_view + i), i);
    stream.set_texture(wire_ps, 0, texture).destroy_view(first_view + i);
  }
  return stream;
}

inline auto samplers(std::uint32_t first, std::uint32_t count) -> stream_builder {
  constexpr std::uint32_t mip_lod_bias = 8;  // D3DSAMP_MIPMAPLODBIAS
  constexpr std::uint32_t mip_filter = 7;    // D3DSAMP_MIPFILTER
  stream_builder stream;
  bind(stream).sampler_state(1, 0, mip_filter, 1);
  for (std::uint32_t i = first; i < first + count; ++i) {
    const float bias = static_cast<float>(i) / 1024 - 0.5f;
    stream.sampler_state(1, 0, mip_lod_bias, std::bit_cast<std::uint32_t>(bias));
    draw_pixel(stream, i);
  }
  return stream;
}

}  // namespace aerogpu::test::many

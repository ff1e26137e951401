// SPDX-License-Identifier: MIT
// Streams to measure on: a frame as a Direct3D 9 driver writes it, and small packets in an order
// that no branch predictor knows.
#pragma once

#include "aerogpu/stream/d3d9_state_ids.hpp"
#include "aerogpu/stream/sinks.hpp"
#include "aerogpu/stream/writer.hpp"

#include <array>
#include <cstddef>
#include <cstdint>
#include <random>
#include <vector>

namespace aerogpu::bench {

using byte_vector = std::vector<std::byte>;

/// Writes a frame of `draws`: each sets a texture, four constant registers and a render state;
/// buffers change every 4th, shaders every 8th, blending every 16th. About 4.7 packets a draw, 38
/// bytes each. `Writer` is a stream_writer or has its calls. False when one was refused.
template <class Writer>
auto write_d3d9_frame(Writer& w, std::uint32_t draws) -> bool {
  static constexpr std::array<std::array<float, 4>, 4> matrix{
      {{1, 0, 0, 0}, {0, 1, 0, 0}, {0, 0, 1, 0}, {0, 0, 0, 1}}};
  bool is_fine = true;
  for (std::uint32_t i = 0; i < draws; ++i) {
    is_fine &= !!w.set_texture(shader_stage::pixel, 0, resource_handle{i % 7 + 1});
    is_fine &= !!w.set_shader_constants_f(shader_stage::vertex, 0, matrix);
    is_fine &= !!w.set_render_state(d3drs_zfunc, 4);
    if (i % 4 == 0) {
      const aerogpu_vertex_buffer_binding binding{9, 32, 0, 0};
      is_fine &= !!w.set_vertex_buffers(0, {&binding, 1});
      is_fine &= !!w.set_index_buffer(resource_handle{10}, AEROGPU_INDEX_FORMAT_UINT16, 0);
    }
    if (i % 8 == 0) is_fine &= !!w.bind_shaders({shader_handle{1}, shader_handle{2}});
    if (i % 16 == 0) {
      aerogpu_blend_state blend{};
      blend.color_write_mask = 15;
      blend.sample_mask = ~0u;
      is_fine &= !!w.set_blend_state(blend);
    }
    is_fine &= !!w.draw_indexed({.index_count = 36, .first_index = 36 * i});
  }
  is_fine &= !!w.present(0, AEROGPU_PRESENT_FLAG_VSYNC);
  return is_fine;
}

/// A whole stream of such a frame.
inline auto d3d9_frame(std::uint32_t draws) -> byte_vector {
  byte_vector bytes;
  growing_sink sink{bytes};
  stream_writer writer{sink};
  bool is_fine = !!writer.begin();
  is_fine &= write_d3d9_frame(writer, draws);
  AEROGPU_CHECK(is_fine && writer.finish() == bytes.size());
  return bytes;
}

/// Packets of 25 bytes on average in random order, up to `size` bytes.
inline auto shuffled_packets(std::size_t size) -> byte_vector {
  byte_vector bytes;
  bytes.reserve(size);
  growing_sink sink{bytes, size};
  stream_writer w{sink};
  std::mt19937 random{1};
  const aerogpu_vertex_buffer_binding binding{9, 32, 0, 0};
  bool fits = !!w.begin();
  while (fits) {
    switch (random() % 8) {
      case 0: fits = !!w.draw(3); break;
      case 1: fits = !!w.draw_indexed({.index_count = 36}); break;
      case 2: fits = !!w.set_render_state(d3drs_cullmode, 1); break;
      case 3: fits = !!w.set_texture(shader_stage::pixel, 0, resource_handle{1}); break;
      case 4: fits = !!w.set_vertex_buffers(0, {&binding, 1}); break;
      case 5: fits = !!w.set_viewport({0, 0, 640, 480, 0, 1}); break;
      case 6: fits = !!w.set_scissor(0, 0, 640, 480); break;
      default: fits = !!w.set_sampler_state(shader_stage::pixel, 0, d3dsamp_minfilter, 2); break;
    }
  }
  AEROGPU_CHECK(w.finish() == bytes.size());
  return bytes;
}

}  // namespace aerogpu::bench

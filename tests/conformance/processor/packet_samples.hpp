// SPDX-License-Identifier: MIT
/// \file One valid packet of each opcode, and the objects for which they are valid.
#pragma once

#include "aerogpu/core/ids.hpp"
#include "aerogpu/stream/packet_table.hpp"
#include "tests/support/byte_code/shaders.hpp"
#include "tests/support/layout_blobs.hpp"
#include "tests/support/stream_builder.hpp"

#include <cstddef>
#include <cstdint>
#include <iterator>
#include <string_view>
#include <vector>

namespace aerogpu::conformance {

using namespace test;

/// Handles of `sample_objects`.
namespace sample {
inline constexpr std::uint32_t buffer = 1, other_buffer = 2, backed_buffer = 3;
inline constexpr std::uint32_t texture = 10, other_texture = 11, depth = 12, view = 13;
inline constexpr std::uint32_t vs = 20, ps = 21, cs = 22;
inline constexpr std::uint32_t layout = 30, sampler = 40;
inline constexpr std::uint32_t fresh = 100;  ///< Names nothing.
inline constexpr std::uint64_t token = 0x77, free_token = 0x78;
inline constexpr std::uint32_t alloc = 1;
}  // namespace sample

/// An end marker alone: a D3D9 declaration without elements.
[[nodiscard]] inline auto empty_declaration() -> byte_vector {
  return declaration_blob({declaration_end});
}

/// One object of each kind; gives the host the memory that `backed_buffer` lies in.
template <class Host>
[[nodiscard]] auto sample_objects(Host& host) -> stream_builder {
  host.give(sample::alloc, gpa{0x40000}, 0x1000);
  const texture_spec color{.usage = AEROGPU_RESOURCE_USAGE_TEXTURE |
                                    AEROGPU_RESOURCE_USAGE_RENDER_TARGET};
  return stream_builder{}
      .create_buffer(sample::buffer, 256)
      .create_buffer(sample::other_buffer, 256)
      .create_buffer(sample::backed_buffer, 256, {sample::alloc, 0})
      .create_texture(sample::texture, color)
      .create_texture(sample::other_texture, color)
      .create_texture(sample::depth, {.format = AEROGPU_FORMAT_D32_FLOAT,
                                      .usage = AEROGPU_RESOURCE_USAGE_DEPTH_STENCIL})
      .create_view(sample::view, sample::texture, {})
      .create_shader(sample::vs, wire_vs, vs_2_0_position())
      .create_shader(sample::ps, wire_ps, ps_2_0_white())
      .create_shader(sample::cs, wire_cs, cs_5_0_nothing())
      .create_layout(sample::layout, empty_declaration())
      .create_sampler(sample::sampler)
      .export_surface(sample::texture, sample::token);
}

struct packet_sample {
  std::uint32_t opcode;
  std::string_view name;
  void (*add)(stream_builder&);
};

/// By rising opcode, as in the packet table.
[[nodiscard]] inline auto packet_samples() -> std::vector<packet_sample> {
  using s = stream_builder;
  constexpr void (*makers[])(s&){
      [](s& to) { to.nop(); },
      [](s& to) {
        to.marker(bytes_from({'h', 'e', 'r', 'e'}));
      },
      [](s& to) { to.create_buffer(sample::fresh, 64); },
      [](s& to) { to.create_texture(sample::fresh, {}); },
      [](s& to) { to.destroy(sample::buffer); },
      [](s& to) { to.dirty(sample::backed_buffer, 0, 256); },
      [](s& to) { to.upload(sample::buffer, 0, counting(16)); },
      [](s& to) { to.copy_buffer(sample::buffer, 0, sample::other_buffer, 0, 256); },
      [](s& to) { to.copy_texture({sample::texture}, {sample::other_texture}, 4, 4); },
      [](s& to) { to.create_view(sample::fresh, sample::texture, {}); },
      [](s& to) { to.destroy_view(sample::view); },
      [](s& to) { to.create_shader(sample::fresh, wire_ps, ps_4_0_white()); },
      [](s& to) { to.destroy_shader(sample::vs); },
      [](s& to) { to.bind_shaders(sample::vs, sample::ps, sample::cs); },
      [](s& to) {
        to.constants_f(wire_vs, 0, {{1, 2, 3, 4}});
      },
      [](s& to) { to.create_layout(sample::fresh, empty_declaration()); },
      [](s& to) { to.destroy_layout(sample::layout); },
      [](s& to) { to.set_layout(sample::layout); },
      [](s& to) {
        to.constants_i(wire_ps, 0, {{1, 2, 3, 4}});
      },
      [](s& to) {
        to.constants_b(wire_ps, 0, {{1, 1, 1, 1}});
      },
      [](s& to) { to.blend({}); },
      [](s& to) { to.depth_stencil({}); },
      [](s& to) { to.rasterizer({}); },
      [](s& to) { to.targets({sample::texture}, sample::depth); },
      [](s& to) {
        to.viewport({0, 0, 4, 4, 0, 1});
      },
      [](s& to) { to.scissor(0, 0, 4, 4); },
      [](s& to) { to.vertex_buffer(0, sample::buffer); },
      [](s& to) { to.index_buffer(sample::buffer); },
      [](s& to) { to.topology(AEROGPU_TOPOLOGY_TRIANGLELIST); },
      [](s& to) { to.set_texture(wire_ps, 0, sample::texture); },
      [](s& to) { to.sampler_state(AEROGPU_SHADER_STAGE_PIXEL, 0, 5, 2); },
      [](s& to) { to.render_state(7, 1); },
      [](s& to) { to.create_sampler(sample::fresh, 1, 1, 1, 1); },
      [](s& to) { to.destroy_sampler(sample::sampler); },
      [](s& to) { to.samplers(wire_ps, 0, {sample::sampler}); },
      [](s& to) {
        to.constant_buffers(wire_vs, 0, {{sample::buffer, 0, 64}});
      },
      [](s& to) {
        to.resource_buffers(wire_ps, 0, {{sample::buffer, 0, 64}});
      },
      [](s& to) {
        to.unordered_access(wire_cs, 0, {{sample::buffer, 0, 64}});
      },
      [](s& to) { to.clear(AEROGPU_CLEAR_COLOR); },
      [](s& to) { to.draw(0); },
      [](s& to) { to.draw_indexed(0); },
      [](s& to) { to.dispatch(0, 1, 1); },
      [](s& to) { to.present(); },
      [](s& to) { to.present_ex(0, 0, 0xFFFFFFFF); },
      [](s& to) { to.export_surface(sample::other_texture, sample::free_token); },
      [](s& to) { to.import_surface(sample::fresh, sample::token); },
      [](s& to) { to.release_surface(sample::token); },
      [](s& to) { to.flush(); },
  };
  std::vector<packet_sample> samples;
  for (std::size_t i = 0; i < std::size(makers) && i < packet_table.size(); ++i) {
    samples.push_back({packet_table[i].opcode, packet_table[i].name, makers[i]});
  }
  return samples;
}

}  // namespace aerogpu::conformance

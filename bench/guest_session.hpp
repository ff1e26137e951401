// SPDX-License-Identifier: MIT
// A guest that draws the scenes of scene.hpp, and the real path from its streams to completion:
// command processor, Vulkan backend, poll.
#pragma once

#include "aerogpu/processor/command_processor.hpp"
#include "aerogpu/stream/d3d9_state_ids.hpp"
#include "bench/scene.hpp"
#include "d3d9_to_spirv/assembly/assemble.hpp"
#include "tests/support/alloc_table_bytes.hpp"
#include "tests/support/flat_machine.hpp"
#include "tests/support/layout_blobs.hpp"
#include "tests/support/stream_builder.hpp"
#include "vulkan/vulkan_backend.hpp"

#include <string>
#include <string_view>

namespace aerogpu::bench {

using test::byte_vector;
using test::stream_builder;

/// Looks at written-back rows where they lie, as a device does before it copies them to the guest.
struct row_reader {
  void on_write_back(submission_id, const guest_rows&, const_bytes rows) noexcept {
    pixels = rows;
    if (keeps) kept.assign(rows.begin(), rows.end());
  }
  void on_complete(submission_id, const error& why) noexcept {
    AEROGPU_CHECK(why.code == error_code::none);
    ++completed;
  }

  const_bytes pixels;
  bool keeps = false;
  byte_vector kept;
  std::uint64_t completed = 0;
};

/// Handles of the guest.
inline constexpr std::uint32_t target_handle = 1, screen_handle = 2, first_texture = 100,
                               first_buffer = 200, vertex_shader_handle = 1,
                               pixel_shader_handle = 2, layout_handle = 1;
inline constexpr std::uint32_t screen_alloc = 7;

inline auto shader_bytes(std::string_view text) -> byte_vector {
  const auto words = d3d9::assemble(text);
  AEROGPU_CHECK(static_cast<bool>(words));
  const auto bytes = std::as_bytes(std::span{*words});
  return {bytes.begin(), bytes.end()};
}

/// The pixel shader of all scenes, with what it adds to red.
inline auto pixel_shader(float constant) -> byte_vector {
  byte_vector code = shader_bytes(
      "ps_2_0\ndcl t0.xy\ndcl_2d s0\ndef c1, 0.0078125, 0, 0, 0\ntexld r0, t0, s0\n"
      "mad r0, r0, c0, c1\nmov oC0, r0\n");
  for (std::size_t at = 0; at < code.size(); at += 4) {
    if (load<std::uint32_t>(code.data() + at) == 0x3C000000) store(code.data() + at, constant);
  }
  return code;
}

class guest_session {
 public:
  explicit guest_session(vulkan::vulkan_backend& on, const scene& picture)
      : scene_(picture), processor_(on) {
    const std::uint64_t bytes = std::uint64_t{picture.width} * picture.height * 4;
    table_bytes_ = test::make_table({{screen_alloc, 0, 0, bytes, 0}});
    table_ = alloc_table{slots_};
    AEROGPU_CHECK(static_cast<bool>(table_.parse(table_bytes_)));
    run(setup());
  }
  ~guest_session() {
    processor_.wait_idle();
    poll();
  }
  guest_session(const guest_session&) = delete;
  auto operator=(const guest_session&) -> guest_session& = delete;

  /// Hands a stream on; what it does may still be pending.
  void execute(const byte_vector& stream) {
    const auto report =
        processor_.execute({context_id{0}, fence_value{++fence_}, stream, &table_}, memory_);
    AEROGPU_CHECK(report.why.code == error_code::none);
  }
  /// Waits for it, and hears about it.
  void finish() {
    processor_.wait_idle();
    poll();
    AEROGPU_CHECK(heard_.completed == fence_);
  }
  void run(const byte_vector& stream) {
    execute(stream);
    finish();
  }
  [[nodiscard]] auto heard() -> row_reader& { return heard_; }

  // Streams

  [[nodiscard]] auto draw_frame() const -> byte_vector {
    stream_builder s;
    add_frame(s);
    return s.bytes();
  }
  /// And the target into guest memory.
  [[nodiscard]] auto draw_and_read() const -> byte_vector {
    stream_builder s;
    add_frame(s);
    add_read_back(s);
    return s.bytes();
  }
  [[nodiscard]] auto read_back() const -> byte_vector {
    stream_builder s;
    add_read_back(s);
    return s.bytes();
  }
  /// The target's texels from the stream.
  [[nodiscard]] auto upload(const byte_vector& texels) const -> byte_vector {
    return stream_builder{}.upload(target_handle, 0, texels).bytes();
  }
  /// The screen's texels from guest memory.
  [[nodiscard]] auto upload_from_memory() const -> byte_vector {
    const std::uint64_t size = std::uint64_t{scene_.width} * scene_.height * 4;
    return stream_builder{}
        .dirty(screen_handle, 0, size)
        .copy_texture({.handle = target_handle}, {.handle = screen_handle}, 1, 1)
        .bytes();
  }
  /// A frame with a pixel shader that was never seen: with another constant in it.
  [[nodiscard]] auto draw_with_new_shader(float constant) const -> byte_vector {
    constexpr std::uint32_t handle = 50;
    stream_builder s;
    s.create_shader(handle, test::wire_ps, pixel_shader(constant));
    s.bind_shaders(vertex_shader_handle, handle);
    add_frame(s);
    s.bind_shaders(vertex_shader_handle, pixel_shader_handle).destroy_shader(handle);
    return s.bytes();
  }

 private:
  void add_frame(stream_builder& s) const {
    s.clear(AEROGPU_CLEAR_COLOR);
    for (const quad_draw& draw : scene_.draws) {
      s.set_texture(test::wire_ps, 0, first_texture + draw.texture);
      s.constants_f(test::wire_vs, 0, {draw.rows.begin(), draw.rows.end()});
      s.vertex_buffer(0, first_buffer + draw.buffer, sizeof(quad_vertex));
      s.draw(quad_vertices.size());
    }
  }
  void add_read_back(stream_builder& s) const {
    s.copy_texture({.handle = screen_handle}, {.handle = target_handle}, scene_.width,
                   scene_.height, AEROGPU_COPY_FLAG_WRITEBACK_DST);
  }

  [[nodiscard]] auto setup() const -> byte_vector {
    stream_builder s;
    s.create_texture(target_handle, {.width = scene_.width,
                                     .height = scene_.height,
                                     .usage = AEROGPU_RESOURCE_USAGE_RENDER_TARGET});
    s.create_texture(screen_handle, {.width = scene_.width,
                                     .height = scene_.height,
                                     .pitch = scene_.width * 4,
                                     .memory = {screen_alloc, 0}});
    for (std::uint32_t i = 0; i < scene_.texture_count; ++i) {
      s.create_texture(first_texture + i,
                       {.width = scene_.texture_width, .height = scene_.texture_height});
      s.upload(first_texture + i, 0, texels_of(scene_, i));
    }
    const auto vertices = std::as_bytes(std::span{quad_vertices});
    for (std::uint32_t i = 0; i < scene_.buffer_count; ++i) {
      s.create_buffer(first_buffer + i, vertices.size());
      s.upload(first_buffer + i, 0, {vertices.begin(), vertices.end()});
    }
    s.create_shader(vertex_shader_handle, test::wire_vs,
                    shader_bytes("vs_2_0\ndcl_position v0\ndcl_texcoord v1\n"
                                 "m4x4 oPos, v0, c0\nmov oT0, v1\n"));
    s.create_shader(pixel_shader_handle, test::wire_ps, pixel_shader(0.0078125f));
    s.create_layout(layout_handle,
                    test::declaration_blob({{0, 0, 3, 0, 0, 0},
                                            {0, offsetof(quad_vertex, coordinate), 1, 0, 5, 0},
                                            test::declaration_end}));
    s.set_layout(layout_handle).bind_shaders(vertex_shader_handle, pixel_shader_handle);
    s.targets({target_handle}).topology(AEROGPU_TOPOLOGY_TRIANGLELIST);
    s.constants_f(test::wire_ps, 0, {scene_.tint});
    add_states(s);
    return s.bytes();
  }

  void add_states(stream_builder& s) const {
    constexpr std::uint32_t linear = 2, clamp = 3;
    for (const std::uint32_t state : {d3dsamp_magfilter, d3dsamp_minfilter}) {
      s.sampler_state(AEROGPU_SHADER_STAGE_PIXEL, 0, state, linear);
    }
    for (const std::uint32_t state : {d3dsamp_addressu, d3dsamp_addressv}) {
      s.sampler_state(AEROGPU_SHADER_STAGE_PIXEL, 0, state, clamp);
    }
    aerogpu_depth_stencil_state no_depth{};
    s.depth_stencil(no_depth);
    if (!scene_.is_blended) return;
    aerogpu_blend_state blend{};
    blend.enable = 1;
    blend.src_factor = AEROGPU_BLEND_SRC_ALPHA;
    blend.dst_factor = blend.dst_factor_alpha = AEROGPU_BLEND_INV_SRC_ALPHA;
    blend.src_factor_alpha = AEROGPU_BLEND_ONE;
    blend.color_write_mask = 15;
    blend.sample_mask = ~0u;
    s.blend(blend);
  }

  void poll() { processor_.poll(heard_); }

  const scene& scene_;
  command_processor<vulkan::vulkan_backend> processor_;
  test::flat_machine memory_{16u << 20};
  byte_vector table_bytes_;
  std::vector<alloc_table::slot> slots_ = std::vector<alloc_table::slot>(16);
  alloc_table table_;
  row_reader heard_;
  std::uint64_t fence_ = 0;
};

}  // namespace aerogpu::bench

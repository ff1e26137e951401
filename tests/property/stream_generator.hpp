// SPDX-License-Identifier: MIT
/// \file Streams of a guest that does what the packets allow, and now and then what they do not.
#pragma once

#include "tests/property/objects.hpp"
#include "tests/property/shader_library.hpp"

#include <array>
#include <cstdint>
#include <utility>
#include <vector>

namespace aerogpu::property {

/// Memory that the streams name: allocation ids 1 (whole), 2 (read only) and 3 (of which nothing is
/// there).
inline constexpr std::uint32_t allocation_bytes = 0x8000;
inline constexpr std::uint64_t allocation_at = 0x10'0000;

/// Makes streams, and remembers what they made. The same choices give the same streams.
class stream_generator {
 public:
  /// A guest that has nothing, or what another one made.
  explicit stream_generator(choices& by, object_lists objects = {})
      : by_(by), settled_(std::move(objects)), live_(settled_) {
    next_handle_ = settled_.highest_handle() + 1;
  }

  /// Objects of every kind, so that later streams have something to draw with.
  [[nodiscard]] auto first_stream() -> test::byte_vector;
  /// Creates, changes state, draws, clears, copies and presents, about `packets` times.
  [[nodiscard]] auto next_stream(std::uint32_t packets) -> test::byte_vector;
  /// Says how far the last stream came: packets from `end_offset` on were not executed.
  void settle(std::uint32_t end_offset);
  /// What the streams so far made.
  [[nodiscard]] auto objects() const -> const object_lists& { return settled_; }

 private:
  // Objects
  void create_buffer();
  void create_texture(bool is_target);
  void create_view();
  void create_shader(std::size_t index);
  void create_shader(object_kind kind, bool is_d3d9);
  void create_layout(bool is_d3d9);
  void create_sampler();
  void destroy_something();
  void create_something();
  void fill(const object& resource);
  void share();
  // State
  void set_some_state();
  void set_viewport();
  void set_scissor();
  void set_blend();
  void set_depth_stencil();
  void set_rasterizer();
  void set_render_state();
  void set_sampler_state();
  void set_constants();
  // Bindings
  void bind_targets();
  void bind_shaders();
  void bind_vertices();
  void bind_indices();
  void bind_resources();
  void bind_for_draw();
  // Work
  void draw();
  void dispatch();
  void clear();
  void copy();
  void copy_buffers(std::uint32_t flags);
  void draw_with_copy();
  void present();

  [[nodiscard]] auto new_handle() -> std::uint32_t;
  /// A live handle of the kind; now and then 0, or one of anything.
  [[nodiscard]] auto handle_of(object_kind kind) -> std::uint32_t;
  [[nodiscard]] auto texture_handle() -> std::uint32_t;
  [[nodiscard]] auto any_stage() -> test::wire_stage;
  void add(object_kind kind, const object& what);
  void remove(object_kind kind, std::uint32_t handle);
  [[nodiscard]] auto random_bytes(std::size_t size) -> test::byte_vector;

  choices& by_;
  test::stream_builder stream_;
  object_lists settled_;
  object_lists live_;  ///< With the stream in hand.
  std::vector<object_change> changes_;
  std::uint32_t next_handle_ = 1;
  bool is_new_stream_ = false;            ///< Nothing is bound as far as the stream knows.
  bool is_d3d9_ = false;                  ///< The shaders bound last.
  std::array<std::uint32_t, 7> bound_{};  ///< Shaders: vs, ps, cs, 0, gs, hs, ds.
};

}  // namespace aerogpu::property

// SPDX-License-Identifier: MIT
// Objects that a backend makes on the way: each kind lives in a bounded cache, and what was used
// longest ago goes.
#include "d3d9_to_spirv/assembly/assemble.hpp"
#include "tests/catch.hpp"
#include "tests/hostile/attacks/compute.hpp"
#include "tests/hostile/scene.hpp"
#include "tests/hostile/session.hpp"
#include "tests/support/byte_code/dxbc_samples.hpp"

#include <array>
#include <cstdint>
#include <string>

namespace aerogpu::hostile {

namespace cache_group {

constexpr std::uint64_t mib = 1u << 20;
constexpr std::uint32_t many = 0x10000;

/// Caches of a few dozen rows.
auto small_caches() -> computer_options {
  computer_options options;
  options.vulkan.bounds.graphics_pipelines = 32;
  options.vulkan.bounds.compute_pipelines = 8;
  options.vulkan.bounds.pipeline_bytes = 8 * mib;
  options.vulkan.bounds.shader_variants = 32;
  options.vulkan.bounds.shader_variant_bytes = 4 * mib;
  options.vulkan.bounds.idle_shaders = 8;
  options.vulkan.bounds.descriptor_set_layouts = 32;
  options.vulkan.bounds.pipeline_layouts = 32;
  options.vulkan.bounds.samplers = 64;
  options.vulkan.bounds.image_views = 64;
  options.vulkan.bounds.buffer_views = 64;
  options.vulkan.bounds.descriptor_pools_per_batch = 2;
  options.vulkan.bounds.texture_sets_per_batch = 64;
  options.vulkan.bounds.retired_objects = 256;
  options.vulkan.bounds.retired_bytes = 4 * mib;
  options.vulkan.watchdog_ms = 20'000;
  return options;
}

auto blending(std::uint32_t enable, std::uint32_t from, std::uint32_t to, std::uint32_t mask)
    -> aerogpu_blend_state {
  aerogpu_blend_state state{};
  state.enable = enable;
  state.src_factor = from;
  state.dst_factor = to;
  state.color_write_mask = static_cast<std::uint8_t>(mask);
  state.sample_mask = 0xFFFFFFFF;
  return state;
}

/// The target is what the last draw of the scene made it: white.
void is_drawn(session& s) {
  stream_builder stream;
  scene::bind(stream);
  stream.blend(blending(0, 0, 0, 0xF)).draw(3);
  s.g().must_run(stream);
  CHECK((scene::read_target(s.g()) == test::filled(64, 0xFF)));
}

/// One pair of shaders, and a pipeline for each way to blend.
void pipelines_of_states() {
  session s{small_caches()};
  stream_builder first;
  scene::create(first);
  s.g().must_run(first);
  for (std::uint32_t mask = 1; mask < 16; ++mask) {
    stream_builder stream;
    for (std::uint32_t factors = 0; factors < 64; ++factors) {
      stream.blend(blending(1, factors % 8, factors / 8, mask)).draw(3);
    }
    static_cast<void>(s.g().run(stream));
  }
  is_drawn(s);
  s.must_serve();
}

auto d3d9_ps(std::uint32_t number) -> byte_vector {
  const auto made =
      d3d9::assemble("ps_2_0\ndef c0, " + std::to_string(number) + ", 0, 0, 1\nmov oC0, c0");
  REQUIRE(made);
  const const_bytes bytes = std::as_bytes(std::span{*made});
  return {bytes.begin(), bytes.end()};
}

/// Shaders that come and go, each drawn with once.
void shaders_that_pass() {
  session s{small_caches()};
  stream_builder first;
  scene::create(first);
  s.g().must_run(first);
  for (std::uint32_t round = 0; round < 12; ++round) {
    stream_builder stream;
    for (std::uint32_t i = 0; i < 50; ++i) {
      stream.create_shader(many, test::wire_ps, d3d9_ps(round * 50 + i))
          .bind_shaders(scene::vs, many)
          .draw(3)
          .destroy_shader(many);
    }
    s.g().must_run(stream);
  }
  is_drawn(s);
  s.must_serve();
}

/// A program that is short for the guest: an m4x4 is four instructions.
auto d3d9_vs(std::uint32_t number) -> byte_vector {
  std::string text = "vs_2_0\ndcl_position v0\ndef c5, " + std::to_string(number) + ", 0, 0, 0\n";
  for (int i = 0; i < 60; ++i) text += "m4x4 r0, v0, c0\n";
  const auto made = d3d9::assemble(text + "add r0, r0, c5\nmov oPos, r0");
  REQUIRE(made);
  const const_bytes bytes = std::as_bytes(std::span{*made});
  return {bytes.begin(), bytes.end()};
}

/// Shaders that come and go without a draw, nor any other command.
void shaders_never_drawn() {
  session s{small_caches()};
  for (std::uint32_t round = 0; round < 12; ++round) {
    stream_builder stream;
    for (std::uint32_t i = 0; i < 250; ++i) {
      stream.create_shader(many, test::wire_vs, d3d9_vs(round * 250 + i)).destroy_shader(many);
    }
    s.g().must_run(stream);
    s.g().forget_memory();
  }
  s.must_serve();
}

/// A texture of many layers and levels, and a view for each part of it.
void views_of_one_texture() {
  session s{small_caches()};
  constexpr std::uint32_t texture = 0x7601, layers = 256, mips = 8;
  stream_builder stream;
  scene::create(stream);
  stream
      .create_texture(texture, {.format = AEROGPU_FORMAT_R8G8B8A8_UNORM,
                                .width = 128,
                                .height = 128,
                                .mips = mips,
                                .layers = layers})
      .bind_shaders(scene::vs, scene::textured_ps);
  s.g().must_run(stream);
  for (std::uint32_t mip = 0; mip < mips; ++mip) {
    stream_builder draws;
    for (std::uint32_t layer = 0; layer < layers; ++layer) {
      draws
          .create_view(
              many, texture,
              {.format = AEROGPU_FORMAT_R8G8B8A8_UNORM, .base_mip = mip, .base_layer = layer})
          .set_texture(test::wire_ps, 0, many)
          .draw(3)
          .set_texture(test::wire_ps, 0, 0)
          .destroy_view(many);
    }
    s.g().must_run(draws);
  }
  is_drawn(s);
  s.must_serve();
}

/// The same views, all alive, and all targets in turn.
void targets_of_one_texture() {
  session s{small_caches()};
  constexpr std::uint32_t texture = 0x7601, layers = 512;
  stream_builder stream;
  scene::create(stream);
  stream.create_texture(texture, {.format = AEROGPU_FORMAT_R8G8B8A8_UNORM,
                                  .layers = layers,
                                  .usage = AEROGPU_RESOURCE_USAGE_RENDER_TARGET});
  for (std::uint32_t layer = 0; layer < layers; ++layer) {
    stream.create_view(many + layer, texture,
                       {.format = AEROGPU_FORMAT_R8G8B8A8_UNORM, .base_layer = layer});
  }
  for (int round = 0; round < 2; ++round) {
    for (std::uint32_t layer = 0; layer < layers; ++layer) {
      stream.targets({many + layer}).clear(AEROGPU_CLEAR_COLOR, {1, 0, 0, 1}).draw(3);
    }
  }
  s.g().must_run(stream);
  is_drawn(s);
  s.must_serve();
}

/// Handles without an end: views are cheap for the guest.
void views_that_stay() {
  session s{on_null()};
  constexpr std::uint32_t texture = 0x7601;
  stream_builder first;
  first.create_texture(texture, {.format = AEROGPU_FORMAT_R8G8B8A8_UNORM, .layers = 2048});
  s.g().must_run(first);
  for (std::uint32_t round = 0; round < 20; ++round) {
    stream_builder stream;
    for (std::uint32_t i = 0; i < 5'000; ++i) {
      stream.create_view(many + round * 5'000 + i, texture,
                         {.format = AEROGPU_FORMAT_R8G8B8A8_UNORM, .base_layer = i % 2048});
    }
    static_cast<void>(s.g().run(stream));
  }
  s.must_serve();
}

/// A bias of the level of detail is a float: there are 2^32 samplers.
void samplers() {
  session s{small_caches()};
  stream_builder stream;
  scene::create(stream);
  stream.bind_shaders(scene::vs, scene::textured_ps).set_texture(test::wire_ps, 0, scene::texture);
  constexpr std::uint32_t mip_filter = 7, lod_bias = 8, linear = 2;
  stream.sampler_state(AEROGPU_SHADER_STAGE_PIXEL, 0, mip_filter, linear);
  for (std::uint32_t i = 0; i < 6'000; ++i) {
    stream
        .sampler_state(AEROGPU_SHADER_STAGE_PIXEL, 0, lod_bias,
                       as_bits(static_cast<float>(i) / 1000))
        .draw(3);
  }
  s.g().must_run(stream);
  is_drawn(s);
  s.must_serve();
}

/// A raw buffer at a thousand offsets.
void buffer_views() {
  session s{small_caches()};
  constexpr std::uint32_t source = 0x7602, to = 0x7603, cs = 0x7604;
  stream_builder stream;
  stream.create_buffer(source, 1 * mib)
      .create_buffer(to, 256)
      .create_shader(cs, test::wire_cs, test::sm4::cs_raw())
      .bind_shaders(0, 0, cs)
      .unordered_access(test::wire_cs, 0, {{to}});
  for (std::uint32_t i = 0; i < 2'000; ++i) {
    stream.resource_buffers(test::wire_cs, 0, {{source, i * 256, 256}}).dispatch(1, 1, 1);
  }
  s.g().must_run(stream);
  s.must_serve();
}

/// A texture of its own for each draw: sets of descriptors.
void descriptor_sets() {
  session s{small_caches()};
  stream_builder stream;
  scene::create(stream);
  stream.bind_shaders(scene::vs, scene::textured_ps);
  constexpr std::uint32_t textures = 500;
  for (std::uint32_t i = 0; i < textures; ++i) {
    stream.create_texture(many + i, {.format = AEROGPU_FORMAT_R8G8B8A8_UNORM});
  }
  for (std::uint32_t i = 0; i < 6'000; ++i) {
    stream.set_texture(test::wire_ps, 0, many + i % textures).draw(3);
  }
  s.g().must_run(stream);
  is_drawn(s);
  s.must_serve();
}

/// Programs that each use other registers: layouts of descriptor sets and of pipelines.
void pipeline_layouts() {
  session s{small_caches()};
  constexpr std::uint32_t target = 0x7605, vs = 0x7606;
  stream_builder stream;
  stream.create_texture(target, {.usage = AEROGPU_RESOURCE_USAGE_RENDER_TARGET})
      .create_shader(vs, test::wire_vs, test::sm4::vs_position_only())
      .targets({target})
      .topology(AEROGPU_TOPOLOGY_POINTLIST);
  for (std::uint32_t slot = 0; slot < 14; ++slot) {
    for (std::uint32_t size = 1; size <= 4; ++size) {
      stream.create_shader(many, test::wire_ps, test::sm4::ps_constant(slot, 0, size))
          .bind_shaders(vs, many)
          .draw(1)
          .destroy_shader(many);
    }
  }
  for (std::uint32_t i = 0; i < 512; ++i) {
    stream.create_shader(many, test::wire_ps, test::sm4::ps_textured(i % 128, i % 15))
        .bind_shaders(vs, many)
        .draw(1)
        .destroy_shader(many);
  }
  static_cast<void>(s.g().run(stream));
  s.must_serve();
}

/// Compute programs, one after the other.
void compute_pipelines() {
  session s{small_caches()};
  for (std::uint32_t size = 1; size <= 64; ++size) {
    using namespace test::sm4;
    program code{program_type::compute, 5};
    code.op(dcl_uav_raw, {plain(uav, {0})})
        .op(dcl_thread_group, {word(size), word(1), word(1)})
        .op(store_raw, {to(uav, {0}, "x"), bits(0), bits(size)})
        .op(ret);
    const compute_run run = run_compute(s.g(), container({{}, {}}, code), words(1, 0), 1);
    CHECK((run.results == words(1, size)));
  }
  s.must_serve();
}

constexpr cost_limit cached{.resident_mib = 96, .processor_seconds = 12};
constexpr cost_limit compiled{.resident_mib = 128, .processor_seconds = 36};
constexpr cost_limit undrawn{.resident_mib = 40, .processor_seconds = 24};
constexpr std::array attacks{
    attack{"pipelines-of-states", "pipelines live in a bounded cache", compiled,
           pipelines_of_states},
    attack{"shaders-that-pass", "variants of shaders live in a bounded cache", compiled,
           shaders_that_pass},
    attack{"shaders-never-drawn", "what waits for a batch without commands is counted", undrawn,
           shaders_never_drawn},
    attack{"views-of-one-texture", "image views live in a bounded cache, found by hash", cached,
           views_of_one_texture},
    attack{"targets-of-one-texture", "image views live in a bounded cache, found by hash", cached,
           targets_of_one_texture},
    attack{"views-that-stay", "views that a guest keeps are counted", cached, views_that_stay},
    attack{"samplers", "samplers live in a bounded cache", cached, samplers},
    attack{"buffer-views", "buffer views live in a bounded cache", cached, buffer_views},
    attack{"descriptor-sets", "descriptor pools of a batch are counted", cached, descriptor_sets},
    attack{"pipeline-layouts", "layouts live in a bounded cache", compiled, pipeline_layouts},
    attack{"compute-pipelines", "compute pipelines live in a bounded cache", cached,
           compute_pipelines},
};

}  // namespace cache_group

auto cache_attacks() -> std::span<const attack> {
  return cache_group::attacks;
}

}  // namespace aerogpu::hostile

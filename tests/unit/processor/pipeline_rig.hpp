// SPDX-License-Identifier: MIT
/// \file A command processor on a watched null backend, with the objects that a draw needs.
#pragma once

#include "tests/catch.hpp"
#include "tests/support/byte_code/shaders.hpp"
#include "tests/support/guest_memory_fakes.hpp"
#include "tests/support/layout_blobs.hpp"
#include "tests/support/processors/failing_processor.hpp"
#include "tests/support/stream_builder.hpp"

#include <cstdint>
#include <functional>
#include <string_view>
#include <utility>
#include <vector>

namespace aerogpu {

using namespace test;

/// Handles of `pipeline_rig::create`.
namespace made {
inline constexpr std::uint32_t target = 1, depth = 2, vertices = 3, indices = 4, texture = 5,
                               other_target = 6, buffer = 7;
inline constexpr std::uint32_t vs2 = 1, ps2 = 2, vs4 = 3, ps4 = 4, cs5 = 5, gs4 = 6, vs4_origin = 7;
inline constexpr std::uint32_t declaration = 1, ilay = 2;
}  // namespace made

inline constexpr texture_spec color_spec{
    .width = 8, .height = 8, .usage = AEROGPU_RESOURCE_USAGE_RENDER_TARGET};
inline constexpr texture_spec depth_spec{.format = AEROGPU_FORMAT_D24_UNORM_S8_UINT,
                                         .width = 8,
                                         .height = 8,
                                         .usage = AEROGPU_RESOURCE_USAGE_DEPTH_STENCIL};

/// What a draw looked like to the backend: the parts that tests ask for.
struct pipeline_rig {
  using watched = failing_backend<null_backend>;
  using draw_type = draw_call<watched>;
  using dispatch_type = dispatch_call<watched>;
  using clear_type = clear_call<watched>;

  null_backend inner;
  watched backend{inner};
  command_processor<watched> processor{backend};
  fake_memory memory;
  execution_report last;

  /// Objects for every kind of draw.
  [[nodiscard]] static auto create() -> stream_builder {
    return stream_builder{}
        .create_texture(made::target, color_spec)
        .create_texture(made::depth, depth_spec)
        .create_texture(made::texture, {})
        .create_texture(made::other_target, color_spec)
        .create_buffer(made::vertices, 256)
        .create_buffer(made::indices, 64)
        .create_buffer(made::buffer, 256)
        .create_shader(made::vs2, wire_vs, vs_2_0_position())
        .create_shader(made::ps2, wire_ps, ps_2_0_white())
        .create_shader(made::vs4, wire_vs, vs_4_0_position())
        .create_shader(made::ps4, wire_ps, ps_4_0_white())
        .create_shader(made::cs5, wire_cs, cs_5_0_nothing())
        .create_shader(made::gs4, wire_gs, gs_4_0_point())
        .create_shader(made::vs4_origin, wire_vs, vs_4_0_origin())
        .create_layout(made::declaration, declaration_blob({{}, declaration_end}))
        .create_layout(made::ilay, ilay_blob({{}}));
  }
  /// Binds what an SM2 draw needs, indices included.
  [[nodiscard]] static auto bound() -> stream_builder {
    return stream_builder{}
        .targets({made::target})
        .bind_shaders(made::vs2, made::ps2)
        .set_layout(made::declaration)
        .vertex_buffer(0, made::vertices)
        .index_buffer(made::indices);
  }
  /// The same for SM4.
  [[nodiscard]] static auto bound_sm4() -> stream_builder {
    return bound().bind_shaders(made::vs4, made::ps4, made::cs5).set_layout(made::ilay);
  }

  pipeline_rig() { REQUIRE(run(create()) == error_code::none); }

  auto run(const stream_builder& stream, std::uint32_t context = 0,
           const alloc_table* table = nullptr) -> error_code {
    last = processor.execute({context_id{context}, {}, stream.bytes(), table}, memory);
    return last.why.code;
  }

  /// How many draws reached the backend. `see` looks at each.
  auto draws(const stream_builder& stream, const std::function<void(const draw_type&)>& see = {},
             std::uint32_t context = 0) -> int {
    int count = 0;
    backend.observe_draws([&](const draw_type& call) {
      ++count;
      if (see) see(call);
    });
    CHECK(run(stream, context) == error_code::none);
    backend.observe_draws({});
    return count;
  }
  auto dispatches(const stream_builder& stream,
                  const std::function<void(const dispatch_type&)>& see) -> int {
    int count = 0;
    backend.observe_dispatches([&](const dispatch_type& call) {
      ++count;
      see(call);
    });
    CHECK(run(stream) == error_code::none);
    backend.observe_dispatches({});
    return count;
  }
  auto clears(const stream_builder& stream, const std::function<void(const clear_type&)>& see = {})
      -> int {
    int count = 0;
    backend.observe_clears([&](const clear_type& call) {
      ++count;
      if (see) see(call);
    });
    CHECK(run(stream) == error_code::none);
    backend.observe_clears({});
    return count;
  }
};

/// One stage of a call.
template <class Call>
[[nodiscard]] auto stage_of_call(const Call& call, shader_stage stage) -> const auto& {
  return call.state.stages[static_cast<std::size_t>(stage)];
}

/// The guest's name of a texture in a t slot; 0 = none.
template <class Call>
[[nodiscard]] auto texture_in(const Call& call, std::size_t slot,
                              shader_stage stage = shader_stage::pixel) -> std::uint32_t {
  const auto& ref = stage_of_call(call, stage).resources[slot].texture;
  return ref.texture == nullptr ? 0 : raw(ref.desc->name);
}

}  // namespace aerogpu

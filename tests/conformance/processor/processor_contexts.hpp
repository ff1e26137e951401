// SPDX-License-Identifier: MIT
/// \file CP-108 and CP-109: contexts.
#pragma once

#include "tests/catch.hpp"
#include "tests/conformance/backends.hpp"
#include "tests/conformance/printing.hpp"
#include "tests/conformance/processor/draw_fingerprint.hpp"
#include "tests/conformance/processor/draw_scene.hpp"
#include "tests/conformance/processor/processor_host.hpp"
#include "tests/support/layout_blobs.hpp"

#include <cstdint>
#include <string_view>
#include <vector>

namespace aerogpu::conformance {

namespace context_case {

inline constexpr std::uint32_t buffer = 1, texture = 2, depth = 3, second_target = 4;
inline constexpr std::uint32_t vs_with_input = 10, layout = 11, sampler = 12, gs = 13;

/// Objects for every kind of state.
[[nodiscard]] inline auto base_objects() -> stream_builder {
  return draw_scene()
      .create_buffer(buffer, 256)
      .create_texture(texture, {})
      .create_texture(depth, {.format = AEROGPU_FORMAT_D32_FLOAT, .width = 8, .height = 8})
      .create_texture(second_target, scene::target_spec)
      .create_shader(vs_with_input, wire_vs, vs_4_0_position())
      .create_shader(gs, wire_gs, gs_4_0_point())
      .create_layout(layout, ilay_blob({{}}))
      .create_sampler(sampler);
}

/// One kind of state, set to something that is not its default.
struct state_kind {
  std::string_view name;
  void (*set)(stream_builder&);
  /// Run in both contexts: what must be there for the state to be seen.
  void (*prepare)(stream_builder&) = [](stream_builder&) {};
};

[[nodiscard]] inline auto state_kinds() -> std::vector<state_kind> {
  using s = stream_builder;
  return {
      {"shaders", [](s& to) { to.bind_shaders(scene::vs, scene::ps, scene::cs, gs); },
       [](s& to) { to.topology(AEROGPU_TOPOLOGY_POINTLIST); }},
      {"input layout", [](s& to) { to.set_layout(layout); },
       [](s& to) { to.bind_shaders(vs_with_input, scene::ps, scene::cs); }},
      {"vertex buffers", [](s& to) { to.vertex_buffer(0, buffer, 32, 16); },
       [](s& to) { to.bind_shaders(vs_with_input, scene::ps, scene::cs).set_layout(layout); }},
      {"topology", [](s& to) { to.topology(AEROGPU_TOPOLOGY_LINELIST); }},
      {"render targets",
       [](s& to) {
         to.targets({scene::target, second_target}, depth);
       }},
      {"viewport",
       [](s& to) {
         to.viewport({1, 2, 3, 4, 0.25f, 0.5f});
       }},
      {"scissor", [](s& to) { to.scissor(1, 2, 3, 4); }},
      {"blend",
       [](s& to) {
         to.blend({1, 2, 3, 1, 7, {}, 2, 3, 1, {1, 2, 3, 4}, 1});
       }},
      {"depth-stencil",
       [](s& to) {
         to.depth_stencil({0, 0, 1, 1, 0x0F, 0xF0, {}});
       }},
      {"rasterizer",
       [](s& to) {
         to.rasterizer({1, 1, 1, 0, 5, 1});
       }},
      {"render states", [](s& to) { to.render_state(24, 0x80); }},
      {"uncommon render states", [](s& to) { to.render_state(4000, 77); }},
      {"sampler states", [](s& to) { to.sampler_state(AEROGPU_SHADER_STAGE_PIXEL, 15, 1, 3); }},
      {"float constants",
       [](s& to) {
         to.constants_f(wire_vs, 9, {{1, 2, 3, 4}});
       }},
      {"int constants",
       [](s& to) {
         to.constants_i(wire_ps, 9, {{1, 2, 3, 4}});
       }},
      {"bool constants",
       [](s& to) {
         to.constants_b(wire_ps, 9, {{1, 1, 1, 1}});
       }},
      {"textures", [](s& to) { to.set_texture(wire_ps, 100, texture); }},
      {"samplers", [](s& to) { to.samplers(wire_ps, 15, {sampler}); }},
      {"constant buffers",
       [](s& to) {
         to.constant_buffers(wire_ps, 13, {{buffer, 16, 32}});
       }},
      {"shader resource buffers",
       [](s& to) {
         to.resource_buffers(wire_ps, 127, {{buffer, 16, 32}});
       }},
      {"unordered access buffers",
       [](s& to) {
         to.unordered_access(wire_cs, 7, {{buffer, 16, 32}});
       }},
  };
}

/// State of a draw and of a dispatch in a context, after `stream`.
template <class Host>
[[nodiscard]] auto seen_in(Host& host, std::uint32_t context, stream_builder stream)
    -> fingerprint {
  fingerprint seen;
  const auto see = [&](const auto& call) {
    const fingerprint one = fingerprint_of(call);
    seen.insert(seen.end(), one.begin(), one.end());
  };
  host.rig().backend().observe_dispatches(see);
  CHECK(run_seeing_draws(host, stream.draw(1).dispatch(1, 1, 1), see, context) == error_code::none);
  host.rig().backend().observe_dispatches({});
  CHECK_FALSE(seen.empty());
  return seen;
}

}  // namespace context_case

TEMPLATE_LIST_TEST_CASE("CP-108 each kind of state belongs to one context and outlives submissions",
                        "[conformance][processor]", backends) {
  using namespace context_case;
  const auto kind = GENERATE(from_range(state_kinds()));
  CAPTURE(kind.name);
  processor_host<TestType> host;
  REQUIRE(host.run(base_objects()) == error_code::none);
  stream_builder prepared = bound_scene();
  kind.prepare(prepared);
  const fingerprint defaults = seen_in(host, 3, prepared);
  stream_builder set = prepared;
  kind.set(set);
  const fingerprint changed = seen_in(host, 1, set);
  CHECK("" != difference(changed, defaults));
  CHECK("" == difference(seen_in(host, 2, prepared), defaults));
  CHECK("" == difference(seen_in(host, 1, stream_builder{}), changed));
  CHECK("" == difference(seen_in(host, 3, stream_builder{}), defaults));
}

TEMPLATE_LIST_TEST_CASE(
    "CP-108 shaders, targets and index buffer of one context do not serve another",
    "[conformance][processor]", backends) {
  using namespace context_case;
  processor_host<TestType> host;
  REQUIRE(host.run(base_objects()) == error_code::none);
  REQUIRE(host.run(bound_scene().index_buffer(buffer).draw_indexed(3).dispatch(1, 1, 1), 1) ==
          error_code::none);
  CHECK(host.run(stream_builder{}.draw(3), 2) == error_code::missing_binding);
  CHECK(host.run(stream_builder{}.dispatch(1, 1, 1), 2) == error_code::missing_binding);
  CHECK(host.run(stream_builder{}.bind_shaders(scene::vs, scene::ps).draw(3), 2) ==
        error_code::missing_binding);
  CHECK(host.run(stream_builder{}.targets({scene::target}).draw(3), 2) == error_code::none);
  CHECK(host.run(stream_builder{}.draw_indexed(3), 2) == error_code::missing_binding);
  CHECK(host.run(stream_builder{}.draw_indexed(3).dispatch(1, 1, 1), 1) == error_code::none);
}

TEMPLATE_LIST_TEST_CASE("CP-108 contexts beyond the host's limit are refused and cost nothing",
                        "[conformance][processor]", backends) {
  limits most;
  most.contexts = 2;
  processor_host<TestType> host{most};
  CHECK(host.run(stream_builder{}, 5) == error_code::none);
  CHECK(host.run(stream_builder{}, 0xFFFFFFFF) == error_code::none);
  CHECK(host.run(stream_builder{}.create_buffer(1, 16), 6) == error_code::out_of_memory);
  CHECK(host.run(stream_builder{}.create_buffer(1, 16), 5) == error_code::none);
  CHECK(host.counts().contexts == 2);
}

TEMPLATE_LIST_TEST_CASE("CP-108 a context that ended has the defaults when it is named again",
                        "[conformance][processor]", backends) {
  using namespace context_case;
  const auto kind = GENERATE(from_range(state_kinds()));
  CAPTURE(kind.name);
  processor_host<TestType> host;
  REQUIRE(host.run(base_objects()) == error_code::none);
  stream_builder prepared = bound_scene();
  kind.prepare(prepared);
  const fingerprint defaults = seen_in(host, 3, prepared);
  kind.set(prepared);
  CHECK("" != difference(seen_in(host, 1, prepared), defaults));
  REQUIRE(host.run(stream_builder{}.end_context(), 1) == error_code::none);
  prepared = bound_scene();
  kind.prepare(prepared);
  CHECK("" == difference(seen_in(host, 1, prepared), defaults));
}

TEMPLATE_LIST_TEST_CASE("CP-108 what a context made goes with it, also while it is drawn with",
                        "[conformance][processor]", backends) {
  using namespace context_case;
  processor_host<TestType> host;
  for (int round = 0; round < 3; ++round) {
    REQUIRE(host.run(base_objects(), 1) == error_code::none);
    REQUIRE(host.run(bound_scene().draw(3).dispatch(1, 1, 1).end_context(), 1) == error_code::none);
    CHECK(host.counts() == object_counts{});
  }
}

TEMPLATE_LIST_TEST_CASE("CP-109 objects of one context serve every other",
                        "[conformance][processor]", backends) {
  using namespace context_case;
  processor_host<TestType> host;
  REQUIRE(host.run(base_objects().upload(buffer, 0, counting(256)), 1) == error_code::none);
  CHECK(host.run(bound_scene().draw(3).dispatch(1, 1, 1), 2) == error_code::none);
  CHECK(host.run(stream_builder{}.upload(buffer, 0, filled(4, 9)).destroy(texture), 3) ==
        error_code::none);
  byte_vector expected = counting(256);
  overwrite(expected, 0, filled(4, 9));
  CHECK(host.buffer(buffer, 256) == expected);
  CHECK(host.run(stream_builder{}.upload(texture, 0, filled(4, 9)), 1) ==
        error_code::unknown_handle);
}

}  // namespace aerogpu::conformance

// SPDX-License-Identifier: MIT
/// \file CP-095..105 and CP-120: slots and what is bound to them.
#pragma once

#include "tests/catch.hpp"
#include "tests/conformance/backends.hpp"
#include "tests/conformance/printing.hpp"
#include "tests/conformance/processor/draw_scene.hpp"
#include "tests/conformance/processor/processor_host.hpp"

#include <array>
#include <cstdint>
#include <vector>

namespace aerogpu::conformance {

TEMPLATE_LIST_TEST_CASE("CP-095 SET_RENDER_TARGETS takes at most 8 colours and ignores the rest",
                        "[conformance][processor]", backends) {
  processor_host<TestType> host;
  REQUIRE(host.run(draw_scene()) == error_code::none);
  aerogpu_cmd_set_render_targets packet{};
  packet.color_count = 9;
  CHECK(host.run(stream_builder{}.add(packet)) == error_code::invalid_parameter);
  packet.color_count = 0xFFFFFFFF;
  CHECK(host.run(stream_builder{}.add(packet)) == error_code::invalid_parameter);
  // One target counts; the other words name nothing.
  packet.color_count = 1;
  for (std::uint32_t i = 0; i < 8; ++i) packet.colors[i] = i == 0 ? scene::target : 0xDEAD;
  CHECK(host.run(bound_scene().add(packet).draw(3)) == error_code::none);
}

TEMPLATE_LIST_TEST_CASE("CP-095 gaps between targets keep the places of the others",
                        "[conformance][processor]", backends) {
  processor_host<TestType> host;
  REQUIRE(host.run(draw_scene().create_texture(1, scene::target_spec)) == error_code::none);
  int seen = 0;
  CHECK(run_seeing_draws(host, bound_scene().targets({0, 1, 0, 0, scene::target, 0, 0, 0}).draw(3),
                         [&](const auto& call) {
                           ++seen;
                           const auto& targets = call.state.targets;
                           CHECK(targets.color_count == 5);  // Trailing gaps are cut.
                           for (const std::size_t gap : {0u, 2u, 3u}) {
                             CHECK(targets.colors[gap].texture == nullptr);
                           }
                           CHECK(targets.colors[1].texture != nullptr);
                           CHECK(targets.colors[4].texture != nullptr);
                           CHECK(targets.colors[1].texture != targets.colors[4].texture);
                         }) == error_code::none);
  CHECK(seen == 1);
}

TEMPLATE_LIST_TEST_CASE("CP-096 there are 32 vertex buffer slots", "[conformance][processor]",
                        backends) {
  processor_host<TestType> host;
  REQUIRE(host.run(stream_builder{}.create_buffer(1, 64)) == error_code::none);
  const auto run = [&](std::uint32_t start, std::size_t count) {
    return host.run(stream_builder{}.vertex_buffers(
        start, std::vector<aerogpu_vertex_buffer_binding>(count, {1, 16, 0, 0})));
  };
  CHECK(run(31, 1) == error_code::none);
  CHECK(run(0, 32) == error_code::none);
  CHECK(run(32, 0) == error_code::none);
  CHECK(run(32, 1) == error_code::invalid_parameter);
  CHECK(run(31, 2) == error_code::invalid_parameter);
  CHECK(run(0, 33) == error_code::invalid_parameter);
  CHECK(run(0xFFFFFFFF, 1) == error_code::invalid_parameter);
  CHECK(run(0xFFFFFFFF, 2) == error_code::invalid_parameter);
}

TEMPLATE_LIST_TEST_CASE("CP-097 SET_INDEX_BUFFER looks at the format only when it binds",
                        "[conformance][processor]", backends) {
  processor_host<TestType> host;
  REQUIRE(host.run(stream_builder{}.create_buffer(1, 64)) == error_code::none);
  CHECK(host.run(stream_builder{}.index_buffer(0, 77)) == error_code::none);
  CHECK(host.run(stream_builder{}.index_buffer(1, 0).index_buffer(1, 1)) == error_code::none);
  CHECK(host.run(stream_builder{}.index_buffer(1, 2)) == error_code::invalid_parameter);
}

TEMPLATE_LIST_TEST_CASE("CP-098 topologies outside the enumeration are refused",
                        "[conformance][processor]", backends) {
  processor_host<TestType> host;
  for (std::uint32_t value = 0; value <= 70; ++value) {
    CAPTURE(value);
    const bool is_known =
        (value >= 1 && value <= 6) || (value >= 10 && value <= 13) || (value >= 33 && value <= 64);
    CHECK(host.run(stream_builder{}.topology(value)) ==
          (is_known ? error_code::none : error_code::invalid_parameter));
  }
  CHECK(host.run(stream_builder{}.topology(0xFFFFFFFF)) == error_code::invalid_parameter);
}

TEMPLATE_LIST_TEST_CASE("CP-099 SET_TEXTURE has 128 slots in each stage",
                        "[conformance][processor]", backends) {
  processor_host<TestType> host;
  REQUIRE(host.run(stream_builder{}.create_texture(1, {})) == error_code::none);
  for (const std::uint32_t stage : {0u, 1u, 2u, 3u}) {
    CHECK(host.run(stream_builder{}.set_texture({stage, 0}, 127, 1)) == error_code::none);
    CHECK(host.run(stream_builder{}.set_texture({stage, 0}, 128, 1)) ==
          error_code::invalid_parameter);
    CHECK(host.run(stream_builder{}.set_texture({stage, 0}, 0xFFFFFFFF, 0)) ==
          error_code::invalid_parameter);
  }
  CHECK(host.run(stream_builder{}.set_texture({9, 0}, 0, 1)) == error_code::invalid_parameter);
}

TEMPLATE_LIST_TEST_CASE(
    "CP-100 samplers, constant buffers, SRVs and UAVs have their own slot counts",
    "[conformance][processor]", backends) {
  processor_host<TestType> host;
  using bind = error_code (*)(processor_host<TestType>&, wire_stage, std::uint32_t, std::size_t);
  const auto [name, limit, run] = GENERATE(table<const char*, std::uint32_t, bind>({
      {"samplers", 16,
       [](auto& h, wire_stage s, std::uint32_t start, std::size_t count) {
         return h.run(stream_builder{}.samplers(s, start, std::vector<std::uint32_t>(count, 7)));
       }},
      {"constant buffers", 14,
       [](auto& h, wire_stage s, std::uint32_t start, std::size_t count) {
         return h.run(
             stream_builder{}.constant_buffers(s, start, std::vector<range_binding>(count)));
       }},
      {"shader resource buffers", 128,
       [](auto& h, wire_stage s, std::uint32_t start, std::size_t count) {
         return h.run(
             stream_builder{}.resource_buffers(s, start, std::vector<range_binding>(count)));
       }},
      {"unordered access buffers", 8,
       [](auto& h, wire_stage s, std::uint32_t start, std::size_t count) {
         return h.run(
             stream_builder{}.unordered_access(s, start, std::vector<range_binding>(count)));
       }},
  }));
  CAPTURE(name);
  constexpr auto bad = error_code::invalid_parameter;
  CHECK(run(host, wire_cs, limit - 1, 1) == error_code::none);
  CHECK(run(host, wire_cs, 0, limit) == error_code::none);
  CHECK(run(host, wire_cs, limit, 0) == error_code::none);
  CHECK(run(host, wire_cs, limit, 1) == bad);
  CHECK(run(host, wire_cs, limit - 1, 2) == bad);
  CHECK(run(host, wire_cs, 0, limit + 1) == bad);
  CHECK(run(host, wire_cs, 0xFFFFFFFF, 2) == bad);
  CHECK(run(host, {9, 0}, 0, 1) == bad);
}

TEMPLATE_LIST_TEST_CASE("CP-100 vertex and pixel stages have no UAVs", "[conformance][processor]",
                        backends) {
  processor_host<TestType> host;
  const auto run = [&](wire_stage stage) {
    return host.run(stream_builder{}.unordered_access(stage, 0, {{}}));
  };
  CHECK(run(wire_ps) == error_code::invalid_parameter);
  CHECK(run(wire_vs) == error_code::invalid_parameter);
  CHECK(run(wire_cs) == error_code::none);
  CHECK(run(wire_gs) == error_code::none);
  CHECK(run({2, 3}) == error_code::none);
  CHECK(run({2, 4}) == error_code::none);
}

TEMPLATE_LIST_TEST_CASE("CP-101 CREATE_SAMPLER checks its enumerators and replaces a live sampler",
                        "[conformance][processor]", backends) {
  processor_host<TestType> host;
  constexpr auto bad = error_code::invalid_parameter;
  CHECK(host.run(stream_builder{}.create_sampler(0)) == error_code::invalid_handle);
  CHECK(host.run(stream_builder{}.create_sampler(1, 2)) == bad);
  CHECK(host.run(stream_builder{}.create_sampler(1, 0, 3)) == bad);
  CHECK(host.run(stream_builder{}.create_sampler(1, 0, 0, 3)) == bad);
  CHECK(host.run(stream_builder{}.create_sampler(1, 0, 0, 0, 3)) == bad);
  CHECK(host.counts().samplers == 0);
  CHECK(host.run(stream_builder{}.create_sampler(1, 1, 2, 2, 2)) == error_code::none);
  CHECK(host.run(stream_builder{}.create_sampler(1, 0, 1, 0, 2)) == error_code::none);
  CHECK(host.counts().samplers == 1);
}

namespace binding_case {

/// Whether each of the first samplers of the pixel stage is bound, seen by one draw.
template <class Host>
[[nodiscard]] auto bound_samplers(Host& host, stream_builder stream, std::uint32_t context = 0)
    -> std::array<bool, 2> {
  std::array<bool, 2> bound{};
  CHECK(run_seeing_draws(
            host, stream.draw(3),
            [&](const auto& call) {
              const auto& samplers = call.state.stages[index_of(shader_stage::pixel)].samplers;
              for (std::size_t i = 0; i < bound.size(); ++i) bound[i] = samplers[i] != nullptr;
            },
            context) == error_code::none);
  return bound;
}

/// What the t slots of a stage hold, seen by one draw: names of textures, sizes of buffers.
struct seen_slot {
  std::uint32_t texture = 0;
  std::uint64_t buffer_bytes = 0;

  friend auto operator==(const seen_slot&, const seen_slot&) -> bool = default;
};

template <class Host>
[[nodiscard]] auto pixel_slot(Host& host, stream_builder stream, std::size_t slot = 0,
                              std::uint32_t context = 0) -> seen_slot {
  seen_slot seen;
  CHECK(run_seeing_draws(
            host, stream.draw(3),
            [&](const auto& call) {
              const auto& resource =
                  call.state.stages[index_of(shader_stage::pixel)].resources[slot];
              seen = {texture_name(resource), resource.buffer.size_bytes};
            },
            context) == error_code::none);
  return seen;
}

}  // namespace binding_case

TEMPLATE_LIST_TEST_CASE("CP-101 a replaced sampler stays bound", "[conformance][processor]",
                        backends) {
  using namespace binding_case;
  processor_host<TestType> host;
  REQUIRE(host.run(draw_scene().create_sampler(1)) == error_code::none);
  CHECK(bound_samplers(host, bound_scene().samplers(wire_ps, 0, {1, 99})) ==
        std::array{true, false});
  CHECK(bound_samplers(host, stream_builder{}.create_sampler(1, 1, 1, 1, 1)) ==
        std::array{true, false});
}

TEMPLATE_LIST_TEST_CASE("CP-102 DESTROY_SAMPLER unbinds it in every context",
                        "[conformance][processor]", backends) {
  using namespace binding_case;
  processor_host<TestType> host;
  REQUIRE(host.run(draw_scene().create_sampler(1).create_sampler(2)) == error_code::none);
  for (const std::uint32_t context : {0u, 7u}) {
    CHECK(bound_samplers(host, bound_scene().samplers(wire_ps, 0, {1, 2}), context) ==
          std::array{true, true});
  }
  REQUIRE(host.run(stream_builder{}.destroy_sampler(1).create_sampler(1)) == error_code::none);
  for (const std::uint32_t context : {0u, 7u}) {
    CHECK(bound_samplers(host, stream_builder{}, context) == std::array{false, true});
  }
}

TEMPLATE_LIST_TEST_CASE("CP-103 a target in a texture slot is hidden, not unbound",
                        "[conformance][processor]", backends) {
  using namespace binding_case;
  processor_host<TestType> host;
  REQUIRE(host.run(draw_scene().create_texture(1, scene::target_spec)) == error_code::none);
  CHECK(pixel_slot(host, bound_scene().targets({1}).set_texture(wire_ps, 0, 1)) == seen_slot{});
  CHECK(pixel_slot(host, stream_builder{}.targets({scene::target})) == seen_slot{1, 0});
  CHECK(pixel_slot(host, stream_builder{}.targets({1})) == seen_slot{});
  int seen = 0;
  CHECK(run_seeing_draws(host, stream_builder{}.set_texture(wire_ps, 3, 1).draw(3),
                         [&](const auto& call) {
                           ++seen;
                           CHECK(call.state.targets.color_count == 1);
                           CHECK(call.state.targets.colors[0].texture != nullptr);
                         }) == error_code::none);
  CHECK(seen == 1);
}

TEMPLATE_LIST_TEST_CASE("CP-104 a buffer bound by SET_TEXTURE takes the slot, and loses it again",
                        "[conformance][processor]", backends) {
  using namespace binding_case;
  processor_host<TestType> host;
  REQUIRE(host.run(draw_scene().create_buffer(1, 64).create_buffer(2, 32).create_texture(3, {})) ==
          error_code::none);
  CHECK(pixel_slot(host, bound_scene().set_texture(wire_ps, 0, 1)) == seen_slot{0, 64});
  CHECK(pixel_slot(host, stream_builder{}.set_texture(wire_ps, 0, 3)) == seen_slot{3, 0});
  CHECK(pixel_slot(host, stream_builder{}.resource_buffers(wire_ps, 0, {{2, 16, 0}})) ==
        seen_slot{0, 16});
  CHECK(pixel_slot(host, stream_builder{}.resource_buffers(wire_ps, 0, {{2, 8, 4}})) ==
        seen_slot{0, 4});
  CHECK(pixel_slot(host, stream_builder{}.resource_buffers(wire_ps, 0, {{2, 32, 4}})) ==
        seen_slot{});
  CHECK(pixel_slot(host, stream_builder{}.set_texture(wire_ps, 0, 0)) == seen_slot{});
}

TEMPLATE_LIST_TEST_CASE(
    "CP-105 destroying a texture clears its slots in every context, but not those "
    "of its alias",
    "[conformance][processor]", backends) {
  using namespace binding_case;
  processor_host<TestType> host;
  REQUIRE(host.run(draw_scene()
                       .create_texture(1, {})
                       .export_surface(1, 7)
                       .import_surface(2, 7)
                       .create_texture(3, {})) == error_code::none);
  for (const std::uint32_t context : {0u, 5u}) {
    const auto stream = bound_scene()
                            .set_texture(wire_ps, 0, 1)
                            .set_texture(wire_ps, 1, 2)
                            .set_texture(wire_ps, 2, 3);
    CHECK(pixel_slot(host, stream, 0, context) == seen_slot{1, 0});
  }
  REQUIRE(host.run(stream_builder{}.destroy(1)) == error_code::none);
  for (const std::uint32_t context : {0u, 5u}) {
    CHECK(pixel_slot(host, stream_builder{}, 0, context) == seen_slot{});
    CHECK(pixel_slot(host, stream_builder{}, 1, context).texture != 0);
    CHECK(pixel_slot(host, stream_builder{}, 2, context) == seen_slot{3, 0});
  }
  REQUIRE(host.run(stream_builder{}.destroy(2).create_texture(1, {}).create_texture(2, {})) ==
          error_code::none);
  CHECK(pixel_slot(host, stream_builder{}, 0) == seen_slot{});
  CHECK(pixel_slot(host, stream_builder{}, 1) == seen_slot{});
}

TEMPLATE_LIST_TEST_CASE(
    "CP-105 destroying a target unbinds it, and destroying the last one leaves "
    "nothing to draw into",
    "[conformance][processor]", backends) {
  processor_host<TestType> host;
  REQUIRE(host.run(draw_scene()
                       .create_texture(1, scene::target_spec)
                       .create_texture(
                           2, {.format = AEROGPU_FORMAT_D32_FLOAT, .width = 8, .height = 8})) ==
          error_code::none);
  const auto sees_count = [&](const stream_builder& stream, std::uint32_t colors, bool depth) {
    int seen = 0;
    CHECK(run_seeing_draws(host, stream, [&](const auto& call) {
            ++seen;
            CHECK(call.state.targets.color_count == colors);
            CHECK((call.state.targets.depth_stencil.texture != nullptr) == depth);
          }) == error_code::none);
    CHECK(seen == 1);
  };
  sees_count(bound_scene().targets({scene::target, 1}, 2).draw(3), 2, true);
  sees_count(stream_builder{}.destroy(1).draw(3), 1, true);
  sees_count(stream_builder{}.destroy(scene::target).draw(3), 0, true);
  CHECK(host.run(stream_builder{}.destroy(2).draw(3)) == error_code::missing_binding);
}

TEMPLATE_LIST_TEST_CASE("CP-105 destroying a buffer unbinds it from every table",
                        "[conformance][processor]", backends) {
  processor_host<TestType> host;
  REQUIRE(host.run(draw_scene().create_buffer(1, 64)) == error_code::none);
  REQUIRE(host.run(bound_scene()
                       .index_buffer(1)
                       .constant_buffers(wire_ps, 0, {{1, 0, 0}})
                       .resource_buffers(wire_ps, 0, {{1, 0, 0}})
                       .unordered_access(wire_cs, 0, {{1, 0, 0}})
                       .draw_indexed(3)
                       .dispatch(1, 1, 1)) == error_code::none);
  REQUIRE(host.run(stream_builder{}.destroy(1).create_buffer(1, 64)) == error_code::none);
  CHECK(host.run(stream_builder{}.draw_indexed(3)) == error_code::missing_binding);
  int seen = 0;
  CHECK(run_seeing_draws(host, stream_builder{}.draw(3), [&](const auto& call) {
          ++seen;
          const auto& ps = call.state.stages[index_of(shader_stage::pixel)];
          CHECK(ps.constant_buffers[0].buffer == nullptr);
          CHECK(ps.resources[0].buffer.buffer == nullptr);
        }) == error_code::none);
  CHECK(run_seeing_dispatches(host, stream_builder{}.dispatch(1, 1, 1), [&](const auto& call) {
          ++seen;
          const auto& cs = call.state.stages[index_of(shader_stage::compute)];
          CHECK(cs.unordered_access[0].buffer == nullptr);
        }) == error_code::none);
  CHECK(seen == 2);
}

TEMPLATE_LIST_TEST_CASE("CP-120 D3D9 states outside the tables are ignored",
                        "[conformance][processor]", backends) {
  processor_host<TestType> host;
  CHECK(host.run(stream_builder{}
                     .sampler_state(AEROGPU_SHADER_STAGE_PIXEL, 16, 5, 2)
                     .sampler_state(AEROGPU_SHADER_STAGE_PIXEL, 0xFFFFFFFF, 5, 2)
                     .sampler_state(AEROGPU_SHADER_STAGE_COMPUTE, 0, 5, 2)
                     .sampler_state(9, 0, 5, 2)
                     .sampler_state(AEROGPU_SHADER_STAGE_VERTEX, 0, 0, 2)
                     .sampler_state(AEROGPU_SHADER_STAGE_VERTEX, 0, 14, 2)
                     .sampler_state(AEROGPU_SHADER_STAGE_VERTEX, 0, 0xFFFFFFFF, 2)
                     .render_state(5000, 1)
                     .render_state(4096, 1)
                     .render_state(4097, 1)
                     .render_state(0xFFFFFFFF, 1)) == error_code::none);
}

TEMPLATE_LIST_TEST_CASE("CP-122 a texture made after a destroyed target is hidden while it is one",
                        "[conformance][processor]", backends) {
  using namespace binding_case;
  processor_host<TestType> host;
  REQUIRE(host.run(draw_scene().create_texture(1, scene::target_spec)) == error_code::none);
  CHECK(pixel_slot(host, bound_scene().targets({1})) == seen_slot{});
  const auto replace = stream_builder{}.destroy(1).create_texture(2, scene::target_spec);
  CHECK(pixel_slot(host, stream_builder{replace}.targets({2}).set_texture(wire_ps, 0, 2)) ==
        seen_slot{});
  CHECK(pixel_slot(host, stream_builder{}.targets({scene::target})) == seen_slot{2, 0});
}

}  // namespace aerogpu::conformance

// SPDX-License-Identifier: MIT
/// \file CP-090..094, CP-106 and CP-107: shaders, constants and input layouts.
#pragma once

#include "tests/catch.hpp"
#include "tests/conformance/backends.hpp"
#include "tests/conformance/printing.hpp"
#include "tests/conformance/processor/draw_scene.hpp"
#include "tests/conformance/processor/processor_host.hpp"
#include "tests/support/byte_code/shaders.hpp"
#include "tests/support/layout_blobs.hpp"

#include <array>
#include <cstdint>
#include <vector>

namespace aerogpu::conformance {

TEMPLATE_LIST_TEST_CASE(
    "CP-090 CREATE_SHADER checks handle, size, stage and the program's own stage",
    "[conformance][processor]", backends) {
  processor_host<TestType> host;
  const auto create = [&](std::uint32_t handle, wire_stage stage, const byte_vector& code) {
    return host.run(stream_builder{}.create_shader(handle, stage, code));
  };
  CHECK(create(0, wire_vs, vs_2_0_position()) == error_code::invalid_handle);
  CHECK(create(1, wire_vs, {}) == error_code::invalid_parameter);
  CHECK(create(1, {7, 0}, vs_2_0_position()) == error_code::invalid_parameter);
  CHECK(create(1, {6, 0}, vs_2_0_position()) == error_code::invalid_parameter);
  CHECK(create(1, wire_ps, vs_2_0_position()) == error_code::wrong_kind);
  CHECK(create(1, wire_vs, ps_2_0_white()) == error_code::wrong_kind);
  CHECK(create(1, wire_vs, ps_4_0_white()) == error_code::wrong_kind);
  CHECK(create(1, wire_cs, vs_4_0_origin()) == error_code::wrong_kind);
  CHECK(create(1, wire_cs, gs_4_0_point()) == error_code::wrong_kind);
  CHECK(host.counts().shaders == 0);
  CHECK(create(1, wire_vs, vs_2_0_position()) == error_code::none);
  CHECK(create(1, wire_vs, vs_2_0_position()) == error_code::handle_in_use);
  CHECK(create(1, wire_ps, ps_2_0_white()) == error_code::handle_in_use);
}

TEMPLATE_LIST_TEST_CASE("CP-090 of two faults CREATE_SHADER tells the one that is checked first",
                        "[conformance][processor]", backends) {
  constexpr wire_stage no_stage{7, 0};
  const byte_vector no_program = filled(64, 0xAB);
  const auto [handle, stage, code, expected] =
      GENERATE_COPY(table<std::uint32_t, wire_stage, byte_vector, error_code>({
          {0, wire_vs, {}, error_code::invalid_handle},
          {0, no_stage, vs_2_0_position(), error_code::invalid_handle},
          {1, wire_vs, {}, error_code::invalid_parameter},
          {1, no_stage, vs_2_0_position(), error_code::handle_in_use},
          {1, wire_vs, no_program, error_code::handle_in_use},
          {1, wire_ps, vs_2_0_position(), error_code::handle_in_use},
          {2, wire_ps, no_program, error_code::invalid_parameter},
      }));
  processor_host<TestType> host;
  REQUIRE(host.run(stream_builder{}.create_shader(1, wire_vs, vs_2_0_position())) ==
          error_code::none);
  CHECK(host.run(stream_builder{}.create_shader(handle, stage, code)) == expected);
}

TEMPLATE_LIST_TEST_CASE("CP-090 CREATE_SHADER refuses bytes that are no program",
                        "[conformance][processor]", backends) {
  processor_host<TestType> host;
  byte_vector truncated = vs_2_0_position();
  truncated.resize(truncated.size() - 8);
  byte_vector outside = vs_4_0_origin();
  store(outside.data() + 32, std::uint32_t{0xFFFFFFF0});  // offset of the first chunk
  const auto code = GENERATE_COPY(filled(64, 0xAB), filled(3, 0), truncated, outside,
                                  bytes_from({'D', 'X', 'B', 'C'}));
  CHECK(host.run(stream_builder{}.create_shader(1, wire_vs, code)) ==
        error_code::invalid_parameter);
  CHECK(host.counts().shaders == 0);
}

TEMPLATE_LIST_TEST_CASE("CP-091 stage_ex counts from minor 3 on, and 1 and 6 name no stage",
                        "[conformance][processor]", backends) {
  const auto [minor, stage, stage_ex, expected] =
      GENERATE(table<std::uint32_t, std::uint32_t, std::uint32_t, error_code>({
          {2, 2, 0xDEADBEEF, error_code::none},  // compute
          {2, 2, 3, error_code::none},
          {0, 2, 1, error_code::none},
          {3, 2, 0, error_code::none},
          {3, 2, 5, error_code::none},
          {4, 2, 5, error_code::none},
          {3, 2, 1, error_code::invalid_parameter},
          {3, 2, 6, error_code::invalid_parameter},
          {4, 2, 0xFFFFFFFF, error_code::invalid_parameter},
          {99, 2, 1, error_code::invalid_parameter},
          {3, 2, 2, error_code::wrong_kind},  // geometry, hull and domain; the program is compute
          {3, 2, 3, error_code::wrong_kind},
          {3, 2, 4, error_code::wrong_kind},
          {4, 3, 0xDEADBEEF, error_code::wrong_kind},
          {4, 4, 0, error_code::wrong_kind},  // hull and domain as legacy writers spell them
          {2, 5, 0, error_code::wrong_kind},
      }));
  processor_host<TestType> host;
  CHECK(host.run(stream_builder{minor}.create_shader(1, {stage, stage_ex}, cs_5_0_nothing())) ==
        expected);
  if (stage == 2 && stage_ex == 2) {
    CHECK(host.run(stream_builder{minor}.create_shader(1, {stage, stage_ex}, gs_4_0_point())) ==
          error_code::none);
  }
}

TEMPLATE_LIST_TEST_CASE("CP-091 every packet that names a stage obeys stage_ex",
                        "[conformance][processor]", backends) {
  const auto add = GENERATE(values<void (*)(stream_builder&, wire_stage)>({
      [](stream_builder& s, wire_stage at) {
        s.constants_f(at, 0, {{1, 1, 1, 1}});
      },
      [](stream_builder& s, wire_stage at) { s.set_texture(at, 0, 0); },
      [](stream_builder& s, wire_stage at) { s.samplers(at, 0, {0}); },
      [](stream_builder& s, wire_stage at) { s.constant_buffers(at, 0, {{}}); },
      [](stream_builder& s, wire_stage at) { s.resource_buffers(at, 0, {{}}); },
      [](stream_builder& s, wire_stage at) { s.unordered_access(at, 0, {{}}); },
      [](stream_builder& s, wire_stage at) { s.dispatch(0, 0, 0, at.stage_ex); },
  }));
  const auto run = [&](std::uint32_t minor, std::uint32_t stage_ex) {
    processor_host<TestType> host;
    stream_builder stream{minor};
    add(stream, {AEROGPU_SHADER_STAGE_COMPUTE, stage_ex});
    return host.run(stream);
  };
  for (const std::uint32_t good : {0u, 2u, 3u, 4u, 5u}) CHECK(run(3, good) == error_code::none);
  for (const std::uint32_t bad : {1u, 6u, 0xFFFFFFFFu}) {
    CHECK(run(3, bad) == error_code::invalid_parameter);
    CHECK(run(2, bad) == error_code::none);
  }
}

namespace shader_case {

inline constexpr std::uint32_t gs = 50, dead = 99;

/// The scene with a geometry shader, drawing points.
[[nodiscard]] inline auto base_objects() -> stream_builder {
  return draw_scene().create_shader(gs, wire_gs, gs_4_0_point());
}
/// Targets and topology for one draw, after a binding of shaders.
[[nodiscard]] inline auto drawn(stream_builder stream) -> stream_builder {
  return stream.targets({scene::target}).topology(AEROGPU_TOPOLOGY_POINTLIST).draw(1);
}

}  // namespace shader_case

TEMPLATE_LIST_TEST_CASE("CP-092 the short BIND_SHADERS holds the geometry shader in reserved0",
                        "[conformance][processor]", backends) {
  using namespace shader_case;
  processor_host<TestType> host;
  REQUIRE(host.run(base_objects()) == error_code::none);
  int seen = 0;
  const auto sees_gs = [&](const auto& call) {
    ++seen;
    CHECK(call.state.stages[index_of(shader_stage::geometry)].shader != nullptr);
  };
  CHECK(run_seeing_draws(host, drawn(stream_builder{}.bind_shaders(scene::vs, scene::ps, 0, gs)),
                         sees_gs) == error_code::none);
  CHECK(seen == 1);
  CHECK(host.run(drawn(stream_builder{}.bind_shaders(scene::vs, scene::ps, 0, dead))) ==
        error_code::unknown_handle);
}

TEMPLATE_LIST_TEST_CASE("CP-092 the long BIND_SHADERS ignores reserved0",
                        "[conformance][processor]", backends) {
  using namespace shader_case;
  processor_host<TestType> host;
  REQUIRE(host.run(base_objects()) == error_code::none);
  const auto geometry_of = [&](const stream_builder& stream) {
    bool has_gs = false;
    CHECK(run_seeing_draws(host, drawn(stream), [&](const auto& call) {
            has_gs = call.state.stages[index_of(shader_stage::geometry)].shader != nullptr;
          }) == error_code::none);
    return has_gs;
  };
  CHECK_FALSE(
      geometry_of(stream_builder{}.bind_all_shaders({scene::vs, scene::ps, 0, gs}, {0, 0, 0})));
  CHECK(
      geometry_of(stream_builder{}.bind_all_shaders({scene::vs, scene::ps, 0, dead}, {gs, 0, 0})));
  // 28 and 32 bytes: neither reserved0 nor the partial tail is a shader.
  for (const std::size_t tail : {4u, 8u}) {
    stream_builder stream;
    stream.add(aerogpu_cmd_bind_shaders{{}, scene::vs, scene::ps, 0, dead}, filled(tail, dead));
    CHECK_FALSE(geometry_of(stream));
  }
}

TEMPLATE_LIST_TEST_CASE("CP-092 the short BIND_SHADERS unbinds hull and domain",
                        "[conformance][processor]", backends) {
  using namespace shader_case;
  processor_host<TestType> host;
  REQUIRE(host.run(base_objects()) == error_code::none);
  const auto patches = [](stream_builder stream) {
    return stream.targets({scene::target}).topology(AEROGPU_TOPOLOGY_PATCHLIST_1).draw(1);
  };
  CHECK(host.run(patches(stream_builder{}.bind_all_shaders(
            {scene::vs, scene::ps, 0, 0}, {0, dead, dead}))) == error_code::unknown_handle);
  CHECK(host.run(patches(stream_builder{}.bind_shaders(scene::vs, scene::ps))) ==
        error_code::missing_binding);
}

TEMPLATE_LIST_TEST_CASE("CP-093 constants stay inside the register files",
                        "[conformance][processor]", backends) {
  processor_host<TestType> host;
  const std::vector<std::array<float, 4>> f1(1);
  const std::vector<std::array<std::int32_t, 4>> i1(1);
  const std::vector<std::array<std::uint32_t, 4>> b1(1);
  const auto run = [&](const stream_builder& stream) { return host.run(stream); };
  constexpr auto none = error_code::none, bad = error_code::invalid_parameter;

  SECTION("count 0 does nothing, wherever it starts") {
    CHECK(run(stream_builder{}
                  .constants_f(wire_vs, 0xFFFFFFFF, {})
                  .constants_i(wire_vs, 0xFFFFFFFF, {})
                  .constants_b(wire_ps, 0xFFFFFFFF, {})) == none);
  }
  SECTION("floats reach to 4095 in every stage") {
    for (const std::uint32_t stage : {0u, 1u, 2u, 3u, 4u, 5u}) {
      CHECK(run(stream_builder{}.constants_f({stage, 0}, 4095, f1)) == none);
      CHECK(run(stream_builder{}.constants_f({stage, 0}, 4096, f1)) == bad);
    }
    CHECK(run(stream_builder{}.constants_f(wire_vs, 0, std::vector<std::array<float, 4>>(4096))) ==
          none);
    CHECK(run(stream_builder{}.constants_f(wire_vs, 1, std::vector<std::array<float, 4>>(4096))) ==
          bad);
    CHECK(run(stream_builder{}.constants_f(wire_vs, 0xFFFFFFFF, f1)) == bad);
  }
  SECTION("integers and booleans reach to 255, in vertex and pixel stages only") {
    CHECK(run(stream_builder{}.constants_i(wire_vs, 255, i1).constants_b(wire_ps, 255, b1)) ==
          none);
    CHECK(run(stream_builder{}.constants_i(wire_vs, 256, i1)) == bad);
    CHECK(run(stream_builder{}.constants_b(wire_ps, 256, b1)) == bad);
    CHECK(run(stream_builder{}.constants_i(wire_ps, 0xFFFFFFFF, i1)) == bad);
    CHECK(run(stream_builder{}.constants_b(wire_vs, 0xFFFFFFFF, b1)) == bad);
    for (const wire_stage stage : {wire_cs, wire_gs, wire_stage{2, 3}, wire_stage{4, 0}}) {
      CHECK(run(stream_builder{}.constants_i(stage, 0, i1)) == bad);
      CHECK(run(stream_builder{}.constants_b(stage, 0, b1)) == bad);
    }
  }
  SECTION("an unknown stage is refused") {
    CHECK(run(stream_builder{}.constants_f({6, 0}, 0, f1)) == bad);
    CHECK(run(stream_builder{}.constants_i({6, 0}, 0, i1)) == bad);
    CHECK(run(stream_builder{}.constants_b({0xFFFFFFFF, 0}, 0, b1)) == bad);
  }
}

TEMPLATE_LIST_TEST_CASE("CP-093 constants arrive in their registers", "[conformance][processor]",
                        backends) {
  processor_host<TestType> host;
  REQUIRE(host.run(draw_scene()) == error_code::none);
  int seen = 0;
  CHECK(run_seeing_draws(host,
                         bound_scene()
                             .constants_f(wire_vs, 2, {{1, 2, 3, 4}, {5, 6, 7, 8}})
                             .constants_f(wire_ps, 4095, {{9, 9, 9, 9}})
                             .constants_i(wire_ps, 255, {{-1, 0, 1, 2}})
                             .draw(3),
                         [&](const auto& call) {
                           ++seen;
                           const auto& vs = call.state.stages[index_of(shader_stage::vertex)];
                           const auto& ps = call.state.stages[index_of(shader_stage::pixel)];
                           REQUIRE(vs.constants.floats.size() >= 4);
                           CHECK(vs.constants.floats[0] == vec4f{});
                           CHECK(vs.constants.floats[2] == vec4f{1, 2, 3, 4});
                           CHECK(vs.constants.floats[3] == vec4f{5, 6, 7, 8});
                           REQUIRE(ps.constants.floats.size() == 4096);
                           CHECK(ps.constants.floats[4095] == vec4f{9, 9, 9, 9});
                           REQUIRE(ps.constants.ints.size() == 256);
                           CHECK(ps.constants.ints[255] == vec4i{-1, 0, 1, 2});
                         }) == error_code::none);
  CHECK(seen == 1);
}

TEMPLATE_LIST_TEST_CASE("CP-094 a bool register is 16 bytes, and true when any lane is not zero",
                        "[conformance][processor]", backends) {
  processor_host<TestType> host;
  REQUIRE(host.run(draw_scene()) == error_code::none);
  int seen = 0;
  CHECK(run_seeing_draws(
            host,
            bound_scene()
                .constants_b(
                    wire_ps, 1,
                    {{1, 0, 0, 0}, {0, 7, 0, 0}, {0, 0, 0x80000000, 0}, {0, 0, 0, 1}, {0, 0, 0, 0}})
                .draw(3),
            [&](const auto& call) {
              ++seen;
              const auto bools = call.state.stages[index_of(shader_stage::pixel)].constants.bools;
              REQUIRE(bools.size() >= 6);
              for (const std::size_t i : {1u, 2u, 3u, 4u}) CHECK(bools[i] == 1);
              CHECK(bools[0] == 0);
              CHECK(bools[5] == 0);
            }) == error_code::none);
  CHECK(seen == 1);
  // Neither 16 nor 4 bytes a register.
  CHECK(host.run(stream_builder{}.add(aerogpu_cmd_set_shader_constants_b{{}, 1, 0, 4, 0},
                                      filled(20, 1))) == error_code::framing);
}

TEMPLATE_LIST_TEST_CASE("CP-094 a bool register is 4 bytes where the packet's size leaves no other",
                        "[conformance][processor]", backends) {
  processor_host<TestType> host;
  REQUIRE(host.run(draw_scene()) == error_code::none);
  int seen = 0;
  CHECK(run_seeing_draws(host,
                         bound_scene()
                             .constants_b(wire_ps, 0, {{1, 1, 1, 1}, {1, 1, 1, 1}})
                             .compact_constants_b(wire_ps, 1, {0, 7, 0x80000000, 0, 1})
                             .compact_constants_b(wire_ps, 255, {1})
                             .draw(3),
                         [&](const auto& call) {
                           ++seen;
                           const auto& ps = call.state.stages[index_of(shader_stage::pixel)];
                           const auto bools = ps.constants.bools;
                           REQUIRE(bools.size() == 256);
                           CHECK(bools[0] == 1);
                           CHECK(bools[1] == 0);
                           CHECK(bools[2] == 1);
                           CHECK(bools[3] == 1);
                           CHECK(bools[4] == 0);
                           CHECK(bools[5] == 1);
                           CHECK(bools[6] == 0);
                           CHECK(bools[255] == 1);
                         }) == error_code::none);
  CHECK(seen == 1);
  CHECK(host.run(stream_builder{}.compact_constants_b(wire_ps, 255, {1, 1})) ==
        error_code::invalid_parameter);
  CHECK(host.run(stream_builder{}.compact_constants_b(wire_gs, 0, {1})) ==
        error_code::invalid_parameter);
}

TEMPLATE_LIST_TEST_CASE("CP-106 CREATE_INPUT_LAYOUT checks an ILAY blob",
                        "[conformance][processor]", backends) {
  processor_host<TestType> host;
  const auto create = [&](const byte_vector& blob) {
    return host.run(stream_builder{}.create_layout(1, blob).destroy_layout(1));
  };
  constexpr auto bad = error_code::invalid_parameter;
  const byte_vector good = ilay_blob({{}});
  CHECK(host.run(stream_builder{}.create_layout(0, good)) == error_code::invalid_handle);
  CHECK(create(good) == error_code::none);
  CHECK(create(ilay_blob({})) == error_code::none);
  CHECK(create({}) == bad);
  CHECK(create(part_of(good, 0, 4)) == bad);
  CHECK(create(part_of(good, 0, 15)) == bad);
  CHECK(create(part_of(good, 0, good.size() - 1)) == bad);
  CHECK(create(ilay_blob({{}}, 0)) == bad);
  CHECK(create(ilay_blob({{}}, 2)) == bad);
  CHECK(create(ilay_blob({{.slot = 31}})) == error_code::none);
  CHECK(create(ilay_blob({{.slot = 32}})) == bad);
  CHECK(create(ilay_blob(std::vector<ilay_element>(32))) == error_code::none);
  CHECK(create(ilay_blob(std::vector<ilay_element>(33))) == bad);
  byte_vector trailing = good;
  trailing.resize(good.size() + 9, std::byte{0xFF});
  CHECK(create(trailing) == error_code::none);
  byte_vector flagged = good;
  flagged[12] = std::byte{1};  // The reserved word.
  CHECK(create(flagged) == error_code::none);
  byte_vector huge = good;
  store(huge.data() + 8, 0xFFFFFFFFu);  // element_count
  CHECK(create(huge) == bad);
}

TEMPLATE_LIST_TEST_CASE("CP-106 CREATE_INPUT_LAYOUT looks at the handle before the blob",
                        "[conformance][processor]", backends) {
  processor_host<TestType> host;
  const byte_vector good = ilay_blob({{}}), bad = ilay_blob({{.slot = 32}});
  REQUIRE(host.run(stream_builder{}.create_layout(1, good)) == error_code::none);
  CHECK(host.run(stream_builder{}.create_layout(1, bad)) == error_code::handle_in_use);
  CHECK(host.run(stream_builder{}.create_layout(0, bad)) == error_code::invalid_handle);
  CHECK(host.run(stream_builder{}.create_layout(2, bad)) == error_code::invalid_parameter);
}

TEMPLATE_LIST_TEST_CASE("CP-106 a blob of another magic is read as a declaration",
                        "[conformance][processor]", backends) {
  processor_host<TestType> host;
  byte_vector blob = ilay_blob({{}});
  blob[0] = std::byte{'X'};
  CHECK(host.run(stream_builder{}.create_layout(1, blob)) == error_code::invalid_parameter);
  CHECK(host.run(stream_builder{}.create_layout(1, declaration_blob({{}, declaration_end}))) ==
        error_code::none);
  CHECK(host.run(stream_builder{}.create_layout(1, ilay_blob({{}}))) == error_code::handle_in_use);
}

TEMPLATE_LIST_TEST_CASE("CP-107 a declaration has an end, whole elements and streams below 16",
                        "[conformance][processor]", backends) {
  processor_host<TestType> host;
  const auto create = [&](const byte_vector& blob) {
    return host.run(stream_builder{}.create_layout(1, blob).destroy_layout(1));
  };
  constexpr auto bad = error_code::invalid_parameter;
  const byte_vector good = declaration_blob({{.stream = 15}, declaration_end});
  CHECK(create(good) == error_code::none);
  CHECK(create(declaration_blob({{}})) == bad);
  CHECK(create(part_of(good, 0, 15)) == bad);
  CHECK(create(part_of(good, 0, 12)) == bad);
  CHECK(create(declaration_blob({{.stream = 16}, declaration_end})) == bad);
  CHECK(create(declaration_blob({{.type = 17}, declaration_end})) == error_code::none);
}

}  // namespace aerogpu::conformance

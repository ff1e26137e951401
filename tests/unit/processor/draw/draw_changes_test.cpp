// SPDX-License-Identifier: MIT
// What a draw hears of buffers and samplers that came or went without a packet that binds.
#include "tests/unit/processor/pipeline_rig.hpp"

namespace aerogpu {
namespace {

using rig = pipeline_rig;

/// Change bits of the last draw of a stream.
auto bits_of(pipeline_rig& r, const stream_builder& stream) -> std::uint32_t {
  std::uint32_t changes = 0;
  REQUIRE(r.draws(stream, [&](const auto& call) { changes = call.changes; }) >= 1);
  return changes;
}

/// Whether it came with changed tables of a stage.
auto rebinds(pipeline_rig& r, const stream_builder& stream, shader_stage stage) -> bool {
  const std::uint32_t changes = bits_of(r, stream);
  const auto bit = static_cast<std::uint32_t>(state_change::stage_bindings)
                   << static_cast<std::uint32_t>(stage);
  return (changes & bit) != 0;
}

}  // namespace

TEST_CASE("a buffer that goes changes the tables of the stages that saw it, and no others",
          "[processor]") {
  pipeline_rig r;
  REQUIRE(r.run(stream_builder{}.create_buffer(70, 64).create_buffer(71, 64)) == error_code::none);
  CHECK(rebinds(r,
                rig::bound_sm4()
                    .constant_buffers(wire_vs, 0, {{70}})
                    .resource_buffers(wire_ps, 1, {{71}})
                    .draw(3),
                shader_stage::vertex));
  CHECK_FALSE(rebinds(r, stream_builder{}.create_buffer(72, 64).draw(3), shader_stage::vertex));
  CHECK_FALSE(rebinds(r, stream_builder{}.destroy(72).draw(3), shader_stage::pixel));
  const auto without_constants = stream_builder{}.destroy(70).draw(3);
  CHECK(rebinds(r, without_constants, shader_stage::vertex));
  CHECK_FALSE(rebinds(r, stream_builder{}.draw(3), shader_stage::vertex));
  CHECK(rebinds(r, stream_builder{}.destroy(71).draw(3), shader_stage::pixel));
}

TEST_CASE("the first sampler of a processor is a change when it is bound", "[processor]") {
  pipeline_rig r;
  REQUIRE(r.draws(rig::bound_sm4().draw(3)) == 1);
  REQUIRE(r.run(stream_builder{}.samplers(wire_ps, 0, {9})) == error_code::none);
  CHECK(rebinds(r, stream_builder{}.draw(3), shader_stage::pixel));
  CHECK(rebinds(r, stream_builder{}.create_sampler(9).draw(3), shader_stage::pixel));
  CHECK(rebinds(r, stream_builder{}.destroy_sampler(9).draw(3), shader_stage::pixel));
}

TEST_CASE("an index buffer that went is not there for a draw without indices", "[processor]") {
  pipeline_rig r;
  REQUIRE(r.draws(rig::bound().draw_indexed(3)) == 1);
  CHECK(r.draws(stream_builder{}.destroy(made::indices).draw(3),
                [](const auto& call) { CHECK(call.state.index_buffer.buffer == nullptr); }) == 1);
}

TEST_CASE("a texture at the address of a destroyed target is hidden while it is one",
          "[processor][hazard]") {
  pipeline_rig r;
  int draw = 0;
  r.draws(rig::bound()
              .targets({made::other_target})
              .draw(3)
              .destroy(made::other_target)
              .create_texture(40, color_spec)
              .targets({40})
              .set_texture(wire_ps, 0, 40)
              .draw(3)
              .targets({made::target})
              .draw(3),
          [&](const auto& call) { CHECK(texture_in(call, 0) == (draw++ == 2 ? 40 : 0)); });
  CHECK(draw == 3);
}

TEST_CASE("an index buffer at the address of a destroyed one is a change once a draw has indices",
          "[processor]") {
  pipeline_rig r;
  REQUIRE(r.run(stream_builder{}.create_buffer(70, 64)) == error_code::none);
  REQUIRE(r.draws(rig::bound().index_buffer(70).draw_indexed(3)) == 1);
  const auto bit = static_cast<std::uint32_t>(state_change::index_buffer);
  const auto another = stream_builder{}.destroy(70).create_buffer(71, 64).index_buffer(71).draw(3);
  CHECK((bits_of(r, stream_builder{another}.draw_indexed(3)) & bit) != 0);
  CHECK((bits_of(r, stream_builder{}.draw_indexed(3)) & bit) == 0);
}

TEST_CASE("an index buffer's offset is a change also behind a draw without indices",
          "[processor]") {
  pipeline_rig r;
  REQUIRE(r.draws(rig::bound().draw_indexed(3)) == 1);
  const auto bit = static_cast<std::uint32_t>(state_change::index_buffer);
  const auto moved =
      stream_builder{}.index_buffer(made::indices, AEROGPU_INDEX_FORMAT_UINT16, 4).draw(3);
  CHECK((bits_of(r, stream_builder{moved}.draw_indexed(3)) & bit) != 0);
  CHECK((bits_of(r, stream_builder{}.draw_indexed(3)) & bit) == 0);
}

TEST_CASE("every stage has its registers from the start", "[processor]") {
  pipeline_rig r;
  CHECK(r.draws(rig::bound().draw(3), [](const auto& call) {
    const auto& vertex = stage_of_call(call, shader_stage::vertex).constants;
    const auto& pixel = stage_of_call(call, shader_stage::pixel).constants;
    CHECK(vertex.bools.size() == pixel.bools.size());
    CHECK(vertex.ints.size() == pixel.ints.size());
  }) == 1);
}

TEST_CASE("boolean registers arrive from packets of either form", "[processor]") {
  pipeline_rig r;
  CHECK(r.draws(rig::bound()
                    .constants_b(wire_vs, 3, {{1, 1, 1, 1}, {0, 0, 0, 0}, {0, 0, 7, 0}})
                    .compact_constants_b(wire_vs, 7, {1, 0, 1})
                    .draw(3),
                [](const auto& call) {
                  const auto& bools = stage_of_call(call, shader_stage::vertex).constants.bools;
                  REQUIRE(bools.size() > 10);
                  const std::vector<std::uint8_t> seen(bools.begin() + 2, bools.begin() + 11);
                  CHECK(seen == std::vector<std::uint8_t>{0, 1, 0, 1, 0, 1, 0, 1, 0});
                }) == 1);
}

TEST_CASE("a dispatch takes its changes, and one that fails leaves them", "[processor]") {
  pipeline_rig r;
  std::uint32_t changes = 0;
  const auto see = [&](const auto& call) { changes = call.changes; };
  const auto compute = static_cast<std::uint32_t>(state_change::stage_bindings)
                       << static_cast<std::uint32_t>(shader_stage::compute);
  REQUIRE(r.dispatches(rig::bound_sm4().dispatch(1, 1, 1), see) == 1);
  CHECK((changes & compute) != 0);
  REQUIRE(r.dispatches(stream_builder{}.dispatch(1, 1, 1), see) == 1);
  CHECK((changes & compute) == 0);
  r.backend.plan({.at_call = 2});
  CHECK(r.run(stream_builder{}.dispatch(1, 1, 1)) == error_code::out_of_memory);
  r.backend.plan({});
  REQUIRE(r.dispatches(stream_builder{}.dispatch(1, 1, 1), see) == 1);
  CHECK((changes & compute) != 0);
}

TEST_CASE("a copy within one buffer may touch itself and not overlap", "[processor]") {
  const auto [to, from, is_apart] = GENERATE(table<std::uint64_t, std::uint64_t, bool>({
      {0, 8, true},
      {8, 0, true},
      {4, 8, false},
      {8, 4, false},
      {8, 8, false},
      {16, 0, true},
      {0, 16, true},
      {12, 16, false},
  }));
  pipeline_rig r;
  CHECK(r.run(stream_builder{}.copy_buffer(made::buffer, to, made::buffer, from, 8)) ==
        (is_apart ? error_code::none : error_code::invalid_parameter));
}

}  // namespace aerogpu

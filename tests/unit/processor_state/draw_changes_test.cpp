// SPDX-License-Identifier: MIT
// What a draw hears of buffers and samplers that came or went without a packet that binds.
#include "tests/unit/processor_state/pipeline_rig.hpp"

namespace aerogpu {
namespace {

using rig = pipeline_rig;

/// Whether the last draw of a stream came with changed tables of a stage.
auto rebinds(pipeline_rig& r, const stream_builder& stream, shader_stage stage) -> bool {
  std::uint32_t changes = 0;
  REQUIRE(r.draws(stream, [&](const auto& call) { changes = call.changes; }) == 1);
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

}  // namespace aerogpu

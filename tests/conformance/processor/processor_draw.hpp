// SPDX-License-Identifier: MIT
/// \file CP-114..117: blend packets, draws and dispatches without a rasteriser.
#pragma once

#include "tests/catch.hpp"
#include "tests/conformance/backends.hpp"
#include "tests/conformance/printing.hpp"
#include "tests/conformance/processor/draw_scene.hpp"
#include "tests/conformance/processor/processor_host.hpp"
#include "tests/support/layout_blobs.hpp"

#include <cstdint>

namespace aerogpu::conformance {

namespace draw_case {

/// SET_BLEND_STATE cut to `size` bytes, all fields other than their defaults.
[[nodiscard]] inline auto blend_packet(std::uint32_t size) -> byte_vector {
  const aerogpu_cmd_set_blend_state packet{
      {AEROGPU_CMD_SET_BLEND_STATE, size},
      {1,
       AEROGPU_BLEND_SRC_ALPHA,
       AEROGPU_BLEND_INV_SRC_ALPHA,
       AEROGPU_BLEND_OP_SUBTRACT,
       0x5,
       {},
       AEROGPU_BLEND_DEST_ALPHA,
       AEROGPU_BLEND_CONSTANT,
       AEROGPU_BLEND_OP_MAX,
       {as_bits(0.25f), as_bits(0.5f), as_bits(0.75f), as_bits(0.125f)},
       0xFFFF0001}};
  const const_bytes bytes = bytes_of(packet).first(size);
  return {bytes.begin(), bytes.end()};
}

}  // namespace draw_case

TEMPLATE_LIST_TEST_CASE("CP-114 a short SET_BLEND_STATE has defaults for what it lacks",
                        "[conformance][processor]", backends) {
  const auto size = GENERATE(28u, 32u, 36u, 40u, 44u, 56u, 60u);
  CAPTURE(size);
  processor_host<TestType> host;
  REQUIRE(host.run(draw_scene()) == error_code::none);
  int seen = 0;
  const auto see = [&](const auto& call) {
    ++seen;
    const blend_state& blend = call.state.fixed->blend;
    CHECK(blend.enable);
    CHECK(blend.color.source == blend_factor::src_alpha);
    CHECK(blend.color.destination == blend_factor::inv_src_alpha);
    CHECK(blend.color.op == AEROGPU_BLEND_OP_SUBTRACT);
    for (const std::uint8_t mask : blend.write_masks) CHECK(mask == 0x5);
    CHECK(blend.alpha.source == (size >= 32 ? blend_factor::dest_alpha : blend_factor::src_alpha));
    CHECK(blend.alpha.destination ==
          (size >= 36 ? blend_factor::constant : blend_factor::inv_src_alpha));
    CHECK(blend.alpha.op == (size >= 40 ? AEROGPU_BLEND_OP_MAX : AEROGPU_BLEND_OP_SUBTRACT));
    const std::array<float, 4> sent{0.25f, 0.5f, 0.75f, 0.125f};
    for (std::size_t i = 0; i < 4; ++i) {
      CHECK(blend.constant[i] == (size >= 44 + 4 * i ? sent[i] : 1.0f));
    }
    CHECK(blend.sample_mask == (size >= 60 ? 0xFFFF0001u : 0xFFFFFFFFu));
  };
  const auto packet = draw_case::blend_packet(size);
  CHECK(run_seeing_draws(host, bound_scene().append(packet).draw(3), see) == error_code::none);
  CHECK(seen == 1);
}

TEMPLATE_LIST_TEST_CASE("CP-114 a SET_BLEND_STATE of 24 bytes is a framing error",
                        "[conformance][processor]", backends) {
  processor_host<TestType> host;
  CHECK(host.run(stream_builder{}.create_buffer(1, 16).append(draw_case::blend_packet(24))) ==
        error_code::framing);
  CHECK_FALSE(host.is_live(1));
}

TEMPLATE_LIST_TEST_CASE("CP-115 a draw of nothing needs nothing", "[conformance][processor]",
                        backends) {
  processor_host<TestType> host;
  CHECK(host.run(stream_builder{}.draw(0, 1).draw(3, 0).draw_indexed(0, 1).draw_indexed(3, 0)) ==
        error_code::none);
  CHECK(host.run(stream_builder{}.draw(3)) == error_code::missing_binding);
  CHECK(host.run(stream_builder{}.draw_indexed(3)) == error_code::missing_binding);
}

TEMPLATE_LIST_TEST_CASE("CP-115 a draw needs a vertex shader, a target and what SM2 shaders read",
                        "[conformance][processor]", backends) {
  processor_host<TestType> host;
  REQUIRE(host.run(draw_scene()
                       .create_shader(1, wire_vs, vs_2_0_position())
                       .create_shader(2, wire_ps, ps_2_0_white())
                       .create_layout(3, declaration_blob({{}, declaration_end}))
                       .create_buffer(4, 48)) == error_code::none);
  constexpr auto missing = error_code::missing_binding;
  CHECK(host.run(stream_builder{}.targets({scene::target}).draw(3)) == missing);
  CHECK(host.run(stream_builder{}.bind_shaders(scene::vs, 0).draw(3)) == error_code::none);
  CHECK(host.run(stream_builder{}.targets({}).draw(3)) == missing);
  // SM2: a pixel shader, a layout and a vertex buffer with a stride.
  CHECK(host.run(stream_builder{}.targets({scene::target}).bind_shaders(1, 0).draw(3)) == missing);
  CHECK(host.run(stream_builder{}.bind_shaders(1, 2).draw(3)) == missing);
  CHECK(host.run(stream_builder{}.set_layout(3).draw(3)) == missing);
  CHECK(host.run(stream_builder{}.vertex_buffer(0, 4, 0).draw(3)) == missing);
  CHECK(host.run(stream_builder{}.vertex_buffer(0, 4, 16).draw(3)) == error_code::none);
  CHECK(host.run(stream_builder{}.destroy_shader(1).draw(3)) == error_code::unknown_handle);
}

TEMPLATE_LIST_TEST_CASE("CP-116 a compute shader alone does not draw", "[conformance][processor]",
                        backends) {
  processor_host<TestType> host;
  REQUIRE(host.run(draw_scene()) == error_code::none);
  CHECK(host.run(stream_builder{}.targets({scene::target}).bind_shaders(0, 0, scene::cs).draw(3)) ==
        error_code::missing_binding);
  CHECK(host.run(stream_builder{}.dispatch(1, 1, 1)) == error_code::none);
}

TEMPLATE_LIST_TEST_CASE("CP-117 DISPATCH decodes its stage before it looks at its counts",
                        "[conformance][processor]", backends) {
  processor_host<TestType> host;
  constexpr auto none = error_code::none, bad = error_code::invalid_parameter;
  CHECK(host.run(stream_builder{}.dispatch(0, 1, 1).dispatch(1, 0, 1).dispatch(1, 1, 0)) == none);
  CHECK(host.run(stream_builder{}.dispatch(0, 1, 1, 1)) == bad);
  CHECK(host.run(stream_builder{}.dispatch(0, 1, 1, 6)) == bad);
  CHECK(host.run(stream_builder{2}.dispatch(0, 1, 1, 1)) == none);
  CHECK(host.run(stream_builder{}.dispatch(1, 1, 1)) == error_code::missing_binding);
  CHECK(host.run(stream_builder{}.dispatch(1, 1, 1, 2)) == error_code::missing_binding);
  CHECK(host.run(stream_builder{}.bind_shaders(0, 0, 77).dispatch(1, 1, 1)) ==
        error_code::unknown_handle);
}

TEMPLATE_LIST_TEST_CASE("CP-117 DISPATCH takes up to 65535 groups each way",
                        "[conformance][processor]", backends) {
  processor_host<TestType> host;
  REQUIRE(host.run(draw_scene().bind_shaders(0, 0, scene::cs)) == error_code::none);
  CHECK(host.run(stream_builder{}.dispatch(65535, 1, 1).dispatch(1, 1, 65535)) == error_code::none);
  constexpr auto bad = error_code::invalid_parameter;
  CHECK(host.run(stream_builder{}.dispatch(65536, 1, 1)) == bad);
  CHECK(host.run(stream_builder{}.dispatch(1, 65536, 1)) == bad);
  CHECK(host.run(stream_builder{}.dispatch(1, 1, 0xFFFFFFFF)) == bad);
  CHECK(host.run(stream_builder{}.dispatch(0, 0xFFFFFFFF, 1)) == error_code::none);
}

}  // namespace aerogpu::conformance

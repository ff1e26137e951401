// SPDX-License-Identifier: MIT
// Shaders of a snapshot, which the backend gets when a draw or dispatch needs them.
#include "tests/catch.hpp"
#include "tests/support/byte_code/shaders.hpp"
#include "tests/unit/processor/processor_fixture.hpp"

#include <cstdint>
#include <string_view>

using namespace aerogpu;
using namespace aerogpu::test;

namespace {

constexpr std::uint32_t target = 1, vertex = 1, pixel = 2, compute = 3, poisoned = 4, unused = 5;
/// begin_submission is the first call of a submission, and a draw's first shader the second.
constexpr std::uint64_t first_shader_call = 2;

auto save_all(processor_fixture& from) -> byte_vector {
  snapshot_writer out;
  REQUIRE(from.processor.save(out));
  return {out.bytes().begin(), out.bytes().end()};
}

/// Of a guest that bound all that it needs to draw and to dispatch.
auto saved() -> byte_vector {
  processor_fixture from;
  REQUIRE(from.run(stream_builder{}
                       .create_texture(target, {.usage = AEROGPU_RESOURCE_USAGE_RENDER_TARGET})
                       .create_shader(vertex, wire_vs, vs_4_0_origin())
                       .create_shader(pixel, wire_ps, ps_4_0_white())
                       .create_shader(compute, wire_cs, cs_5_0_nothing())
                       .create_shader(poisoned, wire_ps, token_bytes({0x00000040, 3, 0x0100003E}))
                       .create_shader(unused, wire_ps, ps_2_0_white())
                       .targets({target})
                       .bind_shaders(vertex, pixel, compute)
                       .draw(3)) == error_code::none);
  CHECK(from.processor.poisoned().count == 1);
  return save_all(from);
}

struct restored : processor_fixture {
  restored() {
    const byte_vector bytes = saved();
    snapshot_reader in{bytes};
    REQUIRE(processor.load(in));
    CHECK(processor.counts().shaders == 5);
  }
};

}  // namespace

TEST_CASE("a load makes no shader, and the first draw or dispatch those that it needs",
          "[processor][snapshot]") {
  restored to;
  CHECK(to.backend.live_objects() == 1);
  REQUIRE(to.run(stream_builder{}.draw(3).draw(3)) == error_code::none);
  CHECK(to.backend.live_objects() == 3);
  REQUIRE(to.run(stream_builder{}.dispatch(1, 1, 1).draw(3)) == error_code::none);
  CHECK(to.backend.live_objects() == 4);
}

TEST_CASE("shaders that nothing used since their load are saved as they were",
          "[processor][snapshot]") {
  restored to;
  const byte_vector bytes = saved();
  CHECK(save_all(to) == bytes);
  REQUIRE(to.run(stream_builder{}.draw(3)) == error_code::none);
  CHECK(save_all(to) == bytes);
}

TEST_CASE("a poisoned shader is poisoned after a load too", "[processor][snapshot]") {
  restored to;
  CHECK(to.processor.poisoned().count == 1);
  const auto drawn = stream_builder{}.bind_shaders(vertex, poisoned).draw(3);
  CHECK(to.run(drawn) == error_code::unsupported);
  CHECK(to.backend.live_objects() == 2);  // The target, and the vertex shader.
}

TEST_CASE("a restored shader that the backend does not support is poisoned by its first use",
          "[processor][snapshot]") {
  restored to;
  to.backend.plan({.at_call = first_shader_call, .code = error_code::unsupported});
  CHECK(to.run(stream_builder{}.draw(3)) == error_code::unsupported);
  CHECK(to.processor.poisoned().count == 2);
  to.backend.plan({});
  CHECK(to.run(stream_builder{}.draw(3)) == error_code::unsupported);
  CHECK(to.processor.poisoned().count == 2);
}

TEST_CASE("a restored shader for which there is no memory now fails the draw, and is tried again",
          "[processor][snapshot]") {
  restored to;
  to.backend.plan({.at_call = first_shader_call, .code = error_code::out_of_memory});
  CHECK(to.run(stream_builder{}.draw(3)) == error_code::out_of_memory);
  CHECK(to.processor.poisoned().count == 1);
  to.backend.plan({});
  CHECK(to.run(stream_builder{}.draw(3)) == error_code::none);
}

TEST_CASE("a restored shader that nothing used is destroyed like any other",
          "[processor][snapshot]") {
  restored to;
  REQUIRE(to.run(stream_builder{}.destroy_shader(unused).destroy_shader(pixel)) ==
          error_code::none);
  CHECK(to.processor.counts().shaders == 3);
  CHECK(to.run(stream_builder{}.create_shader(unused, wire_ps, ps_2_0_white())) ==
        error_code::none);
  CHECK(to.backend.live_objects() == 2);
}

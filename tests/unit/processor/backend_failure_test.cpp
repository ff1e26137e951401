// SPDX-License-Identifier: MIT
// Each call of the backend fails once: the packet that made it fails with the backend's reason, and
// what was dirty is uploaded by the next one.
#include "tests/catch.hpp"
#include "tests/support/byte_code/shaders.hpp"
#include "tests/support/layout_blobs.hpp"
#include "tests/unit/processor/processor_fixture.hpp"

#include <cstdint>
#include <functional>

using namespace aerogpu;
using namespace aerogpu::test;

namespace {

constexpr gpa memory_at{0x10'0000};
constexpr std::uint32_t backed_allocation = 1;
constexpr backing at_start{backed_allocation, 0}, at_middle{backed_allocation, 0x1000};

/// A backed buffer 1 and texture 11, all dirty; buffer 2, textures 12 and 13 of the host.
void prepare(processor_fixture& f) {
  f.give(backed_allocation, memory_at, 0x4000);
  f.memory.poke(memory_at, counting(64));
  stream_builder stream;
  stream.create_buffer(1, 64, at_start)
      .create_buffer(2, 64)
      .create_buffer(3, 64, at_middle)
      .create_texture(11, {.pitch = 16, .memory = at_start})
      .create_texture(12, {.usage = AEROGPU_RESOURCE_USAGE_RENDER_TARGET})
      .create_texture(13, {.pitch = 16, .memory = at_middle})
      .create_shader(1, wire_vs, vs_2_0_position())
      .create_shader(2, wire_ps, ps_2_0_textured())
      .create_layout(1, declaration_blob({declaration_element{}, declaration_end}));
  REQUIRE(f.run(stream) == error_code::none);
}

/// Runs `work` once for each call that it makes, with that call failing; returns how many there
/// are.
auto fail_each_call(const stream_builder& work) -> std::uint64_t {
  for (std::uint64_t at_call = 1;; ++at_call) {
    CAPTURE(at_call);
    processor_fixture f;
    prepare(f);
    f.backend.plan({.at_call = at_call, .code = error_code::out_of_memory});
    const error_code code = f.run(work);
    if (f.backend.calls() < at_call) {
      CHECK(code == error_code::none);
      return at_call - 1;
    }
    CHECK(code == error_code::out_of_memory);
    f.backend.plan({});
    CHECK(f.run(work) == error_code::none);
  }
}

}  // namespace

TEST_CASE("a failing call fails its copy of a buffer", "[backend_failure]") {
  CHECK(fail_each_call(stream_builder{}.copy_buffer(2, 4, 1, 8, 16)) >= 2);
  CHECK(fail_each_call(stream_builder{}.copy_buffer(1, 4, 3, 8, 16)) >= 3);
  CHECK(fail_each_call(
            stream_builder{}.copy_buffer(1, 4, 3, 8, 16, AEROGPU_COPY_FLAG_WRITEBACK_DST)) >= 4);
}

TEST_CASE("a failing call fails its copy of a texture", "[backend_failure]") {
  CHECK(fail_each_call(stream_builder{}.copy_texture({12}, {11}, 2, 2)) >= 2);
  CHECK(fail_each_call(stream_builder{}.copy_texture({11}, {13}, 2, 2)) >= 3);
  CHECK(fail_each_call(
            stream_builder{}.copy_texture({11}, {13}, 2, 2, AEROGPU_COPY_FLAG_WRITEBACK_DST)) >= 4);
}

TEST_CASE("a failing call fails its upload", "[backend_failure]") {
  CHECK(fail_each_call(stream_builder{}.upload(1, 4, filled(8, 1))) >= 2);
  CHECK(fail_each_call(stream_builder{}.upload(2, 0, filled(64, 1))) >= 1);
  CHECK(fail_each_call(stream_builder{}.upload(11, 4, filled(8, 1))) >= 2);
}

TEST_CASE("a failing call fails its draw", "[backend_failure]") {
  stream_builder draw;
  draw.bind_shaders(1, 2)
      .set_layout(1)
      .vertex_buffer(0, 1)
      .index_buffer(3)
      .set_texture(wire_ps, 0, 11)
      .targets({12})
      .draw_indexed(3);
  CHECK(fail_each_call(draw) >= 4);
}

TEST_CASE("an upload without memory behind it fails, and comes when there is some",
          "[backend_failure]") {
  processor_fixture f;
  prepare(f);
  f.take(backed_allocation);
  CHECK(f.run(stream_builder{}.copy_buffer(2, 0, 1, 0, 16)) != error_code::none);
  CHECK(f.run(stream_builder{}.copy_texture({12}, {11}, 2, 2)) != error_code::none);
  f.give(backed_allocation, memory_at, 0x4000);
  CHECK(f.run(stream_builder{}.copy_buffer(2, 0, 1, 0, 64)) == error_code::none);
  CHECK(f.buffer(2, 64) == counting(64));
}

TEST_CASE("dirty ranges beyond the limit are uploaded before the next one", "[backend_failure]") {
  processor_fixture f{{.dirty_ranges_per_resource = 2}};
  prepare(f);
  REQUIRE(f.run(stream_builder{}.copy_buffer(2, 0, 1, 0, 64)) == error_code::none);
  const auto mark = stream_builder{}.dirty(1, 1, 2).dirty(1, 17, 4).dirty(1, 40, 1);
  f.memory.poke(memory_at, filled(64, 7));
  f.backend.plan({.at_call = 1, .code = error_code::out_of_memory});
  CHECK(f.run(mark) == error_code::out_of_memory);
  f.backend.plan({});
  CHECK(f.run(mark) == error_code::none);
  byte_vector expected = counting(64);
  const byte_vector sevens = filled(64, 7);
  const auto fill = [&](std::size_t from, std::size_t to) {
    for (std::size_t i = from; i < to; ++i) expected[i] = sevens[i];
  };
  fill(0, 4);  // Whole words, both ends rounded outwards.
  fill(16, 24);
  fill(40, 44);
  CHECK(f.buffer(1, 64) == expected);
}

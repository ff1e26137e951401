// SPDX-License-Identifier: MIT
#include "aerogpu/processor/command_processor.hpp"
#include "tests/catch.hpp"
#include "tests/support/alloc_table_bytes.hpp"
#include "tests/support/guest_memory_fakes.hpp"
#include "tests/support/heap_counter.hpp"
#include "tests/support/stream_builder.hpp"
#include "tests/unit/processor/bare_backend.hpp"

#include <cstdint>

using namespace aerogpu;
using namespace aerogpu::test;

TEST_CASE("a submission like the one before allocates nothing", "[command_processor]") {
  bare_backend backend;
  command_processor<bare_backend> processor{backend};
  fake_memory memory;
  memory.map(gpa{0x1000}, 4096);
  std::array<alloc_table::slot, 4> slots{};
  alloc_table table{slots};
  REQUIRE(table.parse(make_table({{1, 0, 0x1000, 4096, 0}})));

  const byte_vector stream =
      stream_builder{}
          .create_buffer(1, 256, {1, 0})
          .create_texture(2, {.usage = AEROGPU_RESOURCE_USAGE_RENDER_TARGET})
          .create_view(3, 2, {})
          .create_sampler(4)
          .dirty(1, 0, 16)
          .dirty(1, 64, 16)
          .upload(1, 128, counting(16))
          .copy_buffer(1, 0, 1, 128, 16, AEROGPU_COPY_FLAG_WRITEBACK_DST)
          .targets({2})
          .set_texture(wire_ps, 0, 2)
          .samplers(wire_ps, 0, {4})
          .constants_f(wire_vs, 0, {{1, 2, 3, 4}})
          .vertex_buffer(0, 1)
          .clear(AEROGPU_CLEAR_COLOR)
          .import_surface(7, 99)  // Fails: an error does not allocate either.
          .bytes();
  const byte_vector end =
      stream_builder{}.present().destroy(3).destroy(2).destroy(1).destroy_sampler(4).bytes();
  null_completion_sink sink;
  std::uint64_t last_calls = 0;
  for (int i = 0; i < 4; ++i) {
    const std::uint64_t before = heap_calls;
    const auto report = processor.execute({context_id{0}, fence_value{1}, stream, &table}, memory);
    const auto ended = processor.execute({context_id{0}, fence_value{2}, end, nullptr}, memory);
    processor.poll(sink);
    last_calls = heap_calls - before;
    CHECK(report.why.code == error_code::unknown_share_token);
    CHECK(ended.why.code == error_code::none);
  }
  CHECK(last_calls == 0);
}

TEST_CASE("a save asks for the memory of its content once", "[command_processor]") {
  bare_backend backend;
  command_processor<bare_backend> processor{backend};
  fake_memory memory;
  constexpr std::uint64_t buffer_bytes = 1 << 20;
  stream_builder stream;
  for (std::uint32_t i = 0; i < 16; ++i) stream.create_buffer(i + 1, buffer_bytes);
  REQUIRE(processor.execute({context_id{0}, {}, stream.bytes(), nullptr}, memory).why.code ==
          error_code::none);
  const std::uint64_t before = heap_asked_bytes;
  snapshot_writer out;
  REQUIRE(processor.save(out));
  CHECK(out.bytes().size() > 16 * buffer_bytes);
  CHECK(heap_asked_bytes - before < 17 * buffer_bytes);
}

// SPDX-License-Identifier: MIT
#include "aerogpu/processor/resources/write_back.hpp"

#include "tests/catch.hpp"
#include "tests/unit/processor/processor_fixture.hpp"

#include <cstdint>

using namespace aerogpu;
using namespace aerogpu::test;

namespace {

constexpr gpa memory_of_copy{0x1000};
constexpr std::uint32_t to_guest = AEROGPU_COPY_FLAG_WRITEBACK_DST;

auto ready(processor_fixture& f) -> processor_fixture& {
  f.give(1, memory_of_copy, 64);
  REQUIRE(f.run(stream_builder{}
                    .create_buffer(10, 64, {1, 0})
                    .create_buffer(11, 64)
                    .upload(11, 0, filled(64, 8))) == error_code::none);
  return f;
}

}  // namespace

TEST_CASE("one submission writes back so many times and no more", "[write_back]") {
  processor_fixture f{{.write_backs = 2}};
  ready(f);
  const auto twice = stream_builder{}
                         .copy_buffer(10, 0, 11, 0, 4, to_guest)
                         .copy_buffer(10, 4, 11, 4, 4, to_guest);
  CHECK(f.run(twice) == error_code::none);
  CHECK(f.write_backs == 2);
  auto thrice = twice;
  CHECK(f.run(thrice.copy_buffer(10, 8, 11, 8, 4, to_guest)) == error_code::out_of_memory);
  CHECK(f.write_backs == 2);
  CHECK(f.run(twice) == error_code::none);
}

TEST_CASE("one submission writes back so many bytes and no more", "[write_back]") {
  processor_fixture f{{.write_back_bytes = 64}};
  ready(f);
  CHECK(f.run(stream_builder{}.copy_buffer(10, 0, 11, 0, 64, to_guest)) == error_code::none);
  CHECK(f.run(stream_builder{}
                  .copy_buffer(10, 0, 11, 0, 64, to_guest)
                  .copy_buffer(10, 0, 11, 0, 4, to_guest)) == error_code::out_of_memory);
}

TEST_CASE("rows with gaps count as 256 bytes of a write-back at least", "[write_back]") {
  using detail::write_back_cost;
  CHECK(write_back_cost(8, 2, 1) == 2);
  CHECK(write_back_cost(2, 2, 16'384) == 32'768);  // Without gaps: one write.
  CHECK(write_back_cost(8, 2, 16'384) == 16'384 * 256);
  CHECK(write_back_cost(4'096, 256, 3) == 768);
  CHECK(write_back_cost(4'096, 1'000, 3) == 3'000);
}

TEST_CASE("one submission writes back so many narrow rows and no more", "[write_back]") {
  processor_fixture f{{.write_back_bytes = 4 * 256}};
  f.give(1, memory_of_copy, 128);
  REQUIRE(f.run(stream_builder{}
                    .create_texture(10, {.pitch = 32, .memory = {1, 0}})
                    .create_texture(11, {})) == error_code::none);
  CHECK(f.run(stream_builder{}.copy_texture({10}, {11}, 4, 4, to_guest)) == error_code::none);
  CHECK(f.run(stream_builder{}
                  .copy_texture({10}, {11}, 4, 3, to_guest)
                  .copy_texture({10}, {11}, 4, 2, to_guest)) == error_code::out_of_memory);
}

TEST_CASE("a write-back that is refused does not copy", "[write_back]") {
  processor_fixture f;
  ready(f);
  f.give(1, memory_of_copy, 64, AEROGPU_ALLOC_FLAG_READONLY);
  CHECK(f.run(stream_builder{}.copy_buffer(10, 0, 11, 0, 64, to_guest)) == error_code::read_only);
  CHECK(f.buffer(10, 64) == filled(64, 0));
}

TEST_CASE("a depth format is never written back", "[write_back]") {
  const auto format = GENERATE(AEROGPU_FORMAT_D24_UNORM_S8_UINT, AEROGPU_FORMAT_D32_FLOAT);
  const bool is_backed = GENERATE(true, false);
  processor_fixture f;
  f.give(1, memory_of_copy, 64);
  const backing memory{is_backed ? 1u : 0u, 0};
  CHECK(f.run(stream_builder{}
                  .create_texture(
                      10,
                      {.format = static_cast<std::uint32_t>(format), .pitch = 16, .memory = memory})
                  .create_texture(11, {.format = static_cast<std::uint32_t>(format)})
                  .copy_texture({10}, {11}, 4, 4, to_guest)) == error_code::unsupported);
}

TEST_CASE("the rows of a rectangle must lie in the allocation, not the whole texture",
          "[write_back]") {
  processor_fixture f;
  f.give(1, memory_of_copy, 64);
  REQUIRE(f.run(stream_builder{}
                    .create_texture(10, {.pitch = 16, .memory = {1, 0}})
                    .create_texture(11, {})
                    .copy_texture({10}, {11}, 4, 4)) == error_code::none);
  f.give(1, memory_of_copy, 24);
  CHECK(f.run(stream_builder{}.copy_texture({10}, {11}, 2, 2, to_guest)) == error_code::none);
  CHECK(f.run(stream_builder{}.copy_texture({10, 0, 0, 1}, {11}, 2, 2, to_guest)) ==
        error_code::alloc_out_of_bounds);
}

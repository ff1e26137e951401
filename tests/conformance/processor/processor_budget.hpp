// SPDX-License-Identifier: MIT
/// \file CP-010: submissions that move more than one submission may.
#pragma once

#include "tests/catch.hpp"
#include "tests/conformance/backends.hpp"
#include "tests/conformance/processor/processor_host.hpp"

#include <cstdint>

namespace aerogpu::conformance {

namespace transfer_case {

/// What one place with this many bytes counts.
[[nodiscard]] constexpr auto cost(std::uint64_t row_size, std::uint64_t rows = 1) -> std::uint64_t {
  return 4'096 + rows * (row_size > 256 ? row_size : 256);
}

/// Packets that move something, over resources that exist, and what they count.
struct mover {
  stream_builder packets;
  std::uint64_t cost = 0;
};

inline constexpr std::uint32_t buffers = 1, textures = 3, target = 5, large = 6, made = 7;
inline constexpr std::uint32_t backed_buffer = 8, backed_texture = 9;
inline constexpr std::uint32_t large_bytes = 65'536;  ///< More than all below together.

/// Two buffers of 4 KiB, two textures of 16x8 with 3 layers, and a bound target of 64x32. In
/// allocation 1 a buffer of 1 KiB and behind it a texture of 16x8, dirty as they begin.
[[nodiscard]] inline auto resources() -> stream_builder {
  const texture_spec target_spec{
      .width = 64, .height = 32, .usage = AEROGPU_RESOURCE_USAGE_RENDER_TARGET};
  stream_builder stream;
  stream.create_buffer(buffers, 4'096).create_buffer(buffers + 1, 4'096);
  stream.create_buffer(backed_buffer, 1'024, {1, 0});
  stream.create_texture(backed_texture,
                        {.width = 16, .height = 8, .pitch = 64, .memory = {1, 1'024}});
  for (const std::uint32_t i : {0u, 1u}) {
    stream.create_texture(textures + i, {.width = 16, .height = 8, .layers = 3});
  }
  return stream.create_texture(target, target_spec).targets({target});
}

[[nodiscard]] inline auto movers() -> std::vector<mover> {
  const auto stream = [] { return stream_builder{}; };
  return {
      {stream().create_buffer(made, 1'024), cost(1'024)},
      {stream().create_texture(made, {.width = 16, .height = 8, .mips = 2, .layers = 3}),
       6 * cost(0) + (16 * 8 + 8 * 4) * 4 * 3},
      {stream().copy_buffer(1, 0, 2, 0, 1'024), cost(1'024)},
      {stream().copy_buffer(1, 0, 2, 0, 4), cost(4)},
      {stream().copy_texture({3}, {4}, 16, 8), cost(64, 8)},
      {stream().copy_texture({3}, {4}, 16, 8).copy_texture({3}, {4}, 1, 1),
       cost(64, 8) + cost(4, 1)},
      {stream().upload(1, 0, filled(512, 1)), cost(512)},
      {stream().upload(3, 0, filled(64 * 8 * 2, 1)), 2 * cost(0) + 1'024},
      // What is read from guest memory, and a write-back is the copy and its read-back.
      {stream().copy_buffer(1, 0, backed_buffer, 0, 4), cost(1'024) + cost(4)},
      {stream().copy_texture({3}, {backed_texture}, 1, 1), cost(64, 8) + cost(4, 1)},
      {stream().copy_buffer(backed_buffer, 0, 1, 0, 1'024, AEROGPU_COPY_FLAG_WRITEBACK_DST),
       2 * cost(1'024)},
      {stream().copy_texture({backed_texture}, {3}, 16, 8, AEROGPU_COPY_FLAG_WRITEBACK_DST),
       2 * cost(64, 8)},
      {stream().clear(AEROGPU_CLEAR_COLOR), cost(256, 32)},
      {stream().present(), cost(256, 32)},
  };
}

/// Behind a packet that counts `cost(large_bytes)`.
[[nodiscard]] inline auto behind_large(const mover& moved) -> stream_builder {
  const const_bytes packets = moved.packets.bytes();
  return stream_builder{}
      .create_buffer(large, large_bytes)
      .append(packets.subspan(sizeof(aerogpu_cmd_stream_header)));
}

}  // namespace transfer_case

TEMPLATE_LIST_TEST_CASE("CP-010 packets beyond transfer_bytes_per_submission fail, and only they",
                        "[conformance][processor]", backends) {
  for (const transfer_case::mover& moved : transfer_case::movers()) {
    for (const std::uint64_t missing : {0u, 1u}) {
      limits most;
      most.transfer_bytes_per_submission =
          transfer_case::cost(transfer_case::large_bytes) + moved.cost - missing;
      processor_host<TestType> host{most};
      host.give(1, gpa{0x10000}, 1'536);
      REQUIRE(host.run(transfer_case::resources()) == error_code::none);
      INFO("cost " << moved.cost << ", missing " << missing);
      CHECK(host.run(transfer_case::behind_large(moved)) ==
            (missing == 0 ? error_code::none : error_code::out_of_memory));
      // The next submission has a budget of its own.
      CHECK(host.run(stream_builder{}.nop()) == error_code::none);
    }
  }
}

TEMPLATE_LIST_TEST_CASE("CP-010 a buffer that is dirtied and read again and again meets a limit",
                        "[conformance][processor]", backends) {
  const auto [missing, rounds] = GENERATE(table<std::uint64_t, int>({{0, 3}, {0, 4}, {1, 3}}));
  limits most;
  most.upload_bytes_per_submission = 3 * transfer_case::cost(65'536) - missing;
  processor_host<TestType> host{most};
  host.give(1, gpa{0x10000}, 65'536);
  host.poke(gpa{0x10000}, filled(65'536, 7));
  REQUIRE(host.run(stream_builder{}.create_buffer(1, 65'536, {1, 0}).create_buffer(2, 16)) ==
          error_code::none);
  stream_builder stream;
  for (int i = 0; i < rounds; ++i) stream.dirty(1, 0, 65'536).copy_buffer(2, 0, 1, 0, 16);
  const bool is_within = missing == 0 && rounds == 3;
  CHECK(host.run(stream) == (is_within ? error_code::none : error_code::out_of_memory));
  // Nothing dirty was lost, and the next submission has a budget of its own.
  host.poke(gpa{0x10000}, filled(65'536, 9));
  CHECK(host.run(stream_builder{}.dirty(1, 0, 65'536).copy_buffer(2, 0, 1, 0, 16)) ==
        error_code::none);
  CHECK(host.buffer(2, 16) == filled(16, 9));
}

TEMPLATE_LIST_TEST_CASE("CP-010 each dirty subresource counts as a page at least",
                        "[conformance][processor]", backends) {
  constexpr std::uint32_t layers = 100;
  limits most;
  const auto missing = GENERATE(as<std::uint64_t>{}, 0, 1);
  most.upload_bytes_per_submission = layers * transfer_case::cost(4) - missing;
  processor_host<TestType> host{most};
  host.give(1, gpa{0x10000}, 4 * layers);
  const texture_spec spec{.width = 1, .height = 1, .layers = layers, .pitch = 4, .memory = {1, 0}};
  stream_builder stream;
  stream.create_texture(1, spec).create_texture(2, {.width = 1, .height = 1});
  CHECK(host.run(stream.copy_texture({2}, {1}, 1, 1)) ==
        (missing == 0 ? error_code::none : error_code::out_of_memory));
}

TEMPLATE_LIST_TEST_CASE("CP-010 each subresource of a new texture counts as a page at least",
                        "[conformance][processor]", backends) {
  constexpr std::uint32_t layers = 100;
  limits most;
  const auto missing = GENERATE(as<std::uint64_t>{}, 0, 1);
  most.transfer_bytes_per_submission = layers * (transfer_case::cost(0) + 4) - missing;
  processor_host<TestType> host{most};
  const texture_spec spec{.width = 1, .height = 1, .layers = layers};
  CHECK(host.run(stream_builder{}.create_texture(1, spec)) ==
        (missing == 0 ? error_code::none : error_code::out_of_memory));
  CHECK(host.run(stream_builder{}.nop()) == error_code::none);
}

}  // namespace aerogpu::conformance

// SPDX-License-Identifier: MIT
/// What the driver relies on in the library's writer and reader (umd-d3d9.md 4.1).
#include "aerogpu/core/feature_text.hpp"
#include "aerogpu/core/text.hpp"
#include "aerogpu/stream/writer.hpp"
#include "tests/drivers/umd/rigs/device_rig.hpp"
#include "tests/drivers/umd/rigs/recording.hpp"

#include <algorithm>
#include <array>
#include <cstdint>
#include <cstring>
#include <string>
#include <vector>

namespace aerogpu::umd::test {

namespace {

constexpr resource_handle some_buffer{1};

/// The same calls into any sink.
template <class Sink>
void write_sample(Sink& sink) {
  stream_writer writer{sink};
  REQUIRE(writer.begin());
  REQUIRE(writer.set_viewport({0, 0, 4, 4, 0, 1}));
  REQUIRE(writer.upload_resource(some_buffer, 0, byte_vector(5, std::byte{0x77})));
  static_cast<void>(writer.finish());
}

}  // namespace

TEST_CASE("packets are multiples of 4 and padded with zeros", "[umd][T002]") {
  byte_vector bytes(256, std::byte{0xEE});
  span_sink sink{bytes};
  write_sample(sink);
  const auto uploads = packets_of<aerogpu_cmd_upload_resource>(sink.bytes());
  REQUIRE(uploads.size() == 1);
  CHECK(uploads[0].payload.size() == 8);
  const byte_vector expected{std::byte{0x77}, std::byte{0x77}, std::byte{0x77}, std::byte{0x77},
                             std::byte{0x77}, std::byte{},     std::byte{},     std::byte{}};
  CHECK(uploads[0].payload == expected);
}

TEST_CASE("a reader passes over an opcode that it does not know", "[umd][T003]") {
  byte_vector bytes(256);
  span_sink sink{bytes};
  write_sample(sink);
  constexpr std::size_t first_packet = sizeof(aerogpu_cmd_stream_header);
  store(bytes.data() + first_packet, std::uint32_t{0x7FFF0000});
  CHECK(packets_of<aerogpu_cmd_set_viewport>(sink.bytes()).empty());
  CHECK(packets_of<aerogpu_cmd_upload_resource>(sink.bytes()).size() == 1);
}

TEST_CASE("a packet without room is refused, and the stream stays as it was and usable",
          "[umd][T004]") {
  byte_vector bytes(64, std::byte{0xEE});
  span_sink sink{bytes};
  stream_writer writer{sink};
  REQUIRE(writer.begin());
  REQUIRE(writer.set_viewport({0, 0, 4, 4, 0, 1}));
  const byte_vector before = bytes;
  const auto refused = writer.set_viewport({0, 0, 8, 8, 0, 1});
  REQUIRE_FALSE(refused);
  CHECK(refused.why().code == error_code::no_space);
  CHECK(bytes == before);
  CHECK(writer.nop());
  CHECK(writer.finish() == 64);
}

TEST_CASE("a fixed and a growing sink get the same bytes", "[umd][T005]") {
  byte_vector fixed(256);
  span_sink span{fixed};
  write_sample(span);
  byte_vector grown;
  growing_sink<byte_vector> growing{grown};
  write_sample(growing);
  CHECK(std::equal(grown.begin(), grown.end(), span.bytes().begin(), span.bytes().end()));
}

TEST_CASE("a payload that is too large for any stream is refused", "[umd][T006]") {
  byte_vector bytes(64);
  span_sink sink{bytes};
  stream_writer writer{sink};
  REQUIRE(writer.begin());
  const const_bytes too_much{bytes.data(), std::size_t{UINT32_MAX}};  // Never read.
  CHECK_FALSE(writer.upload_resource(some_buffer, 0, too_much));
  CHECK(writer.finish() == sizeof(aerogpu_cmd_stream_header));
}

TEST_CASE("a driver's request that wraps is out of memory", "[umd][T006]") {
  device_rig rig;
  const std::uint64_t bytes = GENERATE(std::uint64_t{UINT32_MAX}, std::uint64_t{UINT32_MAX} + 24,
                                       UINT64_MAX - 3, UINT64_MAX);
  CHECK(rig.device.commands.reserve(bytes) == E_OUTOFMEMORY);
  CHECK(rig.device.commands.is_empty());
}

TEST_CASE("BIND_SHADERS of a vertex and a pixel shader has zeros where others would be",
          "[umd][T007]") {
  byte_vector bytes(128, std::byte{0xEE});
  span_sink sink{bytes};
  stream_writer writer{sink};
  REQUIRE(writer.begin());
  shader_handles handles{};
  handles[static_cast<std::size_t>(shader_stage::vertex)] = shader_handle{5};
  handles[static_cast<std::size_t>(shader_stage::pixel)] = shader_handle{6};
  REQUIRE(writer.bind_shaders(handles));
  static_cast<void>(writer.finish());
  const auto bound = packets_of<aerogpu_cmd_bind_shaders>(sink.bytes());
  REQUIRE(bound.size() == 1);
  CHECK(bound[0].fields.vs == 5);
  CHECK(bound[0].fields.ps == 6);
  CHECK(bound[0].fields.cs == 0);
  CHECK(bound[0].fields.reserved0 == 0);
}

TEST_CASE("known features have names, and others their number", "[umd][T009]") {
  std::array<char, 100> storage;
  text_buffer text{storage};
  append_feature_text(text, 0x3F | std::uint64_t{1} << 40, 0);
  CHECK(text.view() == "cursor, scanout, vblank, fence_page, transfer, error_info, unknown_bit_40");
}

}  // namespace aerogpu::umd::test

// SPDX-License-Identifier: MIT
// Tests of aerogpu/share/release_stream.hpp.
#include "aerogpu/share/release_stream.hpp"

#include "aerogpu/core/bytes.hpp"
#include "aerogpu/stream/reader.hpp"
#include "tests/catch.hpp"

#include <cstring>

using namespace aerogpu;

TEST_CASE("a release is a stream of one packet with the token at its offset 8", "[share]") {
  const release_stream stream = make_release_stream(share_token{0x1122334455667788});
  const std::uint8_t golden[48] = {0x41, 0x43, 0x4d, 0x44, 4,  0, 1, 0, 48,   0,    0,    0,
                                   0,    0,    0,    0,    0,  0, 0, 0, 0,    0,    0,    0,
                                   0x12, 7,    0,    0,    24, 0, 0, 0, 0x88, 0x77, 0x66, 0x55,
                                   0x44, 0x33, 0x22, 0x11, 0,  0, 0, 0, 0,    0,    0,    0};
  CHECK(std::memcmp(&stream, golden, sizeof golden) == 0);
}

TEST_CASE("the host's reader takes a release stream", "[share]") {
  const release_stream stream = make_release_stream(share_token{1});
  const auto view = parse_stream_header(bytes_of(stream));
  REQUIRE(view);
  const auto report = frame(*view);
  CHECK(report);
  CHECK(report.packet_count == 1);
  CHECK(report.unknown_count == 0);
}

// SPDX-License-Identifier: MIT
#include "aerogpu/stream/error_text.hpp"

#include "tests/unit/stream/streams.hpp"

using namespace aerogpu;
using namespace aerogpu::test;

namespace {

auto text_of(const error& why) -> std::string {
  string_sink sink;
  append_error(sink, why);
  return sink.text;
}

}  // namespace

TEST_CASE("an error is one sentence with packet, place, value and limit", "[stream][error_text]") {
  CHECK(text_of({error_code::invalid_parameter, AEROGPU_CMD_CREATE_TEXTURE2D, 0x1C0, 96, 128,
                 "row_pitch_bytes is less than the tight pitch"}) ==
        "CreateTexture2D at 0x1c0: row_pitch_bytes is less than the tight pitch (96, limit 128)");
  CHECK(text_of({error_code::unknown_handle, AEROGPU_CMD_DRAW, 24, 7, 0, "the handle is dead"}) ==
        "Draw at 0x18: the handle is dead (7)");
  CHECK(text_of({error_code::framing, 0x7FFF0001, 24, 4, 8, "too small"}) ==
        "packet 0x7fff0001 at 0x18: too small (4, limit 8)");
}

TEST_CASE("errors of the stream header say so", "[stream][error_text]") {
  const error why = framing_error(byte_vector(10));
  CHECK(text_of(why) ==
        "stream header at 0x0: the buffer is smaller than a stream header (10, limit 24)");
  CHECK(text_of({error_code::framing, AEROGPU_CMD_NOP, 24, 10, 4,
                 "size_bytes is not a multiple of 4"}) ==
        "Nop at 0x18: size_bytes is not a multiple of 4 (10, limit 4)");
}

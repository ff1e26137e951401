// SPDX-License-Identifier: MIT
// Every packet type through the writer and back through the reader, with random valid content.
#include "aerogpu/stream/generate.hpp"
#include "aerogpu/stream/packet_cursor.hpp"
#include "aerogpu/stream/writer.hpp"
#include "tests/unit/stream/streams.hpp"

using namespace aerogpu;
using namespace aerogpu::test;

namespace {

/// Rewrites each packet from its decoded fields and payload alone.
struct rewriting_visitor {
  stream_writer<growing_sink<byte_vector>>& writer;

  template <wire_packet P>
  auto on_packet(const packet<P>& p) noexcept -> error_code {
    if constexpr (std::is_same_v<P, nop_packet>) return writer.nop(p.size()).why().code;
    if constexpr (std::is_same_v<P, aerogpu_cmd_bind_shaders>) {
      return writer.bind_shaders(resolve_bind_shaders(p)).why().code;
    }
    return writer.write(p.fields(), p.payload()).why().code;
  }
  auto on_unknown(const raw_packet&) noexcept -> error_code { return error_code::internal; }
};

auto rewritten(const byte_vector& stream) -> byte_vector {
  byte_vector bytes;
  growing_sink sink{bytes};
  stream_writer writer{sink};
  REQUIRE(writer.begin(view_of(stream).abi_minor()));
  rewriting_visitor visitor{writer};
  const error why = visit(view_of(stream), visitor);
  INFO("opcode " << why.opcode);
  CHECK(why.code == error_code::none);
  CHECK(writer.finish() == bytes.size());
  return bytes;
}

}  // namespace

TEST_CASE("a stream that is read and written again keeps its bytes", "[stream][round_trip]") {
  for (const packet_row& row : packet_table) {
    if (row.opcode == AEROGPU_CMD_BIND_SHADERS) continue;  // Two forms mean the same.
    INFO(row.wire_name);
    for (std::uint64_t seed = 0; seed < 25; ++seed) {
      seeded_random random{seed};
      packet_generator generator{random};
      byte_vector packet(512);
      packet.resize(generator.make_packet(row, packet));
      const byte_vector stream = stream_of(packet);
      CHECK(rewritten(stream) == stream);
    }
  }
}

TEST_CASE("BIND_SHADERS that is read and written again binds the same", "[stream][round_trip]") {
  for (std::uint64_t seed = 0; seed < 50; ++seed) {
    seeded_random random{seed};
    packet_generator generator{random};
    byte_vector packet(64);
    packet.resize(generator.make_packet(row_of_packet<aerogpu_cmd_bind_shaders>, packet));
    const byte_vector stream = stream_of(packet);
    const byte_vector again = rewritten(stream);
    CHECK(resolve_bind_shaders(only_packet<aerogpu_cmd_bind_shaders>(stream)) ==
          resolve_bind_shaders(only_packet<aerogpu_cmd_bind_shaders>(again)));
  }
}

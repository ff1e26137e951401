// SPDX-License-Identifier: MIT
#include "aerogpu/stream/packet.hpp"

#include "tests/unit/stream/streams.hpp"

#include <array>

using namespace aerogpu;
using namespace aerogpu::test;

TEST_CASE("a byte payload comes without its padding", "[stream][packet]") {
  const std::array<std::byte, 5> data{std::byte{1}, std::byte{2}, std::byte{3}, std::byte{4},
                                      std::byte{5}};
  const byte_vector bytes =
      stream_of(packet_of(aerogpu_cmd_upload_resource{{}, 7, 0, 16, data.size()}, data));
  const auto upload = only_packet<aerogpu_cmd_upload_resource>(bytes);
  CHECK(upload.fields().offset_bytes == 16);
  CHECK(upload.size() == 40);
  REQUIRE(upload.payload().size() == data.size());
  CHECK(std::memcmp(upload.payload().data(), data.data(), data.size()) == 0);
}

TEST_CASE("elements are copied out one by one", "[stream][packet]") {
  const std::array<aerogpu_vertex_buffer_binding, 2> bindings{{{1, 28, 0, 0}, {2, 16, 32, 0}}};
  const byte_vector bytes = stream_of(
      packet_of(aerogpu_cmd_set_vertex_buffers{{}, 3, 2}, std::as_bytes(std::span{bindings})));
  const auto packet = only_packet<aerogpu_cmd_set_vertex_buffers>(bytes);
  const auto elements = packet.elements();
  REQUIRE(elements.size() == 2);
  CHECK(elements[0].stride_bytes == 28);
  CHECK(elements[1].offset_bytes == 32);
  std::uint32_t sum = 0;
  for (const auto& element : elements) sum += element.buffer;
  CHECK(sum == 3);
}

TEST_CASE("elements behind the count are not part of the payload", "[stream][packet]") {
  byte_vector packet = packet_of(aerogpu_cmd_set_samplers{{}, 0, 0, 1, 0});
  packet.resize(24 + 16);
  store(packet.data() + 4, std::uint32_t{24 + 16});
  const byte_vector bytes = stream_of(packet);
  CHECK(only_packet<aerogpu_cmd_set_samplers>(bytes).elements().size() == 1);
}

TEST_CASE("a marker's text loses its trailing zeros and keeps any other byte", "[stream][packet]") {
  const auto text_of = [](const byte_vector& stream) {
    const const_bytes text = only_packet<debug_marker_packet>(stream).payload();
    return std::string(reinterpret_cast<const char*>(text.data()), text.size());
  };
  const auto marker = [](std::string_view text) {
    return stream_of(packet_of(debug_marker_packet{}, std::as_bytes(std::span{text})));
  };
  CHECK(text_of(marker("")) == "");
  CHECK(text_of(marker("frame 1")) == "frame 1");
  CHECK(text_of(marker("four")) == "four");
  CHECK(text_of(marker(std::string_view{"a\0b\xFF\0\0", 6})) == std::string("a\0b\xFF", 4));
  CHECK(text_of(marker(std::string_view{"\0\0\0\0", 4})) == "");
}

TEST_CASE("packets without a payload have an empty one", "[stream][packet]") {
  const byte_vector bytes = stream_of(blank_packet(AEROGPU_CMD_DRAW, 40));
  CHECK(only_packet<aerogpu_cmd_draw>(bytes).payload().empty());
  CHECK(only_packet<aerogpu_cmd_draw>(bytes).bytes().size() == 40);
}

TEST_CASE("a packet's effective stage comes from its two words and the stream's minor",
          "[stream][packet]") {
  const byte_vector texture = stream_of(packet_of(aerogpu_cmd_set_texture{{}, 2, 0, 32, 3}));
  const auto set_texture = only_packet<aerogpu_cmd_set_texture>(texture);
  CHECK(*stage_of(set_texture, 2) == shader_stage::compute);
  CHECK(*stage_of(set_texture, 3) == shader_stage::hull);

  const byte_vector run = stream_of(packet_of(aerogpu_cmd_dispatch{{}, 1, 1, 1, 4}));
  CHECK(*stage_of(only_packet<aerogpu_cmd_dispatch>(run), 4) == shader_stage::domain);
  CHECK(*stage_of(only_packet<aerogpu_cmd_dispatch>(run), 2) == shader_stage::compute);

  const byte_vector sampler = stream_of(packet_of(aerogpu_cmd_set_sampler_state{{}, 2, 0, 3, 3}));
  CHECK(*stage_of(only_packet<aerogpu_cmd_set_sampler_state>(sampler), 4) == shader_stage::compute);

  const byte_vector bad = stream_of(packet_of(aerogpu_cmd_set_texture{{}, 2, 0, 32, 1}));
  CHECK(stage_of(only_packet<aerogpu_cmd_set_texture>(bad), 3).why().code ==
        error_code::invalid_parameter);
}

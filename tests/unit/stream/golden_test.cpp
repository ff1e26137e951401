// SPDX-License-Identifier: MIT
// The golden packets and streams, decoded and encoded field by field through the packet table.
#include "aerogpu/stream/packet_cursor.hpp"
#include "aerogpu/stream/writer.hpp"
#include "tests/data/golden_vectors.hpp"
#include "tests/unit/stream/streams.hpp"

#include <map>
#include <string>

using namespace aerogpu;
using namespace aerogpu::test;

namespace {

using numbers = std::map<std::string, std::uint64_t>;

/// Every value of a row's fields, named as the golden vectors name them.
auto values_of(std::span<const packet_field> fields, const std::byte* base,
               const std::string& prefix) -> numbers {
  numbers out;
  for (const packet_field& f : fields) {
    for (std::size_t i = 0; i < f.length; ++i) {
      const std::uint64_t bits = load_number(base + f.offset + i * size_of(f.type), f.type);
      const bool is_signed = f.type == field_type::i32;
      const auto value = is_signed ? static_cast<std::uint64_t>(
                                         static_cast<std::int64_t>(static_cast<std::int32_t>(bits)))
                                   : bits;
      std::string name = prefix + std::string(f.name);
      if (f.length != 1) name += "[" + std::to_string(i) + "]";
      out[name] = value;
    }
  }
  return out;
}

auto golden_numbers(std::string_view fields) -> numbers {
  numbers out;
  for_each_field(fields, [&](std::string_view name, std::uint64_t value) {
    if (!name.starts_with("hdr.")) out[std::string(name)] = value;
  });
  return out;
}

/// Name of a nested member's struct, as the golden vectors spell it.
auto prefix_of(const packet_row& row) -> std::string {
  const bool is_nested = row.wire_name == "SET_BLEND_STATE" ||
                         row.wire_name == "SET_DEPTH_STENCIL_STATE" ||
                         row.wire_name == "SET_RASTERIZER_STATE";
  return is_nested ? "state." : "";
}

/// Builds P from numbers alone and writes it.
template <wire_packet P>
auto encode(const numbers& values, const_bytes payload) -> byte_vector {
  P fields{};
  const packet_row& row = row_of_packet<P>;
  std::byte* const base = mutable_bytes_of(fields).data();
  for (const packet_field& f : row.fields) {
    for (std::size_t i = 0; i < f.length; ++i) {
      std::string name = prefix_of(row) + std::string(f.name);
      if (f.length != 1) name += "[" + std::to_string(i) + "]";
      const std::uint64_t value = values.at(name);
      copy_bytes({base + f.offset + i * size_of(f.type), size_of(f.type)},
                 bytes_of(value).first(size_of(f.type)));
    }
  }
  byte_vector bytes;
  growing_sink sink{bytes};
  stream_writer writer{sink};
  REQUIRE(writer.begin());
  const auto done = writer.write(fields, payload);
  INFO(done.why().what);
  CHECK(done);
  CHECK(writer.finish() == bytes.size());
  return bytes;
}

template <wire_packet... P>
auto encode_any(packet_type_list<P...>, std::uint32_t opcode, const numbers& values,
                const_bytes payload) -> byte_vector {
  byte_vector bytes;
  ((opcode == packet_traits<P>::opcode ? bytes = encode<P>(values, payload) : bytes), ...);
  return bytes;
}

}  // namespace

TEST_CASE("every golden packet decodes to its fields and payload", "[stream][golden]") {
  for (const golden_vector& vector : golden_vectors) {
    if (vector.kind != golden_kind::packet) continue;
    INFO(vector.name);
    const byte_vector bytes = stream_of(bytes_from_hex(vector.hex));
    packet_cursor at{view_of(bytes)};
    REQUIRE(at.next());
    REQUIRE(at.row() != nullptr);
    const packet_row& row = *at.row();
    CHECK("AEROGPU_CMD_" + std::string(row.wire_name) == vector.opcode);
    const std::byte* base = at.packet().bytes().data();
    if (!row.fields.empty()) {
      CHECK(values_of(row.fields, base, prefix_of(row)) == golden_numbers(vector.fields));
    }
    const byte_vector payload = bytes_from_hex(vector.payload_hex);
    if (row.count != nullptr) {
      CHECK(load_number(base + row.count->offset, row.count->type) * row.element_size ==
            payload.size());
      CHECK(byte_vector(base + row.fixed_size, base + row.fixed_size + payload.size()) == payload);
    }
    CHECK_FALSE(at.next());
  }
}

TEST_CASE("every golden packet encodes to its bytes", "[stream][golden]") {
  for (const golden_vector& vector : golden_vectors) {
    const bool has_tail = vector.name.starts_with("bind_shaders_extended");  // In writer_test.
    if (vector.kind != golden_kind::packet || has_tail) continue;
    INFO(vector.name);
    const byte_vector packet = bytes_from_hex(vector.hex);
    const auto opcode = load<std::uint32_t>(packet.data());
    const byte_vector payload = bytes_from_hex(vector.payload_hex);
    CHECK(encode_any(packet_types{}, opcode, golden_numbers(vector.fields), payload) ==
          stream_of(packet));
  }
}

TEST_CASE("golden elements decode to their members", "[stream][golden]") {
  for (const golden_vector& vector : golden_vectors) {
    if (vector.kind != golden_kind::packet || vector.extra.empty()) continue;
    const byte_vector packet = bytes_from_hex(vector.hex);
    const packet_row& row = *find_packet(load<std::uint32_t>(packet.data()));
    if (row.payload != payload_kind::elements) continue;
    INFO(vector.name);
    const byte_vector payload = bytes_from_hex(vector.payload_hex);
    numbers found;
    for (std::size_t i = 0; i * row.element_size < payload.size(); ++i) {
      const std::byte* element = payload.data() + i * row.element_size;
      const bool is_plain = row.element_fields[0].name.empty();
      const std::size_t lanes = row.element_fields[0].length;
      if (!is_plain) {
        found.merge(values_of(row.element_fields, element, "payload[" + std::to_string(i) + "]."));
      }
      for (std::size_t lane = 0; is_plain && lane < lanes; ++lane) {
        packet_field f = row.element_fields[0];
        f.length = 1;
        const numbers value = values_of(std::span{&f, 1}, element + 4 * lane, "");
        found["payload[" + std::to_string(i * lanes + lane) + "]"] = value.at("");
      }
    }
    CHECK(found == golden_numbers(vector.extra));
  }
}

TEST_CASE("the golden streams have the packets that they say", "[stream][golden]") {
  for (const golden_vector& vector : golden_vectors) {
    if (vector.kind != golden_kind::stream) continue;
    INFO(vector.name);
    const byte_vector bytes = bytes_from_hex(vector.hex);
    const stream_view stream = view_of(bytes);
    CHECK(stream.header().abi_version == field_value(vector.fields, "abi_version"));
    CHECK(stream.header().size_bytes == field_value(vector.fields, "size_bytes"));
    CHECK(bytes.size() - stream.bytes().size() == field_value(vector.extra, "slack_bytes"));
    std::uint32_t count = 0;
    for (packet_cursor at{stream}; at.next(); ++count) {
      const std::string prefix = "packets[" + std::to_string(count) + "].";
      CHECK(at.packet().offset() == field_value(vector.extra, prefix + "offset"));
      CHECK(at.packet().opcode() == field_value(vector.extra, prefix + "opcode"));
      CHECK(at.packet().size() == field_value(vector.extra, prefix + "size_bytes"));
    }
    CHECK(frame(stream).packet_count == count);
  }
}

TEST_CASE("the golden frame is written call by call", "[stream][golden]") {
  byte_vector bytes;
  growing_sink sink{bytes};
  stream_writer w{sink};
  const auto vertices =
      bytes_from_hex("000080bf000080bf0000000000004040000080bf00000000000080bf0000404000000000");
  const aerogpu_vertex_buffer_binding binding{1, 12, 0, 0};
  REQUIRE(w.begin());
  CHECK(w.create_buffer({resource_handle{1}, AEROGPU_RESOURCE_USAGE_VERTEX_BUFFER, 36, {}}));
  CHECK(w.upload_resource(resource_handle{1}, 0, vertices));
  CHECK(w.create_texture2d({resource_handle{2},
                            0x50,
                            AEROGPU_FORMAT_B8G8R8X8_UNORM,
                            64,
                            64,
                            1,
                            1,
                            256,
                            {alloc_id{7}, 0}}));
  CHECK(w.set_render_targets(std::array{resource_handle{2}}, {}));
  CHECK(w.set_viewport({0, 0, 64, 64, 0, 1}));
  CHECK(w.clear({.flags = AEROGPU_CLEAR_COLOR, .color = {1, 0, 0, 1}, .depth = 1, .stencil = 0}));
  CHECK(w.set_vertex_buffers(0, {&binding, 1}));
  CHECK(w.set_primitive_topology(AEROGPU_TOPOLOGY_TRIANGLELIST));
  CHECK(w.draw(3));
  CHECK(w.present(0, AEROGPU_PRESENT_FLAG_VSYNC));
  CHECK(w.finish() == 392);
  CHECK(bytes == bytes_from_hex(golden("small_frame").hex));
}

// SPDX-License-Identifier: MIT
// The golden bytes of wire.md 15, read through the structures field by field and written back.
#include "tests/data/golden_vectors.hpp"

#include "tests/catch.hpp"
#include "tests/unit/abi/wire_layout.hpp"

#include <map>
#include <set>
#include <string>
#include <vector>

using namespace aerogpu;
using namespace aerogpu::test;

namespace {

/// A field's text value, cut to the size of its place: signed fields are negative in the text.
auto expected_at(wire_place at, std::uint64_t value) -> std::uint64_t {
  return at.size == 8 ? value : value & ((std::uint64_t{1} << (at.size * 8)) - 1);
}

/// Whether each field of `fields` has its value in a structure at `base`.
void check_fields(const std::vector<std::byte>& bytes, std::size_t base, std::string_view type,
                  std::string_view fields) {
  for_each_field(fields, [&](std::string_view name, std::uint64_t value) {
    CAPTURE(name, value);
    wire_place at = find_place(type, name);
    REQUIRE(at.size != 0);
    at.offset += base;
    REQUIRE(at.offset + at.size <= bytes.size());
    CHECK(load_place(bytes, at) == expected_at(at, value));
  });
}

/// Fields that begin with `prefix[i].`, for each i, without the prefix.
auto elements_of(std::string_view fields, std::string_view prefix)
    -> std::map<std::size_t, std::string> {
  std::map<std::size_t, std::string> elements;
  for_each_field(fields, [&](std::string_view name, std::uint64_t value) {
    if (!name.starts_with(prefix) || name[prefix.size()] != '[') return;
    const std::size_t index = std::stoul(std::string{name.substr(prefix.size() + 1)});
    std::string& text = elements[index];
    if (!text.empty()) text += ' ';
    text += std::string{name.substr(name.find('.') + 1)} + '=' + std::to_string(value);
  });
  return elements;
}

}  // namespace

TEST_CASE("every golden vector holds its fields where the structures have them", "[abi]") {
  for (const golden_vector& vector : golden_vectors) {
    CAPTURE(vector.name);
    const std::vector<std::byte> bytes = bytes_from_hex(vector.hex);
    REQUIRE(structure_size(vector.type) != 0);
    CHECK_FALSE(vector.fields.empty());
    check_fields(bytes, 0, vector.type, vector.fields);
  }
}

TEST_CASE("a golden vector's fields spell all bytes of its structure", "[abi]") {
  for (const golden_vector& vector : golden_vectors) {
    CAPTURE(vector.name);
    const std::vector<std::byte> bytes = bytes_from_hex(vector.hex);
    const std::size_t size = std::min(structure_size(vector.type), bytes.size());
    std::vector<std::byte> written(size);
    for_each_field(vector.fields, [&](std::string_view name, std::uint64_t value) {
      const wire_place at = find_place(vector.type, name);
      std::memcpy(written.data() + at.offset, &value, at.size);
    });
    // The shape escape's structure ends in a placeholder for pixels, which are no field's.
    const std::size_t fixed = vector.type == "aerogpu_escape_set_cursor_shape_in" ? 48 : size;
    CHECK(std::vector(written.begin(), written.begin() + static_cast<std::ptrdiff_t>(fixed)) ==
          std::vector(bytes.begin(), bytes.begin() + static_cast<std::ptrdiff_t>(fixed)));
  }
}

TEST_CASE("a golden packet is its structure, its payload and zero padding", "[abi]") {
  for (const golden_vector& vector : golden_vectors) {
    if (vector.kind != golden_kind::packet || vector.opcode == "AEROGPU_CMD_BIND_SHADERS") continue;
    CAPTURE(vector.name);
    std::vector<std::byte> bytes = bytes_from_hex(vector.hex);
    const std::vector<std::byte> payload = bytes_from_hex(vector.payload_hex);
    const std::size_t fixed = structure_size(vector.type);
    REQUIRE(bytes.size() == fixed + payload.size() + vector.padding_bytes);
    CHECK(bytes.size() % 4 == 0);
    bytes.erase(bytes.begin(), bytes.begin() + static_cast<std::ptrdiff_t>(fixed));
    std::vector<std::byte> expected = payload;
    expected.resize(bytes.size());
    CHECK(bytes == expected);
  }
}

TEST_CASE("there is a golden packet for each opcode, and its header names it", "[abi]") {
  std::map<std::string_view, std::uint32_t> opcodes;
#define AEROGPU_ENUMERATOR(enumeration, name, value) \
  if (std::string_view{#enumeration} == "aerogpu_cmd_opcode") opcodes[#name] = value;
#include "tests/unit/abi/abi_facts.inc"
  std::set<std::string_view> seen;
  for (const golden_vector& vector : golden_vectors) {
    if (vector.kind != golden_kind::packet) continue;
    CAPTURE(vector.name);
    REQUIRE(opcodes.count(vector.opcode) == 1);
    const std::vector<std::byte> bytes = bytes_from_hex(vector.hex);
    CHECK(load_place(bytes, {0, 4}) == opcodes[vector.opcode]);
    CHECK(load_place(bytes, {4, 4}) == bytes.size());
    seen.insert(vector.opcode);
  }
  CHECK(seen.size() == opcodes.size());
}

TEST_CASE("the golden table, ring and bindings hold their elements one after another", "[abi]") {
  const auto [name, prefix, type, first, stride] = GENERATE(
      table<std::string_view, std::string_view, std::string_view, std::size_t, std::size_t>(
          {{"two_entries", "entries", "aerogpu_alloc_entry", 24, 32},
           {"two_slot_ring_one_pending", "slots", "aerogpu_submit_desc", 64, 64},
           {"set_vertex_buffers_two", "payload", "aerogpu_vertex_buffer_binding", 16, 16},
           {"set_constant_buffers_geometry_legacy", "payload", "aerogpu_constant_buffer_binding",
            24, 16},
           {"set_shader_resource_buffers_compute", "payload",
            "aerogpu_shader_resource_buffer_binding", 24, 16},
           {"set_unordered_access_buffers_compute", "payload",
            "aerogpu_unordered_access_buffer_binding", 24, 16}}));
  CAPTURE(name);
  const std::vector<std::byte> bytes = bytes_from_hex(golden(name).hex);
  const auto elements = elements_of(golden(name).extra, prefix);
  CHECK_FALSE(elements.empty());
  for (const auto& [index, fields] : elements) {
    check_fields(bytes, first + index * stride, type, fields);
  }
}

TEST_CASE("the extended shader binding appends gs, hs and ds", "[abi]") {
  const std::string_view name = GENERATE(as<std::string_view>{}, "bind_shaders_extended",
                                         "bind_shaders_extended_gs_mirrored");
  const std::vector<std::byte> bytes = bytes_from_hex(golden(name).hex);
  REQUIRE(bytes.size() == 36);
  CHECK(load_place(bytes, {24, 4}) == field_value(golden(name).extra, "gs"));
  CHECK(load_place(bytes, {28, 4}) == field_value(golden(name).extra, "hs"));
  CHECK(load_place(bytes, {32, 4}) == field_value(golden(name).extra, "ds"));
}

TEST_CASE("constants follow their packet as bits", "[abi]") {
  const std::string_view name =
      GENERATE(as<std::string_view>{}, "set_shader_constants_f", "set_shader_constants_i",
               "set_shader_constants_b", "set_samplers_three");
  CAPTURE(name);
  const std::vector<std::byte> bytes = bytes_from_hex(golden(name).hex);
  std::size_t at = 24;
  for_each_field(golden(name).extra, [&](std::string_view, std::uint64_t value) {
    CHECK(load_place(bytes, {at, 4}) == static_cast<std::uint32_t>(value));
    at += 4;
  });
  CHECK(at == bytes.size());
}

TEST_CASE("golden streams lay their packets end to end", "[abi]") {
  for (const golden_vector& vector : golden_vectors) {
    if (vector.kind != golden_kind::stream) continue;
    CAPTURE(vector.name);
    const std::vector<std::byte> bytes = bytes_from_hex(vector.hex);
    std::size_t expected = sizeof(aerogpu_cmd_stream_header);
    for (const auto& [index, fields] : elements_of(vector.extra, "packets")) {
      CAPTURE(index);
      CHECK(field_value(fields, "offset") == expected);
      check_fields(bytes, expected, "aerogpu_cmd_hdr",
                   "opcode=" + std::to_string(field_value(fields, "opcode")) +
                       " size_bytes=" + std::to_string(field_value(fields, "size_bytes")));
      expected += field_value(fields, "size_bytes");
    }
    CHECK(field_value(vector.fields, "size_bytes") == expected);
    CHECK(bytes.size() == expected + field_value(vector.extra, "slack_bytes"));
  }
}

TEST_CASE("a cursor shape ends in its pixels", "[abi]") {
  const golden_vector& shape = golden("set_cursor_shape_2x1");
  const std::vector<std::byte> bytes = bytes_from_hex(shape.hex);
  const std::size_t pixels = offsetof(aerogpu_escape_set_cursor_shape_in, pixels);
  CHECK(pixels == 48);
  CHECK(bytes.size() ==
        pixels + field_value(shape.fields, "pitch_bytes") * field_value(shape.fields, "height"));
  const std::vector<std::byte> payload = bytes_from_hex(shape.payload_hex);
  CHECK(std::equal(payload.begin(), payload.end(), bytes.begin() + 48, bytes.end()));
}

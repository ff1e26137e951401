// SPDX-License-Identifier: MIT
#include "aerogpu/stream/packet_table.hpp"

#include "tests/catch.hpp"
#include "tests/data/abi_facts.hpp"

#include <iterator>
#include <string>
#include <vector>

using namespace aerogpu;
using test::packet_facts;

namespace {

auto type_text(const packet_field& f) -> std::string {
  switch (f.type) {
    case field_type::u8: return "u8";
    case field_type::u64: return "u64";
    case field_type::i32: return "i32";
    default: return "u32";  // Floats are declared as their bits.
  }
}

/// The fields of a row in the spelling of packet_facts.
auto fields_text(const packet_row& row) -> std::string {
  std::string text;
  for (const packet_field& f : row.fields) {
    // The geometry shader of the short form: a handle in effect, a reserved word in the ABI.
    const bool is_geometry = row.wire_name == "BIND_SHADERS" && f.name == "reserved0";
    const bool is_handle = f.rule.role == field_role::handle && !is_geometry;
    text += std::string(text.empty() ? "" : " ") + std::string(f.name) + ":" +
            std::to_string(f.offset) + ":" + type_text(f) + ":" + std::to_string(f.length) +
            (is_handle ? ":h" : "");
  }
  return text;
}

}  // namespace

TEST_CASE("the table holds every packet of the ABI and no other", "[stream][packet_table]") {
  REQUIRE(packet_table.size() == std::size(packet_facts));
  for (std::size_t i = 0; i < packet_table.size(); ++i) {
    CHECK(packet_table[i].wire_name == packet_facts[i].wire_name);
    CHECK(packet_table[i].opcode == packet_facts[i].opcode);
  }
}

TEST_CASE("each row has the ABI's sizes and minor", "[stream][packet_table]") {
  for (std::size_t i = 0; i < packet_table.size(); ++i) {
    const packet_row& row = packet_table[i];
    INFO(row.wire_name);
    CHECK(row.fixed_size == packet_facts[i].minimum_size);
    CHECK(row.since_minor == packet_facts[i].since_minor);
    const bool is_blend = row.wire_name == "SET_BLEND_STATE";  // host.md 2.12 accepts short ones.
    CHECK(row.minimum_size == (is_blend ? 28 : row.fixed_size));
  }
}

TEST_CASE("each row has the ABI's fields by name, place and type", "[stream][packet_table]") {
  for (std::size_t i = 0; i < packet_table.size(); ++i) {
    INFO(packet_table[i].wire_name);
    CHECK(fields_text(packet_table[i]) == packet_facts[i].fields);
  }
}

TEST_CASE("each row counts its payload as the ABI does", "[stream][packet_table]") {
  for (std::size_t i = 0; i < packet_table.size(); ++i) {
    const packet_row& row = packet_table[i];
    INFO(row.wire_name);
    CHECK(row.element_size == packet_facts[i].element_size);
    CHECK((row.count == nullptr) == packet_facts[i].count_field.empty());
    CHECK(row.count->name == packet_facts[i].count_field);
  }
}

TEST_CASE("an opcode finds its row, and no other number does", "[stream][packet_table]") {
  std::size_t found = 0;
  for (std::uint32_t opcode = 0; opcode < 0x2000; ++opcode) {
    const packet_row* row = find_packet(opcode);
    if (row == nullptr) continue;
    CHECK(row->opcode == opcode);
    ++found;
  }
  CHECK(found == packet_count);
  for (const std::uint32_t opcode : {0x7FFu, 0x800u, 0x7FFF0001u, 0x10000601u, 0xFFFFFFFFu}) {
    CHECK(find_packet(opcode) == nullptr);
  }
}

TEST_CASE("spoken names are the wire names in capitals and small letters",
          "[stream][packet_table]") {
  CHECK(spoken_name<aerogpu_cmd_create_texture2d> == "CreateTexture2D");
  CHECK(spoken_name<aerogpu_cmd_create_shader_dxbc> == "CreateShaderDxbc");
  CHECK(spoken_name<aerogpu_cmd_set_shader_constants_f> == "SetShaderConstantsF");
  CHECK(spoken_name<nop_packet> == "Nop");
}

TEST_CASE("packets with a stage name its field, its extension, or neither",
          "[stream][packet_table]") {
  CHECK(row_of_packet<aerogpu_cmd_set_texture>.stage->name == "shader_stage");
  CHECK(row_of_packet<aerogpu_cmd_set_texture>.stage_ex->name == "reserved0");
  CHECK(row_of_packet<aerogpu_cmd_dispatch>.stage == nullptr);
  CHECK(row_of_packet<aerogpu_cmd_dispatch>.stage_ex->offset == 20);
  CHECK(row_of_packet<aerogpu_cmd_set_sampler_state>.stage->offset == 8);
  CHECK(row_of_packet<aerogpu_cmd_set_sampler_state>.stage_ex == nullptr);
  CHECK_FALSE(has_stage<aerogpu_cmd_draw>);
}

TEST_CASE("fields tile a struct when none is missing, doubled or too long",
          "[stream][packet_table]") {
  const auto field = [](std::uint16_t offset, std::uint8_t length = 1,
                        field_type type = field_type::u32) {
    return packet_field{"f", offset, length, type, {}};
  };
  const auto tile = [](std::vector<packet_field> fields) {
    return detail::fields_tile(fields, 8, 20);
  };
  CHECK(tile({field(8), field(12, 2)}));
  CHECK(tile({field(8), field(12, 1, field_type::u64)}));
  CHECK_FALSE(tile({field(8)}));
  CHECK_FALSE(tile({field(12, 2)}));
  CHECK_FALSE(tile({field(8), field(12, 2), field(20)}));
  CHECK_FALSE(tile({field(8), field(8), field(12, 2)}));
  CHECK_FALSE(tile({field(8), field(13, 2)}));
}

TEST_CASE("the first field of a role is found, or none", "[stream][packet_table]") {
  const std::vector<packet_field> fields{
      {"a", 8, 1, field_type::u32, {}},
      {"b", 12, 1, field_type::u32, field_vocabulary::payload_count},
      {"c", 16, 1, field_type::u32, field_vocabulary::payload_count}};
  CHECK(detail::find_role(fields, field_role::count)->name == "b");
  CHECK(detail::find_role(fields, field_role::number)->name == "a");
  CHECK(detail::find_role(fields, field_role::stage) == nullptr);
  CHECK(detail::stride_of(payload_kind::none, 4) == 0);
  CHECK(detail::stride_of(payload_kind::elements, 16) == 16);
  CHECK(detail::stride_of(payload_kind::bytes, 1) == 1);
}

// SPDX-License-Identifier: MIT
#include "aerogpu/stream/text/packets_markdown.hpp"

#include "tests/unit/stream/streams.hpp"

#include <array>
#include <string>

using namespace aerogpu;
using namespace aerogpu::test;

namespace {

using rules = field_vocabulary;

/// What `print(sink)` prints.
template <class Print>
auto markdown_of(Print&& print) -> std::string {
  string_sink sink;
  print(sink);
  return sink.text;
}

auto meaning(const field_rule& rule) -> std::string {
  const packet_field f{"f", 8, 1, field_type::u32, rule};
  return markdown_of([&](string_sink& sink) {
    detail::append_meaning(sink, f);
    detail::append_note(sink, f.rule);
  });
}

auto type_column(field_type type, const field_rule& rule = {}) -> std::string {
  return std::string(detail::type_name({"f", 8, 1, type, rule}));
}

auto section(const packet_row& row) -> std::string {
  return markdown_of([&](string_sink& sink) { detail::append_packet_section(sink, row); });
}

auto has_text(const std::string& text, std::string_view part) -> bool {
  return text.find(part) != std::string::npos;
}

constexpr std::array fields{
    packet_field{"size_bytes", 8, 1, field_type::u64, rules::payload_count},
    packet_field{"", 16, 3, field_type::f32, {}},
};
constexpr std::array members{packet_field{"lane", 4, 1, field_type::u16, rules::zero_or_one}};

/// A packet that no table holds.
auto made_up_row() -> packet_row {
  packet_row row;
  row.opcode = 0xABC;
  row.minimum_size = row.fixed_size = 28;
  row.wire_name = "MADE_UP";
  row.summary = "Does nothing.";
  return row;
}

}  // namespace

TEST_CASE("a field's meaning is said in words by its role", "[stream][markdown]") {
  struct row {
    field_rule rule;
    std::string_view text;
  };
  const row rows[] = {
      {rules::zero_or_one, "0 or 1"},
      {rules::foreign_bits, "any bits"},
      {rules::foreign_bits.with("D3DRS value"), "D3DRS value"},
      {rules::allocation, "allocation id, 0 = memory of the device"},
      {rules::base_stage, "base stage, `aerogpu_shader_stage`"},
      {rules::extended_stage, "`aerogpu_shader_stage_ex` when the base stage is COMPUTE, else 0"},
      {rules::first_of_run, "first slot or register"},
      {rules::payload_count, "payload count"},
      {rules::nonzero_count, "payload count, not 0"},
      {rules::written_as_zero, "written as 0, ignored by readers"},
      {rules::token(0), "share token"},
      {rules::token(1), "share token, not 0"},
      {rules::creates(handle_space::resource), "new resource, not 0"},
      {rules::needs(handle_space::shader), "shader, not 0"},
      {rules::binds(handle_space::input_layout), "input layout, 0 = none"},
      {rules::drops(handle_space::sampler), "sampler to drop"},
      {rules::binds(handle_space::none), "object, 0 = none"},
      {rules::flags_of(value_set::clear_flags), "`aerogpu_clear_flags`"},
      {rules::one_of(value_set::format), "`aerogpu_format`"},
      {rules::flags_of(value_set::color_write_mask), "bit 0 R, 1 G, 2 B, 3 A"},
      {{}, ""},
      {rules::at_least(2), "at least 2"},
      {rules::at_most(15), "at most 15"},
      {rules::word_multiple, "multiple of 4"},
      {rules::nonzero_word_multiple, "at least 1, multiple of 4"},
      {rules::number_of("of a texel"), "of a texel"},
      {rules::at_least(1).with("bytes"), "at least 1; bytes"},
      {rules::at_most(1).with("bytes"), "at most 1; bytes"},
      {rules::word_multiple.with("bytes"), "multiple of 4; bytes"},
      {rules::zero_or_one.with("kept"), "0 or 1; kept"},
  };
  for (const row& r : rows) CHECK(meaning(r.rule) == r.text);
}

TEST_CASE("a field's type is its number's, or a handle", "[stream][markdown]") {
  CHECK(type_column(field_type::u8) == "u8");
  CHECK(type_column(field_type::u16) == "u16");
  CHECK(type_column(field_type::u32) == "u32");
  CHECK(type_column(field_type::u64) == "u64");
  CHECK(type_column(field_type::i32) == "i32");
  CHECK(type_column(field_type::f32) == "f32");
  CHECK(type_column(field_type::u32, rules::binds(handle_space::shader)) == "handle");
}

TEST_CASE("a packet's section has its numbers, fields, payload and details", "[stream][markdown]") {
  packet_row row = made_up_row();
  row.minimum_size = 24;
  row.since_minor = 3;
  row.fields = fields;
  row.payload = payload_kind::elements;
  row.element_size = 6;
  row.element_fields = members;
  row.count = fields[0];
  row.details = "More of it.";
  CHECK(section(row) == R"(
### MADE_UP

Does nothing. Opcode 0xabc, at least 28 bytes; readers accept 24, since ABI 1.3.

| offset | type | field | meaning |
|---:|---|---|---|
| 8 | u64 | `size_bytes` | payload count |
| 16 | f32[3] |  |  |

Then `size_bytes` elements of 6 bytes:

| offset | type | field | meaning |
|---:|---|---|---|
| 4 | u16 | `lane` | 0 or 1 |

More of it.
)");
}

TEST_CASE("a section leaves out what a packet does not have", "[stream][markdown]") {
  CHECK(section(made_up_row()) ==
        "\n### MADE_UP\n\nDoes nothing. Opcode 0xabc, at least 28 bytes.\n");
}

TEST_CASE("a section says how bytes and text end", "[stream][markdown]") {
  packet_row row = made_up_row();
  row.payload = payload_kind::bytes;
  row.count = fields[0];
  CHECK(section(row).ends_with(
      " bytes.\n\nThen `size_bytes` bytes, zero-padded to a multiple of 4.\n"));
  row.payload = payload_kind::text;
  CHECK(section(row).ends_with(
      " bytes.\n\nThen text to the end of the packet, zero-padded to 4 bytes.\n"));
}

TEST_CASE("a set lists its values, flags in hexadecimal", "[stream][markdown]") {
  constexpr std::array<named_value, 2> values{{{1, "ONE"}, {16, "SIXTEEN", 4}}};
  value_set_row set;
  set.type_name = "made_up";
  set.prefix = "MADE_";
  set.values = values;
  const auto text = [&] {
    return markdown_of([&](string_sink& sink) { detail::append_value_set(sink, set); });
  };
  CHECK(text() == R"(
### made_up

| value | name | since |
|---:|---|---|
| 1 | `MADE_ONE` | 1.0 |
| 16 | `MADE_SIXTEEN` | 1.4 |
)");
  set.is_flags = true;
  CHECK(has_text(text(), "| 0x10 | `MADE_SIXTEEN` | 1.4 |\n"));
  set.type_name = {};
  CHECK(text().empty());
}

TEST_CASE("the reference lists every packet, then describes each, then the values",
          "[stream][markdown]") {
  const std::string text = markdown_of([](string_sink& sink) { append_packets_markdown(sink); });
  CHECK(text.starts_with("# Packets\n\nFor whoever "));
  CHECK(has_text(text,
                 "| opcode | packet | bytes | payload |\n|---|---|---:|---|\n"
                 "| 0x000 | NOP | 8 |  |\n| 0x001 | DEBUG_MARKER | 8 | text |\n"));
  CHECK(has_text(text, "| 0x104 | UPLOAD_RESOURCE | 32 | bytes |\n"));
  CHECK(has_text(text, "| 0x522 | SET_SAMPLERS | 24 | elements |\n"));
  CHECK(has_text(text, "| 0x720 | FLUSH | 16 |  |\n\n## Packet reference\n\n### NOP\n"));
  for (const packet_row& row : packet_table) CHECK(has_text(text, section(row)));
  CHECK(has_text(text, "\n## Values\n\n### aerogpu_shader_stage\n"));
  for (const value_set_row& set : value_sets) {
    CHECK(has_text(text,
                   markdown_of([&](string_sink& sink) { detail::append_value_set(sink, set); })));
  }
}

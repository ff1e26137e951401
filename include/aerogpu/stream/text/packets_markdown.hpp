// SPDX-License-Identifier: MIT
/// \file The packet reference, docs/packets.md, printed from the packet table.
#pragma once

#include "aerogpu/core/text.hpp"
#include "aerogpu/stream/packet_table.hpp"

#include <array>
#include <cstddef>
#include <cstdint>
#include <string_view>

namespace aerogpu {
namespace detail {

[[nodiscard]] constexpr auto type_name(const packet_field& f) noexcept -> std::string_view {
  constexpr std::array<std::string_view, 6> names{"u8", "u16", "u32", "u64", "i32", "f32"};
  if (f.rule.role == field_role::handle) return "handle";
  return names[static_cast<std::size_t>(f.type)];
}

[[nodiscard]] constexpr auto space_name(handle_space space) noexcept -> std::string_view {
  constexpr std::array<std::string_view, 5> names{"object", "resource", "shader", "input layout",
                                                  "sampler"};
  return names[static_cast<std::size_t>(space)];
}

template <text_sink Sink>
void append_handle_meaning(Sink& sink, const field_rule& rule) noexcept {
  constexpr std::array<std::string_view, 5> before{"", "new ", "", "", ""};
  constexpr std::array<std::string_view, 5> after{"", ", not 0", ", not 0", ", 0 = none",
                                                  " to drop"};
  const auto use = static_cast<std::size_t>(rule.use);
  sink.append(before[use]);
  sink.append(space_name(rule.space));
  sink.append(after[use]);
}

template <text_sink Sink>
void append_number_meaning(Sink& sink, const field_rule& rule) noexcept {
  std::string_view separator;
  const auto say = [&](std::string_view text, std::uint64_t value) {
    sink.append(separator);
    sink.append(text);
    append_decimal(sink, value);
    separator = ", ";
  };
  if (rule.minimum != 0) say("at least ", rule.minimum);
  if (rule.maximum != field_rule{}.maximum) say("at most ", rule.maximum);
  if (rule.multiple_of != 1) say("multiple of ", rule.multiple_of);
}

/// The rule's note, behind what was said already.
template <text_sink Sink>
void append_note(Sink& sink, const field_rule& rule) noexcept {
  if (rule.note.empty() || rule.role == field_role::raw_bits) return;
  const bool is_alone = rule.role == field_role::number && rule.minimum == 0 &&
                        rule.maximum == field_rule{}.maximum && rule.multiple_of == 1;
  if (!is_alone) sink.append("; ");
  sink.append(rule.note);
}

/// What a field's rule says, in words.
template <text_sink Sink>
void append_meaning(Sink& sink, const packet_field& f) noexcept {
  const value_set_row& set = row_of(f.rule.values);
  switch (f.rule.role) {
    case field_role::boolean: return sink.append("0 or 1");
    case field_role::raw_bits: return sink.append(f.rule.note.empty() ? "any bits" : f.rule.note);
    case field_role::allocation: return sink.append("allocation id, 0 = memory of the device");
    case field_role::stage: return sink.append("base stage, `aerogpu_shader_stage`");
    case field_role::stage_ex:
      return sink.append("`aerogpu_shader_stage_ex` when the base stage is COMPUTE, else 0");
    case field_role::first: return sink.append("first slot or register");
    case field_role::count:
      return sink.append(f.rule.minimum != 0 ? "payload count, not 0" : "payload count");
    case field_role::reserved: return sink.append("written as 0, ignored by readers");
    case field_role::share_token:
      return sink.append(f.rule.minimum != 0 ? "share token, not 0" : "share token");
    case field_role::handle: return append_handle_meaning(sink, f.rule);
    case field_role::flags:
    case field_role::enumeration:
      if (set.type_name.empty()) return sink.append("bit 0 R, 1 G, 2 B, 3 A");
      sink.append("`");
      sink.append(set.type_name);
      return sink.append("`");
    case field_role::number: return append_number_meaning(sink, f.rule);
  }
}

template <text_sink Sink>
void append_field_rows(Sink& sink, std::span<const packet_field> fields) noexcept {
  sink.append("\n| offset | type | field | meaning |\n|---:|---|---|---|\n");
  for (const packet_field& f : fields) {
    sink.append("| ");
    append_decimal(sink, f.offset);
    sink.append(" | ");
    sink.append(type_name(f));
    if (f.length != 1) {
      sink.append("[");
      append_decimal(sink, f.length);
      sink.append("]");
    }
    sink.append(" | ");
    if (!f.name.empty()) {
      sink.append("`");
      sink.append(f.name);
      sink.append("`");
    }
    sink.append(" | ");
    append_meaning(sink, f);
    append_note(sink, f.rule);
    sink.append(" |\n");
  }
}

template <text_sink Sink>
void append_payload(Sink& sink, const packet_row& row) noexcept {
  switch (row.payload) {
    case payload_kind::none: return;
    case payload_kind::text:
      return sink.append("\nThen text to the end of the packet, zero-padded to 4 bytes.\n");
    case payload_kind::bytes:
      sink.append("\nThen `");
      sink.append(row.count->name);
      return sink.append("` bytes, zero-padded to a multiple of 4.\n");
    case payload_kind::elements:
      sink.append("\nThen `");
      sink.append(row.count->name);
      sink.append("` elements of ");
      append_decimal(sink, row.element_size);
      sink.append(" bytes:\n");
      return append_field_rows(sink, row.element_fields);
  }
}

template <text_sink Sink>
void append_packet_section(Sink& sink, const packet_row& row) noexcept {
  sink.append("\n### ");
  sink.append(row.wire_name);
  sink.append("\n\n");
  sink.append(row.summary);
  sink.append(" Opcode ");
  append_hex(sink, row.opcode, 3);
  sink.append(", at least ");
  append_decimal(sink, row.fixed_size);
  sink.append(" bytes");
  if (row.minimum_size != row.fixed_size) {
    sink.append("; readers accept ");
    append_decimal(sink, row.minimum_size);
  }
  if (row.since_minor != 0) {
    sink.append(", since ABI 1.");
    append_decimal(sink, row.since_minor);
  }
  sink.append(".\n");
  if (!row.fields.empty()) append_field_rows(sink, row.fields);
  append_payload(sink, row);
  if (row.details.empty()) return;
  sink.append("\n");
  sink.append(row.details);
  sink.append("\n");
}

template <text_sink Sink>
void append_value_set(Sink& sink, const value_set_row& set) noexcept {
  if (set.type_name.empty()) return;
  sink.append("\n### ");
  sink.append(set.type_name);
  sink.append("\n\n| value | name | since |\n|---:|---|---|\n");
  for (const named_value& v : set.values) {
    sink.append("| ");
    if (set.is_flags) append_hex(sink, v.value);
    if (!set.is_flags) append_decimal(sink, v.value);
    sink.append(" | `");
    sink.append(set.prefix);
    sink.append(v.name);
    sink.append("` | 1.");
    append_decimal(sink, v.since_minor);
    sink.append(" |\n");
  }
}

}  // namespace detail

/// Appends docs/packets.md.
template <text_sink Sink>
void append_packets_markdown(Sink& sink) noexcept {
  sink.append(
      "# Packets\n\n"
      "For whoever writes or reads command streams. Made from the packet table in\n"
      "`include/aerogpu/stream/` by `tools/gen_packets_doc.cpp`; do not edit.\n\n"
      "Every packet begins with an 8-byte header, `opcode` and `size_bytes`, which the tables "
      "below\n"
      "leave out; offsets count from its start. All numbers are little-endian. Sizes are "
      "multiples\n"
      "of 4. Readers skip opcodes they do not know and ignore what follows the part they know.\n\n"
      "| opcode | packet | bytes | payload |\n|---|---|---:|---|\n");
  for (const packet_row& row : packet_table) {
    constexpr std::array<std::string_view, 4> payloads{"", "bytes", "elements", "text"};
    sink.append("| ");
    append_hex(sink, row.opcode, 3);
    sink.append(" | ");
    sink.append(row.wire_name);
    sink.append(" | ");
    append_decimal(sink, row.fixed_size);
    sink.append(" | ");
    sink.append(payloads[static_cast<std::size_t>(row.payload)]);
    sink.append(" |\n");
  }
  sink.append("\n## Packet reference\n");
  for (const packet_row& row : packet_table) detail::append_packet_section(sink, row);
  sink.append("\n## Values\n");
  for (const value_set_row& set : value_sets) detail::append_value_set(sink, set);
}

}  // namespace aerogpu

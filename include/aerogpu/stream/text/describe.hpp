// SPDX-License-Identifier: MIT
/// \file Walks a packet's rows and tells a printer every name and value: what all dumps share.
#pragma once

#include "aerogpu/stream/input_layout_blob.hpp"
#include "aerogpu/stream/packet.hpp"
#include "aerogpu/stream/resolve.hpp"
#include "aerogpu/stream/stage.hpp"
#include "aerogpu/stream/text/d3d9_state_names.hpp"

#include <array>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <span>
#include <string_view>

namespace aerogpu {

/// How much of each payload a dump shows; the sizes are always told.
struct dump_options {
  std::size_t payload_bytes = 64;
  std::size_t payload_elements = 256;
};

/// Name of a stage: "hull".
[[nodiscard]] constexpr auto stage_name(shader_stage stage) noexcept -> std::string_view {
  constexpr std::array<std::string_view, shader_stage_count> names{"vertex",   "pixel", "compute",
                                                                   "geometry", "hull",  "domain"};
  const auto index = static_cast<std::size_t>(stage);
  return index < names.size() ? names[index] : "unknown";
}

namespace detail {

/// A packet's struct with what a short packet leaves out filled in.
struct struct_bytes {
  std::array<std::byte, 64> bytes{};

  struct_bytes(const raw_packet& from, const packet_row& row) noexcept {
    const std::size_t size = from.size() < row.fixed_size ? from.size() : row.fixed_size;
    std::memcpy(bytes.data(), from.bytes().data(), size);
    if (from.is<aerogpu_cmd_set_blend_state>()) {
      const auto state = resolve_blend_state(from.as<aerogpu_cmd_set_blend_state>());
      store(bytes.data() + sizeof(aerogpu_cmd_hdr), state);
    }
  }
};
static_assert([] {
  for (const packet_row& row : packet_table) {
    if (row.fixed_size > sizeof(struct_bytes::bytes)) return false;
  }
  return true;
}());

/// One number, by what its row says it stands for.
template <class Printer>
void describe_number(Printer& out, const packet_field& f, std::string_view name,
                     std::uint64_t value) noexcept {
  const value_set_row& set = row_of(f.rule.values);
  switch (f.rule.role) {
    case field_role::raw_bits:
    case field_role::share_token: return out.bits(name, value);
    case field_role::flags: return out.flags(name, set, static_cast<std::uint32_t>(value));
    case field_role::enumeration:
    case field_role::stage:
    case field_role::stage_ex: {
      const named_value* known = set.find(static_cast<std::uint32_t>(value));
      return known != nullptr ? out.word(name, known->name) : out.number(name, value);
    }
    default: break;
  }
  const auto low = static_cast<std::uint32_t>(value);
  if (f.type == field_type::f32) return out.float_bits(name, low);
  if (f.type == field_type::i32) return out.integer(name, static_cast<std::int32_t>(low));
  out.number(name, value);
}

/// One field; reserved words only when they are not 0.
template <class Printer>
void describe_field(Printer& out, const packet_field& f, const std::byte* base) noexcept {
  const std::byte* at = base + f.offset;
  if (f.rule.role == field_role::reserved) {
    bool is_zero = true;
    for (std::size_t i = 0; i < f.size_bytes(); ++i) is_zero = is_zero && at[i] == std::byte{0};
    if (is_zero) return;
  }
  const std::string_view name = f.rule.role == field_role::stage_ex ? "stage_ex" : f.name;
  if (f.length == 1) return describe_number(out, f, name, load_number(at, f.type));
  out.begin_array(name);
  for (std::size_t i = 0; i < f.length; ++i) {
    describe_number(out, f, {}, load_number(at + i * size_of(f.type), f.type));
  }
  out.end_array();
}

/// Elements of a payload: numbers, or objects where they have names.
template <class Printer>
void describe_elements(Printer& out, std::string_view name, std::span<const packet_field> fields,
                       std::size_t stride, const_bytes payload, std::size_t limit) noexcept {
  const std::size_t count = payload.size() / stride;
  out.begin_array(name);
  for (std::size_t i = 0; i < count && i < limit; ++i) {
    const bool is_struct = !fields[0].name.empty();
    if (is_struct) out.begin_object({});
    for (const packet_field& f : fields) describe_field(out, f, payload.data() + i * stride);
    if (is_struct) out.end_object();
  }
  if (count > limit) out.omitted(count - limit);
  out.end_array();
}

/// A packet that sets one raw state of Direct3D 9: the state and its value by their names.
template <class Packet, class Printer>
void describe_d3d9_state(Printer& out, const Packet& packet,
                         std::span<const d3d9_state_row> rows) noexcept {
  const d3d9_state_row* row = find_d3d9_state(rows, packet.state);
  row != nullptr ? out.word("state", row->name) : out.number("state", packet.state);
  describe_d3d9_value(out, "value", row, packet.value);
}

template <class Printer>
void describe_layout(Printer& out, const_bytes payload, const dump_options& options) noexcept {
  const auto blob = parse_input_layout_blob(payload);
  if (!blob) return out.bytes("blob", payload, options.payload_bytes);
  if (blob->kind == input_layout_kind::ilay) {
    return describe_elements(out, "ilay", ilay_element_rows::fields,
                             sizeof(aerogpu_input_layout_element_dxgi), blob->ilay.bytes(),
                             options.payload_elements);
  }
  describe_elements(out, "d3d9_declaration", d3d9_element_rows::fields, sizeof(d3d9_vertex_element),
                    blob->d3d9.bytes(), options.payload_elements);
}

/// Elements of one u32 each.
template <class Printer>
void describe_words(Printer& out, const_bytes payload, std::size_t limit) noexcept {
  const packed_array<std::uint32_t> words{payload};
  out.begin_array("elements");
  for (std::size_t i = 0; i < words.size() && i < limit; ++i) out.number({}, words[i]);
  if (words.size() > limit) out.omitted(words.size() - limit);
  out.end_array();
}

template <class Printer>
void describe_payload(Printer& out, const raw_packet& from, const packet_row& row,
                      const dump_options& options) noexcept {
  if (row.payload == payload_kind::none) return;
  if (from.is<debug_marker_packet>()) {
    return out.text("text", from.as<debug_marker_packet>().payload());
  }
  const std::uint64_t count = load_number(from.bytes().data() + row.count->offset, row.count->type);
  const std::uint32_t compact = row.compact_element_size;
  if (compact != 0 && count != 0 && from.size() == row.fixed_size + count * compact) {
    return describe_words(out, from.bytes().subspan(row.fixed_size), options.payload_elements);
  }
  const auto size = static_cast<std::size_t>(count * row.element_size);
  const const_bytes payload = from.bytes().subspan(row.fixed_size, size);
  if (from.is<aerogpu_cmd_create_input_layout>()) return describe_layout(out, payload, options);
  if (row.payload == payload_kind::bytes) return out.bytes("data", payload, options.payload_bytes);
  describe_elements(out, "elements", row.element_fields, row.element_size, payload,
                    options.payload_elements);
}

}  // namespace detail

/// Tells `out` the fields and the payload of a framed packet of a stream of `abi_minor`.
template <class Printer>
void describe_packet(Printer& out, const raw_packet& from, std::uint32_t abi_minor,
                     const dump_options& options) noexcept {
  const packet_row* row = from.row();
  if (row == nullptr) {
    const_bytes rest = from.bytes().subspan(sizeof(aerogpu_cmd_hdr));
    return out.bytes("data", rest, options.payload_bytes);
  }
  const detail::struct_bytes fields{from, *row};
  const bool binds_shaders = from.is<aerogpu_cmd_bind_shaders>();
  const bool sets_render_state = from.is<aerogpu_cmd_set_render_state>();
  const bool sets_sampler_state = from.is<aerogpu_cmd_set_sampler_state>();
  for (const packet_field& f : row->fields) {
    const bool is_geometry = binds_shaders && f.name == "reserved0";
    const bool is_named_later =
        (sets_render_state || sets_sampler_state) && (f.name == "state" || f.name == "value");
    if (!is_geometry && !is_named_later) detail::describe_field(out, f, fields.bytes.data());
  }
  if (sets_render_state) {
    detail::describe_d3d9_state(out, from.as<aerogpu_cmd_set_render_state>().fields(),
                                d3d9_render_states);
  }
  if (sets_sampler_state) {
    detail::describe_d3d9_state(out, from.as<aerogpu_cmd_set_sampler_state>().fields(),
                                d3d9_sampler_states);
  }
  if (binds_shaders) {
    const shader_handles all = resolve_bind_shaders(from.as<aerogpu_cmd_bind_shaders>());
    out.number("gs", raw(all[static_cast<std::size_t>(shader_stage::geometry)]));
    out.number("hs", raw(all[static_cast<std::size_t>(shader_stage::hull)]));
    out.number("ds", raw(all[static_cast<std::size_t>(shader_stage::domain)]));
  }
  if (row->stage_ex != nullptr) {
    const auto word = [&](const optional_field& f, std::uint32_t otherwise) {
      return f != nullptr ? load<std::uint32_t>(fields.bytes.data() + f->offset) : otherwise;
    };
    const auto stage = resolve_stage(word(row->stage, AEROGPU_SHADER_STAGE_COMPUTE),
                                     word(row->stage_ex, 0), abi_minor);
    out.word("effective_stage", stage ? stage_name(*stage) : "invalid");
  }
  detail::describe_payload(out, from, *row, options);
}

}  // namespace aerogpu

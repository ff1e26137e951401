// SPDX-License-Identifier: MIT
#include "drivers/win7/tools/dbgctl/answers/printers.hpp"

namespace aerogpu::dbgctl {
namespace {

auto is_number(value_kind kind) noexcept -> bool {
  return kind == value_kind::number || kind == value_kind::signed_number;
}

/// A set of bits as a list of names.
auto json_bits(const field& row, std::uint64_t value) -> std::string {
  std::string out = "[";
  for (std::uint64_t left = value; left != 0; left &= left - 1) {
    if (out.size() > 1) out += ",";
    out += json_text(value_text(row, left & (~left + 1)));
  }
  return out + "]";
}

auto json_value(const field& row, std::uint64_t value) -> std::string {
  if (is_number(row.kind)) return value_text(row, value);
  if (row.kind == value_kind::truth) return value != 0 ? "true" : "false";
  if (is_set(row.kind)) return json_bits(row, value);
  return json_text(value_text(row, value));
}

void append_member(std::string& out, std::string_view name, const std::string& value) {
  if (!out.empty() && out.back() != '{' && out.back() != '[') out += ",";
  out += json_text(name) + ":" + value;
}

void append_entries(const answer& from, std::string& out) {
  std::string list = "[";
  for (std::uint32_t i = 0; i < from.entry_count(); ++i) {
    list += i == 0 ? "{" : ",{";
    for (const field& row : from.layout().entries->fields) {
      append_member(list, row.name, json_value(row, from.entry_value(i, row)));
    }
    list += "}";
  }
  append_member(out, "entries", list + "]");
}

void append_bytes(const answer& from, std::string& out) {
  std::string text;
  for (const std::byte b : from.raw_bytes()) {
    text += "0123456789abcdef"[static_cast<unsigned char>(b) >> 4];
    text += "0123456789abcdef"[static_cast<unsigned char>(b) & 0xF];
  }
  append_member(out, "data", json_text(text));
}

}  // namespace

auto json_text(std::string_view text) -> std::string {
  std::string out = "\"";
  for (const char c : text) {
    if (c == '"' || c == '\\') out += '\\';
    const bool is_plain = static_cast<unsigned char>(c) >= ' ';
    out += is_plain ? c : ' ';
  }
  return out + '"';
}

void print_json(const answer& from, std::string& out) {
  for (const field& row : from.layout().fields) {
    const auto value = from.value(row);
    append_member(out, row.name, value ? json_value(row, *value) : "null");
  }
  if (from.layout().entries != nullptr) append_entries(from, out);
  if (from.layout().bytes != nullptr) append_bytes(from, out);
}

}  // namespace aerogpu::dbgctl

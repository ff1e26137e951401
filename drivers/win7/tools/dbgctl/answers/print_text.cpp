// SPDX-License-Identifier: MIT
#include "aerogpu/core/feature_text.hpp"
#include "aerogpu/core/text.hpp"
#include "aerogpu/memory/format.hpp"
#include "drivers/win7/tools/dbgctl/answers/printers.hpp"

#include <algorithm>
#include <vector>

namespace aerogpu::dbgctl {
namespace {

struct text_sink {
  std::string& out;
  void append(std::string_view more) noexcept { out.append(more); }
};

auto hex_text(std::uint64_t value, std::size_t digits = 1) -> std::string {
  std::string out;
  text_sink sink{out};
  append_hex(sink, value, digits);
  return out;
}

auto magic_text(std::uint64_t value) -> std::string {
  std::string out;
  for (unsigned shift = 0; shift < 32; shift += 8) {
    const auto c = static_cast<char>(value >> shift & 0xFF);
    if (c < ' ' || c > '~') return hex_text(value, 8);
    out += c;
  }
  return out;
}

auto name_text(const field& row, std::uint64_t value) -> std::string {
  for (const value_name& known : row.names) {
    if (known.value == value) return std::string{known.name};
  }
  return "unknown (" + hex_text(value) + ")";
}

auto bits_text(const field& row, std::uint64_t value) -> std::string {
  std::string out;
  for (unsigned bit = 0; bit < row.width * 8; ++bit) {
    const std::uint64_t mask = std::uint64_t{1} << bit;
    if ((value & mask) == 0) continue;
    if (!out.empty()) out += ", ";
    const auto known = std::find_if(row.names.begin(), row.names.end(),
                                    [&](const value_name& n) { return n.value == mask; });
    out += known == row.names.end() ? "bit " + std::to_string(bit) : std::string{known->name};
  }
  return out.empty() ? "none" : out;
}

auto features_text(std::uint64_t low, std::uint64_t high) -> std::string {
  std::string out;
  text_sink sink{out};
  append_feature_text(sink, low, high);
  return out;
}

auto format_text(std::uint64_t value) -> std::string {
  if (value == 0) return "none";
  const format_info* const known = find_format(static_cast<std::uint32_t>(value));
  return known == nullptr ? "unknown (" + std::to_string(value) + ")" : std::string{known->name};
}

void append_padded(std::string& out, std::string_view text, std::size_t width) {
  out += text;
  out.append(width - text.size(), ' ');
}

void print_entries(const answer& from, std::string& out) {
  const auto fields = from.layout().entries->fields;
  std::vector<std::vector<std::string>> rows(from.entry_count() + 1);
  std::vector<std::size_t> widths;
  for (const field& row : fields) {
    rows[0].emplace_back(row.name);
    for (std::uint32_t i = 0; i < from.entry_count(); ++i) {
      rows[i + 1].push_back(value_text(row, from.entry_value(i, row)));
    }
    widths.push_back(0);
    for (const auto& cells : rows) widths.back() = std::max(widths.back(), cells.back().size());
  }
  for (const auto& cells : rows) {
    out += ' ';
    for (std::size_t i = 0; i < cells.size(); ++i) {
      out += ' ';
      append_padded(out, cells[i], i + 1 == cells.size() ? cells[i].size() : widths[i] + 1);
    }
    out += '\n';
  }
}

void print_bytes(std::span<const std::byte> bytes, std::uint64_t address, std::string& out) {
  constexpr std::size_t per_line = 16;
  for (std::size_t at = 0; at < bytes.size(); at += per_line) {
    const auto line = bytes.subspan(at, std::min(per_line, bytes.size() - at));
    std::string text;
    out += "  " + hex_text(address + at, 16) + " ";
    for (const std::byte b : line) {
      const auto c = static_cast<unsigned char>(b);
      out += ' ' + hex_text(c, 2).substr(2);
      text += c < ' ' || c > '~' ? '.' : static_cast<char>(c);
    }
    out.append(3 * (per_line - line.size()), ' ');
    out += "  " + text + '\n';
  }
}

}  // namespace

auto value_text(const field& row, std::uint64_t value) -> std::string {
  switch (row.kind) {
    case value_kind::signed_number: return std::to_string(static_cast<std::int32_t>(value));
    case value_kind::hex: return hex_text(value);
    case value_kind::truth: return value != 0 ? "yes" : "no";
    case value_kind::version:
      return std::to_string(value >> 16) + "." + std::to_string(value & 0xFFFF);
    case value_kind::magic: return magic_text(value);
    case value_kind::format: return format_text(value);
    case value_kind::one_of: return name_text(row, value);
    case value_kind::bits: return bits_text(row, value);
    case value_kind::features_low: return features_text(value, 0);
    case value_kind::features_high: return features_text(0, value);
    case value_kind::number: break;
  }
  return std::to_string(value);
}

void print_text(const answer& from, std::string& out) {
  std::size_t width = 0;
  for (const field& row : from.layout().fields) width = std::max(width, row.name.size());
  for (const field& row : from.layout().fields) {
    const auto value = from.value(row);
    out += "  ";
    append_padded(out, row.name, width + 2);
    out += value ? value_text(row, *value) : "-";
    out += '\n';
  }
  if (from.layout().entries != nullptr && from.entry_count() != 0) print_entries(from, out);
  print_bytes(from.raw_bytes(), from.value("gpa"), out);
}

}  // namespace aerogpu::dbgctl

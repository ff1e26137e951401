// SPDX-License-Identifier: MIT
#include "tools/aerogpu/output/packet_diff.hpp"

#include "aerogpu/stream/dump.hpp"
#include "tools/aerogpu/terminal/console.hpp"

#include <algorithm>
#include <optional>
#include <vector>

namespace aerogpu::tool {

namespace {

/// "name=value" parts of a dumped packet; a value may hold spaces and nested names.
auto fields_of(std::string_view line) -> std::vector<std::string_view> {
  std::vector<std::string_view> fields;
  std::size_t begin = line.size();
  int depth = 0;
  for (std::size_t i = 0; i < line.size(); ++i) {
    if (line[i] == '[' || line[i] == '{') ++depth;
    if (line[i] == ']' || line[i] == '}') --depth;
    if (line[i] != ' ' || depth != 0) continue;
    const std::size_t end = line.find(' ', i + 1);
    const std::string_view word = line.substr(i + 1, end == line.npos ? end : end - i - 1);
    if (word.find('=') == word.npos) continue;
    if (begin < i) fields.push_back(line.substr(begin, i - begin));
    begin = i + 1;
  }
  if (begin < line.size()) fields.push_back(line.substr(begin));
  return fields;
}

auto dumped(const raw_packet& packet, std::uint32_t minor) -> std::string {
  text out;
  dump_packet(out, packet, minor, {SIZE_MAX, SIZE_MAX});
  return out.str();
}

auto name_of(const raw_packet& packet) -> std::string {
  text out;
  if (const packet_row* row = packet.row(); row != nullptr) {
    out.append(row->wire_name);
  } else {
    append_packet_name(out, packet.opcode());
  }
  return out.str();
}

constexpr std::size_t longest_value = 60;

auto shortened(std::string_view value) -> std::string {
  if (value.size() <= longest_value) return std::string{value};
  return std::string{value.substr(0, longest_value)} + "...";
}

auto first_different_byte(const_bytes a, const_bytes b) -> std::size_t {
  const auto [at, other] = std::mismatch(a.begin(), a.end(), b.begin(), b.end());
  return static_cast<std::size_t>(at - a.begin());
}

/// The fields of one packet that differ from another of the same type.
auto describe_fields(const raw_packet& a, const raw_packet& b, std::uint32_t minor_a,
                     std::uint32_t minor_b) -> std::string {
  const std::string line_a = dumped(a, minor_a);
  const std::string line_b = dumped(b, minor_b);
  const auto fields_a = fields_of(line_a);
  const auto fields_b = fields_of(line_b);
  std::string words;
  for (std::size_t i = 0; i < std::max(fields_a.size(), fields_b.size()); ++i) {
    const std::string_view left = i < fields_a.size() ? fields_a[i] : "nothing";
    const std::string_view right = i < fields_b.size() ? fields_b[i] : "nothing";
    if (left == right) continue;
    words += (words.empty() ? "" : "; ") + shortened(left) + " against " + shortened(right);
  }
  const std::string where = hex(first_different_byte(a.bytes(), b.bytes()));
  if (words.empty()) return "byte " + where + " of the packet, which no field names";
  return words + " (first byte " + where + " of the packet)";
}

/// A packet at its place, or nothing where the stream ends or is malformed.
struct step {
  explicit step(const stream_view& stream) : cursor(stream), minor(stream.abi_minor()) {}
  auto next() -> std::optional<raw_packet> {
    return cursor.next() ? std::optional{cursor.packet()} : std::nullopt;
  }
  packet_cursor cursor;
  std::uint32_t minor;
};

auto describe_end(const std::optional<raw_packet>& a, const std::optional<raw_packet>& b,
                  const step& at_a, const step& at_b) -> std::string {
  const bool ends_in_a = !a.has_value();
  const error why = (ends_in_a ? at_a : at_b).cursor.why();
  const std::string which = ends_in_a ? "A" : "B";
  const raw_packet& extra = ends_in_a ? *b : *a;
  const std::string rest = name_of(extra) + " at " + hex(extra.offset()) + " of " +
                           (ends_in_a ? "B" : "A") + " has no match";
  return why.code == error_code::none ? which + " ends: " + rest : which + " is malformed: " + rest;
}

auto describe_packets(const stream_view& a, const stream_view& b) -> std::string {
  step at_a{a};
  step at_b{b};
  for (std::uint64_t i = 0;; ++i) {
    const auto packet_a = at_a.next();
    const auto packet_b = at_b.next();
    if (!packet_a && !packet_b) break;
    const std::string place = "packet " + decimal(i);
    if (!packet_a || !packet_b) return place + ": " + describe_end(packet_a, packet_b, at_a, at_b);
    if (std::ranges::equal(packet_a->bytes(), packet_b->bytes())) continue;
    const std::string where =
        place + " at " + hex(packet_a->offset()) + " and " + hex(packet_b->offset()) + ": ";
    if (packet_a->opcode() != packet_b->opcode()) {
      return where + name_of(*packet_a) + " against " + name_of(*packet_b);
    }
    return where + name_of(*packet_a) + ": " +
           describe_fields(*packet_a, *packet_b, at_a.minor, at_b.minor);
  }
  return {};
}

}  // namespace

auto describe_stream_difference(const_bytes a, const_bytes b) -> std::string {
  if (std::ranges::equal(a, b)) return {};
  if (a.empty() || b.empty()) return std::string{a.empty() ? "A" : "B"} + " has no stream";
  const auto stream_a = parse_stream_header(a);
  const auto stream_b = parse_stream_header(b);
  if (stream_a && stream_b) {
    if (stream_a->header().abi_version != stream_b->header().abi_version) {
      return "abi_version " + hex(stream_a->header().abi_version) + " against " +
             hex(stream_b->header().abi_version);
    }
    std::string words = describe_packets(*stream_a, *stream_b);
    if (!words.empty()) return words;
  }
  return "byte " + hex(first_different_byte(a, b)) + ", in no packet";
}

}  // namespace aerogpu::tool

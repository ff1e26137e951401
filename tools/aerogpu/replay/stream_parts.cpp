// SPDX-License-Identifier: MIT
#include "tools/aerogpu/replay/stream_parts.hpp"

#include "aerogpu/abi/cmd_present.h"
#include "aerogpu/stream/packet_cursor.hpp"
#include "tools/aerogpu/terminal/console.hpp"
#include "tools/aerogpu/terminal/options.hpp"

namespace aerogpu::tool {

namespace {

/// A stream with the header of `like` and these packets.
auto make_stream(const aerogpu_cmd_stream_header& like, const_bytes packets)
    -> std::vector<std::byte> {
  std::vector<std::byte> bytes(sizeof like + packets.size());
  copy_bytes(mutable_bytes{bytes}.subspan(sizeof like), packets);
  aerogpu_cmd_stream_header header = like;
  header.size_bytes = static_cast<std::uint32_t>(bytes.size());
  store(bytes.data(), header);
  return bytes;
}

auto ends_piece(std::uint32_t opcode) -> bool {
  return opcode == AEROGPU_CMD_DRAW || opcode == AEROGPU_CMD_DRAW_INDEXED ||
         opcode == AEROGPU_CMD_DISPATCH || opcode == AEROGPU_CMD_CLEAR;
}

auto parse_offset(std::string_view text) -> std::optional<std::uint64_t> {
  if (!text.starts_with("0x")) return parse_number(text);
  constexpr std::size_t most_digits = 16;
  std::uint64_t value = 0;
  if (text.size() == 2 || text.size() > 2 + most_digits) return std::nullopt;
  for (const char c : text.substr(2)) {
    constexpr std::string_view digits = "0123456789abcdef";
    const std::size_t digit = digits.find(c >= 'A' && c <= 'F' ? static_cast<char>(c + 32) : c);
    if (digit == digits.npos) return std::nullopt;
    value = value << 4 | digit;
  }
  return value;
}

}  // namespace

auto parse_stop(std::string_view text) -> std::optional<replay_stop> {
  const std::size_t colon = text.find(':');
  const auto submission = parse_number(text.substr(0, colon));
  if (!submission) return std::nullopt;
  if (colon == text.npos) return replay_stop{*submission, std::nullopt};
  const auto offset = parse_offset(text.substr(colon + 1));
  if (!offset) return std::nullopt;
  return replay_stop{*submission, offset};
}

auto stream_until(const_bytes stream, std::uint64_t offset, std::string& why)
    -> std::optional<std::vector<std::byte>> {
  const auto from = parse_stream_header(stream);
  if (!from) {
    why = "its stream has no valid header";
    return std::nullopt;
  }
  std::string before;
  for (packet_cursor at{*from}; at.next();) {
    const raw_packet packet = at.packet();
    if (packet.offset() == offset) {
      constexpr std::size_t head = sizeof(aerogpu_cmd_stream_header);
      return make_stream(from->header(),
                         stream.subspan(head, packet.offset() + packet.size() - head));
    }
    if (packet.offset() > offset) break;
    before = "; the one before it starts at " + hex(packet.offset());
  }
  why = "no packet starts at " + hex(offset) + before;
  return std::nullopt;
}

auto present_stream(const_bytes like) -> std::vector<std::byte> {
  const auto from = parse_stream_header(like);
  if (!from) return {};
  aerogpu_cmd_present packet{};
  packet.hdr = {AEROGPU_CMD_PRESENT, sizeof packet};
  return make_stream(from->header(), std::as_bytes(std::span{&packet, 1}));
}

auto pieces_of(const_bytes stream) -> std::optional<std::vector<stream_piece>> {
  const auto from = parse_stream_header(stream);
  if (!from) return std::nullopt;
  std::vector<stream_piece> pieces;
  std::vector<std::byte> packets;
  std::uint64_t offset = 0;
  std::uint32_t opcode = 0;
  packet_cursor at{*from};
  while (at.next()) {
    const const_bytes packet = at.packet().bytes();
    packets.insert(packets.end(), packet.begin(), packet.end());
    offset = at.packet().offset();
    opcode = at.packet().opcode();
    if (!ends_piece(opcode)) continue;
    pieces.push_back({offset, opcode, make_stream(from->header(), packets)});
    packets.clear();
  }
  if (at.why().code != error_code::none) return std::nullopt;
  if (packets.empty() && !pieces.empty()) return pieces;
  pieces.push_back({offset, opcode, make_stream(from->header(), packets)});
  return pieces;
}

}  // namespace aerogpu::tool

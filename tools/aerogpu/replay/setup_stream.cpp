// SPDX-License-Identifier: MIT
#include "tools/aerogpu/replay/setup_stream.hpp"

#include "aerogpu/stream/packet_cursor.hpp"

namespace aerogpu::tool {

namespace {

auto is_needed_later(std::uint32_t opcode, earlier_draws draws) -> bool {
  switch (opcode) {
    case AEROGPU_CMD_NOP:
    case AEROGPU_CMD_DEBUG_MARKER:
    case AEROGPU_CMD_FLUSH:
    case AEROGPU_CMD_PRESENT:
    case AEROGPU_CMD_PRESENT_EX: return false;
    case AEROGPU_CMD_CLEAR:
    case AEROGPU_CMD_DRAW:
    case AEROGPU_CMD_DRAW_INDEXED:
    case AEROGPU_CMD_DISPATCH: return draws == earlier_draws::keep;
    default: return true;
  }
}

}  // namespace

auto make_setup_stream(const_bytes stream, earlier_draws draws) -> std::vector<std::byte> {
  const auto from = parse_stream_header(stream);
  if (!from) return {};
  std::vector<std::byte> bytes(sizeof(aerogpu_cmd_stream_header));
  for (packet_cursor at{*from}; at.next();) {
    if (!is_needed_later(at.packet().opcode(), draws)) continue;
    const const_bytes packet = at.packet().bytes();
    bytes.insert(bytes.end(), packet.begin(), packet.end());
  }
  if (bytes.size() == sizeof(aerogpu_cmd_stream_header)) return {};
  aerogpu_cmd_stream_header header = from->header();
  header.size_bytes = static_cast<std::uint32_t>(bytes.size());
  store(bytes.data(), header);
  return bytes;
}

}  // namespace aerogpu::tool

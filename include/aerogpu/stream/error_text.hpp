// SPDX-License-Identifier: MIT
/// \file Errors as one line: "CreateTexture2D at 0x1c0: width is less than its minimum (0, 1)".
#pragma once

#include "aerogpu/core/error.hpp"
#include "aerogpu/core/text.hpp"
#include "aerogpu/stream/packet_table.hpp"

#include <cstdint>
#include <string_view>

namespace aerogpu {

/// Appends the packet's name in messages, or "packet 0x7fff0001" for an unknown opcode.
template <text_sink Sink>
void append_packet_name(Sink& sink, std::uint32_t opcode) noexcept {
  const packet_row* row = find_packet(opcode);
  if (row != nullptr) return sink.append(row->name);
  sink.append("packet ");
  append_hex(sink, opcode);
}

/// Appends place, sentence, value and limit of an error in a stream, without a line end. Errors
/// outside any packet are placed in the stream header.
template <text_sink Sink>
void append_error(Sink& sink, const error& why) noexcept {
  const bool is_in_header = why.opcode == 0 && why.offset < sizeof(aerogpu_cmd_stream_header);
  if (is_in_header) {
    sink.append("stream header");
  } else {
    append_packet_name(sink, why.opcode);
  }
  sink.append(" at ");
  append_hex(sink, why.offset);
  sink.append(": ");
  sink.append(why.what);
  sink.append(" (");
  append_decimal(sink, why.detail);
  if (why.limit != 0) {
    sink.append(", limit ");
    append_decimal(sink, why.limit);
  }
  sink.append(")");
}

}  // namespace aerogpu

// SPDX-License-Identifier: MIT
/// \file A stream as text, one packet a line, or as a JSON document.
#pragma once

#include "aerogpu/core/text.hpp"
#include "aerogpu/stream/error_text.hpp"
#include "aerogpu/stream/packet_cursor.hpp"
#include "aerogpu/stream/text/describe.hpp"
#include "aerogpu/stream/text/json_printer.hpp"
#include "aerogpu/stream/text/text_printer.hpp"

#include <cstdint>

namespace aerogpu {

/// Appends one packet as "0x00000018 CREATE_BUFFER buffer_handle=16 ...", without a line end.
template <text_sink Sink>
void dump_packet(Sink& sink, const raw_packet& from, std::uint32_t abi_minor,
                 const dump_options& options = {}) noexcept {
  append_hex(sink, from.offset(), 8);
  sink.append(" ");
  const packet_row* row = from.row();
  if (row != nullptr) {
    sink.append(row->wire_name);
  } else {
    sink.append("UNKNOWN_");
    append_hex(sink, from.opcode());
  }
  text_printer printer{sink};
  describe_packet(printer, from, abi_minor, options);
}

/// Appends every packet on a line of its own. A malformed packet ends the dump with a line that
/// says why, and the same error comes back.
template <text_sink Sink>
auto dump_text(Sink& sink, const stream_view& stream, const dump_options& options = {}) noexcept
    -> error {
  packet_cursor at{stream};
  while (at.next()) {
    dump_packet(sink, at.packet(), stream.abi_minor(), options);
    sink.append("\n");
  }
  const error why = at.why();
  if (why.code != error_code::none) {
    append_error(sink, why);
    sink.append("\n");
  }
  return why;
}

/// Appends the stream as one JSON object: `abi_version`, `size_bytes`, `packets` and `error`, which
/// is null or says where a malformed packet ended the list. The same error comes back.
template <text_sink Sink>
auto dump_json(Sink& sink, const stream_view& stream, const dump_options& options = {}) noexcept
    -> error {
  json_printer out{sink};
  out.begin_object({});
  out.number("abi_version", stream.header().abi_version);
  out.number("size_bytes", stream.header().size_bytes);
  out.begin_array("packets");
  packet_cursor at{stream};
  while (at.next()) {
    const raw_packet packet = at.packet();
    out.begin_line();
    out.begin_object({});
    out.number("offset", packet.offset());
    out.number("opcode", packet.opcode());
    out.word("packet", at.row() != nullptr ? at.row()->wire_name : "UNKNOWN");
    out.number("packet_size_bytes", packet.size());
    out.begin_object("fields");
    describe_packet(out, packet, stream.abi_minor(), options);
    out.end_object();
    out.end_object();
  }
  out.end_array();
  const error why = at.why();
  if (why.code == error_code::none) {
    out.null("error");
  } else {
    out.begin_object("error");
    out.word("kind", kind_name(why.code));
    out.number("opcode", why.opcode);
    out.number("offset", why.offset);
    out.number("detail", why.detail);
    out.number("limit", why.limit);
    out.word("what", why.what);
    out.end_object();
  }
  out.end_object();
  sink.append("\n");
  return why;
}

}  // namespace aerogpu

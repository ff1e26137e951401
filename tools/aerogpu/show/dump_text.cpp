// SPDX-License-Identifier: MIT
#include "aerogpu/abi/alloc_table.h"
#include "aerogpu/abi/ring.h"
#include "aerogpu/stream/dump.hpp"
#include "tools/aerogpu/show/dump_bytes.hpp"
#include "tools/aerogpu/show/dump_choice.hpp"
#include "tools/aerogpu/terminal/console.hpp"
#include "tools/aerogpu/terminal/exit_code.hpp"

namespace aerogpu::tool {

namespace {

/// "submission 3, frame 1, context 0, fence 7, PRESENT"
auto headline(const recorded_work& work) -> std::string {
  std::string line = work.is_submission ? "submission " : "packet record ";
  line += decimal(work.index);
  if (work.frame) line += ", frame " + decimal(*work.frame);
  if (!work.is_submission) return line;
  line +=
      ", context " + decimal(raw(work.what.context)) + ", fence " + decimal(raw(work.what.fence));
  const std::uint32_t flags = work.what.submit_flags;
  if ((flags & AEROGPU_SUBMIT_FLAG_PRESENT) != 0) line += ", PRESENT";
  if ((flags & AEROGPU_SUBMIT_FLAG_NO_IRQ) != 0) line += ", NO_IRQ";
  for (const recorded_memory& range : work.memory) {
    line += "\n  allocation " + decimal(raw(range.id)) + " at " + hex(raw(range.at)) + ", " +
            counted(range.bytes.size(), "byte") +
            ((range.flags & AEROGPU_ALLOC_FLAG_READONLY) != 0 ? ", READONLY" : "");
  }
  return line;
}

/// One line for an error, then the bytes it is about.
void append_complaint(text& out, std::string_view level, const error& why, const_bytes stream) {
  out.append("  ");
  out.append(level);
  out.append(": ");
  append_error(out, why);
  out.append("\n");
  append_bytes_around(out, stream, why.offset);
}

/// All packets of a stream; with `strict`, each finding behind its packet. False when it has
/// errors.
auto dump_stream(text& out, const_bytes bytes, const dump_choice& how) -> bool {
  const auto stream = parse_stream_header(bytes);
  if (!stream) {
    append_complaint(out, "error", stream.why(), bytes);
    return false;
  }
  const auto found = how.is_strict ? strict_findings(*stream) : std::vector<finding>{};
  bool is_good = true;
  std::size_t next = 0;
  packet_cursor at{*stream};
  while (at.next()) {
    out.append("  ");
    dump_packet(out, at.packet(), stream->abi_minor(), how.options);
    out.append("\n");
    for (; next < found.size() && found[next].why.offset <= at.packet().offset(); ++next) {
      const bool is_error = found[next].level == severity::error;
      is_good = is_good && !is_error;
      append_complaint(out, is_error ? "error" : "warning", found[next].why, bytes);
    }
  }
  if (const error why = at.why(); why.code != error_code::none) {
    append_complaint(out, "error", why, bytes);
    return false;
  }
  return is_good;
}

/// False when the packets do not fit.
auto list_foreign(text& out, const other_record& record) -> bool {
  const toy_packets list = list_toy_packets(record.payload);
  for (const toy_packet& packet : list.packets) {
    out.append("  " + hex(packet.offset) + " opcode " + decimal(packet.opcode) + ", " +
               counted(packet.size_bytes, "byte") + "\n");
  }
  if (list.why != nullptr) out.append("  error: " + std::string{list.why} + "\n");
  return list.why == nullptr;
}

}  // namespace

auto dump_as_text(const recording& file, const dump_choice& how) -> int {
  bool is_good = true;
  progress so_far{"dumping " + file.path(), file.works().size()};
  text out;
  for (const recorded_work& work : file.works()) {
    if (!how.wants(work)) continue;
    if (file.kind() == file_kind::trace) out.append(headline(work) + "\n");
    if (work.what.stream.empty()) {
      out.append("  no stream\n");
    } else {
      is_good = dump_stream(out, work.what.stream, how) && is_good;
    }
    print(out.str());
    out.clear();
    so_far.at(work.index);
  }
  for (const other_record& record : file.foreign_packets()) {
    out.append("packet record at " + hex(record.offset) + ", toy ABI, " +
               counted(record.payload.size(), "byte") + "\n");
    is_good = list_foreign(out, record) && is_good;
  }
  for (const trace_blob& blob : file.blobs()) {
    if (static_cast<std::uint32_t>(blob.kind) >= 0x100) continue;  // Belongs to a submission.
    out.append("blob " + decimal(raw(blob.id)) + ", " + blob_kind_name(blob.kind) + ", " +
               counted(blob.bytes.size(), "byte") + "\n");
  }
  print(out.str());
  return is_good ? exit_fine : exit_stream_has_errors;
}

}  // namespace aerogpu::tool

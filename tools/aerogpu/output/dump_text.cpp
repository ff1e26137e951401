// SPDX-License-Identifier: MIT
#include "aerogpu/abi/alloc_table.h"
#include "aerogpu/abi/ring.h"
#include "aerogpu/stream/dump.hpp"
#include "tools/aerogpu/output/dump_bytes.hpp"
#include "tools/aerogpu/output/dump_choice.hpp"
#include "tools/aerogpu/terminal/console.hpp"
#include "tools/aerogpu/terminal/exit_code.hpp"

namespace aerogpu::tool {

namespace {

/// "submission 3, frame 1, context 0, fence 7, PRESENT"
void print_headline(const recorded_work& work) {
  std::string line = work.is_submission ? "submission " : "packet record ";
  line += decimal(work.index);
  if (work.frame) line += ", frame " + decimal(*work.frame);
  if (!work.is_submission) return print(line + "\n");
  line +=
      ", context " + decimal(raw(work.what.context)) + ", fence " + decimal(raw(work.what.fence));
  const std::uint32_t flags = work.what.submit_flags;
  if ((flags & AEROGPU_SUBMIT_FLAG_PRESENT) != 0) line += ", PRESENT";
  if ((flags & AEROGPU_SUBMIT_FLAG_NO_IRQ) != 0) line += ", NO_IRQ";
  print(line + "\n");
  for (const recorded_memory& range : work.memory) {
    print("  allocation " + decimal(raw(range.id)) + " at " + hex(raw(range.at)) + ", " +
          counted(range.bytes.size(), "byte") +
          ((range.flags & AEROGPU_ALLOC_FLAG_READONLY) != 0 ? ", READONLY\n" : "\n"));
  }
}

/// One line for an error, then the bytes it is about.
void print_complaint(std::string_view level, const error& why, const_bytes stream) {
  text out;
  out.append("  ");
  out.append(level);
  out.append(": ");
  append_error(out, why);
  out.append("\n");
  append_bytes_around(out, stream, why.offset);
  print(out.str());
}

/// Prints the packets of a stream, from the first to the last.
class packet_list {
 public:
  packet_list(const stream_view& stream, const dump_options& how)
      : at_(stream), abi_minor_(stream.abi_minor()), how_(how) {}

  /// False when there is none left, or a malformed one.
  [[nodiscard]] auto print_next() -> bool {
    if (!at_.next()) return false;
    printed_text out;
    out.append("  ");
    dump_packet(out, at_.packet(), abi_minor_, how_);
    out.append("\n");
    end_ = at_.packet().offset() + at_.packet().size();
    return true;
  }
  /// Whether the packet at this offset is there, and printed now at the latest.
  [[nodiscard]] auto print_to(std::uint64_t offset) -> bool {
    while (end_ <= offset) {
      if (!print_next()) return false;
    }
    return true;
  }
  [[nodiscard]] auto why() const -> error { return at_.why(); }

 private:
  packet_cursor at_;
  std::uint32_t abi_minor_;
  const dump_options& how_;
  std::uint64_t end_ = 0;
};

/// All packets of a stream; with `strict`, each finding behind its packet. False when it has
/// errors.
auto dump_stream(const_bytes bytes, const dump_choice& how) -> bool {
  const auto stream = parse_stream_header(bytes);
  if (!stream) {
    print_complaint("error", stream.why(), bytes);
    return false;
  }
  packet_list packets{*stream, how.options};
  bool is_good = true;
  const auto print_finding = [&](const finding& f) {
    if (!packets.print_to(f.why.offset)) return;  // It is malformed, which is told below.
    const bool is_error = f.level == severity::error;
    is_good = is_good && !is_error;
    print_complaint(is_error ? "error" : "warning", f.why, bytes);
  };
  if (how.is_strict) (void)validate(*stream, print_finding);
  while (packets.print_next()) {
  }
  if (const error why = packets.why(); why.code != error_code::none) {
    print_complaint("error", why, bytes);
    return false;
  }
  return is_good;
}

/// A record of the toy ABI with its packets, one of another ABI alone. False when the packets do
/// not fit.
auto list_foreign(const other_record& record, std::uint32_t abi) -> bool {
  const bool is_toy = abi == trace_toy_abi_version;
  print("packet record at " + hex(record.offset) + ", " +
        (is_toy ? "toy ABI" : "ABI " + decimal(abi >> 16) + "." + decimal(abi & 0xFFFF)) + ", " +
        counted(record.payload.size(), "byte") + "\n");
  if (!is_toy) return true;
  const char* const why = visit_toy_packets(record.payload, [](const toy_packet& packet) {
    print("  " + hex(packet.offset) + " opcode " + decimal(packet.opcode) + ", " +
          counted(packet.size_bytes, "byte") + "\n");
  });
  if (why != nullptr) print("  error: " + std::string{why} + "\n");
  return why == nullptr;
}

}  // namespace

auto dump_as_text(const recording& file, const dump_choice& how) -> int {
  bool is_good = true;
  progress so_far{"dumping " + file.path(), file.works().size()};
  for (const recorded_work& work : file.works()) {
    if (!how.wants(work)) continue;
    if (file.kind() == file_kind::trace) print_headline(work);
    if (work.what.stream.empty()) {
      print("  no stream\n");
    } else {
      is_good = dump_stream(work.what.stream, how) && is_good;
    }
    so_far.at(work.index);
  }
  for (const other_record& record : file.foreign_packets()) {
    is_good = list_foreign(record, file.trace()->command_abi_version()) && is_good;
  }
  for (const trace_blob& blob : file.blobs()) {
    if (static_cast<std::uint32_t>(blob.kind) >= 0x100) continue;  // Belongs to a submission.
    print("blob " + decimal(raw(blob.id)) + ", " + blob_kind_name(blob.kind) + ", " +
          counted(blob.bytes.size(), "byte") + "\n");
  }
  return is_good ? exit_fine : exit_stream_has_errors;
}

}  // namespace aerogpu::tool

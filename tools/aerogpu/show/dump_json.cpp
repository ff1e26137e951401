// SPDX-License-Identifier: MIT
#include "aerogpu/stream/dump.hpp"
#include "tools/aerogpu/replay/replay.hpp"
#include "tools/aerogpu/show/dump_choice.hpp"
#include "tools/aerogpu/terminal/console.hpp"
#include "tools/aerogpu/terminal/exit_code.hpp"

namespace aerogpu::tool {

namespace {

void append_findings(json_printer<text>& out, const std::vector<finding>& found) {
  out.begin_array("findings");
  for (const finding& f : found) {
    out.begin_line();
    out.begin_object({});
    out.word("level", f.level == severity::error ? "error" : "warning");
    out.word("kind", kind_name(f.why.code));
    out.number("opcode", f.why.opcode);
    out.number("offset", f.why.offset);
    out.number("detail", f.why.detail);
    out.number("limit", f.why.limit);
    out.word("what", f.why.what);
    out.end_object();
  }
  out.end_array();
}

/// A stream whose header is wrong: no packets, and the error.
void append_header_error(text& out, const error& why) {
  json_printer broken{out};
  broken.begin_object({});
  broken.null("abi_version");
  broken.null("size_bytes");
  broken.begin_array("packets");
  broken.end_array();
  broken.begin_object("error");
  broken.word("kind", kind_name(why.code));
  broken.number("opcode", why.opcode);
  broken.number("offset", why.offset);
  broken.number("detail", why.detail);
  broken.number("limit", why.limit);
  broken.word("what", why.what);
  broken.end_object();
  broken.end_object();
}

/// One JSON object a line for each submission, so that long traces can be read as they come.
auto dump_work_as_json(text& out, const recorded_work& work, const dump_choice& how) -> bool {
  json_printer line{out};
  line.begin_object({});
  line.number("submission", work.index);
  if (work.frame) {
    line.number("frame", *work.frame);
  } else {
    line.null("frame");
  }
  line.number("context", raw(work.what.context));
  line.number("fence", raw(work.what.fence));
  line.number("flags", work.what.submit_flags);
  line.number("file_offset", work.file_offset);
  bool is_good = true;
  const auto stream = parse_stream_header(work.what.stream);
  if (how.is_strict) {
    const auto found = stream ? strict_findings(*stream) : std::vector<finding>{};
    for (const finding& f : found) is_good = is_good && f.level != severity::error;
    append_findings(line, found);
  }
  // The stream's own document goes in as the last member.
  out.append(",\"stream\":");
  if (work.what.stream.empty()) {
    out.append("null");
  } else if (!stream) {
    append_header_error(out, stream.why());
    is_good = false;
  } else {
    is_good = dump_json(out, *stream, how.options).code == error_code::none && is_good;
  }
  line.end_object();
  return is_good;
}

/// A record of the toy ABI, on a line of its own.
auto dump_foreign_as_json(text& out, const other_record& record) -> bool {
  const toy_packets list = list_toy_packets(record.payload);
  json_printer line{out};
  line.begin_object({});
  line.number("file_offset", record.offset);
  line.number("size_bytes", record.payload.size());
  line.begin_array("packets");
  for (const toy_packet& packet : list.packets) {
    line.begin_object({});
    line.number("offset", packet.offset);
    line.number("opcode", packet.opcode);
    line.number("packet_size_bytes", packet.size_bytes);
    line.end_object();
  }
  line.end_array();
  if (list.why == nullptr) {
    line.null("error");
  } else {
    line.word("error", list.why);
  }
  line.end_object();
  return list.why == nullptr;
}

/// What separates the lines of an array.
auto line_start(bool is_first) -> const char* {
  return is_first ? "\n" : ",\n";
}

}  // namespace

auto dump_as_json(const recording& file, const dump_choice& how) -> int {
  bool is_good = true;
  progress so_far{"dumping " + file.path(), file.works().size()};
  print("{\"version\": " + decimal(report_version) + ", \"submissions\": [");
  bool is_first = true;
  for (const recorded_work& work : file.works()) {
    if (!how.wants(work)) continue;
    text out;
    is_good = dump_work_as_json(out, work, how) && is_good;
    print(line_start(is_first) + out.str());
    is_first = false;
    so_far.at(work.index);
  }
  print("\n], \"foreign_records\": [");
  is_first = true;
  for (const other_record& record : file.foreign_packets()) {
    text out;
    is_good = dump_foreign_as_json(out, record) && is_good;
    print(line_start(is_first) + out.str());
    is_first = false;
  }
  print("\n]}\n");
  return is_good ? exit_fine : exit_stream_has_errors;
}

}  // namespace aerogpu::tool

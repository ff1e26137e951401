// SPDX-License-Identifier: MIT
#include "aerogpu/stream/dump.hpp"
#include "tools/aerogpu/output/dump_choice.hpp"
#include "tools/aerogpu/replay/replay.hpp"
#include "tools/aerogpu/terminal/console.hpp"
#include "tools/aerogpu/terminal/exit_code.hpp"

namespace aerogpu::tool {

namespace {

void print_finding(json_printer<printed_text>& out, const finding& f) {
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

/// Findings of rules that need no host. False when one is an error.
auto print_findings(json_printer<printed_text>& out, const result<stream_view>& stream) -> bool {
  bool is_good = true;
  out.begin_array("findings");
  if (stream) {
    is_good = bool{validate(*stream, [&](const finding& f) { print_finding(out, f); })};
  }
  out.end_array();
  return is_good;
}

/// A stream whose header is wrong: no packets, and the error.
void print_header_error(printed_text& out, const error& why) {
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
auto dump_work_as_json(const recorded_work& work, const dump_choice& how) -> bool {
  printed_text out;
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
  if (how.is_strict) is_good = print_findings(line, stream);
  // The stream's own document goes in as the last member.
  out.append(",\"stream\":");
  if (work.what.stream.empty()) {
    out.append("null");
  } else if (!stream) {
    print_header_error(out, stream.why());
    is_good = false;
  } else {
    is_good = dump_json(out, *stream, how.options).code == error_code::none && is_good;
  }
  line.end_object();
  return is_good;
}

/// A record of an ABI that is not ours, on a line of its own. Of the toy ABI it has the packets.
auto dump_foreign_as_json(const other_record& record, std::uint32_t abi) -> bool {
  printed_text out;
  json_printer line{out};
  line.begin_object({});
  line.number("file_offset", record.offset);
  line.number("size_bytes", record.payload.size());
  line.begin_array("packets");
  const const_bytes listed = abi == trace_toy_abi_version ? record.payload : const_bytes{};
  const char* const why = visit_toy_packets(listed, [&](const toy_packet& packet) {
    line.begin_object({});
    line.number("offset", packet.offset);
    line.number("opcode", packet.opcode);
    line.number("packet_size_bytes", packet.size_bytes);
    line.end_object();
  });
  line.end_array();
  if (why == nullptr) {
    line.null("error");
  } else {
    line.word("error", why);
  }
  line.end_object();
  return why == nullptr;
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
    print(line_start(is_first));
    is_good = dump_work_as_json(work, how) && is_good;
    is_first = false;
    so_far.at(work.index);
  }
  print("\n], \"foreign_records\": [");
  is_first = true;
  for (const other_record& record : file.foreign_packets()) {
    print(line_start(is_first));
    is_good = dump_foreign_as_json(record, file.trace()->command_abi_version()) && is_good;
    is_first = false;
  }
  print("\n]}\n");
  return is_good ? exit_fine : exit_stream_has_errors;
}

}  // namespace aerogpu::tool

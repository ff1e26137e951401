// SPDX-License-Identifier: MIT
// aerogpu info: what a file holds.
#include "aerogpu/stream/packet_cursor.hpp"
#include "aerogpu/stream/packet_needs.hpp"
#include "aerogpu/trace/toc.hpp"
#include "tools/aerogpu/commands/commands.hpp"
#include "tools/aerogpu/files/recording.hpp"
#include "tools/aerogpu/output/metadata.hpp"
#include "tools/aerogpu/terminal/console.hpp"
#include "tools/aerogpu/terminal/exit_code.hpp"

#include <map>
#include <set>

namespace aerogpu::tool {

namespace {

/// What all streams of a file hold together.
struct stream_totals {
  std::uint64_t streams = 0;
  std::uint64_t empty = 0;
  std::uint64_t bytes = 0;
  std::uint64_t packets = 0;
  std::uint64_t unknown = 0;
  std::uint64_t presents = 0;
  std::uint64_t broken = 0;
  std::set<std::uint32_t> versions;
  std::map<std::string_view, std::uint64_t> by_name;

  void add(const_bytes bytes_of_stream) {
    ++streams;
    bytes += bytes_of_stream.size();
    const auto header = parse_stream_header(bytes_of_stream);
    if (!header) {
      ++broken;
      return;
    }
    versions.insert(header->header().abi_version);
    packet_cursor at{*header};
    while (at.next()) count(at);
    if (at.why().code != error_code::none) ++broken;
  }

 private:
  void count(const packet_cursor& at) {
    ++packets;
    const packet_row* row = at.row();
    if (row == nullptr) {
      ++unknown;
      return;
    }
    ++by_name[row->wire_name];
    if (aerogpu::presents(row->opcode)) ++presents;
  }
};

auto version_text(std::uint32_t version) -> std::string {
  return decimal(version >> 16) + "." + decimal(version & 0xFFFF);
}

void add_trace_facts(facts& out, const recording& file, bool& has_errors) {
  const trace_reader& trace = *file.trace();
  out.add("kind", "trace, container version " + decimal(trace.container_version()));
  const bool is_toy = trace.command_abi_version() == trace_toy_abi_version;
  out.add("command ABI",
          version_text(trace.command_abi_version()) + (is_toy ? " (toy, listed only)" : ""));
  std::string why;
  if (const auto meta = read_metadata(trace, why); meta) {
    out.add("recorded by", printable(meta->emulator_version));
  } else {
    out.add("recorded by", "unknown: " + why);
    has_errors = true;
  }
  out.add("frames", decimal(file.frame_count()));
  if (file.cut() != nullptr) {
    out.add("contents table", "missing: " + describe(*file.cut()));
    return;
  }
  const auto toc = check_toc(trace);
  if (!toc) has_errors = true;
  out.add("contents table", toc ? "agrees with the records"
                                : "disagrees: " + std::string{toc.why().what} + " (" +
                                      decimal(toc.why().detail) + ")");
}

void add_blob_facts(facts& out, const recording& file) {
  std::map<trace_blob_kind, std::pair<std::uint64_t, std::uint64_t>> kinds;
  for (const trace_blob& blob : file.blobs()) {
    auto& [count, bytes] = kinds[blob.kind];
    ++count;
    bytes += blob.bytes.size();
  }
  for (const auto& [kind, total] : kinds) {
    out.add(std::string{"blobs, "} + blob_kind_name(kind),
            decimal(total.first) + ", " + counted(total.second, "byte"));
  }
}

void add_stream_facts(facts& out, const recording& file, const stream_totals& totals) {
  if (file.kind() == file_kind::trace) {
    std::uint64_t ranges = 0;
    for (const recorded_work& work : file.works()) ranges += work.memory.size();
    out.add("submissions", decimal(file.works().size()));
    out.add("memory ranges", decimal(ranges));
  }
  std::string versions;
  for (const std::uint32_t v : totals.versions)
    versions += (versions.empty() ? "" : ", ") + version_text(v);
  out.add("streams", decimal(totals.streams) + ", " + counted(totals.bytes, "byte") +
                         (versions.empty() ? "" : ", ABI " + versions));
  out.add("packets",
          decimal(totals.packets) + ", " + decimal(totals.unknown) + " of unknown opcodes");
  out.add("presents", decimal(totals.presents));
  out.add("broken streams", decimal(totals.broken));
}

auto print_info(const std::string& path) -> int {
  std::string why;
  const auto file = recording::open(path, why);
  if (!file) {
    complain(why);
    return exit_cannot;
  }
  facts out;
  bool has_errors = file->is_damaged();
  out.add("file", path);
  const bool is_packed = file->file_size() != file->bytes().size();
  out.add("size", counted(file->file_size(), "byte") +
                      (is_packed ? ", " + decimal(file->bytes().size()) + " unpacked" : ""));
  if (file->flaw() != nullptr) out.add("compressed data", describe(*file->flaw()));
  if (file->kind() == file_kind::raw_stream) out.add("kind", "raw command stream");
  if (file->trace() != nullptr) add_trace_facts(out, *file, has_errors);
  stream_totals totals;
  for (const recorded_work& work : file->works()) {
    if (!work.what.stream.empty()) totals.add(work.what.stream);
  }
  add_stream_facts(out, *file, totals);
  if (!file->foreign_packets().empty()) {
    out.add("foreign packets", decimal(file->foreign_packets().size()));
  }
  if (file->unknown_records() != 0) out.add("unknown records", decimal(file->unknown_records()));
  add_blob_facts(out, *file);
  print(out.str());
  if (!totals.by_name.empty()) {
    table rows{{"packet", "count"}};
    for (const auto& [name, count] : totals.by_name) rows.add({std::string{name}, decimal(count)});
    print("\n" + rows.str());
  }
  return has_errors || totals.broken != 0 ? exit_stream_has_errors : exit_fine;
}

auto run_info(const arguments& given) -> int {
  int code = exit_fine;
  bool is_first = true;
  for (const std::string& path : given.operands()) {
    if (!is_first) print("\n");
    is_first = false;
    code = std::max(code, print_info(path));
  }
  return code;
}

}  // namespace

const command info_command{
    {"info",
     "FILE...",
     "Tells what a file holds: versions, frames, submissions, packets, blobs.",
     {},
     1},
    &run_info};

}  // namespace aerogpu::tool

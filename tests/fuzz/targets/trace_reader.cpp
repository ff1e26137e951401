// SPDX-License-Identifier: MIT
// Fuzzes the trace reader: no file makes it read outside, and what opens can be written again.
#include "aerogpu/trace.hpp"
#include "tests/fuzz/fuzz.hpp"

using namespace aerogpu;

namespace {

unsigned checksum = 0;

void touch(const_bytes bytes) {
  for (const std::byte b : bytes) checksum += std::to_integer<unsigned>(b);
}

void read_submission(const trace_blob_index& blobs, const trace_submission& submission) {
  if (const auto found = resolve(blobs, submission); found) {
    touch(found->stream);
    touch(found->alloc_table);
  }
  for (std::uint32_t i = 0; i < submission.range_count(); ++i) {
    if (const auto range = resolve_range(blobs, submission, i); range) touch(range->bytes);
  }
}

void read_records(const trace_reader& trace, const trace_blob_index& blobs) {
  for (trace_cursor records = trace.records(); !records.done();) {
    const auto record = records.next();
    fuzz::claim(static_cast<bool>(record), "a trace that was indexed is walked to its end");
    touch(record->payload);
    if (record->kind != trace_record_kind::submission) continue;
    if (const auto submission = parse_submission(*record); submission) {
      read_submission(blobs, *submission);
    }
  }
}

/// Copies every record; the copy holds the same records.
void copy_trace(const trace_reader& trace) {
  memory_sink sink;
  auto writer =
      trace_writer<memory_sink>::create(sink, {.container_version = trace.container_version(),
                                               .command_abi_version = trace.command_abi_version()});
  fuzz::claim(static_cast<bool>(writer), "memory takes a trace");
  for (trace_cursor records = trace.records(); !records.done();) {
    const auto record = records.next();
    fuzz::claim(static_cast<bool>(writer->record(record->kind, {record->payload})),
                "memory takes a record");
  }
  fuzz::claim(static_cast<bool>(writer->finish()), "memory takes the end");
  const auto copy = trace_reader::open(sink.bytes());
  fuzz::claim(static_cast<bool>(copy), "a copy opens");
  trace_cursor a = trace.records();
  trace_cursor b = copy->records();
  while (!a.done() && !b.done()) {
    const auto x = a.next();
    const auto y = b.next();
    fuzz::claim(x->kind == y->kind && x->payload.size() == y->payload.size(),
                "a copy holds the same records");
  }
  fuzz::claim(a.done() && b.done(), "a copy holds as many records");
}

/// A writer that goes on behind the last whole record makes a file that opens and agrees.
void repair_trace(const trace_reader& trace) {
  memory_sink sink;
  auto writer = trace_writer<memory_sink>::continue_from(sink, trace);
  fuzz::claim(static_cast<bool>(writer), "a recovered trace can be gone on with");
  fuzz::claim(static_cast<bool>(writer->finish()), "memory takes the end");
  const auto whole = trace_reader::open(sink.bytes());
  fuzz::claim(static_cast<bool>(whole), "a repaired trace opens");
  fuzz::claim(static_cast<bool>(check_toc(*whole)), "a repaired trace agrees with its table");
}

void read_cut_trace(const_bytes file) {
  const auto found = recover_trace(file);
  if (!found || found->is_whole()) return;
  fuzz::claim(found->cut.offset + found->cut.lost_bytes <= file.size(), "a cut lies in the file");
  const auto blobs = trace_blob_index::create(found->trace);
  fuzz::claim(static_cast<bool>(blobs), "a recovered trace can be indexed");
  read_records(found->trace, *blobs);
  repair_trace(found->trace);
}

}  // namespace

auto LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) -> int {
  const const_bytes file = std::as_bytes(std::span{data, size});
  read_cut_trace(file);
  const auto trace = trace_reader::open(file);
  if (!trace) return 0;
  touch(trace->toc_bytes());
  touch(std::as_bytes(std::span{trace->metadata()}));
  (void)check_toc(*trace);
  const auto blobs = trace_blob_index::create(*trace);
  if (!blobs) return 0;
  read_records(*trace, *blobs);
  copy_trace(*trace);
  return 0;
}

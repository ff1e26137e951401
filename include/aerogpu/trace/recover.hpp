// SPDX-License-Identifier: MIT
/// \file Reads what is left of a recording that was cut off: its records up to the last whole one.
#pragma once

#include "aerogpu/core/bytes.hpp"
#include "aerogpu/core/result.hpp"
#include "aerogpu/trace/format.hpp"
#include "aerogpu/trace/reader.hpp"
#include "aerogpu/trace/records.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdint>

namespace aerogpu {

/// Where a recording was cut off.
struct trace_cut {
  error why{};                   ///< What is wrong with the file; code `none` = nothing.
  std::uint64_t offset = 0;      ///< Just after the last whole record.
  std::uint64_t lost_bytes = 0;  ///< Behind it, of no whole record. 0: only the end is missing.
};

/// A trace and how whole it is.
struct recovered_trace {
  trace_reader trace;
  trace_cut cut;

  [[nodiscard]] auto is_whole() const noexcept -> bool { return cut.why.code == error_code::none; }
};

namespace detail {

/// Why a record is none that a writer of this container version writes, beyond its length.
[[nodiscard]] inline auto check_record(const trace_record& record, std::uint32_t version) noexcept
    -> error {
  switch (record.kind) {
    case trace_record_kind::begin_frame:
    case trace_record_kind::present: return parse_frame_index(record).why();
    case trace_record_kind::blob: return parse_blob(record).why();
    case trace_record_kind::submission:
      return version < 2 ? error{} : parse_submission(record).why();
    default: return {};
  }
}

/// Whether record and header are whole, or of a newer writer. Zeros of a file that grew before it
/// was written are not, nor is the start of the table of contents.
[[nodiscard]] inline auto is_whole_record(const trace_record_header& header,
                                          const trace_record& record,
                                          std::uint32_t version) noexcept -> bool {
  if (raw(header.kind) == 0 || header.flags != 0 || header.reserved != 0) return false;
  const error why = check_record(record, version);
  return why.code == error_code::none ||
         (why.code == error_code::bad_version && why.detail > why.limit);
}

/// Just after the last whole record.
[[nodiscard]] inline auto end_of_whole_records(const trace_reader& trace) noexcept
    -> std::uint64_t {
  trace_cursor records = trace.records();
  std::uint64_t end = records.offset();
  while (!records.done()) {
    const auto record = records.next();
    if (!record) break;
    const auto header = load<trace_record_header>(trace.recorded_bytes().data() + record->offset);
    if (!is_whole_record(header, *record, trace.container_version())) break;
    end = record->end_offset();
  }
  return end;
}

[[nodiscard]] inline auto starts_with_toc(const_bytes bytes) noexcept -> bool {
  const const_bytes magic =
      bytes_of(trace_toc_magic).first(std::min(bytes.size(), trace_toc_magic.size()));
  return std::equal(magic.begin(), magic.end(), bytes.begin());
}

/// Why the records of a trace cannot be walked to their end.
[[nodiscard]] inline auto check_records(const trace_reader& trace) noexcept -> error {
  for (trace_cursor records = trace.records(); !records.done();) {
    if (const auto record = records.next(); !record) return record.why();
  }
  return {};
}

}  // namespace detail

/// Opens a trace, also one that was cut off anywhere behind its metadata, or whose end or a record
/// is broken: its records are then those in front of the first that is not whole, and it has no
/// table of contents. Walks all records. Errors: those of the header, above all `bad_version`.
[[nodiscard]] inline auto recover_trace(const_bytes file) noexcept -> result<recovered_trace> {
  const auto opened = trace_reader::open(file);
  const error why = opened ? detail::check_records(*opened) : opened.why();
  if (why.code == error_code::none) return recovered_trace{*opened, {}};
  const const_bytes area = opened ? opened->recorded_bytes() : file;
  const auto all = trace_reader::open_records(area);
  if (!all) return all.why();
  const std::uint64_t end = detail::end_of_whole_records(*all);
  const const_bytes rest = area.subspan(static_cast<std::size_t>(end));
  const trace_cut cut{why, end, detail::starts_with_toc(rest) ? 0 : rest.size()};
  const auto trace = trace_reader::open_records(file, end);
  if (!trace) return trace.why();
  return recovered_trace{*trace, cut};
}

}  // namespace aerogpu

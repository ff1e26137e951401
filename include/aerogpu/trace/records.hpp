// SPDX-License-Identifier: MIT
/// \file The payloads of trace records as checked views.
#pragma once

#include "aerogpu/core/bytes.hpp"
#include "aerogpu/core/result.hpp"
#include "aerogpu/trace/errors.hpp"
#include "aerogpu/trace/format.hpp"
#include "aerogpu/trace/reader.hpp"

#include <cstddef>
#include <cstdint>

namespace aerogpu {

/// A Blob record; `bytes` points into the file.
struct trace_blob {
  trace_blob_id id;
  trace_blob_kind kind;
  std::uint64_t offset;  ///< Of `bytes`, from the start of the file.
  const_bytes bytes;
};

/// A Submission record whose range list lies inside it.
struct trace_submission {
  trace_submission_header header;
  std::uint64_t offset;    ///< Of the record.
  const_bytes range_list;  ///< memory_range_count ranges.

  [[nodiscard]] auto range_count() const noexcept -> std::uint32_t {
    return header.memory_range_count;
  }
  /// Precondition: i < range_count().
  [[nodiscard]] auto range(std::uint32_t i) const noexcept -> trace_memory_range {
    return load<trace_memory_range>(
        range_list.subspan(i * sizeof(trace_memory_range), sizeof(trace_memory_range)).data());
  }
};

/// The frame index of a BeginFrame or Present record.
[[nodiscard]] inline auto parse_frame_index(const trace_record& record) noexcept
    -> result<std::uint32_t> {
  if (record.payload.size() < sizeof(std::uint32_t)) {
    return trace_error(record.offset, "frame record is too short", record.payload.size(),
                       sizeof(std::uint32_t));
  }
  return load<std::uint32_t>(record.payload.data());
}

[[nodiscard]] inline auto parse_blob(const trace_record& record) noexcept -> result<trace_blob> {
  constexpr std::size_t header_size = sizeof(trace_blob_header);
  if (record.payload.size() < header_size) {
    return trace_error(record.offset, "Blob record is too short", record.payload.size(),
                       header_size);
  }
  const auto header = load<trace_blob_header>(record.payload.data());
  if (header.blob_id == trace_blob_id{0}) {
    return trace_error(record.payload_offset(), "blob_id is 0");
  }
  return trace_blob{header.blob_id, header.kind, record.payload_offset(header_size),
                    record.payload.subspan(header_size)};
}

/// Reads the part that this version knows; a newer writer's longer header is skipped.
[[nodiscard]] inline auto parse_submission(const trace_record& record) noexcept
    -> result<trace_submission> {
  const std::uint64_t at = record.payload_offset();
  const std::size_t size = record.payload.size();
  trace_submission_header header;
  if (size < sizeof header) {
    return trace_error(record.offset, "Submission record is too short", size, sizeof header);
  }
  header = load<trace_submission_header>(record.payload.data());
  if (header.record_version != trace_submission_version) {
    return error{error_code::bad_version,
                 0,
                 at,
                 header.record_version,
                 trace_submission_version,
                 "record_version of a Submission is not known"};
  }
  if (header.header_size < sizeof header || header.header_size > size) {
    return trace_error(at + offsetof(trace_submission_header, header_size),
                       "header_size of a Submission is not inside its record", header.header_size,
                       size);
  }
  const const_bytes rest = record.payload.subspan(header.header_size);
  if (header.memory_range_count > rest.size() / sizeof(trace_memory_range)) {
    return trace_error(at + offsetof(trace_submission_header, memory_range_count),
                       "memory_range_count leaves the Submission record", header.memory_range_count,
                       rest.size() / sizeof(trace_memory_range));
  }
  return trace_submission{header, record.offset,
                          rest.first(header.memory_range_count * sizeof(trace_memory_range))};
}

}  // namespace aerogpu

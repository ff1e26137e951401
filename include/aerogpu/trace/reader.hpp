// SPDX-License-Identifier: MIT
/// \file Opens a trace and walks its records; survives any bytes.
#pragma once

#include "aerogpu/core/bytes.hpp"
#include "aerogpu/core/checked.hpp"
#include "aerogpu/core/result.hpp"
#include "aerogpu/trace/errors.hpp"
#include "aerogpu/trace/format.hpp"

#include <cstddef>
#include <cstdint>
#include <string_view>

namespace aerogpu {

/// Whether a file that starts with `head` is compressed with zstd: `aerogpu/trace/zstd.hpp`
/// unpacks.
[[nodiscard]] inline auto starts_with_zstd(const_bytes head) noexcept -> bool {
  return head.size() >= sizeof zstd_magic && load<std::uint32_t>(head.data()) == zstd_magic;
}

/// One record; `payload` points into the file's bytes.
struct trace_record {
  trace_record_kind kind;
  std::uint64_t offset;  ///< Of the record's header, from the start of the file.
  const_bytes payload;

  /// Of the payload's byte `at`, from the start of the file.
  [[nodiscard]] constexpr auto payload_offset(std::uint64_t at = 0) const noexcept
      -> std::uint64_t {
    return offset + sizeof(trace_record_header) + at;
  }
  /// Just after the record.
  [[nodiscard]] constexpr auto end_offset() const noexcept -> std::uint64_t {
    return payload_offset(payload.size());
  }
};

/// Walks records from first to last. After an error the walk is over.
class trace_cursor {
 public:
  constexpr trace_cursor(const_bytes file, std::size_t first, std::size_t end) noexcept
      : file_(file.first(end)), at_(first) {}

  [[nodiscard]] constexpr auto done() const noexcept -> bool { return at_ == file_.size(); }
  [[nodiscard]] constexpr auto offset() const noexcept -> std::uint64_t { return at_; }

  /// The next record. Precondition: not `done()`. `corrupt` when it leaves the record area.
  [[nodiscard]] auto next() noexcept -> result<trace_record> {
    const std::size_t at = at_;
    at_ = file_.size();
    const std::size_t left = file_.size() - at;
    if (left < sizeof(trace_record_header)) {
      return trace_error(at, "record header is cut off", left, sizeof(trace_record_header));
    }
    const auto header = load<trace_record_header>(file_.data() + at);
    const std::size_t room = left - sizeof header;
    if (header.payload_len > room) {
      return trace_error(at, "payload_len leaves the record area", header.payload_len, room);
    }
    at_ = at + sizeof header + header.payload_len;
    return trace_record{header.kind, at, file_.subspan(at + sizeof header, header.payload_len)};
  }

 private:
  const_bytes file_;  ///< Up to the end of the record area.
  std::size_t at_;
};

/// A trace whose header and footer are sound, or what `recover_trace` found of one. It points into
/// the caller's bytes, which must outlive it and not change.
class trace_reader {
 public:
  /// Checks header and footer. `bad_version` for a container version that this reader does not
  /// know (detail = that version, limit = the newest known one), `corrupt` for anything else.
  [[nodiscard]] static auto open(const_bytes file) noexcept -> result<trace_reader>;

  /// Checks the header alone: records run up to `records_end`, or to the end of the file, and there
  /// is no table of contents. For files that `open` refuses; `recover_trace` finds where they end.
  [[nodiscard]] static auto open_records(const_bytes file,
                                         std::uint64_t records_end = UINT64_MAX) noexcept
      -> result<trace_reader>;

  [[nodiscard]] auto container_version() const noexcept { return header_.container_version; }
  [[nodiscard]] auto command_abi_version() const noexcept { return header_.command_abi_version; }
  /// Packet records hold command streams of this project's ABI (major 1).
  [[nodiscard]] auto holds_command_streams() const noexcept -> bool {
    return header_.command_abi_version >> 16 == 1;
  }

  /// UTF-8 JSON as it stands in the file; not checked.
  [[nodiscard]] auto metadata() const noexcept -> std::string_view {
    const const_bytes text = file_.subspan(sizeof(trace_header), header_.meta_len);
    return {reinterpret_cast<const char*>(text.data()), text.size()};
  }
  [[nodiscard]] auto records() const noexcept -> trace_cursor {
    return {file_, sizeof(trace_header) + header_.meta_len,
            static_cast<std::size_t>(footer_.toc_offset)};
  }
  /// Header, metadata and records: everything ahead of the table of contents.
  [[nodiscard]] auto recorded_bytes() const noexcept -> const_bytes {
    return file_.first(static_cast<std::size_t>(footer_.toc_offset));
  }
  [[nodiscard]] auto toc_bytes() const noexcept -> const_bytes {
    return file_.subspan(static_cast<std::size_t>(footer_.toc_offset),
                         static_cast<std::size_t>(footer_.toc_len));
  }
  [[nodiscard]] auto toc_offset() const noexcept -> std::uint64_t { return footer_.toc_offset; }
  [[nodiscard]] auto size_bytes() const noexcept -> std::uint64_t { return file_.size(); }

 private:
  trace_reader(const_bytes file, const trace_header& header, const trace_footer& footer) noexcept
      : file_(file), header_(header), footer_(footer) {}

  const_bytes file_;
  trace_header header_;
  trace_footer footer_;
};

namespace detail {

/// Magic, version and size of the header, then that the metadata ends at or before `end`.
[[nodiscard]] inline auto check_trace_header(const trace_header& header, std::uint64_t end) noexcept
    -> result<void> {
  if (header.magic != trace_header_magic) return trace_error(0, "magic is not AEROGPUT");
  if (header.container_version > trace_newest_version) {
    return error{error_code::bad_version,
                 0,
                 offsetof(trace_header, container_version),
                 header.container_version,
                 trace_newest_version,
                 "container_version is newer than this reader"};
  }
  if (header.container_version < trace_oldest_version) {
    return trace_error(offsetof(trace_header, container_version), "container_version is 0");
  }
  if (header.header_size != sizeof header) {
    return trace_error(offsetof(trace_header, header_size), "header_size is not 32",
                       header.header_size, sizeof header);
  }
  if (!range_fits(sizeof header, header.meta_len, end)) {
    return trace_error(offsetof(trace_header, meta_len), "meta_len leaves the file",
                       header.meta_len, end - sizeof header);
  }
  return {};
}

/// The footer, against a header that was checked.
[[nodiscard]] inline auto check_trace_footer(const trace_footer& footer, const trace_header& header,
                                             std::uint64_t at) noexcept -> result<void> {
  if (footer.magic != trace_footer_magic) {
    return trace_error(at, "footer magic is not AEROGPUF: the recording was cut off");
  }
  if (footer.footer_size != sizeof footer) {
    return trace_error(at, "footer_size is not 32", footer.footer_size, sizeof footer);
  }
  if (footer.container_version != header.container_version) {
    return trace_error(at, "container_version of the footer differs from the header's",
                       footer.container_version, header.container_version);
  }
  if (footer.toc_offset < sizeof header + std::uint64_t{header.meta_len}) {
    return trace_error(at, "toc_offset lies before the records", footer.toc_offset,
                       sizeof header + std::uint64_t{header.meta_len});
  }
  if (!range_fits(footer.toc_offset, footer.toc_len, at)) {
    return trace_error(at, "toc_offset + toc_len leaves the file", footer.toc_offset, at);
  }
  return {};
}

}  // namespace detail

inline auto trace_reader::open(const_bytes file) noexcept -> result<trace_reader> {
  constexpr std::size_t least = sizeof(trace_header) + sizeof(trace_footer);
  if (file.size() < least) {
    return trace_error(0, "file is shorter than header and footer", file.size(), least);
  }
  const std::size_t footer_at = file.size() - sizeof(trace_footer);
  const auto header = load<trace_header>(file.data());
  const auto footer = load<trace_footer>(file.data() + footer_at);
  if (auto sound = detail::check_trace_header(header, footer_at); !sound) return sound.why();
  if (auto sound = detail::check_trace_footer(footer, header, footer_at); !sound) {
    return sound.why();
  }
  return trace_reader{file, header, footer};
}

inline auto trace_reader::open_records(const_bytes file, std::uint64_t records_end) noexcept
    -> result<trace_reader> {
  if (file.size() < sizeof(trace_header)) {
    return trace_error(0, "file is shorter than a header", file.size(), sizeof(trace_header));
  }
  const std::uint64_t end = records_end < file.size() ? records_end : file.size();
  const auto header = load<trace_header>(file.data());
  if (auto sound = detail::check_trace_header(header, end); !sound) return sound.why();
  return trace_reader{
      file, header, {trace_footer_magic, sizeof(trace_footer), header.container_version, end, 0}};
}

}  // namespace aerogpu

// SPDX-License-Identifier: MIT
/// \file What a file holds, as a list of submissions: a trace of any version, or one raw stream.
#pragma once

#include "aerogpu/core/bytes.hpp"
#include "aerogpu/core/result.hpp"
#include "aerogpu/trace/blob_index.hpp"
#include "aerogpu/trace/format.hpp"
#include "aerogpu/trace/reader.hpp"
#include "aerogpu/trace/records.hpp"
#include "aerogpu/trace/recover.hpp"
#include "aerogpu/trace/submission.hpp"
#include "tools/aerogpu/files/file_bytes.hpp"
#include "tools/aerogpu/files/trace_packing.hpp"

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

namespace aerogpu::tool {

enum class file_kind : std::uint8_t { trace, raw_stream };

/// A submission, or a Packet record or raw stream taken as one. Bytes point into the file.
struct recorded_work {
  std::uint64_t index = 0;
  std::optional<std::uint32_t> frame;  ///< Index of the frame around it.
  std::uint64_t file_offset = 0;       ///< Of the stream's first byte.
  std::uint64_t record_offset = 0;
  bool is_submission = false;  ///< Has a descriptor of its own.
  recorded_submission what{};
  std::vector<recorded_memory> memory;
};

/// A record that is no work: a Blob that no submission takes, a record of a kind to come.
struct other_record {
  trace_record_kind kind{};
  std::uint64_t offset = 0;
  const_bytes payload;
};

/// A file that was opened. It owns the bytes; moving it leaves them where they are.
class recording {
 public:
  /// Nothing, and a sentence in `why`, when the file cannot be read or is neither a trace nor a
  /// stream, or when a record of the trace is broken. A trace that was cut off is read up to its
  /// last whole record, and a note on stderr says so; another one tells of compressed data that
  /// is not whole.
  [[nodiscard]] static auto open(const std::string& path, std::string& why)
      -> std::optional<recording>;

  [[nodiscard]] auto path() const -> const std::string& { return path_; }
  [[nodiscard]] auto kind() const -> file_kind { return kind_; }
  /// What the file holds: the file itself, or what was unpacked from it.
  [[nodiscard]] auto bytes() const -> const_bytes { return file_.view(); }
  [[nodiscard]] auto file_size() const -> std::uint64_t { return file_size_; }
  /// Null for a raw stream.
  [[nodiscard]] auto trace() const -> const trace_reader* { return trace_ ? &*trace_ : nullptr; }
  /// Where a trace was cut off; null when it is whole.
  [[nodiscard]] auto cut() const -> const trace_cut* { return cut_ ? &*cut_ : nullptr; }
  /// What is wrong with the compressed data around it; null when nothing is.
  [[nodiscard]] auto flaw() const -> const packing_flaw* { return flaw_ ? &*flaw_ : nullptr; }
  /// Whether what was read may be wrong, and not only be the front of what was recorded.
  [[nodiscard]] auto is_damaged() const -> bool { return flaw_ && flaw_->is_damage; }
  [[nodiscard]] auto blobs() const -> std::span<const trace_blob> {
    return blobs_ ? blobs_->blobs() : std::span<const trace_blob>{};
  }
  /// In file order. Empty for the toy ABI.
  [[nodiscard]] auto works() const -> const std::vector<recorded_work>& { return works_; }
  /// Packet records of an ABI that is not ours.
  [[nodiscard]] auto foreign_packets() const -> const std::vector<other_record>& {
    return foreign_packets_;
  }
  [[nodiscard]] auto unknown_records() const -> std::uint64_t { return unknown_records_; }
  [[nodiscard]] auto frame_count() const -> std::uint64_t { return frame_count_; }

 private:
  [[nodiscard]] auto unpack(std::string& why) -> bool;
  [[nodiscard]] auto read_trace() -> result<void>;
  [[nodiscard]] auto read_records() -> result<void>;
  [[nodiscard]] auto read_record(const trace_record& record) -> result<void>;
  [[nodiscard]] auto read_submission(const trace_record& record) -> result<void>;
  [[nodiscard]] auto add_packet(const trace_record& record) -> result<void>;
  [[nodiscard]] auto admit(std::uint64_t count, std::uint64_t offset) -> result<void>;

  std::string path_;
  file_bytes file_;
  std::uint64_t file_size_ = 0;
  file_kind kind_ = file_kind::raw_stream;
  std::optional<trace_reader> trace_;
  std::optional<trace_cut> cut_;
  std::optional<packing_flaw> flaw_;
  std::optional<trace_blob_index> blobs_;
  std::vector<recorded_work> works_;
  std::uint64_t listed_ = 0;  ///< Works, their memory ranges, and frames.
  std::vector<other_record> foreign_packets_;
  std::uint64_t unknown_records_ = 0;
  std::uint64_t frame_count_ = 0;
  std::optional<std::uint32_t> frame_;
};

/// "the compressed data is damaged: ...; what was read may be wrong".
[[nodiscard]] auto describe(const packing_flaw& flaw) -> std::string;

/// "cut off at byte 0x1f4: ..., 7 bytes after it are lost".
[[nodiscard]] auto describe(const trace_cut& cut) -> std::string;

/// Name of a blob's kind: "command stream".
[[nodiscard]] auto blob_kind_name(trace_blob_kind kind) -> const char*;

}  // namespace aerogpu::tool

// SPDX-License-Identifier: MIT
/// \file Traces that the tests of the trace layer read, written by hand and by the writer.
#pragma once

#include "aerogpu/trace/writer.hpp"
#include "tests/catch.hpp"
#include "tests/support/byte_patterns.hpp"

#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

namespace aerogpu::test {

/// Appends little-endian fields: a container written field by field, as trace.md lists them.
class field_writer {
 public:
  auto text(std::string_view value) -> field_writer& {
    for (const char c : value) bytes_.push_back(static_cast<std::byte>(c));
    return *this;
  }
  auto u8(std::uint8_t value) -> field_writer& { return put(value); }
  auto u16(std::uint16_t value) -> field_writer& { return put(value); }
  auto u32(std::uint32_t value) -> field_writer& { return put(value); }
  auto u64(std::uint64_t value) -> field_writer& { return put(value); }
  [[nodiscard]] auto size() const -> std::uint64_t { return bytes_.size(); }
  [[nodiscard]] auto bytes() const -> const byte_vector& { return bytes_; }

 private:
  template <class T>
  auto put(T value) -> field_writer& {
    const const_bytes from = bytes_of(value);
    bytes_.insert(bytes_.end(), from.begin(), from.end());
    return *this;
  }
  byte_vector bytes_;
};

/// A record: type, flags, reserved, length, payload.
inline void put_record(field_writer& out, std::uint8_t kind, const byte_vector& payload) {
  out.u8(kind).u8(0).u16(0).u32(static_cast<std::uint32_t>(payload.size()));
  for (const std::byte b : payload) out.u8(std::to_integer<std::uint8_t>(b));
}

/// One frame with one Packet record of `payload`, container version 1.
[[nodiscard]] inline auto version_1_trace(const byte_vector& payload) -> byte_vector {
  constexpr std::string_view meta = R"({"emulator_version":"x","command_abi_version":65540})";
  field_writer out;
  out.text("AEROGPUT").u32(32).u32(1).u32(65540).u32(0);
  out.u32(static_cast<std::uint32_t>(meta.size())).u32(0).text(meta);
  const std::uint64_t start = out.size();
  put_record(out, 1, field_writer{}.u32(0).bytes());
  put_record(out, 3, payload);
  const std::uint64_t present = out.size();
  put_record(out, 2, field_writer{}.u32(0).bytes());
  const std::uint64_t toc = out.size();
  out.text({"AEROTOC\0", 8}).u32(1).u32(1).u32(0).u32(0).u64(start).u64(present).u64(toc);
  out.text("AEROGPUF").u32(32).u32(1).u64(toc).u64(48);
  return out.bytes();
}

/// Where things lie in `version_2_trace`.
struct sample_contents {
  byte_vector stream = counting(44, 1);
  byte_vector table = counting(56, 7);
  byte_vector memory = counting(72, 3, 5);
  std::uint64_t gpa = 0x10'0000'1000;
};

inline constexpr std::uint64_t sample_fence = 0x1'0000'0002;

/// Two frames: one with a submission that names a stream, a table and one memory range, then one
/// with an empty submission and no present.
[[nodiscard]] inline auto version_2_trace(const sample_contents& with = {}) -> byte_vector {
  memory_sink sink;
  auto writer = trace_writer<memory_sink>::create(sink, {.emulator_version = "sample \"1\"\n"});
  REQUIRE(writer);
  REQUIRE(writer->begin_frame(5));
  const auto stream = writer->blob(trace_blob_kind::command_stream, with.stream);
  const auto table = writer->blob(trace_blob_kind::alloc_table, with.table);
  const auto memory = writer->blob(trace_blob_kind::memory, with.memory);
  REQUIRE((stream && table && memory));
  const trace_memory_range range{9, 1, with.gpa, with.memory.size(), *memory};
  REQUIRE(writer->submission({3, 4, 0, sample_fence, *stream, *table}, std::span{&range, 1}));
  REQUIRE(writer->present());
  REQUIRE(writer->begin_frame(6));
  REQUIRE(writer->submission({.signal_fence = sample_fence + 1}, {}));
  REQUIRE(writer->finish());
  return {sink.bytes().begin(), sink.bytes().end()};
}

/// The records of a trace that must be sound.
[[nodiscard]] inline auto all_records(const trace_reader& trace) -> std::vector<trace_record> {
  std::vector<trace_record> records;
  for (trace_cursor cursor = trace.records(); !cursor.done();) {
    const auto record = cursor.next();
    REQUIRE(record);
    records.push_back(*record);
  }
  return records;
}

}  // namespace aerogpu::test

// SPDX-License-Identifier: MIT
/// \file The `.aerogputrace` container as structures, versions 1 and 2 (trace.md).
#pragma once

#include "aerogpu/core/ids.hpp"

#include <array>
#include <cstddef>
#include <cstdint>

namespace aerogpu {

inline constexpr std::array<char, 8> trace_header_magic{'A', 'E', 'R', 'O', 'G', 'P', 'U', 'T'};
inline constexpr std::array<char, 8> trace_footer_magic{'A', 'E', 'R', 'O', 'G', 'P', 'U', 'F'};
inline constexpr std::array<char, 8> trace_toc_magic{'A', 'E', 'R', 'O', 'T', 'O', 'C', '\0'};
/// First bytes of a compressed recording.
inline constexpr std::uint32_t zstd_magic = 0xFD2FB528;

inline constexpr std::uint32_t trace_oldest_version = 1;
inline constexpr std::uint32_t trace_newest_version = 2;
inline constexpr std::uint32_t trace_toc_version = 1;
inline constexpr std::uint32_t trace_submission_version = 1;

/// `command_abi_version` of recordings whose Packet records hold `u32 opcode, u32 total_dwords`.
inline constexpr std::uint32_t trace_toy_abi_version = 1;

/// What a record holds. Other values are skipped by their length.
enum class trace_record_kind : std::uint8_t {
  begin_frame = 1,
  present = 2,
  packet = 3,
  blob = 4,
  submission = 5,  ///< Container version 2 only.
};

/// What the bytes of a blob are.
enum class trace_blob_kind : std::uint32_t {
  buffer_data = 1,
  texture_data = 2,
  dxbc = 3,
  wgsl = 4,
  glsl_es = 5,
  command_stream = 0x100,
  alloc_table = 0x101,
  memory = 0x102,  ///< Content of one guest allocation.
};

/// Names a blob inside one trace; 0 = none.
enum class trace_blob_id : std::uint64_t {};

#pragma pack(push, 1)

/// First bytes of the file; the metadata follows at `header_size`.
struct trace_header {
  std::array<char, 8> magic;
  std::uint32_t header_size;
  std::uint32_t container_version;
  std::uint32_t command_abi_version;
  std::uint32_t flags;
  std::uint32_t meta_len;
  std::uint32_t reserved;
};

/// Last bytes of the file.
struct trace_footer {
  std::array<char, 8> magic;
  std::uint32_t footer_size;
  std::uint32_t container_version;
  std::uint64_t toc_offset;
  std::uint64_t toc_len;
};

struct trace_record_header {
  trace_record_kind kind;
  std::uint8_t flags;
  std::uint16_t reserved;
  std::uint32_t payload_len;
};

/// First bytes of a Blob payload.
struct trace_blob_header {
  trace_blob_id blob_id;
  trace_blob_kind kind;
  std::uint32_t reserved;
};

/// First bytes of a Submission payload; `header_size` above 56 means a newer writer.
struct trace_submission_header {
  std::uint32_t record_version;
  std::uint32_t header_size;
  std::uint32_t submit_flags;
  std::uint32_t context_id;
  std::uint32_t engine_id;
  std::uint32_t reserved0;
  std::uint64_t signal_fence;
  trace_blob_id cmd_stream_blob;
  trace_blob_id alloc_table_blob;
  std::uint32_t memory_range_count;
  std::uint32_t reserved1;
};

/// One guest allocation as it was before the submission.
struct trace_memory_range {
  std::uint32_t alloc_id;
  std::uint32_t flags;  ///< aerogpu_alloc_flags.
  std::uint64_t gpa;
  std::uint64_t size_bytes;
  trace_blob_id blob;
};

struct trace_toc_header {
  std::array<char, 8> magic;
  std::uint32_t toc_version;
  std::uint32_t frame_count;
};

struct trace_toc_frame {
  std::uint32_t frame_index;
  std::uint32_t flags;
  std::uint64_t start_offset;    ///< Of BeginFrame.
  std::uint64_t present_offset;  ///< Of Present; 0 = none.
  std::uint64_t end_offset;      ///< Just after the frame's last record.
};

#pragma pack(pop)

static_assert(sizeof(trace_header) == 32 && sizeof(trace_footer) == 32);
static_assert(sizeof(trace_record_header) == 8 && sizeof(trace_blob_header) == 16);
static_assert(sizeof(trace_submission_header) == 56 && sizeof(trace_memory_range) == 32);
static_assert(sizeof(trace_toc_header) == 16 && sizeof(trace_toc_frame) == 32);

}  // namespace aerogpu

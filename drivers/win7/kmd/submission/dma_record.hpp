// SPDX-License-Identifier: MIT
/// \file A DMA buffer's private data: what Render and Present leave for Patch and SubmitCommand.
#pragma once

#include "aerogpu/abi/win7_dma.h"
#include "aerogpu/core/bytes.hpp"
#include "aerogpu/memory/alloc_table_builder.hpp"
#include "drivers/win7/kmd/memory/placement.hpp"

#include <cstddef>
#include <cstdint>
#include <span>

namespace aerogpu::kmd {

class allocation;

inline constexpr std::uint32_t dma_record_magic = 0x43524741;  // 'AGRC'
/// Lines of one buffer's allocation list and patch list (kmd.md 3.18).
inline constexpr std::uint32_t max_list_entries = 1024;
/// Where the table in a DMA buffer starts is a multiple of this (kmd.md 3.3).
inline constexpr std::uint32_t table_alignment = 16;

[[nodiscard]] constexpr auto align_table(std::uint32_t offset) noexcept -> std::uint32_t {
  return (offset + table_alignment - 1) & ~(table_alignment - 1);
}

/// How the processor or the device is to treat a buffer.
enum class dma_content : std::uint32_t {
  stream,       ///< A command stream for the ring, and its table.
  cpu_present,  ///< Rectangles that the driver copies or fills (present_packet.hpp).
  empty,        ///< Nothing but a fence.
};

/// One entry of the buffer's table, or a surface of a CPU present.
struct dma_reference {
  kmd::allocation* allocation;
  std::uint64_t address;     ///< Of the place, from the allocation list.
  segment_id segment;        ///< none: SubmitCommand asks the allocation.
  std::uint16_t list_index;  ///< Line of the allocation list; of aliases the first.
  bool is_read_only;         ///< No line of it says that it is written.

  [[nodiscard]] auto where() const noexcept -> placement { return {segment, address}; }
  /// Whether the host can reach it there.
  [[nodiscard]] auto is_placed() const noexcept -> bool { return segment == segment_id::video; }
  void place(const placement& at) noexcept {
    segment = at.segment;
    address = at.address;
  }
};

/// The record's head; `reference_count` references follow. Kernel memory: user mode and host never
/// see it (kmd.md 3.3).
struct dma_record {
  AEROGPU_DMA_PRIV prefix;  ///< Type, context id, and no meta handle.
  std::uint32_t magic;
  dma_content content;
  std::byte* buffer;              ///< Where the DMA buffer starts, in kernel space.
  std::uint32_t stream_bytes;     ///< S of kmd.md 3.3, or bytes of CPU packets.
  std::uint32_t table_offset;     ///< T, from the buffer's start.
  std::uint32_t reference_count;  ///< N.
  std::uint32_t submit_flags;     ///< aerogpu_submit_flags that the content calls for.

  [[nodiscard]] auto references() noexcept -> std::span<dma_reference>;
  /// Where references lie, for whoever makes them.
  [[nodiscard]] auto first_reference() noexcept -> dma_reference*;
  /// Bytes of the table; 0 when there is none.
  [[nodiscard]] auto table_bytes() const noexcept -> std::uint32_t {
    return reference_count == 0 ? 0
                                : static_cast<std::uint32_t>(alloc_table_bytes(reference_count));
  }
  /// Bytes of stream and table, from the buffer's start.
  [[nodiscard]] auto used_bytes() const noexcept -> std::uint32_t {
    return reference_count == 0 || content != dma_content::stream ? stream_bytes
                                                                  : table_offset + table_bytes();
  }
  /// Where a table entry's address lies in the buffer: what a patch location names.
  [[nodiscard]] auto patch_offset(std::uint32_t entry) const noexcept -> std::uint32_t {
    return static_cast<std::uint32_t>(table_offset + alloc_table_bytes(entry) +
                                      offsetof(aerogpu_alloc_entry, gpa));
  }
};

inline constexpr std::size_t dma_record_head_bytes = 64;
static_assert(sizeof(dma_record) <= dma_record_head_bytes);
/// DmaBufferPrivateDataSize of devices and contexts.
inline constexpr std::uint32_t dma_record_bytes =
    dma_record_head_bytes + max_list_entries * sizeof(dma_reference);

inline auto dma_record::first_reference() noexcept -> dma_reference* {
  return reinterpret_cast<dma_reference*>(reinterpret_cast<std::byte*>(this) +
                                          dma_record_head_bytes);
}

inline auto dma_record::references() noexcept -> std::span<dma_reference> {
  return {first_reference(), reference_count};
}

/// The record in private data, or nullptr when it carries none of ours: the buffer then completes
/// as empty (kmd.md 3.3).
[[nodiscard]] inline auto find_dma_record(void* private_data, std::size_t size_bytes) noexcept
    -> dma_record* {
  if (private_data == nullptr || size_bytes < dma_record_head_bytes) return nullptr;
  auto* const record = static_cast<dma_record*>(private_data);
  if (record->magic != dma_record_magic) return nullptr;
  const std::size_t room = (size_bytes - dma_record_head_bytes) / sizeof(dma_reference);
  return record->reference_count <= room ? record : nullptr;
}

}  // namespace aerogpu::kmd

// SPDX-License-Identifier: MIT
#include "drivers/win7/kmd/submission/render.hpp"

#include "aerogpu/abi/cmd_stream.h"
#include "aerogpu/abi/version.h"
#include "aerogpu/core/checked.hpp"
#include "aerogpu/stream/packet_needs.hpp"
#include "drivers/win7/kmd/adapter/adapter.hpp"
#include "drivers/win7/kmd/memory/allocation.hpp"
#include "drivers/win7/kmd/submission/dma_record.hpp"
#include "drivers/win7/kmd/submission/user_stream.hpp"

#include <cstddef>
#include <new>

namespace aerogpu::kmd {

namespace {

constexpr std::uint32_t stream_header_bytes = sizeof(aerogpu_cmd_stream_header);

/// What the copy of a stream came to.
struct stream_copy {
  NTSTATUS status = STATUS_SUCCESS;
  std::uint32_t size_bytes = 0;  ///< In the DMA buffer, header included.
  std::uint32_t consumed = 0;    ///< Of the user's stream, from its start.
  bool needs_table = false;
  bool presents = false;
};

[[nodiscard]] auto refused() noexcept -> stream_copy {
  return {.status = STATUS_INVALID_PARAMETER};
}

/// A stream for a command buffer without commands.
[[nodiscard]] auto write_nop(mutable_bytes to) noexcept -> stream_copy {
  constexpr std::uint32_t size = stream_header_bytes + sizeof(aerogpu_cmd_hdr);
  if (to.size() < size) return refused();
  store(to.data(), aerogpu_cmd_stream_header{AEROGPU_CMD_STREAM_MAGIC, AEROGPU_ABI_VERSION_U32,
                                             size, AEROGPU_CMD_STREAM_FLAG_NONE, 0, 0});
  store(to.data() + stream_header_bytes, aerogpu_cmd_hdr{AEROGPU_CMD_NOP, sizeof(aerogpu_cmd_hdr)});
  return {.size_bytes = size};
}

[[nodiscard]] auto is_well_formed(const aerogpu_cmd_stream_header& header,
                                  std::uint32_t command_bytes) noexcept -> bool {
  return header.magic == AEROGPU_CMD_STREAM_MAGIC &&
         header.abi_version >> 16 == AEROGPU_ABI_MAJOR &&
         header.size_bytes >= stream_header_bytes && header.size_bytes <= command_bytes &&
         header.size_bytes % 4 == 0;
}

/// Copies packets to `to`, behind the place of the stream header, until they or the room end.
[[nodiscard]] auto copy_packets(user_stream& from, mutable_bytes to) noexcept -> stream_copy {
  stream_copy copy{.size_bytes = stream_header_bytes};
  while (from.remaining() != 0) {
    const std::uint32_t left = from.remaining();
    if (left < sizeof(aerogpu_cmd_hdr)) return refused();
    const_bytes head = from.peek(left < packet_needs_bytes ? left : packet_needs_bytes);
    if (head.empty()) return refused();
    const auto packet = load<aerogpu_cmd_hdr>(head.data());
    if (packet.size_bytes < sizeof packet || packet.size_bytes % 4 != 0 ||
        packet.size_bytes > left) {
      return refused();
    }
    if (packet.size_bytes > to.size() - copy.size_bytes) {
      if (copy.size_bytes == stream_header_bytes) return refused();  // Fits no buffer.
      copy.status = STATUS_GRAPHICS_INSUFFICIENT_DMA_BUFFER;
      return copy;
    }
    if (head.size() > packet.size_bytes) head = head.first(packet.size_bytes);
    copy.needs_table = copy.needs_table || needs_alloc_table(head);
    copy.presents = copy.presents || presents(packet.opcode);
    if (!from.take(to.subspan(copy.size_bytes, packet.size_bytes))) return refused();
    copy.size_bytes += packet.size_bytes;
  }
  return copy;
}

/// Copies what fits of the user's stream from `MultipassOffset` on, under a header of its own.
[[nodiscard]] auto copy_stream(const DXGKARG_RENDER& args, mutable_bytes to,
                               mutable_bytes window) noexcept -> stream_copy {
  if (args.CommandLength == 0) return write_nop(to);
  if (args.pCommand == nullptr || args.CommandLength < stream_header_bytes ||
      to.size() < stream_header_bytes) {
    return refused();
  }
  aerogpu_cmd_stream_header header{};
  if (!os::copy_from_user(mutable_bytes_of(header), args.pCommand) ||
      !is_well_formed(header, args.CommandLength)) {
    return refused();
  }
  const std::uint32_t first =
      args.MultipassOffset == 0 ? stream_header_bytes : args.MultipassOffset;
  if (first < stream_header_bytes || first > header.size_bytes || first % 4 != 0) return refused();
  user_stream packets{args.pCommand, first, header.size_bytes, window};
  stream_copy copy = copy_packets(packets, to);
  if (copy.size_bytes == 0) return copy;
  copy.consumed = first + copy.size_bytes - stream_header_bytes;
  header.size_bytes = copy.size_bytes;
  store(to.data(), header);
  return copy;
}

[[nodiscard]] auto allocation_of(const DXGK_ALLOCATIONLIST& line) noexcept -> allocation* {
  const auto* const opened = static_cast<const opening*>(line.hDeviceSpecificAllocation);
  return opened == nullptr ? nullptr : opened->allocation;
}

[[nodiscard]] auto place_of(const DXGK_ALLOCATIONLIST& line) noexcept -> placement {
  if (line.SegmentId != static_cast<std::uint32_t>(segment_id::video)) return {};
  return {segment_id::video, static_cast<std::uint64_t>(line.PhysicalAddress.QuadPart)};
}

[[nodiscard]] auto count_allocations(const DXGKARG_RENDER& args) noexcept -> std::uint32_t {
  std::uint32_t count = 0;
  for (std::uint32_t i = 0; i < args.AllocationListSize; ++i)
    count += allocation_of(args.pAllocationList[i]) != nullptr;
  return count;
}

/// Makes the table's lines, its references and the patches of the whole list.
[[nodiscard]] auto build_table(const DXGKARG_RENDER& args, dma_record& record,
                               alloc_table_builder& table) noexcept -> bool {
  auto* const references = record.first_reference();
  auto* patch = args.pPatchLocationListOut;
  for (std::uint32_t i = 0; i < args.AllocationListSize; ++i) {
    const DXGK_ALLOCATIONLIST& line = args.pAllocationList[i];
    allocation* const object = allocation_of(line);
    if (object == nullptr) continue;
    const placement at = place_of(line);
    const auto entry =
        table.add({.id = object->id,
                   .object = static_cast<alloc_object>(reinterpret_cast<std::uintptr_t>(object)),
                   .size_bytes = object->size_bytes,
                   .first = static_cast<gpa>(at.address),
                   .has_address = at.is_known(),
                   .is_read_only = line.WriteOperation == 0});
    if (!entry) return false;
    dma_reference& reference = references[entry->index];
    if (entry->is_new) {
      reference = {object, 0, segment_id::none, static_cast<std::uint16_t>(i), true};
    }
    if (at.is_known()) reference.place(at);
    reference.is_read_only = reference.is_read_only && line.WriteOperation == 0;
    D3DDDI_PATCHLOCATIONLIST out{};
    out.AllocationIndex = i;
    out.SlotId = i & 0xFFFFFF;
    out.PatchOffset = record.patch_offset(entry->index);
    *patch++ = out;
  }
  record.reference_count = table.size();
  return true;
}

void count_table(kmd::counters& counters, dma_record& record) noexcept {
  if (record.reference_count == 0) return;
  counters.tables.add();
  counters.table_entries.add(record.reference_count);
  std::uint32_t read_only = 0;
  for (const dma_reference& reference : record.references()) read_only += reference.is_read_only;
  counters.readonly_entries.add(read_only);
}

[[nodiscard]] auto has_sound_lists(const DXGKARG_RENDER& args) noexcept -> bool {
  if (args.pDmaBuffer == nullptr || args.pDmaBufferPrivateData == nullptr) return false;
  if (args.DmaBufferPrivateDataSize < dma_record_bytes) return false;
  if (args.AllocationListSize > max_list_entries) return false;
  return args.AllocationListSize == 0 || args.pAllocationList != nullptr;
}

}  // namespace

auto render(adapter& adapter, context_id context, render_scratch& scratch,
            DXGKARG_RENDER& args) noexcept -> NTSTATUS {
  if (!has_sound_lists(args)) return STATUS_INVALID_PARAMETER;
  auto& record = *::new (args.pDmaBufferPrivateData) dma_record{};
  const std::uint32_t listed = count_allocations(args);
  const UINT patch_lines =
      args.pPatchLocationListOut != nullptr ? args.PatchLocationListOutSize : 0;
  if (patch_lines < listed) return scratch.refuse_list(patch_lines);
  scratch.accept_list();
  const mutable_bytes buffer{static_cast<std::byte*>(args.pDmaBuffer), args.DmaSize};
  const std::uint64_t table_room = listed == 0 ? 0 : alloc_table_bytes(listed);
  if (buffer.size() < table_room) return STATUS_INVALID_PARAMETER;
  const auto stream_room =
      static_cast<std::size_t>(buffer.size() - table_room) & ~std::size_t{table_alignment - 1};

  const stream_copy copy = copy_stream(args, buffer.first(stream_room), scratch.window());
  if (copy.size_bytes == 0) return copy.status;
  if (copy.needs_table && listed == 0) return STATUS_INVALID_PARAMETER;

  record.buffer = buffer.data();
  record.stream_bytes = copy.size_bytes;
  record.table_offset = align_table(copy.size_bytes);
  alloc_table_builder& table = scratch.builder(buffer.subspan(record.table_offset));
  if (!build_table(args, record, table)) return STATUS_INVALID_PARAMETER;
  const mutable_bytes written = table.finish();
  std::uint32_t used = copy.size_bytes;
  for (; !written.empty() && used < record.table_offset; ++used) buffer[used] = std::byte{0};
  count_table(adapter.counters, record);

  record.prefix = {AEROGPU_SUBMIT_RENDER, raw(context), 0};
  record.content = dma_content::stream;
  record.submit_flags = copy.presents ? AEROGPU_SUBMIT_FLAG_PRESENT : AEROGPU_SUBMIT_FLAG_NONE;
  record.magic = dma_record_magic;
  args.pDmaBuffer = buffer.data() + used + written.size();
  if (listed != 0) args.pPatchLocationListOut += listed;
  args.MultipassOffset = copy.consumed;
  return copy.status;
}

}  // namespace aerogpu::kmd

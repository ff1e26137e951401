// SPDX-License-Identifier: MIT
#include "drivers/win7/kmd/submission/submit.hpp"

#include "aerogpu/memory/alloc_table_builder.hpp"
#include "drivers/win7/kmd/adapter/adapter.hpp"
#include "drivers/win7/kmd/memory/allocation.hpp"
#include "drivers/win7/kmd/submission/dma_record.hpp"

#include <cstddef>

namespace aerogpu::kmd {

namespace {

/// Private data from a submission's start on.
[[nodiscard]] auto private_data_at(void* data, std::uint32_t size, std::uint32_t start) noexcept
    -> mutable_bytes {
  if (data == nullptr || start > size) return {};
  return mutable_bytes{static_cast<std::byte*>(data), size}.subspan(start);
}

[[nodiscard]] auto table_of(dma_record& record) noexcept -> mutable_bytes {
  return {record.buffer + record.table_offset, record.table_bytes()};
}

/// Gives a table entry its address; false when it cannot have one.
[[nodiscard]] auto write_address(dma_record& record, std::uint32_t entry,
                                 const placement& at) noexcept -> bool {
  return at.segment == segment_id::video &&
         set_alloc_table_address(table_of(record), entry, static_cast<gpa>(at.address));
}

/// The reference that a patch location names; `reference_count` when it is none of ours.
[[nodiscard]] auto find_reference(dma_record& record, const D3DDDI_PATCHLOCATIONLIST& location,
                                  const allocation* object) noexcept -> std::uint32_t {
  const auto references = record.references();
  std::uint32_t found = 0;
  if (record.content == dma_content::stream) {
    const std::uint32_t first = record.patch_offset(0);
    if (location.PatchOffset < first) return record.reference_count;
    found = (location.PatchOffset - first) / std::uint32_t{sizeof(aerogpu_alloc_entry)};
  } else {
    while (found < references.size() && references[found].list_index != location.AllocationIndex)
      ++found;
  }
  const bool is_ours = found < references.size() && references[found].allocation == object;
  return is_ours ? found : record.reference_count;
}

void patch_one(dma_record& record, const DXGKARG_PATCH& args,
               const D3DDDI_PATCHLOCATIONLIST& location) noexcept {
  if (location.AllocationIndex >= args.AllocationListSize) return;
  const DXGK_ALLOCATIONLIST& line = args.pAllocationList[location.AllocationIndex];
  const auto* const opened = static_cast<const opening*>(line.hDeviceSpecificAllocation);
  if (opened == nullptr) return;
  const std::uint32_t found = find_reference(record, location, opened->allocation);
  if (found == record.reference_count) return;
  const placement at{to_segment(line.SegmentId),
                     static_cast<std::uint64_t>(line.PhysicalAddress.QuadPart)};
  dma_reference& reference = record.references()[found];
  reference.place(at);
  if (at.is_known()) reference.allocation->where = at;
  if (record.content == dma_content::stream && !write_address(record, found, at))
    reference.place({});
}

/// Gives the entries that nobody placed the allocation's last known address, and removes those that
/// have none: the host refuses what needs them, and the fence completes (kmd.md 3.6).
void resolve_table(adapter& adapter, dma_record& record) noexcept {
  const auto references = record.references();
  std::uint32_t unresolved = 0;
  for (std::uint32_t i = 0; i < references.size(); ++i) {
    dma_reference& reference = references[i];
    if (reference.is_placed()) continue;
    const placement last = reference.allocation->where;
    reference.place(write_address(record, i, last) ? last : placement{});
    unresolved += !reference.is_placed();
  }
  if (unresolved == 0) return;
  adapter.counters.table_unresolved.add(unresolved);
  static_cast<void>(remove_alloc_table_entries(
      table_of(record), [&](std::uint32_t i) { return !references[i].is_placed(); }));
  std::uint32_t kept = 0;
  for (const dma_reference& reference : references) {
    if (reference.is_placed()) references[kept++] = reference;
  }
  record.reference_count = kept;
}

[[nodiscard]] auto stream_item(adapter& adapter, dma_record& record, gpa buffer) noexcept
    -> work_item {
  work_item item{.kind = work_kind::stream};
  item.submission.flags = record.submit_flags;
  item.submission.context = static_cast<context_id>(record.prefix.Reserved0);
  resolve_table(adapter, record);
  if (record.stream_bytes != 0) item.submission.commands = {buffer, record.stream_bytes};
  if (record.reference_count != 0)
    item.submission.alloc_table = {advance(buffer, record.table_offset), record.table_bytes()};
  return item;
}

[[nodiscard]] auto paging_item(const DXGKARG_SUBMITCOMMAND& args) noexcept -> work_item {
  const std::uint32_t first = args.DmaBufferPrivateDataSubmissionStartOffset;
  const std::uint32_t end = args.DmaBufferPrivateDataSubmissionEndOffset;
  if (args.pDmaBufferPrivateData == nullptr || first >= end || end > args.DmaBufferPrivateDataSize)
    return {};
  work_item item{.kind = work_kind::paging};
  item.work.packets = static_cast<std::byte*>(args.pDmaBufferPrivateData) + first;
  item.work.size_bytes = end - first;
  return item;
}

/// Whether the offsets are those of a whole buffer as Render or Present left it.
[[nodiscard]] auto is_whole(const DXGKARG_SUBMITCOMMAND& args, const dma_record& record) noexcept
    -> bool {
  return args.DmaBufferSubmissionStartOffset == 0 &&
         args.DmaBufferSubmissionEndOffset >= record.used_bytes() &&
         args.DmaBufferSubmissionEndOffset <= args.DmaBufferSize;
}

[[nodiscard]] auto make_item(adapter& adapter, const DXGKARG_SUBMITCOMMAND& args) noexcept
    -> work_item {
  if (args.Flags.Paging != 0)
    return args.Flags.NullRendering != 0 ? work_item{} : paging_item(args);
  const auto data = private_data_at(args.pDmaBufferPrivateData, args.DmaBufferPrivateDataSize,
                                    args.DmaBufferPrivateDataSubmissionStartOffset);
  dma_record* const record = find_dma_record(data.data(), data.size());
  if (record == nullptr || !is_whole(args, *record)) {
    adapter.counters.foreign_records.add();
    return {};
  }
  const bool presents = record->prefix.Type == AEROGPU_SUBMIT_PRESENT;
  (presents ? adapter.counters.presents : adapter.counters.renders).add();
  const auto buffer = static_cast<gpa>(args.DmaBufferPhysicalAddress.QuadPart);
  if (args.Flags.NullRendering != 0) return {};
  if (record->content == dma_content::stream) return stream_item(adapter, *record, buffer);
  if (record->content != dma_content::cpu_present) return {};
  work_item item{.kind = work_kind::present};
  item.work = {.packets = record->buffer, .size_bytes = record->stream_bytes, .record = record};
  return item;
}

}  // namespace

void patch(adapter&, const DXGKARG_PATCH& args) noexcept {
  if (args.Flags.Paging != 0 || args.pAllocationList == nullptr ||
      args.pPatchLocationList == nullptr) {
    return;
  }
  const auto data = private_data_at(args.pDmaBufferPrivateData, args.DmaBufferPrivateDataSize,
                                    args.DmaBufferPrivateDataSubmissionStartOffset);
  dma_record* const record = find_dma_record(data.data(), data.size());
  const std::uint32_t first = args.PatchLocationListSubmissionStart;
  if (record == nullptr || first > args.PatchLocationListSize) return;
  if (record->content == dma_content::empty) return;
  const std::uint32_t listed = args.PatchLocationListSize - first;
  const std::uint32_t count = args.PatchLocationListSubmissionLength < listed
                                  ? args.PatchLocationListSubmissionLength
                                  : listed;
  for (std::uint32_t i = 0; i < count; ++i)
    patch_one(*record, args, args.pPatchLocationList[first + i]);
}

void submit_command(adapter& adapter, const DXGKARG_SUBMITCOMMAND& args) noexcept {
  adapter.counters.submissions.add();
  adapter.engine.submit(make_item(adapter, args), args.SubmissionFenceId);
}

}  // namespace aerogpu::kmd

// SPDX-License-Identifier: MIT
#include "drivers/win7/kmd/present/present_build.hpp"

#include "aerogpu/abi/ring.h"
#include "aerogpu/stream/sinks.hpp"
#include "aerogpu/stream/writer.hpp"
#include "drivers/win7/kmd/adapter/adapter.hpp"
#include "drivers/win7/kmd/adapter/device.hpp"
#include "drivers/win7/kmd/memory/allocation.hpp"
#include "drivers/win7/kmd/system/status.hpp"

#include <array>
#include <cstring>
#include <new>

namespace aerogpu::kmd {

namespace {

constexpr auto table_room =
    static_cast<std::uint32_t>(alloc_table_bytes(present_surfaces)) + table_alignment;

}  // namespace

void present_build::add_surface(allocation& object, UINT list_index, const placement& at) noexcept {
  static_cast<void>(surfaces_.push_back({&object, list_index, at}));
}

auto present_build::buffer() const noexcept -> mutable_bytes {
  return {static_cast<std::byte*>(args_.pDmaBuffer), args_.DmaSize};
}

auto present_build::check_room() const noexcept -> NTSTATUS {
  if (args_.pDmaBufferPrivateData == nullptr || args_.pPatchLocationListOut == nullptr ||
      args_.DmaBufferPrivateDataSize < present_record_bytes) {
    return STATUS_INVALID_PARAMETER;
  }
  if (args_.PatchLocationListOutSize < surfaces_.size())
    return context_.scratch.refuse_list(args_.PatchLocationListOutSize);
  context_.scratch.accept_list();
  return STATUS_SUCCESS;
}

auto present_build::write_record(dma_content content, std::uint32_t stream_bytes) noexcept
    -> dma_record& {
  std::memset(args_.pDmaBufferPrivateData, 0, present_record_bytes);
  auto& record = *::new (args_.pDmaBufferPrivateData)
                     dma_record{.prefix = {AEROGPU_SUBMIT_PRESENT, raw(context_.id), 0},
                                .magic = dma_record_magic,
                                .content = content,
                                .buffer = static_cast<std::byte*>(args_.pDmaBuffer),
                                .stream_bytes = stream_bytes,
                                .table_offset = 0,
                                .reference_count = static_cast<std::uint32_t>(surfaces_.size()),
                                .submit_flags = AEROGPU_SUBMIT_FLAG_PRESENT};
  for (std::size_t i = 0; i < surfaces_.size(); ++i) {
    const surface& one = surfaces_[i];
    ::new (&record.first_reference()[i])
        dma_reference{one.object, one.at.address, one.at.segment,
                      static_cast<std::uint16_t>(one.list_index), i != present_destination};
  }
  return record;
}

void present_build::write_patch_entries(std::uint32_t first_offset, std::uint32_t step) noexcept {
  for (std::uint32_t i = 0; i < surfaces_.size(); ++i) {
    D3DDDI_PATCHLOCATIONLIST entry{};
    entry.AllocationIndex = surfaces_[i].list_index;
    entry.SlotId = surfaces_[i].list_index & 0xFFFFFF;
    entry.PatchOffset = first_offset + i * step;
    *args_.pPatchLocationListOut++ = entry;
  }
}

auto present_build::finish(std::uint32_t used_bytes, std::uint32_t next,
                           const present_rectangles& areas) noexcept -> NTSTATUS {
  args_.pDmaBuffer = static_cast<std::byte*>(args_.pDmaBuffer) + used_bytes;
  args_.MultipassOffset = next;
  return next == areas.count() ? STATUS_SUCCESS : STATUS_GRAPHICS_INSUFFICIENT_DMA_BUFFER;
}

auto present_build::draw_here(const present_rectangles& areas, present_work work) noexcept
    -> NTSTATUS {
  if (const NTSTATUS bad = check_room(); !NT_SUCCESS(bad)) return bad;
  if (args_.MultipassOffset > areas.count()) return STATUS_INVALID_PARAMETER;
  const mutable_bytes bytes = buffer();
  if (bytes.size() < sizeof(present_rectangle)) return STATUS_INVALID_PARAMETER;

  std::uint32_t used = 0;
  std::uint32_t next = args_.MultipassOffset;
  for (; next < areas.count(); ++next) {
    const present_rectangle area = areas.at(next);
    if (area.width == 0) continue;
    if (bytes.size() - used < sizeof area) break;
    store(bytes.data() + used, area);
    used += static_cast<std::uint32_t>(sizeof area);
  }
  dma_record& record =
      write_record(used != 0 ? dma_content::cpu_present : dma_content::empty, used);
  ::new (&present_work_of(record)) present_work{work};
  write_patch_entries(0, 0);  // Addresses are kept in the record.
  return finish(used, next, areas);
}

auto present_build::flip_here() noexcept -> NTSTATUS {
  if (const NTSTATUS bad = check_room(); !NT_SUCCESS(bad)) return bad;
  const present_rectangle nothing{};
  if (buffer().size() < sizeof nothing) return STATUS_INVALID_PARAMETER;
  store(buffer().data(), nothing);
  dma_record& record = write_record(dma_content::cpu_present, sizeof nothing);
  ::new (&present_work_of(record)) present_work{.operation = present_operation::flip};
  write_patch_entries(0, 0);
  args_.pDmaBuffer = static_cast<std::byte*>(args_.pDmaBuffer) + sizeof nothing;
  return STATUS_SUCCESS;
}

auto present_build::write_copies(const present_rectangles& areas, std::uint32_t copy_flags,
                                 std::uint32_t& next) noexcept -> std::uint32_t {
  span_sink sink{buffer().first(buffer().size() - table_room)};
  stream_writer<span_sink> stream{sink};
  const std::uint32_t device_minor = context_.device.adapter.hardware.abi_version & 0xFFFF;
  const std::uint32_t minor = device_minor < AEROGPU_ABI_MINOR ? device_minor : AEROGPU_ABI_MINOR;
  if (!stream.begin(minor)) return 0;
  const std::uint32_t header_bytes = stream.size_bytes();
  for (; next < areas.count(); ++next) {
    const present_rectangle area = areas.at(next);
    if (area.width == 0) continue;
    const auto written = stream.copy_texture2d(
        {.destination = {.texture = surfaces_[present_destination].object->handle,
                         .x = area.x,
                         .y = area.y},
         .source = {.texture = surfaces_[present_source].object->handle,
                    .x = area.source_x,
                    .y = area.source_y},
         .width = area.width,
         .height = area.height,
         .flags = copy_flags});
    if (!written) break;
  }
  return stream.size_bytes() == header_bytes ? 0 : stream.finish();
}

auto present_build::write_table(std::uint32_t offset) noexcept -> result<std::uint32_t> {
  std::array<alloc_table_builder::slot, 4> index{};
  alloc_table_builder table{buffer().subspan(offset), index};
  for (std::size_t i = 0; i < surfaces_.size(); ++i) {
    const surface& one = surfaces_[i];
    const bool has_address = one.at.segment == segment_id::video;
    const auto added = table.add(
        {.id = one.object->id,
         .object = static_cast<alloc_object>(reinterpret_cast<std::uintptr_t>(one.object)),
         .size_bytes = one.object->size_bytes,
         .first = static_cast<gpa>(has_address ? one.at.address : 0),
         .has_address = has_address,
         .is_read_only = i != present_destination});
    if (!added) return added.why();
  }
  return static_cast<std::uint32_t>(table.finish().size());
}

void present_build::count_table() noexcept {
  counters& counters = context_.device.adapter.counters;
  counters.tables.add();
  counters.table_entries.add(static_cast<std::uint32_t>(surfaces_.size()));
  counters.readonly_entries.add(static_cast<std::uint32_t>(surfaces_.size()) - 1);
}

auto present_build::copy_on_host(const present_rectangles& areas, std::uint32_t copy_flags) noexcept
    -> NTSTATUS {
  if (const NTSTATUS bad = check_room(); !NT_SUCCESS(bad)) return bad;
  if (args_.MultipassOffset > areas.count()) return STATUS_INVALID_PARAMETER;
  constexpr std::size_t least =
      table_room + sizeof(aerogpu_cmd_stream_header) + sizeof(aerogpu_cmd_copy_texture2d);
  if (buffer().size() < least) return STATUS_INVALID_PARAMETER;

  std::uint32_t next = args_.MultipassOffset;
  const std::uint32_t stream_bytes = write_copies(areas, copy_flags, next);
  if (stream_bytes == 0) {
    write_record(dma_content::empty, 0);
    write_patch_entries(0, 0);
    return finish(0, next, areas);
  }
  const std::uint32_t table_offset = align_table(stream_bytes);
  std::memset(buffer().data() + stream_bytes, 0, table_offset - stream_bytes);
  const auto table_bytes = write_table(table_offset);
  if (!table_bytes) return to_status(table_bytes.why().code);
  dma_record& record = write_record(dma_content::stream, stream_bytes);
  record.table_offset = table_offset;
  write_patch_entries(record.patch_offset(0), sizeof(aerogpu_alloc_entry));
  count_table();
  return finish(table_offset + *table_bytes, next, areas);
}

}  // namespace aerogpu::kmd

// SPDX-License-Identifier: MIT
#include "drivers/sim/kernel/render/render_path.hpp"

#include <utility>

namespace aerogpu::sim {

namespace {

using table_type = DRIVER_INITIALIZATION_DATA;

/// Where the list says that an allocation is: the segment, and its address.
void locate(DXGK_ALLOCATIONLIST& line, const video_memory_manager& memory, const allocation& one) {
  line.SegmentId = memory.segment_of(one) & 0x1F;
  line.PhysicalAddress.QuadPart = static_cast<LONGLONG>(memory.address_of(one));
}

/// The sixth thing that a driver must not do: answer "too small" for ever.
void refuse_endless() {
  stop(stop_code::video_dxgkrnl_fatal_error, {7, 0, 0, 0},
       "the driver asks for another DMA buffer and used nothing of the last one");
}

}  // namespace

auto render_path::make_list(const std::vector<list_line>& lines) const
    -> std::vector<DXGK_ALLOCATIONLIST> {
  std::vector<DXGK_ALLOCATIONLIST> out(lines.size());
  for (std::size_t i = 0; i < lines.size(); ++i) {
    if (lines[i].opening == nullptr) continue;
    out[i].hDeviceSpecificAllocation = lines[i].opening->driver;
    out[i].WriteOperation = lines[i].is_written ? 1 : 0;
    if (base_.options.hints == address_hints::where_resident) {
      locate(out[i], base_.memory, *lines[i].opening->memory);
    }
  }
  return out;
}

auto render_path::begin(const user_context& context, const std::vector<list_line>& lines, pass& out)
    -> NTSTATUS {
  const std::lock_guard hold{base_.gpu};
  if (context.device->is_lost.load()) return STATUS_DEVICE_REMOVED;
  for (const auto& line : lines) {
    if (line.opening != nullptr && line.opening->device != context.device)
      return STATUS_INVALID_HANDLE;
  }
  out.buffer = base_.scheduler.buffers().take(context.dma_buffer_bytes,
                                              context.info.DmaBufferPrivateDataSize);
  if (out.buffer == nullptr) return STATUS_NO_MEMORY;
  out.list = make_list(lines);
  out.patches.assign(context.info.PatchLocationListSize, {});
  return STATUS_SUCCESS;
}

auto render_path::cut(pass& filled, const progress& reached, gpu_work& work) -> bool {
  auto& buffer = *filled.buffer;
  const auto used = static_cast<const std::byte*>(reached.end) - buffer.bytes;
  const auto private_used =
      static_cast<const std::byte*>(reached.private_end) - buffer.private_data.get();
  const auto patched = reached.last_patch - filled.patches.data();
  const auto is_inside = [](std::ptrdiff_t offset, std::size_t size) {
    return offset >= 0 && static_cast<std::size_t>(offset) <= size;
  };
  if (!is_inside(used, buffer.size_bytes) || !is_inside(private_used, buffer.private_bytes) ||
      !is_inside(patched, filled.patches.size())) {
    stop(stop_code::video_dxgkrnl_fatal_error,
         {8, static_cast<std::uint64_t>(used), static_cast<std::uint64_t>(private_used),
          static_cast<std::uint64_t>(patched)},
         "the driver leaves its DMA buffer, its private data or its patch list");
    return false;
  }
  filled.patches.resize(static_cast<std::size_t>(patched));
  work.end = static_cast<std::uint32_t>(used);
  // A driver may leave this pointer alone: then all of it belongs to the submission.
  work.private_end =
      private_used != 0 ? static_cast<std::uint32_t>(private_used) : buffer.private_bytes;
  return true;
}

auto render_path::submit(user_context& context, const std::vector<list_line>& lines, pass filled,
                         gpu_work work) -> NTSTATUS {
  std::vector<std::shared_ptr<allocation>> memory;
  for (const auto& line : lines) {
    if (line.opening != nullptr) memory.push_back(line.opening->memory);
  }
  const std::lock_guard hold{base_.gpu};
  if (!base_.memory.acquire(memory)) return STATUS_GRAPHICS_NO_VIDEO_MEMORY;
  work.buffer = std::move(filled.buffer);
  work.context = context.driver;
  work.moved.resize(lines.size());
  for (std::size_t i = 0; i < lines.size(); ++i) {
    if (lines[i].opening == nullptr) continue;
    const auto told = filled.list[i];
    locate(filled.list[i], base_.memory, *lines[i].opening->memory);
    work.moved[i] = told.SegmentId != filled.list[i].SegmentId ||
                    told.PhysicalAddress.QuadPart != filled.list[i].PhysicalAddress.QuadPart;
  }
  work.allocations = std::move(filled.list);
  work.patches = std::move(filled.patches);
  work.is_system = context.device->is_system;
  work.is_null_rendering = context.is_null_rendering;
  work.on_done = [this, memory, done = std::move(work.on_done)](bool was_dropped) {
    base_.memory.release_use(memory);
    if (done) done(was_dropped);
  };
  context.last_fence = base_.scheduler.submit(std::move(work));
  for (const auto& one : memory) one->last_fence = context.last_fence;
  return STATUS_SUCCESS;
}

template <class Entry, class Arguments>
auto render_path::fill_buffers(Entry* DRIVER_INITIALIZATION_DATA::*entry, user_context& context,
                               const std::vector<list_line>& lines, Arguments& arguments,
                               const gpu_work& kind) -> NTSTATUS {
  for (;;) {
    pass filled;
    if (const auto bad = begin(context, lines, filled); !NT_SUCCESS(bad)) return bad;
    arguments.pDmaBuffer = filled.buffer->bytes;
    arguments.DmaSize = filled.buffer->size_bytes;
    arguments.pDmaBufferPrivateData = filled.buffer->private_data.get();
    arguments.DmaBufferPrivateDataSize = filled.buffer->private_bytes;
    arguments.pAllocationList = filled.list.data();
    arguments.pPatchLocationListOut = filled.patches.data();
    arguments.PatchLocationListOutSize = static_cast<UINT>(filled.patches.size());
    arguments.DmaBufferPhysicalAddress.QuadPart = static_cast<LONGLONG>(filled.buffer->physical);
    const auto done_before = arguments.MultipassOffset;
    const auto status = base_.windows.call(entry, context.driver, &arguments);
    const bool has_more = status == STATUS_GRAPHICS_INSUFFICIENT_DMA_BUFFER;
    if (!NT_SUCCESS(status) && !has_more) return status;
    if (has_more && arguments.MultipassOffset == done_before) {
      refuse_endless();
      return status;
    }
    gpu_work work = kind;
    if (has_more) work.on_done = {};
    const progress reached{arguments.pDmaBuffer, arguments.pDmaBufferPrivateData,
                           arguments.pPatchLocationListOut};
    if (!cut(filled, reached, work)) return STATUS_INVALID_PARAMETER;
    const auto submitted = submit(context, lines, std::move(filled), std::move(work));
    if (!NT_SUCCESS(submitted) || !has_more) return submitted;
  }
}

auto render_path::render(user_context& context, const render_request& request) -> NTSTATUS {
  DXGKARG_RENDER arguments{};
  arguments.pCommand = request.commands;
  arguments.CommandLength = request.size_bytes;
  arguments.pPatchLocationListIn = request.patches;
  arguments.PatchLocationListInSize = request.patch_lines;
  arguments.AllocationListSize = static_cast<UINT>(request.lines.size());
  return fill_buffers(&table_type::DxgkDdiRender, context, request.lines, arguments);
}

auto render_path::blt(user_context& context, const blt_request& request,
                      std::function<void(bool)> on_done) -> NTSTATUS {
  const std::vector<list_line> lines{{}, {request.source, false}, {request.destination, true}};
  DXGKARG_PRESENT arguments{};
  arguments.Color = request.color;
  arguments.DstRect = request.destination_area;
  arguments.SrcRect = request.source_area;
  arguments.SubRectCnt = static_cast<UINT>(request.sub_rectangles.size());
  arguments.pDstSubRects = request.sub_rectangles.data();
  arguments.Flags = request.flags;
  gpu_work kind;
  kind.is_present = true;
  kind.is_redirected = request.is_redirected;
  kind.on_done = std::move(on_done);
  return fill_buffers(&table_type::DxgkDdiPresent, context, lines, arguments, kind);
}

auto render_path::flip(user_context& context, const std::shared_ptr<user_allocation>& source,
                       D3DDDI_FLIPINTERVAL_TYPE interval, bool may_wait) -> NTSTATUS {
  std::vector<DXGK_ALLOCATIONLIST> list;
  {
    const std::lock_guard hold{base_.gpu};
    if (context.device->is_lost.load()) return STATUS_DEVICE_REMOVED;
    list = make_list({{}, {source, false}, {}});
  }
  std::vector<D3DDDI_PATCHLOCATIONLIST> patches(context.info.PatchLocationListSize);
  DXGKARG_PRESENT arguments{};
  arguments.pAllocationList = list.data();
  arguments.pPatchLocationListOut = patches.data();
  arguments.PatchLocationListOutSize = static_cast<UINT>(patches.size());
  arguments.FlipInterval = interval;
  arguments.Flags.Flip = 1;
  arguments.Flags.FlipWithNoWait = may_wait ? 0 : 1;
  return base_.windows.call(&table_type::DxgkDdiPresent, context.driver, &arguments);
}

}  // namespace aerogpu::sim

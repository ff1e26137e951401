#include "drivers/sim/kernel/graphics.hpp"

#include <algorithm>
#include <utility>

namespace aerogpu::sim {
namespace {

[[nodiscard]] auto physical(std::uint64_t address) -> PHYSICAL_ADDRESS {
  PHYSICAL_ADDRESS made;
  made.QuadPart = static_cast<LONGLONG>(address);
  return made;
}

/// What one call of Render or Present produced, from where it left its pointers.
struct progress {
  std::uint32_t used = 0;
  std::uint32_t private_used = 0;  ///< All of it when the driver left the pointer alone.
  std::uint32_t patches = 0;
};

/// False, after a bug check, when the driver left the buffer or the list.
[[nodiscard]] auto measure(const dma_buffer& buffer, const void* end, const void* private_end,
                           const std::vector<D3DDDI_PATCHLOCATIONLIST>& list,
                           const D3DDDI_PATCHLOCATIONLIST* list_end, progress& made) -> bool {
  const auto used = static_cast<const std::byte*>(end) - buffer.bytes;
  const auto private_used = static_cast<const std::byte*>(private_end) - buffer.private_data.get();
  const auto patches = list_end - list.data();
  if (private_used < 0 || private_used > buffer.private_bytes || used < 0 ||
      used > buffer.size_bytes || patches < 0 ||
      patches > static_cast<std::ptrdiff_t>(list.size())) {
    stop(stop_code::video_dxgkrnl_fatal_error,
         {static_cast<std::uint64_t>(used), static_cast<std::uint64_t>(patches), 0, 0},
         "the driver leaves its DMA buffer or its patch list");
    return false;
  }
  made = {static_cast<std::uint32_t>(used),
          private_used != 0 ? static_cast<std::uint32_t>(private_used) : buffer.private_bytes,
          static_cast<std::uint32_t>(patches)};
  return true;
}

}  // namespace

/// The list as Render gets it: handles, and where each allocation was last.
auto graphics::resolve(const std::vector<list_entry>& entries, const device_object& device,
                       std::vector<std::shared_ptr<allocation>>& used,
                       std::vector<DXGK_ALLOCATIONLIST>& list) -> NTSTATUS {
  for (const auto& entry : entries) {
    DXGK_ALLOCATIONLIST one{};
    one.WriteOperation = entry.is_written ? 1 : 0;
    if (entry.handle != 0) {
      auto* const found = objects.find(objects.openings, entry.handle);
      if (found == nullptr || found->device != &device) return STATUS_INVALID_HANDLE;
      one.hDeviceSpecificAllocation = found->driver;
      if (config.gives_hints) {
        one.SegmentId = memory.segment_of(*found->of) & 0x1F;
        one.PhysicalAddress = physical(memory.address_of(*found->of));
      }
      if (std::find(used.begin(), used.end(), found->of) == used.end()) used.push_back(found->of);
    }
    list.push_back(one);
  }
  return STATUS_SUCCESS;
}

/// Brings everything into place, tells Patch what moved, and submits.
auto graphics::submit(context_object& context, gpu_work work, std::vector<list_entry> entries,
                      std::vector<std::shared_ptr<allocation>> used) -> NTSTATUS {
  if (!memory.acquire(used)) return STATUS_GRAPHICS_NO_VIDEO_MEMORY;
  work.moved.assign(entries.size(), false);
  for (std::size_t i = 0; i < entries.size(); ++i) {
    const auto one = find_allocation(entries[i].handle);
    if (one == nullptr) continue;
    auto& told = work.allocations[i];
    const auto segment = memory.segment_of(*one);
    const auto address = memory.address_of(*one);
    work.moved[i] = told.SegmentId != segment ||
                    static_cast<std::uint64_t>(told.PhysicalAddress.QuadPart) != address;
    told.SegmentId = segment & 0x1F;
    told.PhysicalAddress = physical(address);
  }
  work.context = context.driver;
  work.is_system = context.is_system;
  work.on_done = [this, used](bool) { memory.release_use(used); };
  const auto fence = scheduler.submit(std::move(work));
  context.last_fence = fence;
  for (const auto& one : used) one->last_fence = fence;
  return STATUS_SUCCESS;
}

auto graphics::render(D3DKMT_HANDLE context_handle, const render_request& request) -> NTSTATUS {
  auto* const context = objects.find(objects.contexts, context_handle);
  if (context == nullptr) return STATUS_INVALID_HANDLE;
  if (context->device->is_lost) return STATUS_GRAPHICS_GPU_EXCEPTION_ON_DEVICE;
  if (request.allocations.size() > context->info.AllocationListSize)
    return STATUS_INVALID_PARAMETER;
  DXGKARG_RENDER arguments{};
  for (;;) {
    std::vector<std::shared_ptr<allocation>> used;
    gpu_work work;
    if (const auto status = resolve(request.allocations, *context->device, used, work.allocations);
        !NT_SUCCESS(status)) {
      return status;
    }
    work.buffer = scheduler.buffers().take(context->info.DmaBufferSize,
                                           context->info.DmaBufferPrivateDataSize);
    if (work.buffer == nullptr) return STATUS_NO_MEMORY;
    work.patches.resize(context->info.PatchLocationListSize);
    arguments.pCommand = request.commands;
    arguments.CommandLength = request.size_bytes;
    arguments.pDmaBuffer = work.buffer->bytes;
    arguments.DmaSize = work.buffer->size_bytes;
    arguments.pDmaBufferPrivateData = work.buffer->private_data.get();
    arguments.DmaBufferPrivateDataSize = work.buffer->private_bytes;
    arguments.pAllocationList = work.allocations.empty() ? nullptr : work.allocations.data();
    arguments.AllocationListSize = static_cast<UINT>(work.allocations.size());
    arguments.pPatchLocationListIn = request.patches;
    arguments.PatchLocationListInSize = request.patch_count;
    arguments.pPatchLocationListOut = work.patches.data();
    arguments.PatchLocationListOutSize = static_cast<UINT>(work.patches.size());
    arguments.DmaBufferPhysicalAddress = physical(work.buffer->physical);
    const auto passed = arguments.MultipassOffset;
    const auto status =
        windows.call(&DRIVER_INITIALIZATION_DATA::DxgkDdiRender, context->driver, &arguments);
    const bool is_cut = status == STATUS_GRAPHICS_INSUFFICIENT_DMA_BUFFER;
    if (!NT_SUCCESS(status) && !is_cut) return status;
    progress made;
    if (!measure(*work.buffer, arguments.pDmaBuffer, arguments.pDmaBufferPrivateData, work.patches,
                 arguments.pPatchLocationListOut, made)) {
      return STATUS_INVALID_PARAMETER;
    }
    if (is_cut && arguments.MultipassOffset == passed) {
      stop(stop_code::video_dxgkrnl_fatal_error, {5, passed, 0, 0},
           "Render asks for another buffer and has consumed nothing");
      return STATUS_INVALID_PARAMETER;
    }
    work.end = made.used;
    work.private_end = made.private_used;
    work.patches.resize(made.patches);
    work.is_null_rendering = request.is_null_rendering;
    const auto sent = submit(*context, std::move(work), request.allocations, std::move(used));
    if (!NT_SUCCESS(sent) || !is_cut) return sent;
  }
}

auto graphics::present(D3DKMT_HANDLE context_handle, const present_request& request) -> NTSTATUS {
  auto* const context = objects.find(objects.contexts, context_handle);
  if (context == nullptr) return STATUS_INVALID_HANDLE;
  if (context->device->is_lost) return STATUS_GRAPHICS_GPU_EXCEPTION_ON_DEVICE;
  const std::vector<list_entry> entries{
      {0, false}, {request.source, false}, {request.destination, true}};
  auto sub_rects = request.sub_rects;
  if (sub_rects.empty()) sub_rects.push_back(request.destination_rect);
  DXGKARG_PRESENT arguments{};
  for (;;) {
    std::vector<std::shared_ptr<allocation>> used;
    gpu_work work;
    if (const auto status = resolve(entries, *context->device, used, work.allocations);
        !NT_SUCCESS(status)) {
      return status;
    }
    work.buffer = scheduler.buffers().take(context->info.DmaBufferSize,
                                           context->info.DmaBufferPrivateDataSize);
    if (work.buffer == nullptr) return STATUS_NO_MEMORY;
    work.patches.resize(context->info.PatchLocationListSize);
    arguments.pDmaBuffer = work.buffer->bytes;
    arguments.DmaSize = work.buffer->size_bytes;
    arguments.pDmaBufferPrivateData = work.buffer->private_data.get();
    arguments.DmaBufferPrivateDataSize = work.buffer->private_bytes;
    arguments.pAllocationList = work.allocations.data();
    arguments.pPatchLocationListOut = work.patches.data();
    arguments.PatchLocationListOutSize = static_cast<UINT>(work.patches.size());
    arguments.Color = request.color;
    arguments.DstRect = request.destination_rect;
    arguments.SrcRect = request.source_rect;
    arguments.SubRectCnt = static_cast<UINT>(sub_rects.size());
    arguments.pDstSubRects = sub_rects.data();
    arguments.FlipInterval = request.interval;
    arguments.Flags = request.flags;
    arguments.DmaBufferPhysicalAddress = physical(work.buffer->physical);
    const auto passed = arguments.MultipassOffset;
    const auto status =
        windows.call(&DRIVER_INITIALIZATION_DATA::DxgkDdiPresent, context->driver, &arguments);
    const bool is_cut = status == STATUS_GRAPHICS_INSUFFICIENT_DMA_BUFFER;
    if (!NT_SUCCESS(status) && !is_cut) return status;
    progress made;
    if (!measure(*work.buffer, arguments.pDmaBuffer, arguments.pDmaBufferPrivateData, work.patches,
                 arguments.pPatchLocationListOut, made)) {
      return STATUS_INVALID_PARAMETER;
    }
    if (is_cut && arguments.MultipassOffset == passed) {
      stop(stop_code::video_dxgkrnl_fatal_error, {6, passed, 0, 0},
           "Present asks for another buffer and has done no rectangle");
      return STATUS_INVALID_PARAMETER;
    }
    work.end = made.used;
    work.private_end = made.private_used;
    work.patches.resize(made.patches);
    work.is_present = true;
    const auto sent = submit(*context, std::move(work), entries, std::move(used));
    if (!NT_SUCCESS(sent) || !is_cut) return sent;
  }
}

void graphics::wait_for_context(D3DKMT_HANDLE context_handle) {
  auto* const context = objects.find(objects.contexts, context_handle);
  if (context != nullptr) scheduler.wait(context->last_fence);
}

}  // namespace aerogpu::sim

// SPDX-License-Identifier: MIT
#include "drivers/win7/kmd/adapter/device.hpp"

#include "drivers/win7/kmd/adapter/adapter.hpp"
#include "drivers/win7/kmd/submission/dma_record.hpp"
#include "drivers/win7/kmd/system/os.hpp"

#include <new>

namespace aerogpu::kmd {

namespace {

/// The sizes that devices and contexts have in common.
template <class Info>
void fill_buffer_sizes(const adapter& adapter, Info& info) noexcept {
  info.DmaBufferSize = adapter.knobs.dma_buffer_bytes;
  info.DmaBufferSegmentSet = 0;  // Contiguous system memory.
  info.DmaBufferPrivateDataSize = dma_record_bytes;
  info.AllocationListSize = max_list_entries;
  info.PatchLocationListSize = max_list_entries;
}

/// What Windows demands of a GDI context: no other number will do.
constexpr UINT gdi_list_entries = 256;
static_assert(gdi_list_entries <= max_list_entries);

[[nodiscard]] auto next_context_id(adapter& adapter) noexcept -> context_id {
  std::uint32_t id = 0;
  while (id == 0) id = adapter.last_context_id.fetch_add(1, std::memory_order_relaxed) + 1;
  return static_cast<context_id>(id);
}

/// nullptr when there is no memory.
[[nodiscard]] auto make_context(device& device, process_counts::line maker) noexcept -> context* {
  void* const memory = os::allocate(sizeof(context), os::pool_owner::context);
  if (memory == nullptr) return nullptr;
  auto* const made = ::new (memory) context{device, next_context_id(device.adapter), maker};
  if (NT_SUCCESS(made->scratch.create())) return made;
  os::release(memory, os::pool_owner::context);
  return nullptr;
}

}  // namespace

auto create_device(adapter& adapter, DXGKARG_CREATEDEVICE& args) noexcept -> NTSTATUS {
  void* const memory = os::allocate(sizeof(device), os::pool_owner::device);
  if (memory == nullptr) return STATUS_NO_MEMORY;
  // Flags and pInfo share their storage: what Windows 7 passes is told by its value. No flag may
  // stay there, where it is read as the answer of a driver without contexts.
  if (os::is_kernel_address(args.pInfo)) {
    fill_buffer_sizes(adapter, *args.pInfo);
    args.pInfo->Flags.Value = 0;
  } else {
    args.pInfo = nullptr;
  }
  args.hDevice = ::new (memory) device{adapter, args.hDevice};
  return STATUS_SUCCESS;
}

void destroy_device(device& device) noexcept {
  os::release(&device, os::pool_owner::device);
}

auto create_context(device& device, DXGKARG_CREATECONTEXT& args) noexcept -> NTSTATUS {
  if (args.NodeOrdinal != 0) return STATUS_INVALID_PARAMETER;
  locked_process_counts& counts = device.adapter.context_counts;
  const process_counts::line maker = counts.add(os::current_process(), max_process_contexts);
  if (maker == process_counts::no_line) return STATUS_NO_MEMORY;
  context* const made = make_context(device, maker);
  if (made == nullptr) {
    counts.drop(maker);
    return STATUS_NO_MEMORY;
  }
  fill_buffer_sizes(device.adapter, args.ContextInfo);
  if (args.Flags.GdiContext != 0) args.ContextInfo.AllocationListSize = gdi_list_entries;
  args.ContextInfo.DmaBufferAllocationGroup = 0;
  args.hContext = made;
  return STATUS_SUCCESS;
}

void destroy_context(context& context) noexcept {
  adapter& adapter = context.device.adapter;
  adapter.engine.end_context(context.id);
  adapter.context_counts.drop(context.maker);
  context.scratch.destroy();
  os::release(&context, os::pool_owner::context);
}

}  // namespace aerogpu::kmd

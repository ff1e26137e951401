// SPDX-License-Identifier: MIT
#include "tests/drivers/sim/fake_driver.hpp"

#include "drivers/win7/kmd/system/os.hpp"

#include <cstring>

namespace aerogpu::test {
namespace {

fake_driver driver;

void notify(const DXGKARGCB_NOTIFY_INTERRUPT_DATA& data) {
  driver.callbacks.DxgkCbNotifyInterrupt(driver.callbacks.DeviceHandle, &data);
}

void notify_fence(std::uint32_t fence) {
  DXGKARGCB_NOTIFY_INTERRUPT_DATA data{};
  data.InterruptType = DXGK_INTERRUPT_DMA_COMPLETED;
  data.DmaCompleted.SubmissionFenceId = fence;
  notify(data);
  driver.last_reported = fence;
}

void notify_preempted() {
  DXGKARGCB_NOTIFY_INTERRUPT_DATA data{};
  data.InterruptType = DXGK_INTERRUPT_DMA_PREEMPTED;
  data.DmaPreempted.PreemptionFenceId = driver.preemption;
  data.DmaPreempted.LastCompletedFenceId = driver.last_reported;
  driver.is_preempted = false;
  notify(data);
}

/// Under the interrupt lock.
auto APIENTRY report(PVOID) -> BOOLEAN {
  if (!driver.submitted.empty()) {
    const auto fence = driver.submitted.back();
    driver.submitted.clear();
    notify_fence(fence);
    if (driver.does == misdeed::report_twice) notify_fence(fence);
    if (driver.does == misdeed::report_unknown) notify_fence(fence + 1000);
    if (driver.does == misdeed::report_below) notify_fence(fence - 1);
  }
  if (driver.is_preempted || driver.does == misdeed::preempt_unasked) notify_preempted();
  static_cast<void>(driver.callbacks.DxgkCbQueueDpc(driver.callbacks.DeviceHandle));
  return TRUE;
}

void synchronized_report() {
  if (driver.does == misdeed::notify_without_lock) {
    static_cast<void>(report(nullptr));
    return;
  }
  BOOLEAN answer = FALSE;
  static_cast<void>(driver.callbacks.DxgkCbSynchronizeExecution(driver.callbacks.DeviceHandle,
                                                                &report, nullptr, 0, &answer));
}

auto APIENTRY add_device(PDEVICE_OBJECT, PVOID* context) -> NTSTATUS {
  driver.pool = kmd::os::allocate(64, kmd::os::pool_owner::adapter);
  *context = driver.pool;
  return driver.pool != nullptr ? STATUS_SUCCESS : STATUS_NO_MEMORY;
}
auto APIENTRY start_device(PVOID, PDXGK_START_INFO, PDXGKRNL_INTERFACE callbacks, PULONG sources,
                           PULONG children) -> NTSTATUS {
  driver.callbacks = *callbacks;
  *sources = *children = 1;
  return STATUS_SUCCESS;
}
auto APIENTRY stop_device(PVOID) -> NTSTATUS {
  return STATUS_SUCCESS;
}
auto APIENTRY remove_device(PVOID) -> NTSTATUS {
  if (driver.does != misdeed::leak_pool)
    kmd::os::release(driver.pool, kmd::os::pool_owner::adapter);
  return STATUS_SUCCESS;
}
void APIENTRY unload() {}

auto APIENTRY interrupt_routine(PVOID, ULONG) -> BOOLEAN {
  if (driver.does == misdeed::claim_nothing || !driver.vblank_due) return FALSE;
  driver.vblank_due = false;
  driver.machine->interrupts.force_line(false);
  DXGKARGCB_NOTIFY_INTERRUPT_DATA data{};
  data.InterruptType = DXGK_INTERRUPT_CRTC_VSYNC;
  data.CrtcVsync.PhysicalAddress.QuadPart = static_cast<LONGLONG>(driver.shown_address);
  notify(data);
  static_cast<void>(driver.callbacks.DxgkCbQueueDpc(driver.callbacks.DeviceHandle));
  return TRUE;
}
void APIENTRY dpc_routine(PVOID) {
  ++driver.dpcs;
  driver.callbacks.DxgkCbNotifyDpc(driver.callbacks.DeviceHandle);
}

auto APIENTRY query_adapter_info(HANDLE, const DXGKARG_QUERYADAPTERINFO* query) -> NTSTATUS {
  if (query->Type == DXGKQAITYPE_DRIVERCAPS) return STATUS_SUCCESS;
  auto& out = *static_cast<DXGK_QUERYSEGMENTOUT*>(query->pOutputData);
  out.NbSegment = 2;
  out.PagingBufferSize = 4096;
  out.PagingBufferPrivateDataSize = 256;
  if (out.pSegmentDescriptor == nullptr) return STATUS_SUCCESS;
  auto* const segments = out.pSegmentDescriptor;
  segments[0].BaseAddress.QuadPart = static_cast<LONGLONG>(driver.segment_base);
  segments[0].CpuTranslatedAddress = segments[0].BaseAddress;
  segments[0].Size = segments[0].CommitLimit = driver.memory_segment_bytes;
  segments[0].Flags.CpuVisible = 1;
  segments[1].BaseAddress.QuadPart = LONGLONG{1} << 32;
  segments[1].Size = segments[1].CommitLimit = 16u << 20;
  segments[1].Flags.Aperture = segments[1].Flags.CacheCoherent = 1;
  return STATUS_SUCCESS;
}

auto APIENTRY create_device(HANDLE, DXGKARG_CREATEDEVICE* arguments) -> NTSTATUS {
  arguments->hDevice = &driver;
  if (!kmd::os::is_kernel_address(arguments->pInfo)) {
    if (driver.does != misdeed::flags_left_in_device) arguments->pInfo = nullptr;
  } else if (driver.does != misdeed::unfilled_device_info) {
    *arguments->pInfo = {4096, 0, 64, 16, 16, {}};
  }
  return STATUS_SUCCESS;
}
auto APIENTRY create_context(HANDLE, DXGKARG_CREATECONTEXT* arguments) -> NTSTATUS {
  arguments->hContext = &driver;
  arguments->ContextInfo = {4096, 0, 64, 16, 16, 0};
  return STATUS_SUCCESS;
}
auto APIENTRY destroy_object(HANDLE) -> NTSTATUS {
  return STATUS_SUCCESS;
}

auto APIENTRY create_allocation(HANDLE, DXGKARG_CREATEALLOCATION* arguments) -> NTSTATUS {
  for (UINT i = 0; i < arguments->NumAllocations; ++i) {
    auto& info = arguments->pAllocationInfo[i];
    info.hAllocation = reinterpret_cast<HANDLE>(std::uintptr_t{0x1000} + ++driver.live_allocations);
    info.Size = driver.allocation_bytes;
    info.SupportedReadSegmentSet = info.SupportedWriteSegmentSet = driver.allocation_segments;
    info.Flags.CpuVisible = driver.is_cpu_visible ? 1 : 0;
    info.AllocationPriority = D3DDDI_ALLOCATIONPRIORITY_NORMAL;
    if (info.PrivateDriverDataSize != 0) *static_cast<char*>(info.pPrivateDriverData) = 'C';
  }
  return STATUS_SUCCESS;
}
auto APIENTRY destroy_allocation(HANDLE, const DXGKARG_DESTROYALLOCATION* arguments) -> NTSTATUS {
  driver.live_allocations -= arguments->NumAllocations;
  return STATUS_SUCCESS;
}
auto APIENTRY open_allocation(HANDLE, const DXGKARG_OPENALLOCATION* arguments) -> NTSTATUS {
  for (UINT i = 0; i < arguments->NumAllocations; ++i) {
    auto& info = arguments->pOpenAllocation[i];
    const DXGKARGCB_GETHANDLEDATA query{info.hAllocation, DXGK_HANDLE_ALLOCATION, {}};
    info.hDeviceSpecificAllocation = driver.callbacks.DxgkCbGetHandleData(&query);
    ++driver.open_allocations;
  }
  return STATUS_SUCCESS;
}
auto APIENTRY close_allocation(HANDLE, const DXGKARG_CLOSEALLOCATION* arguments) -> NTSTATUS {
  driver.open_allocations -= arguments->NumAllocations;
  return STATUS_SUCCESS;
}

/// Copies the command, and asks for every allocation to be patched.
auto APIENTRY render(HANDLE, DXGKARG_RENDER* arguments) -> NTSTATUS {
  const auto at = arguments->MultipassOffset;
  const auto left = arguments->CommandLength - at;
  const auto part = left < arguments->DmaSize ? left : arguments->DmaSize;
  auto* const out = static_cast<std::byte*>(arguments->pDmaBuffer);
  if (!kmd::os::copy_from_user({out, part},
                               static_cast<const std::byte*>(arguments->pCommand) + at)) {
    return STATUS_INVALID_USER_BUFFER;
  }
  driver.last_render_list.assign(arguments->pAllocationList,
                                 arguments->pAllocationList + arguments->AllocationListSize);
  for (UINT i = 0; i < arguments->AllocationListSize; ++i) {
    D3DDDI_PATCHLOCATIONLIST entry{};
    entry.AllocationIndex = i;
    *arguments->pPatchLocationListOut++ = entry;
  }
  arguments->pDmaBuffer = out + part;
  arguments->MultipassOffset = at + part;
  return part < left ? STATUS_GRAPHICS_INSUFFICIENT_DMA_BUFFER : STATUS_SUCCESS;
}
auto APIENTRY present(HANDLE, DXGKARG_PRESENT* arguments) -> NTSTATUS {
  if (arguments->pDmaBuffer != nullptr)
    arguments->pDmaBuffer = static_cast<std::byte*>(arguments->pDmaBuffer) + 32;
  return STATUS_SUCCESS;
}
auto APIENTRY patch(HANDLE, const DXGKARG_PATCH* arguments) -> NTSTATUS {
  if (driver.does == misdeed::fail_patch) return STATUS_INVALID_PARAMETER;
  if (arguments->Flags.Paging) return STATUS_SUCCESS;
  driver.patched_entries.push_back(arguments->PatchLocationListSubmissionLength);
  driver.last_patch_list.assign(arguments->pAllocationList,
                                arguments->pAllocationList + arguments->AllocationListSize);
  return STATUS_SUCCESS;
}

/// Where a side of a transfer lies, one page at a time.
[[nodiscard]] auto page_at(UINT segment, std::uint64_t address, MDL* mdl, std::uint64_t page)
    -> std::byte* {
  if (segment != 0) return driver.machine->bus.at(address + page * 4096, 4096);
  const auto* const frames = reinterpret_cast<const PFN_NUMBER*>(mdl + 1);
  return driver.machine->ram.at(frames[page] * 4096, 4096);
}

void run(const DXGKARG_BUILDPAGINGBUFFER& one) {
  if (one.Operation == DXGK_OPERATION_FILL) {
    const auto address = static_cast<std::uint64_t>(one.Fill.Destination.SegmentAddress.QuadPart);
    std::memset(driver.machine->bus.at(address, one.Fill.FillSize), 0, one.Fill.FillSize);
  }
  if (one.Operation != DXGK_OPERATION_TRANSFER) return;
  const auto& transfer = one.Transfer;
  for (std::uint64_t page = 0; page < transfer.TransferSize / 4096; ++page) {
    auto* const from = page_at(transfer.Source.SegmentId,
                               static_cast<std::uint64_t>(transfer.Source.SegmentAddress.QuadPart),
                               transfer.Source.pMdl, page);
    auto* const to =
        page_at(transfer.Destination.SegmentId,
                static_cast<std::uint64_t>(transfer.Destination.SegmentAddress.QuadPart),
                transfer.Destination.pMdl, page);
    std::memcpy(to, from, 4096);
  }
}

auto APIENTRY submit_command(HANDLE, const DXGKARG_SUBMITCOMMAND* arguments) -> NTSTATUS {
  driver.submit_level = kmd::os::current_irql();
  if (driver.does == misdeed::fail_submit) return STATUS_INVALID_PARAMETER;
  if (arguments->Flags.Paging) {
    const auto* const data = static_cast<const std::byte*>(arguments->pDmaBufferPrivateData);
    for (auto at = arguments->DmaBufferPrivateDataSubmissionStartOffset;
         at < arguments->DmaBufferPrivateDataSubmissionEndOffset; at += 8) {
      std::uint64_t index = 0;
      std::memcpy(&index, data + at, sizeof index);
      run(driver.operations.at(index));
    }
  }
  driver.submitted.push_back(arguments->SubmissionFenceId);
  if (driver.completes_at_once || arguments->Flags.Paging) synchronized_report();
  if (driver.does == misdeed::keep_irql) sim::raise_irql(sim::device_level);
  return STATUS_SUCCESS;
}
auto APIENTRY preempt_command(HANDLE, const DXGKARG_PREEMPTCOMMAND* arguments) -> NTSTATUS {
  driver.is_preempted = true;
  driver.preemption = arguments->PreemptionFenceId;
  if (driver.completes_at_once) synchronized_report();
  return STATUS_SUCCESS;
}
auto APIENTRY query_current_fence(HANDLE, DXGKARG_QUERYCURRENTFENCE* arguments) -> NTSTATUS {
  arguments->CurrentFence = driver.last_reported;
  return STATUS_SUCCESS;
}

auto APIENTRY build_paging_buffer(HANDLE, DXGKARG_BUILDPAGINGBUFFER* arguments) -> NTSTATUS {
  constexpr UINT placeholder = 128;
  if (driver.does == misdeed::fail_paging) return STATUS_INVALID_PARAMETER;
  if (arguments->DmaSize < placeholder || arguments->DmaBufferPrivateDataSize < 8)
    return STATUS_GRAPHICS_INSUFFICIENT_DMA_BUFFER;
  driver.paging_operations.push_back(arguments->Operation);
  const std::uint64_t index = driver.operations.size();
  driver.operations.push_back(*arguments);
  std::memcpy(arguments->pDmaBufferPrivateData, &index, sizeof index);
  arguments->pDmaBufferPrivateData = static_cast<std::byte*>(arguments->pDmaBufferPrivateData) + 8;
  const auto size = driver.does == misdeed::paging_overrun ? 8192 : placeholder;
  arguments->pDmaBuffer = static_cast<std::byte*>(arguments->pDmaBuffer) + size;
  return STATUS_SUCCESS;
}

auto APIENTRY reset_from_timeout(HANDLE) -> NTSTATUS {
  ++driver.resets;
  driver.submitted.clear();
  driver.is_preempted = false;
  return driver.does == misdeed::fail_reset ? STATUS_NO_MEMORY : STATUS_SUCCESS;
}
auto APIENTRY restart_from_timeout(HANDLE) -> NTSTATUS {
  return STATUS_SUCCESS;
}
auto APIENTRY control_interrupt(HANDLE, DXGK_INTERRUPT_TYPE, BOOLEAN) -> NTSTATUS {
  return STATUS_SUCCESS;
}
auto APIENTRY set_source_address(HANDLE, const DXGKARG_SETVIDPNSOURCEADDRESS* arguments)
    -> NTSTATUS {
  driver.shown_address = static_cast<std::uint64_t>(arguments->PrimaryAddress.QuadPart);
  return STATUS_SUCCESS;
}
auto APIENTRY escape(HANDLE, const DXGKARG_ESCAPE* arguments) -> NTSTATUS {
  static_cast<char*>(arguments->pPrivateDriverData)[0] = 'E';
  return STATUS_SUCCESS;
}

}  // namespace

auto the_fake_driver() -> fake_driver& {
  return driver;
}

void fake_driver::complete_all() {
  synchronized_report();
}

void fake_driver::raise_vblank() {
  vblank_due = true;
  machine->interrupts.force_line(true);
  machine->interrupts.settle();
  machine->interrupts.force_line(false);
}

auto use_fake_driver(sim::kernel& windows) -> fake_driver& {
  driver = {};
  driver.machine = &windows.machine;
  driver.segment_base = windows.machine.config.bars.bar1 + 0x400000u;
  auto& table = windows.table;
  table = {};
  table.Version = DXGKDDI_INTERFACE_VERSION_WIN7;
  table.DxgkDdiAddDevice = &add_device;
  table.DxgkDdiStartDevice = &start_device;
  table.DxgkDdiStopDevice = &stop_device;
  table.DxgkDdiRemoveDevice = &remove_device;
  table.DxgkDdiUnload = &unload;
  table.DxgkDdiInterruptRoutine = &interrupt_routine;
  table.DxgkDdiDpcRoutine = &dpc_routine;
  table.DxgkDdiQueryAdapterInfo = &query_adapter_info;
  table.DxgkDdiCreateDevice = &create_device;
  table.DxgkDdiDestroyDevice = &destroy_object;
  table.DxgkDdiCreateContext = &create_context;
  table.DxgkDdiDestroyContext = &destroy_object;
  table.DxgkDdiCreateAllocation = &create_allocation;
  table.DxgkDdiDestroyAllocation = &destroy_allocation;
  table.DxgkDdiOpenAllocation = &open_allocation;
  table.DxgkDdiCloseAllocation = &close_allocation;
  table.DxgkDdiRender = &render;
  table.DxgkDdiPresent = &present;
  table.DxgkDdiPatch = &patch;
  table.DxgkDdiSubmitCommand = &submit_command;
  table.DxgkDdiPreemptCommand = &preempt_command;
  table.DxgkDdiQueryCurrentFence = &query_current_fence;
  table.DxgkDdiBuildPagingBuffer = &build_paging_buffer;
  table.DxgkDdiResetFromTimeout = &reset_from_timeout;
  table.DxgkDdiRestartFromTimeout = &restart_from_timeout;
  table.DxgkDdiControlInterrupt = &control_interrupt;
  table.DxgkDdiSetVidPnSourceAddress = &set_source_address;
  table.DxgkDdiEscape = &escape;
  return driver;
}

}  // namespace aerogpu::test

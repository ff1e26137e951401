// SPDX-License-Identifier: MIT
#include "tests/drivers/kmd/submission/submission_fixture.hpp"

#include "aerogpu/abi/alloc_table.h"
#include "aerogpu/abi/cmd_stream.h"
#include "aerogpu/abi/mmio.h"
#include "aerogpu/abi/version.h"
#include "aerogpu/abi/wddm_alloc.h"
#include "drivers/win7/kmd/entry/driver_entry.hpp"
#include "drivers/win7/kmd/submission/dma_record.hpp"

#include <algorithm>
#include <cstring>

namespace aerogpu::test {
namespace {

/// The fixture of the case that runs: callbacks of dxgkrnl carry no context of the test's.
started_driver* current = nullptr;

[[nodiscard]] auto physical_address(std::uint64_t value) -> PHYSICAL_ADDRESS {
  PHYSICAL_ADDRESS made;
  made.QuadPart = static_cast<LONGLONG>(value);
  return made;
}

}  // namespace

stream_words::stream_words()
    : words_{AEROGPU_CMD_STREAM_MAGIC, AEROGPU_ABI_VERSION_U32, 24, 0, 0, 0} {}

auto stream_words::add(std::uint32_t opcode, std::uint32_t size_bytes,
                       std::vector<std::uint32_t> words) -> stream_words& {
  words_.push_back(opcode);
  words_.push_back(size_bytes);
  words.resize(size_bytes / 4 - 2);
  words_.insert(words_.end(), words.begin(), words.end());
  words_[2] = size();
  return *this;
}

auto stream_words::bytes() const -> byte_list {
  const auto raw_bytes = std::as_bytes(std::span{words_});
  return {raw_bytes.begin(), raw_bytes.end()};
}

auto stream_words::size() const -> std::uint32_t {
  return static_cast<std::uint32_t>(words_.size() * 4);
}

auto nop_stream(std::uint32_t count) -> byte_list {
  stream_words stream;
  for (std::uint32_t i = 0; i < count; ++i) stream.add(AEROGPU_CMD_NOP, 8);
  return stream.bytes();
}

started_driver::started_driver(const driver_options& options) : pc({}, options.device) {
  current = this;
  if (options.hidden_features != 0) {
    pc.pc.bus.host.on_read = [hidden = options.hidden_features](std::uint32_t offset,
                                                                std::uint32_t value) {
      const bool is_low = offset == AEROGPU_MMIO_REG_FEATURES_LO;
      return is_low ? value & ~static_cast<std::uint32_t>(hidden) : value;
    };
  }
  REQUIRE(pc.windows.load(&DriverEntry) == STATUS_SUCCESS);
  REQUIRE(pc.windows.start() == STATUS_SUCCESS);
  adapter().knobs.dma_buffer_bytes = options.dma_buffer_bytes;
  notify_ = adapter().dxgkrnl.DxgkCbNotifyInterrupt;
  adapter().dxgkrnl.DxgkCbNotifyInterrupt = &started_driver::on_notify;
  pc.windows.dxgk.on_retired = [this](std::uint32_t fence) { on_retired(fence); };
  pc.windows.dxgk.find_handle = [this](const DXGKARGCB_GETHANDLEDATA& what) -> void* {
    const std::size_t index = what.hObject - 1;
    return index < allocations_.size() ? allocations_[index]->handle : nullptr;
  };
  next_address_ = adapter().segments.video_base();

  DXGK_DEVICEINFO info{};
  DXGKARG_CREATEDEVICE args{};
  args.pInfo = &info;
  REQUIRE(pc.windows.call(&DRIVER_INITIALIZATION_DATA::DxgkDdiCreateDevice, pc.windows.context(),
                          &args) == STATUS_SUCCESS);
  device = args.hDevice;
  context = create_context();
}

started_driver::~started_driver() {
  for (const auto& one : allocations_) {
    if (one->handle != nullptr) destroy_allocation(*one);
  }
  destroy_context(context);
  static_cast<void>(pc.windows.call(&DRIVER_INITIALIZATION_DATA::DxgkDdiDestroyDevice, device));
  for (const auto& one : buffers_)
    pc.pc.ram.release(one->physical, sim::pages_of(one->bytes.size()));
  pc.windows.stop_device();
  pc.windows.remove_device();
  pc.windows.unload();
  current = nullptr;
}

auto started_driver::create_context() -> HANDLE {
  DXGKARG_CREATECONTEXT args{};
  REQUIRE(pc.windows.call(&DRIVER_INITIALIZATION_DATA::DxgkDdiCreateContext, device, &args) ==
          STATUS_SUCCESS);
  return args.hContext;
}

void started_driver::destroy_context(HANDLE which) {
  CHECK(pc.windows.call(&DRIVER_INITIALIZATION_DATA::DxgkDdiDestroyContext, which) ==
        STATUS_SUCCESS);
}

auto started_driver::create_allocation(std::uint32_t id, std::uint64_t size_bytes, bool is_shared)
    -> test_allocation& {
  aerogpu_wddm_alloc_priv_v2 blob{};
  blob.magic = AEROGPU_WDDM_ALLOC_PRIV_MAGIC;
  blob.version = AEROGPU_WDDM_ALLOC_PRIV_VERSION_2;
  blob.alloc_id = id;
  blob.flags = is_shared ? AEROGPU_WDDM_ALLOC_PRIV_FLAG_IS_SHARED : 0;
  blob.size_bytes = size_bytes;
  blob.kind = AEROGPU_WDDM_ALLOC_KIND_BUFFER;
  DXGK_ALLOCATIONINFO info{};
  info.pPrivateDriverData = &blob;
  info.PrivateDriverDataSize = sizeof blob;
  DXGKARG_CREATEALLOCATION create{};
  create.NumAllocations = 1;
  create.pAllocationInfo = &info;
  REQUIRE(pc.windows.call(&DRIVER_INITIALIZATION_DATA::DxgkDdiCreateAllocation,
                          pc.windows.context(), &create) == STATUS_SUCCESS);
  auto& made = *allocations_.emplace_back(std::make_unique<test_allocation>());
  made.handle = info.hAllocation;
  made.id = blob.alloc_id;
  made.size_bytes = size_bytes;
  made.address = next_address_;
  next_address_ += sim::pages_of(size_bytes) * sim::page_bytes;

  DXGK_OPENALLOCATIONINFO open_info{};
  open_info.hAllocation = static_cast<D3DKMT_HANDLE>(allocations_.size());
  open_info.pPrivateDriverData = &blob;
  open_info.PrivateDriverDataSize = sizeof blob;
  DXGKARG_OPENALLOCATION open{};
  open.NumAllocations = 1;
  open.pOpenAllocation = &open_info;
  open.Flags.Create = 1;
  REQUIRE(pc.windows.call(&DRIVER_INITIALIZATION_DATA::DxgkDdiOpenAllocation, device, &open) ==
          STATUS_SUCCESS);
  made.opened = open_info.hDeviceSpecificAllocation;
  return made;
}

void started_driver::destroy_allocation(const test_allocation& which) {
  const auto found = std::find_if(allocations_.begin(), allocations_.end(),
                                  [&](const auto& one) { return one->handle == which.handle; });
  REQUIRE(found != allocations_.end());
  DXGKARG_CLOSEALLOCATION close{};
  close.NumAllocations = 1;
  close.pOpenHandleList = &which.opened;
  CHECK(pc.windows.call(&DRIVER_INITIALIZATION_DATA::DxgkDdiCloseAllocation, device, &close) ==
        STATUS_SUCCESS);
  DXGKARG_DESTROYALLOCATION destroy{};
  destroy.NumAllocations = 1;
  destroy.pAllocationList = &which.handle;
  CHECK(pc.windows.call(&DRIVER_INITIALIZATION_DATA::DxgkDdiDestroyAllocation, pc.windows.context(),
                        &destroy) == STATUS_SUCCESS);
  (*found)->handle = nullptr;
}

auto started_driver::make_list(std::span<const list_line> lines)
    -> std::vector<DXGK_ALLOCATIONLIST> {
  std::vector<DXGK_ALLOCATIONLIST> list;
  for (const list_line& line : lines) {
    DXGK_ALLOCATIONLIST entry{};
    if (line.allocation != nullptr) {
      entry.hDeviceSpecificAllocation = line.allocation->opened;
      entry.WriteOperation = line.is_written ? 1 : 0;
      entry.SegmentId = line.segment & 31;
      const auto address = line.address != 0 ? line.address : line.allocation->address;
      if (line.segment != 0) entry.PhysicalAddress = physical_address(address);
    }
    list.push_back(entry);
  }
  return list;
}

auto started_driver::make_buffer(std::uint32_t size_bytes) -> dma_buffer& {
  if (size_bytes == 0) size_bytes = adapter().knobs.dma_buffer_bytes;
  auto& made = *buffers_.emplace_back(std::make_unique<dma_buffer>());
  made.physical = pc.pc.ram.allocate(sim::pages_of(size_bytes));
  REQUIRE(made.physical != 0);
  made.bytes = {pc.pc.ram.at(made.physical, size_bytes), size_bytes};
  std::memset(made.bytes.data(), 0xCC, made.bytes.size());
  made.private_data.assign((kmd::dma_record_bytes + 7) / 8, 0xCCCC'CCCC'CCCC'CCCC);
  made.patches.resize(kmd::max_list_entries);
  return made;
}

auto started_driver::render_user(dma_buffer& to, const void* command, std::uint32_t length,
                                 std::span<const list_line> lines, std::uint32_t multipass)
    -> NTSTATUS {
  to.list = make_list(lines);
  DXGKARG_RENDER args{};
  args.pCommand = command;
  args.CommandLength = length;
  args.pDmaBuffer = to.bytes.data();
  args.DmaSize = static_cast<UINT>(to.bytes.size());
  args.pDmaBufferPrivateData = to.private_data.data();
  args.DmaBufferPrivateDataSize = static_cast<UINT>(to.private_bytes().size());
  args.pAllocationList = to.list.data();
  args.AllocationListSize = static_cast<UINT>(to.list.size());
  args.pPatchLocationListOut = to.patches.data();
  args.PatchLocationListOutSize = static_cast<UINT>(to.patches.size());
  args.MultipassOffset = multipass;
  const NTSTATUS status =
      pc.windows.call(&DRIVER_INITIALIZATION_DATA::DxgkDdiRender, context, &args);
  to.used_bytes =
      static_cast<std::uint32_t>(static_cast<std::byte*>(args.pDmaBuffer) - to.bytes.data());
  to.patch_count = static_cast<std::uint32_t>(args.pPatchLocationListOut - to.patches.data());
  to.multipass = args.MultipassOffset;
  return status;
}

auto started_driver::render(dma_buffer& to, const_bytes stream, std::span<const list_line> lines,
                            std::uint32_t multipass) -> NTSTATUS {
  std::byte* const command = pc.pc.user.place(stream);
  const NTSTATUS status =
      render_user(to, command, static_cast<std::uint32_t>(stream.size()), lines, multipass);
  pc.pc.user.release(command);
  return status;
}

void started_driver::patch_range(dma_buffer& buffer, std::span<const list_line> lines,
                                 std::uint32_t first, std::uint32_t count) {
  const auto list = make_list(lines);
  DXGKARG_PATCH args{};
  args.hContext = context;
  args.DmaBufferPhysicalAddress = physical_address(buffer.physical);
  args.pDmaBuffer = buffer.bytes.data();
  args.DmaBufferSize = static_cast<UINT>(buffer.bytes.size());
  args.DmaBufferSubmissionEndOffset = buffer.used_bytes;
  args.pDmaBufferPrivateData = buffer.private_data.data();
  args.DmaBufferPrivateDataSize = static_cast<UINT>(buffer.private_bytes().size());
  args.pAllocationList = list.data();
  args.AllocationListSize = static_cast<UINT>(list.size());
  args.pPatchLocationList = buffer.patches.data();
  args.PatchLocationListSize = buffer.patch_count;
  args.PatchLocationListSubmissionStart = first;
  args.PatchLocationListSubmissionLength = count;
  CHECK(pc.windows.call(&DRIVER_INITIALIZATION_DATA::DxgkDdiPatch, pc.windows.context(),
                        static_cast<const DXGKARG_PATCH*>(&args)) == STATUS_SUCCESS);
}

void started_driver::patch(dma_buffer& buffer, std::span<const list_line> lines, std::uint32_t) {
  patch_range(buffer, lines, 0, buffer.patch_count);
}

auto started_driver::submit_arguments(dma_buffer& buffer, std::uint32_t fence, std::uint32_t flags)
    -> DXGKARG_SUBMITCOMMAND {
  DXGKARG_SUBMITCOMMAND args{};
  args.hContext = context;
  args.DmaBufferPhysicalAddress = physical_address(buffer.physical);
  args.DmaBufferSize = static_cast<UINT>(buffer.bytes.size());
  args.DmaBufferSubmissionEndOffset = buffer.used_bytes;
  args.pDmaBufferPrivateData = buffer.private_data.data();
  args.DmaBufferPrivateDataSize = static_cast<UINT>(buffer.private_bytes().size());
  args.SubmissionFenceId = fence;
  args.Flags.Value = flags;
  in_flight_[fence] = &buffer;
  return args;
}

void started_driver::submit(const DXGKARG_SUBMITCOMMAND& args) {
  pc.windows.dxgk.fences.submitted(args.SubmissionFenceId, args.Flags.Paging != 0);
  CHECK(pc.windows.call(&DRIVER_INITIALIZATION_DATA::DxgkDdiSubmitCommand, pc.windows.context(),
                        &args) == STATUS_SUCCESS);
}

void started_driver::submit(dma_buffer& buffer, std::uint32_t fence, std::uint32_t flags) {
  submit(submit_arguments(buffer, fence, flags));
}

auto started_driver::shared_nop() -> dma_buffer& {
  scribbles = false;
  dma_buffer& buffer = make_buffer(4096);
  REQUIRE(render(buffer, nop_stream()) == STATUS_SUCCESS);
  return buffer;
}

void started_driver::submit_nop(std::uint32_t fence) {
  dma_buffer& buffer = make_buffer(4096);
  REQUIRE(render(buffer, nop_stream()) == STATUS_SUCCESS);
  submit(buffer, fence);
}

auto started_driver::submit_fill(std::uint32_t fence, std::uint64_t address,
                                 std::uint32_t size_bytes, std::uint32_t pattern) -> dma_buffer& {
  dma_buffer& buffer = make_buffer(4096);
  DXGKARG_BUILDPAGINGBUFFER args{};
  args.pDmaBuffer = buffer.bytes.data();
  args.DmaSize = static_cast<UINT>(buffer.bytes.size());
  args.pDmaBufferPrivateData = buffer.private_data.data();
  args.DmaBufferPrivateDataSize = static_cast<UINT>(buffer.private_bytes().size());
  args.Operation = DXGK_OPERATION_FILL;
  args.Fill.FillSize = size_bytes;
  args.Fill.FillPattern = pattern;
  args.Fill.Destination.SegmentId = 1;
  args.Fill.Destination.SegmentAddress = physical_address(address);
  REQUIRE(pc.windows.call(&DRIVER_INITIALIZATION_DATA::DxgkDdiBuildPagingBuffer,
                          pc.windows.context(), &args) == STATUS_SUCCESS);
  buffer.used_bytes =
      static_cast<std::uint32_t>(static_cast<std::byte*>(args.pDmaBuffer) - buffer.bytes.data());
  DXGKARG_SUBMITCOMMAND submission = submit_arguments(buffer, fence, 1);
  submission.hContext = nullptr;
  submission.DmaBufferPrivateDataSubmissionEndOffset = static_cast<UINT>(
      static_cast<std::byte*>(args.pDmaBufferPrivateData) - buffer.private_bytes().data());
  submit(submission);
  return buffer;
}

void started_driver::preempt(std::uint32_t fence) {
  pc.windows.dxgk.fences.preempting(fence);
  DXGKARG_PREEMPTCOMMAND args{};
  args.PreemptionFenceId = fence;
  CHECK(pc.windows.call(&DRIVER_INITIALIZATION_DATA::DxgkDdiPreemptCommand, pc.windows.context(),
                        static_cast<const DXGKARG_PREEMPTCOMMAND*>(&args)) == STATUS_SUCCESS);
}

auto started_driver::query_fence() -> std::uint32_t {
  DXGKARG_QUERYCURRENTFENCE args{};
  CHECK(pc.windows.call(&DRIVER_INITIALIZATION_DATA::DxgkDdiQueryCurrentFence, pc.windows.context(),
                        &args) == STATUS_SUCCESS);
  return args.CurrentFence;
}

void started_driver::set_power(DEVICE_POWER_STATE state) {
  CHECK(pc.windows.call(&DRIVER_INITIALIZATION_DATA::DxgkDdiSetPowerState, pc.windows.context(),
                        ULONG{DISPLAY_ADAPTER_HW_ID}, state, PowerActionSleep) == STATUS_SUCCESS);
}

void started_driver::reset() {
  CHECK(pc.windows.call(&DRIVER_INITIALIZATION_DATA::DxgkDdiResetFromTimeout,
                        pc.windows.context()) == STATUS_SUCCESS);
  static_cast<void>(pc.windows.dxgk.fences.drop());
}

void started_driver::restart() {
  CHECK(pc.windows.call(&DRIVER_INITIALIZATION_DATA::DxgkDdiRestartFromTimeout,
                        pc.windows.context()) == STATUS_SUCCESS);
}

auto started_driver::descriptors(std::uint32_t count) -> std::vector<aerogpu_submit_desc> {
  std::vector<aerogpu_submit_desc> found(count);
  found.resize(adapter().engine.copy_descriptors(found));
  return found;
}

auto started_driver::newest_descriptor() -> aerogpu_submit_desc {
  const auto found = descriptors(1);
  REQUIRE(found.size() == 1);
  return found[0];
}

auto started_driver::ring_header() -> aerogpu_ring_header {
  return load<aerogpu_ring_header>(adapter().engine.ring_memory().bytes);
}

auto started_driver::table_entries(const aerogpu_submit_desc& from)
    -> std::vector<aerogpu_alloc_entry> {
  std::vector<aerogpu_alloc_entry> entries;
  if (from.alloc_table_gpa == 0) return entries;
  const std::byte* const at = pc.pc.ram.at(from.alloc_table_gpa, from.alloc_table_size_bytes);
  REQUIRE(at != nullptr);
  const auto header = load<aerogpu_alloc_table_header>(at);
  REQUIRE(sizeof header + std::uint64_t{header.entry_count} * sizeof(aerogpu_alloc_entry) ==
          from.alloc_table_size_bytes);
  REQUIRE(header.size_bytes == from.alloc_table_size_bytes);
  for (std::uint32_t i = 0; i < header.entry_count; ++i)
    entries.push_back(load<aerogpu_alloc_entry>(at + sizeof header + i * sizeof entries[0]));
  return entries;
}

auto started_driver::completions() const -> std::vector<std::uint32_t> {
  std::vector<std::uint32_t> fences;
  for (const interrupt_report& one : reports) {
    if (one.type == DXGK_INTERRUPT_DMA_COMPLETED) fences.push_back(one.fence);
  }
  return fences;
}

auto started_driver::preemptions() const -> std::vector<interrupt_report> {
  std::vector<interrupt_report> found;
  for (const interrupt_report& one : reports) {
    if (one.type == DXGK_INTERRUPT_DMA_PREEMPTED) found.push_back(one);
  }
  return found;
}

void APIENTRY started_driver::on_notify(HANDLE handle,
                                        const DXGKARGCB_NOTIFY_INTERRUPT_DATA* data) {
  const bool is_preemption = data->InterruptType == DXGK_INTERRUPT_DMA_PREEMPTED;
  current->reports.push_back(
      {.type = data->InterruptType,
       .fence = is_preemption ? data->DmaPreempted.PreemptionFenceId
                              : data->DmaCompleted.SubmissionFenceId,
       .last_completed = is_preemption ? data->DmaPreempted.LastCompletedFenceId : 0,
       .level = sim::this_thread().level});
  current->notify_(handle, data);
}

/// From here on dxgkrnl gives the memory to others.
void started_driver::on_retired(std::uint32_t fence) {
  const auto found = in_flight_.find(fence);
  if (found == in_flight_.end()) return;
  dma_buffer& buffer = *found->second;
  if (scribbles) {
    std::memset(buffer.bytes.data(), 0xDD, buffer.bytes.size());
    std::memset(buffer.private_bytes().data(), 0xDD, buffer.private_bytes().size());
  }
  in_flight_.erase(found);
}

}  // namespace aerogpu::test

// SPDX-License-Identifier: MIT
/// \file The driver on a simulated machine, called as VidMm and the scheduler call its memory side.
#pragma once

#include "aerogpu/core/bytes.hpp"
#include "drivers/win7/kmd/adapter/adapter.hpp"
#include "drivers/win7/kmd/entry/entry_points.hpp"
#include "drivers/win7/kmd/memory/paging.hpp"
#include "drivers/win7/kmd/submission/dma_record.hpp"
#include "tests/drivers/support/alloc_blobs.hpp"
#include "tests/drivers/support/simulated_pc.hpp"

#include <array>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <map>
#include <mutex>
#include <span>
#include <vector>

namespace aerogpu::test {

/// Pages of system memory, no two in a row, under an MDL.
class scattered_mdl {
 public:
  scattered_mdl(sim::pc& machine, std::uint64_t pages)
      : machine_(machine),
        frames_(machine.ram.allocate_scattered(pages)),
        storage_((sizeof(MDL) + frames_.size() * sizeof(PFN_NUMBER)) / sizeof(std::uint64_t) + 1) {
    REQUIRE(frames_.size() == pages);
    mdl()->ByteCount = static_cast<ULONG>(pages * sim::page_bytes);
    std::memcpy(mdl() + 1, frames_.data(), frames_.size() * sizeof(PFN_NUMBER));
  }
  ~scattered_mdl() {
    for (const auto frame : frames_) machine_.ram.release(frame * sim::page_bytes, 1);
  }
  scattered_mdl(const scattered_mdl&) = delete;
  auto operator=(const scattered_mdl&) -> scattered_mdl& = delete;

  [[nodiscard]] auto mdl() -> PMDL { return reinterpret_cast<PMDL>(storage_.data()); }
  [[nodiscard]] auto page(std::uint64_t index) -> std::byte* {
    return machine_.ram.at(frames_.at(static_cast<std::size_t>(index)) * sim::page_bytes);
  }
  [[nodiscard]] auto byte(std::uint64_t offset) -> std::byte& {
    return page(offset / sim::page_bytes)[offset % sim::page_bytes];
  }

 private:
  sim::pc& machine_;
  std::vector<std::uintptr_t> frames_;
  std::vector<std::uint64_t> storage_;
};

/// A DMA or paging buffer: contiguous memory, and private data that only the kernel sees.
class dma_buffer {
 public:
  dma_buffer(sim::pc& machine, std::size_t size_bytes, std::size_t private_bytes)
      : machine_(machine),
        pages_(sim::pages_of(size_bytes)),
        physical_(machine.ram.allocate(pages_)),
        size_bytes_(size_bytes),
        private_((private_bytes + 7) / 8, 0),
        private_bytes_(private_bytes) {
    REQUIRE(physical_ != 0);
  }
  ~dma_buffer() { machine_.ram.release(physical_, pages_); }
  dma_buffer(const dma_buffer&) = delete;
  auto operator=(const dma_buffer&) -> dma_buffer& = delete;

  [[nodiscard]] auto bytes() -> std::byte* { return machine_.ram.at(physical_); }
  [[nodiscard]] auto physical() const -> std::uint64_t { return physical_; }
  [[nodiscard]] auto size() const -> UINT { return static_cast<UINT>(size_bytes_); }
  [[nodiscard]] auto private_data() -> std::byte* {
    return reinterpret_cast<std::byte*>(private_.data());
  }
  [[nodiscard]] auto private_size() const -> UINT { return static_cast<UINT>(private_bytes_); }
  [[nodiscard]] auto record() -> kmd::dma_record& {
    return *reinterpret_cast<kmd::dma_record*>(private_.data());
  }

 private:
  sim::pc& machine_;
  std::uint64_t pages_;
  std::uint64_t physical_;
  std::size_t size_bytes_;
  std::vector<std::uint64_t> private_;
  std::size_t private_bytes_;
};

/// The driver, started on the null backend. What a case leaves behind fails it.
class memory_driver : public simulated_pc<> {
 public:
  using table = DRIVER_INITIALIZATION_DATA;

  explicit memory_driver(const sim::pc_config& config = {}) : simulated_pc<>(config) {
    kmd::fill_table(windows.table);
    windows.dxgk.find_handle = [this](const DXGKARGCB_GETHANDLEDATA& asked) -> void* {
      const std::lock_guard held{handles_mutex_};
      const auto found = handles_.find(asked.hObject);
      return found != handles_.end() ? found->second : nullptr;
    };
    REQUIRE(windows.start() == STATUS_SUCCESS);
    device = create_device();
    context = create_context(device);
  }
  ~memory_driver() {
    windows.call(&table::DxgkDdiDestroyContext, context);
    windows.call(&table::DxgkDdiDestroyDevice, device);
    pc.settle();
    CHECK(windows.stop_device() == STATUS_SUCCESS);
    CHECK(windows.remove_device() == STATUS_SUCCESS);
    CHECK(pc.leaks() == "");
  }

  [[nodiscard]] auto adapter() -> kmd::adapter& {
    return *static_cast<kmd::adapter*>(windows.context());
  }
  [[nodiscard]] auto create_device() -> HANDLE {
    DXGK_DEVICEINFO info{};
    DXGKARG_CREATEDEVICE args{};
    args.hDevice = reinterpret_cast<HANDLE>(std::uintptr_t{0x40000000});
    args.pInfo = &info;
    REQUIRE(windows.call(&table::DxgkDdiCreateDevice, windows.context(), &args) == STATUS_SUCCESS);
    return args.hDevice;
  }
  [[nodiscard]] auto create_context(HANDLE on) -> HANDLE {
    DXGKARG_CREATECONTEXT args{};
    REQUIRE(windows.call(&table::DxgkDdiCreateContext, on, &args) == STATUS_SUCCESS);
    return args.hContext;
  }

  // --- allocations ---

  struct created {
    NTSTATUS status = STATUS_SUCCESS;
    std::vector<DXGK_ALLOCATIONINFO> infos;
  };
  /// The blobs change in place, as the kernel's copies do.
  [[nodiscard]] auto create_allocations(std::span<blob> blobs) -> created {
    created made;
    made.infos.resize(blobs.size());
    for (std::size_t i = 0; i < blobs.size(); ++i) {
      std::memset(&made.infos[i], 0xA5, sizeof made.infos[i]);
      made.infos[i].pPrivateDriverData = blobs[i].empty() ? nullptr : blobs[i].data();
      made.infos[i].PrivateDriverDataSize = static_cast<UINT>(blobs[i].size());
    }
    DXGKARG_CREATEALLOCATION args{};
    args.NumAllocations = static_cast<UINT>(made.infos.size());
    args.pAllocationInfo = made.infos.data();
    made.status = windows.call(&table::DxgkDdiCreateAllocation, windows.context(), &args);
    return made;
  }
  [[nodiscard]] auto create(blob& data) -> DXGK_ALLOCATIONINFO {
    const created made = create_allocations({&data, 1});
    REQUIRE(made.status == STATUS_SUCCESS);
    return made.infos.front();
  }
  auto destroy(std::vector<HANDLE> list) -> NTSTATUS {
    DXGKARG_DESTROYALLOCATION args{};
    args.NumAllocations = static_cast<UINT>(list.size());
    args.pAllocationList = list.data();
    return windows.call(&table::DxgkDdiDestroyAllocation, windows.context(), &args);
  }
  /// The number under which dxgkrnl knows an allocation.
  [[nodiscard]] auto number_of(HANDLE allocation) -> D3DKMT_HANDLE {
    const std::lock_guard held{handles_mutex_};
    handles_[++last_handle_] = allocation;
    return last_handle_;
  }
  struct opened {
    NTSTATUS status = STATUS_SUCCESS;
    HANDLE handle = nullptr;
  };
  [[nodiscard]] auto open(HANDLE on, D3DKMT_HANDLE number, blob& data, bool is_create,
                          UINT count = 1) -> opened {
    std::vector<DXGK_OPENALLOCATIONINFO> infos(count);
    for (auto& info : infos) {
      info.hAllocation = number;
      info.pPrivateDriverData = data.data();
      info.PrivateDriverDataSize = static_cast<UINT>(data.size());
    }
    DXGKARG_OPENALLOCATION args{};
    args.NumAllocations = count;
    args.pOpenAllocation = infos.data();
    args.Flags.Create = is_create ? 1 : 0;
    const NTSTATUS status = windows.call(&table::DxgkDdiOpenAllocation, on, &args);
    return {status, infos.front().hDeviceSpecificAllocation};
  }
  auto close(std::vector<HANDLE> list) -> NTSTATUS {
    DXGKARG_CLOSEALLOCATION args{};
    args.NumAllocations = static_cast<UINT>(list.size());
    args.pOpenHandleList = list.data();
    return windows.call(&table::DxgkDdiCloseAllocation, device, &args);
  }

  /// An allocation with its creator's opening, at a place in a segment.
  struct surface {
    HANDLE allocation = nullptr;
    HANDLE opening = nullptr;
    kmd::placement at;

    [[nodiscard]] auto line(bool is_written) const -> DXGK_ALLOCATIONLIST {
      DXGK_ALLOCATIONLIST line{};
      line.hDeviceSpecificAllocation = opening;
      line.WriteOperation = is_written ? 1 : 0;
      line.SegmentId = static_cast<UINT>(at.segment) & 0x1F;
      line.PhysicalAddress.QuadPart = static_cast<LONGLONG>(at.address);
      return line;
    }
  };
  [[nodiscard]] auto make_surface(blob data, const kmd::placement& at) -> surface {
    const DXGK_ALLOCATIONINFO info = create(data);
    const opened one = open(device, number_of(info.hAllocation), data, true);
    REQUIRE(one.status == STATUS_SUCCESS);
    return {info.hAllocation, one.handle, at};
  }
  void drop(const surface& one) {
    CHECK(close({one.opening}) == STATUS_SUCCESS);
    CHECK(destroy({one.allocation}) == STATUS_SUCCESS);
  }

  [[nodiscard]] auto standard_blob(D3DKMDT_STANDARDALLOCATION_TYPE type, UINT width, UINT height,
                                   D3DDDIFORMAT format = D3DDDIFMT_A8R8G8B8) -> blob {
    D3DKMDT_SHAREDPRIMARYSURFACEDATA primary{};
    primary.Width = width;
    primary.Height = height;
    primary.Format = format;
    D3DKMDT_SHADOWSURFACEDATA shadow{width, height, format, 0};
    D3DKMDT_STAGINGSURFACEDATA staging{width, height, 0};
    blob data(sizeof(aerogpu_wddm_alloc_priv_v2));
    DXGKARG_GETSTANDARDALLOCATIONDRIVERDATA args{};
    args.StandardAllocationType = type;
    args.pCreateSharedPrimarySurfaceData = &primary;
    if (type == D3DKMDT_STANDARDALLOCATION_SHADOWSURFACE) args.pCreateShadowSurfaceData = &shadow;
    if (type == D3DKMDT_STANDARDALLOCATION_STAGINGSURFACE) {
      args.pCreateStagingSurfaceData = &staging;
    }
    args.pAllocationPrivateDriverData = data.data();
    args.AllocationPrivateDriverDataSize = static_cast<UINT>(data.size());
    REQUIRE(windows.call(&table::DxgkDdiGetStandardAllocationDriverData, windows.context(),
                         &args) == STATUS_SUCCESS);
    return data;
  }

  // --- memory ---

  [[nodiscard]] auto video(std::uint64_t offset) -> kmd::placement {
    return {kmd::segment_id::video, adapter().segments.video_base() + offset};
  }
  [[nodiscard]] static auto aperture(std::uint64_t page) -> kmd::placement {
    return {kmd::segment_id::aperture, kmd::aperture_base + page * kmd::page_bytes};
  }
  /// Bytes of the video segment as the processor sees them.
  [[nodiscard]] auto video_bytes(std::uint64_t offset, std::size_t size) -> mutable_bytes {
    const std::uint64_t reserve = adapter().segments.video_base() - pc.bus.layout().bar1;
    return pc.bus.video_memory().subspan(static_cast<std::size_t>(reserve + offset), size);
  }

  // --- the scheduler ---

  [[nodiscard]] auto paging_buffer() -> dma_buffer {
    return dma_buffer{pc, kmd::paging_buffer_bytes, kmd::paging_private_bytes};
  }
  [[nodiscard]] auto present_buffer(std::size_t size = 320u << 10) -> dma_buffer {
    return dma_buffer{pc, size, kmd::dma_record_bytes};
  }

  /// Builds one operation at the buffer's start and submits it.
  auto page(dma_buffer& buffer, DXGKARG_BUILDPAGINGBUFFER args) -> UINT {
    start_paging(buffer, args);
    REQUIRE(windows.call(&table::DxgkDdiBuildPagingBuffer, windows.context(), &args) ==
            STATUS_SUCCESS);
    return submit_paging(buffer, args);
  }
  static void start_paging(dma_buffer& buffer, DXGKARG_BUILDPAGINGBUFFER& args) {
    args.pDmaBuffer = buffer.bytes();
    args.DmaSize = buffer.size();
    args.pDmaBufferPrivateData = buffer.private_data();
    args.DmaBufferPrivateDataSize = buffer.private_size();
  }
  /// Submits what `args` says was built since the buffer's start.
  auto submit_paging(dma_buffer& buffer, const DXGKARG_BUILDPAGINGBUFFER& args) -> UINT {
    DXGKARG_SUBMITCOMMAND submit = submission(buffer);
    submit.Flags.Paging = 1;
    submit.DmaBufferSubmissionEndOffset =
        static_cast<UINT>(static_cast<std::byte*>(args.pDmaBuffer) - buffer.bytes());
    submit.DmaBufferPrivateDataSubmissionEndOffset = static_cast<UINT>(
        static_cast<std::byte*>(args.pDmaBufferPrivateData) - buffer.private_data());
    return send(submit);
  }
  /// Submits a present or render buffer that ends at `end`.
  auto submit(dma_buffer& buffer, const void* end) -> UINT {
    DXGKARG_SUBMITCOMMAND submit = submission(buffer);
    submit.hContext = context;
    submit.DmaBufferSubmissionEndOffset =
        static_cast<UINT>(static_cast<const std::byte*>(end) - buffer.bytes());
    submit.DmaBufferPrivateDataSubmissionEndOffset = buffer.private_size();
    return send(submit);
  }
  auto patch(dma_buffer& buffer, const void* end, std::span<const DXGK_ALLOCATIONLIST> list,
             std::span<const D3DDDI_PATCHLOCATIONLIST> locations) -> NTSTATUS {
    DXGKARG_PATCH args{};
    args.hContext = context;
    args.pDmaBuffer = buffer.bytes();
    args.DmaBufferPhysicalAddress.QuadPart = static_cast<LONGLONG>(buffer.physical());
    args.DmaBufferSize = buffer.size();
    args.DmaBufferSubmissionEndOffset =
        static_cast<UINT>(static_cast<const std::byte*>(end) - buffer.bytes());
    args.pDmaBufferPrivateData = buffer.private_data();
    args.DmaBufferPrivateDataSize = buffer.private_size();
    args.DmaBufferPrivateDataSubmissionEndOffset = buffer.private_size();
    args.pAllocationList = list.data();
    args.AllocationListSize = static_cast<UINT>(list.size());
    args.pPatchLocationList = locations.data();
    args.PatchLocationListSize = static_cast<UINT>(locations.size());
    args.PatchLocationListSubmissionLength = static_cast<UINT>(locations.size());
    return windows.call(&table::DxgkDdiPatch, windows.context(), &args);
  }
  /// Whether dxgkrnl heard that the fence is complete.
  [[nodiscard]] auto is_done(UINT fence) -> bool { return !windows.dxgk.fences.is_pending(fence); }

  HANDLE device = nullptr;
  HANDLE context = nullptr;

 private:
  [[nodiscard]] static auto submission(dma_buffer& buffer) -> DXGKARG_SUBMITCOMMAND {
    DXGKARG_SUBMITCOMMAND submit{};
    submit.DmaBufferPhysicalAddress.QuadPart = static_cast<LONGLONG>(buffer.physical());
    submit.DmaBufferSize = buffer.size();
    submit.pDmaBufferPrivateData = buffer.private_data();
    submit.DmaBufferPrivateDataSize = buffer.private_size();
    return submit;
  }
  auto send(DXGKARG_SUBMITCOMMAND& submit) -> UINT {
    submit.SubmissionFenceId = ++last_fence_;
    windows.dxgk.fences.submitted(last_fence_, submit.Flags.Paging != 0);
    CHECK(windows.call(&table::DxgkDdiSubmitCommand, windows.context(), &submit) == STATUS_SUCCESS);
    return last_fence_;
  }

  std::mutex handles_mutex_;
  std::map<D3DKMT_HANDLE, HANDLE> handles_;
  D3DKMT_HANDLE last_handle_ = 0x40000000;
  UINT last_fence_ = 0;
};

}  // namespace aerogpu::test

// SPDX-License-Identifier: MIT
/// \file A runtime of profile U as a table of callbacks, in every variance of umd-d3d9.md 4.3, 4.5.
#pragma once

#include "aerogpu/abi/win7_dma.h"
#include "aerogpu/memory/alloc_private_data.hpp"
#include "drivers/win7/umd/d3d9/front_u/adapter_entries.hpp"
#include "drivers/win7/umd/d3d9/front_u/device_handle.hpp"
#include "drivers/win7/umd/d3d9/front_u/open_adapter.hpp"
#include "tests/catch.hpp"
#include "tests/drivers/umd/rigs/fake_system.hpp"
#include "tests/drivers/umd/rigs/stream_host.hpp"

#include <algorithm>
#include <array>
#include <map>
#include <memory>
#include <string>
#include <utility>
#include <vector>

namespace aerogpu::umd::test {

namespace u = d3d9ddi_u;

enum class lending_u : std::uint8_t { persistent, borrowed, allocated };
enum class fence_field_u : std::uint8_t { none, id, fence, pointer, fresh };

struct variance_u {
  bool has_render = true;
  bool has_present = true;
  bool has_present_bit = false;
  bool has_submit = false;
  lending_u lending = lending_u::persistent;
  bool lies_in_dma_buffer = false;  ///< pCommandBuffer within pDmaBuffer, and no size of its own.
  bool borrows_nothing = false;     ///< GetCommandBufferCb succeeds, and gives no list.
  bool gives_memory = true;         ///< AllocateCb and what belongs to it.
  bool has_patches = true;
  std::uint32_t sync_object = 0;
  std::uint32_t private_bytes = 16;
  std::uint32_t command_bytes = 64 * 1024;
  std::uint32_t list_entries = 64;
  fence_field_u fence = fence_field_u::id;
};

/// One submission that arrived.
struct seen_work_u {
  std::string through;  ///< "RenderCb".
  byte_vector stream;
  std::vector<u::D3DDDI_ALLOCATIONLIST> list;
  std::uint32_t type = 0;  ///< AEROGPU_DMA_PRIV.
  bool has_present_bit = false;
  std::uint32_t private_bytes = 0;
  bool private_tail_is_kept = true;
};

/// The callbacks have no handle of a device: there is one fake at a time. Every stream passes the
/// strict validator and runs on the null processor.
class fake_callbacks_u {
 public:
  struct allocation {
    byte_vector bytes;
    gpa at{};
    alloc_private_data data{};
    int locks = 0;
  };

  explicit fake_callbacks_u(const variance_u& chosen = {}) : how(chosen) {
    CHECK(one == nullptr);
    one = this;
    if (how.gives_memory) table.pfnAllocateCb = allocate;
    if (how.gives_memory) table.pfnDeallocateCb = deallocate;
    if (how.has_submit) table.pfnSubmitCommandCb = submit_command;
    if (how.has_render) table.pfnRenderCb = render;
    if (how.has_present) table.pfnPresentCb = present;
    table.pfnLockCb = lock;
    table.pfnUnlockCb = unlock;
    table.pfnCreateDeviceCb = create_device;
    table.pfnDestroyDeviceCb = destroy_device;
    table.pfnCreateContextCb2 = create_context;
    table.pfnCreateContextCb = create_context;
    table.pfnDestroyContextCb = destroy_context;
    table.pfnDestroySynchronizationObjectCb = destroy_sync_object;
    if (how.lending == lending_u::borrowed || how.borrows_nothing)
      table.pfnGetCommandBufferCb = get_command_buffer;
  }
  fake_callbacks_u(const fake_callbacks_u&) = delete;
  auto operator=(const fake_callbacks_u&) -> fake_callbacks_u& = delete;
  ~fake_callbacks_u() {
    CHECK(breaches == std::vector<std::string>{});
    CHECK(buffers_out == 0);
    CHECK(devices == 0);
    CHECK(contexts == 0);
    CHECK(allocations.empty());
    one = nullptr;
  }

  variance_u how;
  u::D3DDDI_DEVICECALLBACKS table{};
  std::vector<seen_work_u> seen;
  std::map<std::uint32_t, std::unique_ptr<allocation>> allocations;
  std::vector<std::string> breaches;
  HRESULT submit_result = S_OK;
  std::uint64_t next_fence = 1;
  int buffers_out = 0;       ///< Of AllocateCb, not yet given back.
  int buffers_given = 0;     ///< By AllocateCb, ever.
  int buffers_borrowed = 0;  ///< By GetCommandBufferCb, ever.
  int devices = 0;
  int contexts = 0;
  int sync_objects = 0;
  stream_host host;

 private:
  static inline fake_callbacks_u* one = nullptr;
  static constexpr std::uint32_t dma_offset = 64;
  static constexpr std::byte tail_byte{0x5A};

  struct buffer_set {
    byte_vector commands;
    std::vector<u::D3DDDI_ALLOCATIONLIST> list;
    byte_vector private_data;
    bool is_spoilt = false;
  };

  static void expect(bool holds, const char* what) {
    if (!holds) one->breaches.emplace_back(what);
  }
  [[nodiscard]] auto make_set() -> buffer_set& {
    // What was lent before is spoilt: nobody reads or writes it any more.
    for (auto& old : sets_) {
      if (!is_as_left(*old)) breaches.emplace_back("a buffer was written that had gone back");
    }
    if (!sets_.empty()) spoil(*sets_.back());
    if (sets_.size() > 4) sets_.erase(sets_.begin());
    sets_.push_back(std::make_unique<buffer_set>());
    buffer_set& set = *sets_.back();
    set.commands.assign(how.command_bytes + dma_offset, std::byte{0xAA});
    set.list.resize(how.list_entries);
    set.private_data.assign(how.private_bytes + 8, tail_byte);
    return set;
  }
  static void spoil(buffer_set& set) {
    std::fill(set.commands.begin(), set.commands.end(), std::byte{0xDD});
    set.is_spoilt = true;
  }
  [[nodiscard]] static auto is_as_left(const buffer_set& set) -> bool {
    return !set.is_spoilt || std::all_of(set.commands.begin(), set.commands.end(),
                                         [](std::byte b) { return b == std::byte{0xDD}; });
  }
  template <class Answer>
  void lend(Answer& out) {
    buffer_set& set = make_set();
    out.pAllocationList = set.list.data();
    out.AllocationListSize = how.list_entries;
    out.pDmaBufferPrivateData = how.private_bytes != 0 ? set.private_data.data() : nullptr;
    out.DmaBufferPrivateDataSize = how.private_bytes;
    if (how.has_patches) {
      out.pPatchLocationList = reinterpret_cast<u::D3DDDI_PATCHLOCATIONLIST*>(patches_.data());
      out.PatchLocationListSize = 4;
    }
    if constexpr (requires { out.pDmaBuffer; }) {
      out.pDmaBuffer = set.commands.data();
      out.DmaBufferSize = how.command_bytes + dma_offset;
      out.pCommandBuffer = set.commands.data() + (how.lies_in_dma_buffer ? dma_offset : 0);
      out.CommandBufferSize = how.lies_in_dma_buffer ? 0 : how.command_bytes;
    } else {
      out.pCommandBuffer = set.commands.data();
      out.CommandBufferSize = how.command_bytes;
    }
  }

  static auto APIENTRY create_device(u::D3DDDIARG_CREATEDEVICE* a) -> HRESULT {
    ++one->devices;
    a->hDevice = 0x40000100;
    return S_OK;
  }
  static auto APIENTRY destroy_device(u::D3DDDIARG_DESTROYDEVICE* a) -> HRESULT {
    expect(a->hDevice == 0x40000100 && one->contexts == 0, "DestroyDeviceCb out of turn");
    --one->devices;
    return S_OK;
  }
  static auto APIENTRY create_context(u::D3DDDIARG_CREATECONTEXT* a) -> HRESULT {
    expect(a->hDevice == 0x40000100 && a->NodeOrdinal == 0 && a->EngineAffinity == 0 &&
               a->Flags == 0 && a->pPrivateDriverData == nullptr && a->pCommandBuffer == nullptr,
           "CREATECONTEXT is not zero beside what is meant");
    ++one->contexts;
    a->hContext = 0x40000140;
    a->hSyncObject = one->how.sync_object;
    one->sync_objects += one->how.sync_object != 0;
    if (one->how.lending == lending_u::persistent) one->lend(*a);
    return S_OK;
  }
  static auto APIENTRY destroy_context(u::D3DDDIARG_DESTROYCONTEXT* a) -> HRESULT {
    expect(a->hContext == 0x40000140 && one->sync_objects == 0, "DestroyContextCb out of turn");
    --one->contexts;
    return S_OK;
  }
  static auto APIENTRY destroy_sync_object(u::D3DDDIARG_DESTROYSYNCHRONIZATIONOBJECT* a)
      -> HRESULT {
    expect(a->hSyncObject == one->how.sync_object, "another synchronisation object");
    --one->sync_objects;
    return S_OK;
  }
  static auto APIENTRY get_command_buffer(u::D3DDDICB_GETCOMMANDBUFFER* a) -> HRESULT {
    expect(a->hContext == 0x40000140 && a->pCommandBuffer == nullptr, "GETCOMMANDBUFFER");
    ++one->buffers_borrowed;
    if (one->how.borrows_nothing) return S_OK;
    one->lend(*a);
    return S_OK;
  }
  static auto APIENTRY allocate(u::D3DDDICB_ALLOCATE* a) -> HRESULT {
    expect(a->hDevice == 0x40000100, "ALLOCATE for another device");
    if (a->pPrivateDriverData == nullptr) {
      if (one->how.lending != lending_u::allocated) return E_NOTIMPL;
      expect(a->DmaBufferPrivateDataSize == 16 && a->PatchLocationListSize == 0 &&
                 a->AllocationListSize == 4096 && a->DmaBufferSize >= 4096,
             "ALLOCATE asks for other buffers than 4.3 says");
      ++one->buffers_given;
      ++one->buffers_out;
      one->lend(*a);
      return S_OK;
    }
    const mutable_bytes blob{static_cast<std::byte*>(a->pPrivateDriverData),
                             a->PrivateDriverDataSize};
    auto made = std::make_unique<allocation>();
    made->data = *parse_alloc_private_data(blob);
    if (is_shared(made->data)) made->data.share_token = 0x7000 + one->allocations.size();
    CHECK(write_alloc_private_data(blob, made->data));
    made->bytes.resize((static_cast<std::size_t>(allocation_bytes(made->data)) + 0xFFF) / 0x1000 *
                       0x1000);
    made->at = one->host.map(made->bytes);
    a->hAllocation = one->next_allocation_ += 0x40;
    one->allocations[a->hAllocation] = std::move(made);
    return S_OK;
  }
  static auto APIENTRY deallocate(u::D3DDDICB_DEALLOCATE* a) -> HRESULT {
    if (a->hAllocation == 0) {
      expect(a->pCommandBuffer != nullptr, "DEALLOCATE of nothing");
      --one->buffers_out;
      return S_OK;
    }
    const auto found = one->allocations.find(a->hAllocation);
    expect(found != one->allocations.end() && found->second->locks == 0, "DEALLOCATE");
    if (found == one->allocations.end()) return E_INVALIDARG;
    one->host.unmap(found->second->at);
    one->allocations.erase(found);
    return S_OK;
  }
  static auto APIENTRY lock(u::D3DDDICB_LOCK* a) -> HRESULT {
    const auto found = one->allocations.find(a->hAllocation);
    expect(found != one->allocations.end() && a->Flags.IgnoreSync == 0, "LOCK");
    if (found == one->allocations.end()) return E_INVALIDARG;
    ++found->second->locks;
    a->pData = found->second->bytes.data();
    return S_OK;
  }
  static auto APIENTRY unlock(u::D3DDDICB_UNLOCK* a) -> HRESULT {
    const auto found = one->allocations.find(a->hAllocation);
    expect(found != one->allocations.end() && found->second->locks > 0, "UNLOCK");
    if (found != one->allocations.end()) --found->second->locks;
    return S_OK;
  }

  template <class Argument>
  auto take(const char* through, Argument& a, std::uint32_t count, bool has_bit) -> HRESULT {
    expect(a.hContext == 0x40000140, "another context");
    expect(a.SubmissionFenceId == 0, "the fence is not zero");
    if constexpr (requires { a.NumPatchLocations; }) {
      expect(a.NumPatchLocations == 0, "patches");
    } else {
      expect(a.PatchLocationListSize == 0, "patches");
    }
    const auto* const bytes = static_cast<const std::byte*>(a.pCommandBuffer);
    const auto* const data = static_cast<const std::byte*>(a.pDmaBufferPrivateData);
    seen_work_u work{through, {bytes, bytes + a.CommandLength}, {}, 0,
                     has_bit, a.DmaBufferPrivateDataSize};
    work.list.assign(a.pAllocationList, a.pAllocationList + count);
    const auto prefix = load<AEROGPU_DMA_PRIV>(data);
    work.type = prefix.Type;
    expect(prefix.Reserved0 == 0 && prefix.MetaHandle == 0, "private data is not zero");
    work.private_tail_is_kept = std::all_of(data + 16, data + how.private_bytes,
                                            [](std::byte b) { return b == tail_byte; });
    if (FAILED(submit_result)) return submit_result;
    std::vector<aerogpu_alloc_entry> entries;
    for (std::uint32_t i = 0; i < count; ++i) {
      const u::D3DDDI_ALLOCATIONLIST& entry = work.list[i];
      const auto found = allocations.find(entry.hAllocation);
      expect(entry.AllocationListSlotId == i && found != allocations.end(), "a list entry");
      if (found == allocations.end()) return E_INVALIDARG;
      expect(found->second->locks == 0, "a listed allocation is locked");
      entries.push_back({found->second->data.alloc_id,
                         entry.WriteOperation ? 0u : std::uint32_t{AEROGPU_ALLOC_FLAG_READONLY},
                         raw(found->second->at), found->second->bytes.size(), 0});
    }
    CHECK(findings_of(work.stream) == std::vector<std::string>{});
    CHECK(describe(host.run(work.stream, entries)) == describe(error{}));
    seen.push_back(std::move(work));
    const std::uint64_t value = next_fence++;
    if (how.fence == fence_field_u::id) a.SubmissionFenceId = static_cast<std::uint32_t>(value);
    if constexpr (requires { a.NewFenceValue; }) {
      if (how.fence == fence_field_u::fence) a.FenceValue = value;
      if (how.fence == fence_field_u::pointer) *a.pFenceValue = value;
      if (how.fence == fence_field_u::fresh) a.NewFenceValue = value;
    }
    return S_OK;
  }
  void renew(u::D3DDDICB_RENDER& a) {
    if (how.lending != lending_u::persistent) return;
    u::D3DDDIARG_CREATECONTEXT fresh{};
    lend(fresh);
    a.pNewCommandBuffer = fresh.pCommandBuffer;
    a.NewCommandBufferSize = fresh.CommandBufferSize;
    a.pNewAllocationList = fresh.pAllocationList;
    a.NewAllocationListSize = fresh.AllocationListSize;
    // The private data has no member for a new place: it stays where it is.
    sets_.back()->private_data.swap(sets_[sets_.size() - 2]->private_data);
  }
  static auto APIENTRY render(u::D3DDDICB_RENDER* a) -> HRESULT {
    const bool has_bit =
        one->how.has_present_bit && static_cast<u::D3DDDICB_RENDERPRESENT*>(a)->Present != 0;
    const HRESULT done = one->take("RenderCb", *a, a->NumAllocations, has_bit);
    one->renew(*a);
    return done;
  }
  static auto APIENTRY present(u::D3DDDICB_PRESENT* a) -> HRESULT {
    const HRESULT done = one->take("PresentCb", *a, a->NumAllocations, false);
    one->renew(*a);
    return done;
  }
  static auto APIENTRY submit_command(u::D3DDDIARG_SUBMITCOMMAND* a) -> HRESULT {
    return one->take("SubmitCommandCb", *a, a->AllocationListSize, false);
  }

  std::vector<std::unique_ptr<buffer_set>> sets_;
  std::array<std::byte, 256> patches_{};
  std::uint32_t next_allocation_ = 0x40001000;
};

/// A device of profile U over it.
class device_u_rig {
 public:
  explicit device_u_rig(const variance_u& how = {}) : callbacks(how) {
    u::D3DDDIARG_OPENADAPTER2 open{};
    open.Interface = 1;
    open.Version = 1;
    open.pAdapterFuncs = &adapter;
    REQUIRE(front_u::open_adapter2(&open) == S_OK);
    adapter_handle = open.hAdapter;
    REQUIRE(create() == S_OK);
    if (how.private_bytes >= front_u::private_bytes) {
      REQUIRE(functions.pfnFlush(device) == S_OK);  // The baseline of the context.
    }
    callbacks.seen.clear();
  }
  device_u_rig(const device_u_rig&) = delete;
  auto operator=(const device_u_rig&) -> device_u_rig& = delete;
  ~device_u_rig() {
    CHECK(functions.pfnDestroyDevice(device) == S_OK);
    CHECK(adapter.pfnCloseAdapter(adapter_handle) == S_OK);
    CHECK(system.open_adapters() == 0);
  }
  [[nodiscard]] auto create() -> HRESULT {
    u::D3D9DDIARG_CREATEDEVICE create{};
    create.hAdapter = adapter_handle;
    create.pCallbacks = &callbacks.table;
    create.Flags = callbacks.how.has_present_bit ? u::device_flag_render_presents : 0;
    const HRESULT created = adapter.pfnCreateDevice(&create, &functions);
    device = create.hDevice;
    return created;
  }
  [[nodiscard]] auto core() -> umd::device& { return *front_u::to_device(device); }

  fake_system system;
  fake_callbacks_u callbacks;
  u::D3D9DDI_ADAPTERFUNCS adapter{};
  u::D3D9DDI_HADAPTER adapter_handle{};
  u::D3D9DDI_DEVICEFUNCS functions{};
  u::D3D9DDI_HDEVICE device{};
};

}  // namespace aerogpu::umd::test

// SPDX-License-Identifier: MIT
/// \file The Windows 7 runtime's callbacks, as tables, over a fake: they refuse what is not exact.
#pragma once

#include "aerogpu/abi/umd_private.h"
#include "aerogpu/memory/umd_private_data.hpp"
#include "drivers/win7/ddi/user/d3dumddi.hpp"
#include "tests/catch.hpp"
#include "tests/drivers/umd/rigs/stream_host.hpp"

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <string>
#include <utility>
#include <vector>

namespace aerogpu::umd::test {

/// Whether all bytes of `value` but those of `set` members are zero, where `clear` zeroes them.
template <class T, class Clear>
[[nodiscard]] auto is_zero_but(T value, Clear clear) -> bool {
  clear(value);
  const const_bytes bytes = bytes_of(value);
  return std::all_of(bytes.begin(), bytes.end(), [](std::byte b) { return b == std::byte{}; });
}

/// One render that arrived.
struct seen_render {
  byte_vector stream;
  std::vector<D3DDDI_ALLOCATIONLIST> list;
  UINT wished_bytes = 0;
  UINT wished_entries = 0;
};

/// A runtime's side of one adapter and one device. Its handles are addresses of itself.
class fake_callbacks {
 public:
  struct allocation {
    D3DKMT_HANDLE handle;
    byte_vector bytes;
    int locks = 0;
    bool is_busy = false;
  };

  fake_callbacks() {
    adapter.pfnQueryAdapterInfoCb = query_adapter_info;
    device.pfnAllocateCb = allocate;
    device.pfnDeallocateCb = deallocate;
    device.pfnSetPriorityCb = set_priority;
    device.pfnSetDisplayModeCb = set_display_mode;
    device.pfnPresentCb = present;
    device.pfnRenderCb = render;
    device.pfnLockCb = lock;
    device.pfnUnlockCb = unlock;
    device.pfnCreateContextCb = create_context;
    device.pfnDestroyContextCb = destroy_context;
  }
  fake_callbacks(const fake_callbacks&) = delete;
  auto operator=(const fake_callbacks&) -> fake_callbacks& = delete;

  D3DDDI_ADAPTERCALLBACKS adapter{};
  D3DDDI_DEVICECALLBACKS device{};
  aerogpu_umd_private_v1 blob =
      make_umd_private({AEROGPU_UMDPRIV_MMIO_MAGIC_NEW_AGPU, AEROGPU_ABI_VERSION_U32, 0x3F, true});
  HRESULT blob_result = S_OK;

  // What is lent next; a null buffer stays null.
  UINT command_bytes = 16 * 1024;
  UINT list_entries = 64;
  bool lends_new_buffers = true;
  bool has_patch_list = true;
  bool gives_context = true;
  HRESULT render_result = S_OK;
  bool makes_markers_busy = false;  ///< What is listed is in use until `finish`.

  std::vector<seen_render> renders;
  std::vector<D3DDDICB_PRESENT> presents;
  std::vector<allocation> allocations;
  std::vector<std::pair<D3DKMT_HANDLE, UINT>> priorities;
  std::vector<D3DKMT_HANDLE> shown;
  int contexts = 0;
  std::vector<std::string> breaches;  ///< Of what a runtime may expect.
  /// Calls that can fail count; this one does.
  std::uint64_t calls = 0;
  std::uint64_t failing_call = 0;
  HRESULT failure = E_FAIL;

  void finish() {
    for (allocation& each : allocations) each.is_busy = false;
  }
  [[nodiscard]] auto find(D3DKMT_HANDLE handle) -> allocation* {
    const auto found = std::find_if(allocations.begin(), allocations.end(),
                                    [&](const allocation& each) { return each.handle == handle; });
    return found == allocations.end() ? nullptr : &*found;
  }
  void expect(bool holds, const char* what) {
    if (!holds) breaches.emplace_back(what);
  }

 private:
  static auto of(HANDLE handle) -> fake_callbacks& { return *static_cast<fake_callbacks*>(handle); }

  [[nodiscard]] auto count_call() -> HRESULT { return ++calls == failing_call ? failure : S_OK; }
  [[nodiscard]] static auto context_of(fake_callbacks& self) -> HANDLE { return &self.contexts; }

  void lend(void*& commands, UINT& bytes, D3DDDI_ALLOCATIONLIST*& list, UINT& entries) {
    std::fill(commands_.begin(), commands_.end(), std::byte{0xDD});
    old_commands_ = std::move(commands_);
    commands_ = byte_vector(command_bytes, std::byte{0xAA});
    list_.assign(list_entries, D3DDDI_ALLOCATIONLIST{});
    commands = commands_.data();
    bytes = command_bytes;
    list = list_.data();
    entries = list_entries;
  }

  static auto APIENTRY query_adapter_info(HANDLE adapter, const D3DDDICB_QUERYADAPTERINFO* query)
      -> HRESULT {
    fake_callbacks& self = of(adapter);
    if (FAILED(self.blob_result)) return self.blob_result;
    const mutable_bytes out{static_cast<std::byte*>(query->pPrivateDriverData),
                            query->PrivateDriverDataSize};
    return write_umd_private(out, self.blob) ? S_OK : E_INVALIDARG;
  }
  static auto APIENTRY create_context(HANDLE device, D3DDDICB_CREATECONTEXT* context) -> HRESULT {
    fake_callbacks& self = of(device);
    self.expect(is_zero_but(*context, [](auto&) {}), "CREATECONTEXT is not all zero");
    if (const HRESULT failed = self.count_call(); FAILED(failed)) return failed;
    if (!self.gives_context) return S_OK;
    ++self.contexts;
    context->hContext = context_of(self);
    self.lend(context->pCommandBuffer, context->CommandBufferSize, context->pAllocationList,
              context->AllocationListSize);
    if (self.has_patch_list) {
      context->pPatchLocationList = self.patches_.data();
      context->PatchLocationListSize = static_cast<UINT>(self.patches_.size());
    }
    return S_OK;
  }
  static auto APIENTRY destroy_context(HANDLE device, const D3DDDICB_DESTROYCONTEXT* context)
      -> HRESULT {
    fake_callbacks& self = of(device);
    self.expect(context->hContext == context_of(self), "DESTROYCONTEXT of another context");
    --self.contexts;
    return S_OK;
  }
  static auto APIENTRY render(HANDLE device, D3DDDICB_RENDER* render) -> HRESULT {
    fake_callbacks& self = of(device);
    self.expect(is_zero_but(*render,
                            [](D3DDDICB_RENDER& r) {
                              r.CommandLength = 0;
                              r.NumAllocations = 0;
                              r.hContext = nullptr;
                              r.Flags.Value = 0;
                              r.NewCommandBufferSize = 0;
                              r.NewAllocationListSize = 0;
                            }),
                "RENDER is not zero beside what is meant");
    self.expect(render->hContext == context_of(self), "RENDER on another context");
    self.expect(render->CommandLength <= self.commands_.size(), "CommandLength exceeds the buffer");
    self.expect(render->NumAllocations <= self.list_.size(), "NumAllocations exceeds the list");
    self.check_old_buffer();
    HRESULT result = self.count_call();
    if (SUCCEEDED(result)) result = self.render_result;
    if (SUCCEEDED(result)) self.take(*render);
    if (self.lends_new_buffers) {
      self.lend(render->pNewCommandBuffer, render->NewCommandBufferSize, render->pNewAllocationList,
                render->NewAllocationListSize);
    }
    return result;
  }
  void take(const D3DDDICB_RENDER& render) {
    seen_render seen{{commands_.begin(), commands_.begin() + render.CommandLength},
                     {list_.begin(), list_.begin() + render.NumAllocations},
                     render.Flags.ResizeCommandBuffer ? render.NewCommandBufferSize : 0,
                     render.Flags.ResizeAllocationList ? render.NewAllocationListSize : 0};
    for (const D3DDDI_ALLOCATIONLIST& entry : seen.list) {
      allocation* const used = find(entry.hAllocation);
      expect(used != nullptr, "the list names what is not allocated");
      expect(used == nullptr || used->locks == 0, "a listed allocation is locked");
      if (used != nullptr) used->is_busy = makes_markers_busy;
    }
    expect(findings_of(seen.stream).empty(), "the validator refuses the stream");
    renders.push_back(std::move(seen));
  }
  void check_old_buffer() {
    expect(std::all_of(old_commands_.begin(), old_commands_.end(),
                       [](std::byte b) { return b == std::byte{0xDD}; }),
           "a buffer was written after it was submitted");
  }
  static auto APIENTRY present(HANDLE device, D3DDDICB_PRESENT* present) -> HRESULT {
    fake_callbacks& self = of(device);
    self.expect(is_zero_but(*present,
                            [](D3DDDICB_PRESENT& p) {
                              p.hSrcAllocation = 0;
                              p.hDstAllocation = 0;
                              p.hContext = nullptr;
                            }),
                "PRESENT is not zero beside what is meant");
    self.expect(present->hContext == context_of(self), "PRESENT on another context");
    if (const HRESULT failed = self.count_call(); FAILED(failed)) return failed;
    self.presents.push_back(*present);
    return S_OK;
  }
  static auto APIENTRY allocate(HANDLE device, D3DDDICB_ALLOCATE* allocate) -> HRESULT {
    fake_callbacks& self = of(device);
    self.expect(allocate->NumAllocations == 1 && allocate->pAllocationInfo != nullptr,
                "ALLOCATE of other than one allocation");
    self.expect(allocate->pPrivateDriverData == nullptr && allocate->PrivateDriverDataSize == 0,
                "ALLOCATE with private data of the resource");
    if (const HRESULT failed = self.count_call(); FAILED(failed)) return failed;
    D3DDDI_ALLOCATIONINFO& info = *allocate->pAllocationInfo;
    self.expect(info.hAllocation == 0 && info.pSystemMem == nullptr,
                "ALLOCATIONINFO is not zero beside what is meant");
    info.hAllocation = self.next_handle_ += 0x40;
    self.allocations.push_back({info.hAllocation, byte_vector(4096)});
    return S_OK;
  }
  static auto APIENTRY deallocate(HANDLE device, const D3DDDICB_DEALLOCATE* freed) -> HRESULT {
    fake_callbacks& self = of(device);
    if (freed->hResource != nullptr) {
      self.expect(freed->NumAllocations == 0, "DEALLOCATE of a resource with a list");
      return S_OK;
    }
    for (UINT i = 0; i < freed->NumAllocations; ++i) {
      allocation* const ended = self.find(freed->HandleList[i]);
      self.expect(ended != nullptr && ended->locks == 0, "DEALLOCATE of what is not free");
      std::erase_if(self.allocations,
                    [&](const allocation& each) { return each.handle == freed->HandleList[i]; });
    }
    return S_OK;
  }
  static auto APIENTRY set_priority(HANDLE device, D3DDDICB_SETPRIORITY* set) -> HRESULT {
    fake_callbacks& self = of(device);
    for (UINT i = 0; i < set->NumAllocations; ++i) {
      self.priorities.emplace_back(set->HandleList[i], set->pPriorities[i]);
    }
    return self.count_call();
  }
  static auto APIENTRY set_display_mode(HANDLE device, D3DDDICB_SETDISPLAYMODE* mode) -> HRESULT {
    fake_callbacks& self = of(device);
    self.shown.push_back(mode->hPrimaryAllocation);
    return self.count_call();
  }
  static auto APIENTRY lock(HANDLE device, D3DDDICB_LOCK* lock) -> HRESULT {
    fake_callbacks& self = of(device);
    self.expect(is_zero_but(*lock,
                            [](D3DDDICB_LOCK& l) {
                              l.hAllocation = 0;
                              l.Flags.Value = 0;
                            }),
                "LOCK is not zero beside what is meant");
    self.expect(lock->Flags.IgnoreSync == 0 && lock->Flags.Discard == 0,
                "LOCK with IgnoreSync or Discard");
    if (const HRESULT failed = self.count_call(); FAILED(failed)) return failed;
    allocation* const locked = self.find(lock->hAllocation);
    self.expect(locked != nullptr, "LOCK of what is not allocated");
    if (locked == nullptr) return E_INVALIDARG;
    if (locked->is_busy && lock->Flags.DonotWait != 0) return D3DERR_WASSTILLDRAWING;
    ++locked->locks;
    lock->pData = locked->bytes.data();
    return S_OK;
  }
  static auto APIENTRY unlock(HANDLE device, const D3DDDICB_UNLOCK* unlock) -> HRESULT {
    fake_callbacks& self = of(device);
    for (UINT i = 0; i < unlock->NumAllocations; ++i) {
      allocation* const locked = self.find(unlock->phAllocations[i]);
      self.expect(locked != nullptr && locked->locks > 0, "UNLOCK of what is not locked");
      if (locked != nullptr) --locked->locks;
    }
    return S_OK;
  }

  byte_vector commands_;
  byte_vector old_commands_;
  std::vector<D3DDDI_ALLOCATIONLIST> list_;
  std::array<D3DDDI_PATCHLOCATIONLIST, 4> patches_{};
  D3DKMT_HANDLE next_handle_ = 0x40000000;
};

}  // namespace aerogpu::umd::test

// SPDX-License-Identifier: MIT
#include "tests/drivers/umd/rigs/fake_callbacks.hpp"

#include <algorithm>
#include <cstring>

namespace aerogpu::umd::test {
namespace {

/// Whether all bytes of `value` but those of `set` members are zero, where `clear` zeroes them.
template <class T, class Clear>
[[nodiscard]] auto is_zero_but(T value, Clear clear) -> bool {
  clear(value);
  const const_bytes bytes = bytes_of(value);
  return std::all_of(bytes.begin(), bytes.end(), [](std::byte b) { return b == std::byte{}; });
}

}  // namespace

fake_callbacks::fake_callbacks() {
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
  device.pfnSetAsyncCallbacksCb = set_async_callbacks;
}
fake_callbacks::~fake_callbacks() = default;

void fake_callbacks::finish() {
  for (allocation& each : allocations) each.is_busy = false;
}

fake_callbacks::inside::inside(HANDLE device) : count_(of(device).threads_inside_) {
  of(device).expect(count_.fetch_add(1) == 0, "two threads of a device are in callbacks");
}
fake_callbacks::inside::~inside() {
  --count_;
}

auto fake_callbacks::find(D3DKMT_HANDLE handle) -> allocation* {
  const auto found = std::find_if(allocations.begin(), allocations.end(),
                                  [&](const allocation& each) { return each.handle == handle; });
  return found == allocations.end() ? nullptr : &*found;
}

void fake_callbacks::lend(void*& commands, UINT& bytes, D3DDDI_ALLOCATIONLIST*& list,
                          UINT& entries) {
  std::fill(commands_.begin(), commands_.end(), std::byte{0xDD});
  old_commands_ = std::move(commands_);
  commands_ = byte_vector(command_bytes, std::byte{0xAA});
  list_.assign(list_entries, D3DDDI_ALLOCATIONLIST{});
  commands = commands_.data();
  bytes = command_bytes;
  list = list_.data();
  entries = list_entries;
}

auto APIENTRY fake_callbacks::query_adapter_info(HANDLE adapter,
                                                 const D3DDDICB_QUERYADAPTERINFO* query)
    -> HRESULT {
  fake_callbacks& self = of(adapter);
  if (FAILED(self.blob_result)) return self.blob_result;
  const mutable_bytes out{static_cast<std::byte*>(query->pPrivateDriverData),
                          query->PrivateDriverDataSize};
  return write_umd_private(out, self.blob) ? S_OK : E_INVALIDARG;
}

auto APIENTRY fake_callbacks::create_context(HANDLE device, D3DDDICB_CREATECONTEXT* context)
    -> HRESULT {
  const inside here{device};
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

auto APIENTRY fake_callbacks::destroy_context(HANDLE device, const D3DDDICB_DESTROYCONTEXT* context)
    -> HRESULT {
  const inside here{device};
  fake_callbacks& self = of(device);
  self.expect(context->hContext == context_of(self), "DESTROYCONTEXT of another context");
  --self.contexts;
  return S_OK;
}

auto APIENTRY fake_callbacks::render(HANDLE device, D3DDDICB_RENDER* render) -> HRESULT {
  const inside here{device};
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
  if (self.during_render) self.during_render();
  HRESULT result = self.count_call();
  if (SUCCEEDED(result)) result = self.render_result;
  if (SUCCEEDED(result)) self.take(*render);
  if (self.lends_new_buffers) {
    self.lend(render->pNewCommandBuffer, render->NewCommandBufferSize, render->pNewAllocationList,
              render->NewAllocationListSize);
  }
  return result;
}

void fake_callbacks::take(const D3DDDICB_RENDER& render) {
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

void fake_callbacks::check_old_buffer() {
  expect(std::all_of(old_commands_.begin(), old_commands_.end(),
                     [](std::byte b) { return b == std::byte{0xDD}; }),
         "a buffer was written after it was submitted");
}

auto APIENTRY fake_callbacks::present(HANDLE device, D3DDDICB_PRESENT* present) -> HRESULT {
  const inside here{device};
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

auto APIENTRY fake_callbacks::allocate(HANDLE device, D3DDDICB_ALLOCATE* allocate) -> HRESULT {
  const inside here{device};
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
  allocation made{info.hAllocation, byte_vector(4096), info};
  std::memcpy(&made.data, info.pPrivateDriverData,
              std::min<std::size_t>(info.PrivateDriverDataSize, sizeof made.data));
  self.allocations.push_back(std::move(made));
  return S_OK;
}

auto APIENTRY fake_callbacks::deallocate(HANDLE device, const D3DDDICB_DEALLOCATE* freed)
    -> HRESULT {
  const inside here{device};
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

auto APIENTRY fake_callbacks::set_priority(HANDLE device, D3DDDICB_SETPRIORITY* set) -> HRESULT {
  const inside here{device};
  fake_callbacks& self = of(device);
  for (UINT i = 0; i < set->NumAllocations; ++i) {
    self.priorities.emplace_back(set->HandleList[i], set->pPriorities[i]);
  }
  return self.count_call();
}

auto APIENTRY fake_callbacks::set_display_mode(HANDLE device, D3DDDICB_SETDISPLAYMODE* mode)
    -> HRESULT {
  const inside here{device};
  fake_callbacks& self = of(device);
  self.shown.push_back(mode->hPrimaryAllocation);
  return self.count_call();
}

auto APIENTRY fake_callbacks::lock(HANDLE device, D3DDDICB_LOCK* lock) -> HRESULT {
  const inside here{device};
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

auto APIENTRY fake_callbacks::unlock(HANDLE device, const D3DDDICB_UNLOCK* unlock) -> HRESULT {
  const inside here{device};
  fake_callbacks& self = of(device);
  for (UINT i = 0; i < unlock->NumAllocations; ++i) {
    allocation* const locked = self.find(unlock->phAllocations[i]);
    self.expect(locked != nullptr && locked->locks > 0, "UNLOCK of what is not locked");
    if (locked != nullptr) --locked->locks;
  }
  return S_OK;
}

auto APIENTRY fake_callbacks::set_async_callbacks(HANDLE device, BOOL is_enabled) -> HRESULT {
  of(device).expect(is_enabled == 0, "callbacks of a worker thread that there is not");
  return S_OK;
}

}  // namespace aerogpu::umd::test

// SPDX-License-Identifier: MIT
#include "drivers/win7/umd/d3d9/front_m/runtime_m.hpp"

#include "drivers/win7/umd/d3d9/core/log.hpp"
#include "drivers/win7/umd/d3d9/submit/context_log.hpp"

#include <algorithm>

namespace aerogpu::umd::front_m {

namespace {

once callbacks_logged;

/// A buffer that came anew, or the old one, of which a smaller size is to be believed as well.
template <class Pointer>
void adopt_buffer(Pointer& buffer, UINT& size, Pointer fresh, UINT fresh_size) noexcept {
  if (fresh != nullptr) {
    buffer = fresh;
    if (fresh_size != 0) size = fresh_size;
  } else if (fresh_size != 0) {
    size = std::min(size, fresh_size);
  }
}

}  // namespace

auto runtime_m::is_complete() const noexcept -> bool {
  const D3DDDI_DEVICECALLBACKS& c = callbacks_;
  return c.pfnAllocateCb != nullptr && c.pfnDeallocateCb != nullptr && c.pfnPresentCb != nullptr &&
         c.pfnRenderCb != nullptr && c.pfnLockCb != nullptr && c.pfnUnlockCb != nullptr &&
         c.pfnCreateContextCb != nullptr && c.pfnDestroyContextCb != nullptr;
}

auto runtime_m::space() const noexcept -> recording_space {
  const bool is_usable = lent_.commands != nullptr && lent_.list != nullptr;
  if (!is_usable) return {};
  return {static_cast<std::byte*>(lent_.commands), lent_.command_bytes, lent_.list_entries};
}

auto runtime_m::create_context(recording_space& out) noexcept -> HRESULT {
  D3DDDICB_CREATECONTEXT context{};
  if (const HRESULT made = callbacks_.pfnCreateContextCb(device_, &context); FAILED(made)) {
    return made;
  }
  if (context.hContext == nullptr) return E_FAIL;
  context_ = context.hContext;
  lent_ = {context.pCommandBuffer,     context.CommandBufferSize,  context.pAllocationList,
           context.AllocationListSize, context.pPatchLocationList, context.PatchLocationListSize};
  out = space();
  log_context(context);
  return S_OK;
}

void runtime_m::log_context(const D3DDDICB_CREATECONTEXT& context) const noexcept {
  const logged_buffer patches{context.pPatchLocationList, context.PatchLocationListSize};
  umd::log_context({.device = reinterpret_cast<std::uintptr_t>(device_),
                    .context = reinterpret_cast<std::uintptr_t>(context.hContext),
                    .commands = {context.pCommandBuffer, context.CommandBufferSize},
                    .allocations = {context.pAllocationList, context.AllocationListSize},
                    .patches = patches});
  if (!callbacks_logged.is_first()) return;
  log_callbacks({.render = reinterpret_cast<const void*>(callbacks_.pfnRenderCb),
                 .present = reinterpret_cast<const void*>(callbacks_.pfnPresentCb)});
  log_line{"WDDM RenderCb can_signal_present=0"};  // Present is a callback of its own.
  log_patch_list(patches);
  log_line{"fence_wait bounded=polling poll=marker (hSyncObject=absent kmd_query=unavailable)"};
}

void runtime_m::destroy_context() noexcept {
  if (context_ == nullptr) return;
  const D3DDDICB_DESTROYCONTEXT ended{context_};
  static_cast<void>(callbacks_.pfnDestroyContextCb(device_, &ended));
  context_ = nullptr;
  lent_ = {};
}

/// The buffers are the context's: there are no others.
auto runtime_m::acquire(std::uint32_t, recording_space&) noexcept -> HRESULT {
  return S_OK;
}

auto runtime_m::submit(const submission& work, recording_space& space_out) noexcept -> HRESULT {
  for (std::size_t i = 0; i < work.allocations.size(); ++i) {
    D3DDDI_ALLOCATIONLIST entry{};
    entry.hAllocation = raw(work.allocations[i].allocation);
    entry.WriteOperation = work.allocations[i].is_written ? 1 : 0;
    lent_.list[i] = entry;
  }
  D3DDDICB_RENDER render{};
  render.CommandLength = work.command_bytes;
  render.NumAllocations = static_cast<UINT>(work.allocations.size());
  render.hContext = context_;
  if (wished_bytes_ != 0) {
    render.Flags.ResizeCommandBuffer = 1;
    render.NewCommandBufferSize = wished_bytes_;
  }
  if (wished_entries_ != 0) {
    render.Flags.ResizeAllocationList = 1;
    render.NewAllocationListSize = wished_entries_;
  }
  wished_bytes_ = 0;
  wished_entries_ = 0;
  const HRESULT rendered = callbacks_.pfnRenderCb(device_, &render);
  adopt(render);
  space_out = space();
  return rendered;
}

void runtime_m::adopt(const D3DDDICB_RENDER& answer) noexcept {
  adopt_buffer(lent_.commands, lent_.command_bytes, answer.pNewCommandBuffer,
               answer.NewCommandBufferSize);
  adopt_buffer(lent_.list, lent_.list_entries, answer.pNewAllocationList,
               answer.NewAllocationListSize);
  adopt_buffer(lent_.patches, lent_.patch_entries, answer.pNewPatchLocationList,
               answer.NewPatchLocationListSize);
}

void runtime_m::wish_for(std::uint32_t command_bytes, std::uint32_t list_entries) noexcept {
  wished_bytes_ = std::max(wished_bytes_, command_bytes);
  wished_entries_ = std::max(wished_entries_, list_entries);
}

auto runtime_m::submit_callback(submission_kind kind) const noexcept -> const char* {
  return kind == submission_kind::render ? "RenderCb" : "PresentCb";
}

auto runtime_m::present(kernel_allocation source, kernel_allocation destination) noexcept
    -> HRESULT {
  D3DDDICB_PRESENT present{};
  present.hSrcAllocation = raw(source);
  present.hDstAllocation = raw(destination);
  present.hContext = context_;
  return callbacks_.pfnPresentCb(device_, &present);
}

auto runtime_m::set_display_mode(kernel_allocation primary) noexcept -> HRESULT {
  if (callbacks_.pfnSetDisplayModeCb == nullptr) return D3DERR_NOTAVAILABLE;
  D3DDDICB_SETDISPLAYMODE mode{};
  mode.hPrimaryAllocation = raw(primary);
  return callbacks_.pfnSetDisplayModeCb(device_, &mode);
}

auto runtime_m::allocate(const allocation_request& request, kernel_allocation& out) noexcept
    -> HRESULT {
  D3DDDI_ALLOCATIONINFO info{};
  info.pPrivateDriverData = request.private_data.data();
  info.PrivateDriverDataSize = static_cast<UINT>(request.private_data.size());
  info.VidPnSourceId = request.is_primary ? request.vidpn_source : 0;
  info.Flags.Primary = request.is_primary ? 1 : 0;
  D3DDDICB_ALLOCATE allocate{};
  allocate.hResource = request.runtime_resource;
  allocate.NumAllocations = 1;
  allocate.pAllocationInfo = &info;
  if (const HRESULT made = callbacks_.pfnAllocateCb(device_, &allocate); FAILED(made)) return made;
  if (info.hAllocation == 0) return E_FAIL;
  out = kernel_allocation{info.hAllocation};
  return S_OK;
}

void runtime_m::deallocate(kernel_allocation allocation, void* runtime_resource) noexcept {
  const D3DKMT_HANDLE handle = raw(allocation);
  D3DDDICB_DEALLOCATE freed{};
  freed.hResource = runtime_resource;
  if (runtime_resource == nullptr) {
    freed.NumAllocations = 1;
    freed.HandleList = &handle;
  }
  static_cast<void>(callbacks_.pfnDeallocateCb(device_, &freed));
}

auto runtime_m::set_priority(kernel_allocation allocation, void* runtime_resource,
                             std::uint32_t priority) noexcept -> HRESULT {
  if (callbacks_.pfnSetPriorityCb == nullptr) return S_OK;
  const D3DKMT_HANDLE handle = raw(allocation);
  const UINT wanted = priority;
  D3DDDICB_SETPRIORITY set{};
  set.hResource = runtime_resource;
  if (runtime_resource == nullptr) {
    set.NumAllocations = 1;
    set.HandleList = &handle;
  }
  set.pPriorities = &wanted;
  return callbacks_.pfnSetPriorityCb(device_, &set);
}

auto runtime_m::lock(kernel_allocation allocation, lock_access access, bool may_wait,
                     std::byte*& out) noexcept -> HRESULT {
  D3DDDICB_LOCK lock{};
  lock.hAllocation = raw(allocation);
  lock.Flags.ReadOnly = access == lock_access::read ? 1 : 0;
  lock.Flags.WriteOnly = access == lock_access::write ? 1 : 0;
  lock.Flags.DonotWait = may_wait ? 0 : 1;
  lock.Flags.LockEntire = 1;
  if (const HRESULT locked = callbacks_.pfnLockCb(device_, &lock); FAILED(locked)) return locked;
  out = static_cast<std::byte*>(lock.pData);
  if (out != nullptr) return S_OK;
  unlock(allocation);
  return E_FAIL;
}

void runtime_m::unlock(kernel_allocation allocation) noexcept {
  const D3DKMT_HANDLE handle = raw(allocation);
  const D3DDDICB_UNLOCK unlock{1, &handle};
  static_cast<void>(callbacks_.pfnUnlockCb(device_, &unlock));
}

}  // namespace aerogpu::umd::front_m

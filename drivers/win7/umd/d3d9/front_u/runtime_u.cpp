// SPDX-License-Identifier: MIT
#include "drivers/win7/umd/d3d9/front_u/runtime_u.hpp"

#include "drivers/win7/umd/d3d9/adapter/kernel_counters.hpp"
#include "drivers/win7/umd/d3d9/core/log.hpp"
#include "drivers/win7/umd/d3d9/submit/context_log.hpp"

#include <algorithm>

namespace aerogpu::umd::front_u {

namespace {

constexpr std::uint32_t least_transient_bytes = 4096;
constexpr std::uint32_t transient_entries = 4096;

once callbacks_logged;
once private_data_clamped;
once fence_fallback;

[[nodiscard]] auto buffers_of(const u::D3DDDIARG_CREATECONTEXT& context) noexcept
    -> submission_buffers {
  return {context.pCommandBuffer,        context.CommandBufferSize,
          context.pAllocationList,       context.AllocationListSize,
          context.pPatchLocationList,    context.PatchLocationListSize,
          context.pDmaBufferPrivateData, context.DmaBufferPrivateDataSize};
}

/// A buffer that came anew, or the old one; its size where one is said.
template <class Pointer>
void adopt(Pointer& buffer, std::uint32_t& size, Pointer fresh, std::uint32_t fresh_size) noexcept {
  const bool is_fresh = fresh != nullptr;
  if (is_fresh) buffer = fresh;
  if (fresh_size != 0) size = is_fresh ? fresh_size : std::min(size, fresh_size);
}

}  // namespace

runtime_u::runtime_u(const umd::adapter& adapter, const u::D3DDDI_DEVICECALLBACKS& callbacks,
                     std::uint32_t flags) noexcept
    : adapter_(adapter),
      callbacks_(callbacks),
      has_present_bit_((flags & u::device_flag_render_presents) != 0) {}

auto runtime_u::is_complete() const noexcept -> bool {
  const bool has_context =
      callbacks_.pfnCreateContextCb2 != nullptr || callbacks_.pfnCreateContextCb != nullptr;
  return has_context && route_of(submission_kind::render) != submit_route::none;
}

auto runtime_u::gives_memory() const noexcept -> bool {
  return callbacks_.pfnAllocateCb != nullptr && callbacks_.pfnDeallocateCb != nullptr &&
         callbacks_.pfnLockCb != nullptr && callbacks_.pfnUnlockCb != nullptr;
}

auto runtime_u::route_of(submission_kind kind) const noexcept -> submit_route {
  const bool has_render = callbacks_.pfnRenderCb != nullptr;
  const bool has_submit = callbacks_.pfnSubmitCommandCb != nullptr;
  if (kind == submission_kind::present) {
    if (callbacks_.pfnPresentCb != nullptr) return submit_route::present;
    if (has_render && has_present_bit_) return submit_route::render_present;
    if (has_submit) return submit_route::submit_command;
  }
  if (has_render) return submit_route::render;
  return has_submit ? submit_route::submit_command : submit_route::none;
}

auto runtime_u::submit_callback(submission_kind kind) const noexcept -> const char* {
  switch (route_of(kind)) {
    case submit_route::present: return "PresentCb";
    case submit_route::submit_command: return "SubmitCommandCb";
    case submit_route::none:
    case submit_route::render:
    case submit_route::render_present: break;
  }
  return "RenderCb";
}

auto runtime_u::create_kernel_context(u::D3DDDIARG_CREATECONTEXT& out) noexcept -> HRESULT {
  if (callbacks_.pfnCreateDeviceCb != nullptr) {
    u::D3DDDIARG_CREATEDEVICE device{};
    device.hAdapter = reinterpret_cast<HANDLE>(std::uintptr_t{adapter_.kernel_handle()});
    const HRESULT made = callbacks_.pfnCreateDeviceCb(&device);
    if (FAILED(made)) return made;
    device_ = device.hDevice;
  }
  out.hDevice = device_;
  const auto create = callbacks_.pfnCreateContextCb2 != nullptr ? callbacks_.pfnCreateContextCb2
                                                                : callbacks_.pfnCreateContextCb;
  const HRESULT made = create(&out);
  if (FAILED(made)) return made;
  context_ = out.hContext;
  sync_object_ = out.hSyncObject;
  return context_ != 0 ? S_OK : E_FAIL;
}

auto runtime_u::create_context(recording_space& out) noexcept -> HRESULT {
  u::D3DDDIARG_CREATECONTEXT context{};
  if (const HRESULT made = create_kernel_context(context); FAILED(made)) {
    destroy_context();
    return made;
  }
  lent_ = buffers_of(context);
  if (lent_.private_data_bytes > private_bytes && private_data_clamped.is_first()) {
    log_line{"runtime DmaBufferPrivateDataSize="}
        .number(lent_.private_data_bytes)
        .text(" (expected=16); clamping");
  }
  const bool has_others =
      callbacks_.pfnGetCommandBufferCb != nullptr || callbacks_.pfnAllocateCb != nullptr;
  if (has_others && !lent_.can_submit()) lent_ = {};
  out = lent_.space();
  log_context(context);
  return S_OK;
}

void runtime_u::log_context(const u::D3DDDIARG_CREATECONTEXT& context) const noexcept {
  const logged_buffer patches{context.pPatchLocationList, context.PatchLocationListSize};
  umd::log_context(
      {.device = device_,
       .context = context.hContext,
       .sync_object = context.hSyncObject,
       .commands = {context.pCommandBuffer, context.CommandBufferSize},
       .allocations = {context.pAllocationList, context.AllocationListSize},
       .patches = patches,
       .private_data = {context.pDmaBufferPrivateData, context.DmaBufferPrivateDataSize}});
  if (!callbacks_logged.is_first()) return;
  const auto address = [](auto function) { return reinterpret_cast<const void*>(function); };
  log_callbacks({address(callbacks_.pfnSubmitCommandCb), address(callbacks_.pfnRenderCb),
                 address(callbacks_.pfnPresentCb)});
  log_line{"WDDM RenderCb can_signal_present="}.number(has_present_bit_);
  log_line{"WDDM SubmitCommandCb can_signal_present=0"};
  log_patch_list(patches);
  fence_counters ignored;
  const bool has_sync = context.hSyncObject != 0;
  log_line{"fence_wait bounded="}
      .text(has_sync ? "syncobj" : "polling")
      .text(" poll=kmd_query (hSyncObject=")
      .text(has_sync ? "present" : "absent")
      .text(" kmd_query=")
      .text(query_fences(adapter_, ignored) ? "ok" : "unavailable")
      .text(")");
}

void runtime_u::destroy_context() noexcept {
  return_buffers();
  lent_ = {};
  if (sync_object_ != 0 && callbacks_.pfnDestroySynchronizationObjectCb != nullptr) {
    u::D3DDDIARG_DESTROYSYNCHRONIZATIONOBJECT ended{sync_object_};
    static_cast<void>(callbacks_.pfnDestroySynchronizationObjectCb(&ended));
  }
  if (context_ != 0 && callbacks_.pfnDestroyContextCb != nullptr) {
    u::D3DDDIARG_DESTROYCONTEXT ended{context_};
    static_cast<void>(callbacks_.pfnDestroyContextCb(&ended));
  }
  if (device_ != 0 && callbacks_.pfnDestroyDeviceCb != nullptr) {
    u::D3DDDIARG_DESTROYDEVICE ended{device_};
    static_cast<void>(callbacks_.pfnDestroyDeviceCb(&ended));
  }
  sync_object_ = 0;
  context_ = 0;
  device_ = 0;
}

auto runtime_u::acquire(std::uint32_t needed_bytes, recording_space& space) noexcept -> HRESULT {
  space = current().space();
  if (space.command_bytes >= needed_bytes) return S_OK;
  return_buffers();
  const bool is_enough = lent_.can_record() && lent_.command_bytes >= needed_bytes;
  const bool is_found = is_enough || get_buffers(needed_bytes) || allocate_buffers(needed_bytes);
  space = current().space();
  return is_found ? S_OK : E_OUTOFMEMORY;
}

auto runtime_u::get_buffers(std::uint32_t needed_bytes) noexcept -> bool {
  if (callbacks_.pfnGetCommandBufferCb == nullptr) return false;
  u::D3DDDICB_GETCOMMANDBUFFER answer{};
  answer.hContext = context_;
  if (FAILED(callbacks_.pfnGetCommandBufferCb(&answer))) return false;
  const submission_buffers got = read_buffers(answer);
  if (!got.is_complete() || got.command_bytes < needed_bytes) return false;
  transient_ = got;
  owner_ = buffer_owner::borrowed;
  return true;
}

auto runtime_u::allocate_buffers(std::uint32_t needed_bytes) noexcept -> bool {
  if (callbacks_.pfnAllocateCb == nullptr || callbacks_.pfnDeallocateCb == nullptr) return false;
  const std::uint64_t slots = std::uint64_t{adapter_.facts().max_list_slot} + 1;
  u::D3DDDICB_ALLOCATE answer{};
  answer.hDevice = device_;
  answer.hContext = context_;
  answer.DmaBufferSize = std::max(needed_bytes, least_transient_bytes);
  answer.CommandBufferSize = answer.DmaBufferSize;
  answer.AllocationListSize =
      static_cast<std::uint32_t>(std::min<std::uint64_t>(transient_entries, slots));
  answer.DmaBufferPrivateDataSize = private_bytes;
  if (FAILED(callbacks_.pfnAllocateCb(&answer))) return false;
  allocated_ = answer;
  owner_ = buffer_owner::allocated;
  transient_ = read_buffers(answer);
  if (transient_.is_complete() && transient_.command_bytes >= needed_bytes) return true;
  return_buffers();
  return false;
}

/// What was asked for one submission is done with; the context's own stay.
void runtime_u::return_buffers() noexcept {
  if (owner_ == buffer_owner::allocated) {
    u::D3DDDICB_DEALLOCATE returned{};
    returned.hDevice = device_;
    returned.hContext = context_;
    returned.pDmaBuffer = allocated_.pDmaBuffer;
    returned.pCommandBuffer = allocated_.pCommandBuffer;
    returned.pAllocationList = allocated_.pAllocationList;
    returned.pPatchLocationList = allocated_.pPatchLocationList;
    returned.pDmaBufferPrivateData = allocated_.pDmaBufferPrivateData;
    static_cast<void>(callbacks_.pfnDeallocateCb(&returned));
  }
  owner_ = buffer_owner::context;
  transient_ = {};
}

auto runtime_u::submit(const submission& work, recording_space& space) noexcept -> HRESULT {
  HRESULT done = stamp_private_data(current(), work.kind);
  if (SUCCEEDED(done)) {
    fill_list(current(), work.allocations);
    done = call_route(work);
  }
  return_buffers();
  space = lent_.space();
  return done;
}

template <class Argument>
auto runtime_u::render_arguments(const submission& work) noexcept -> Argument {
  const submission_buffers& buffers = current();
  Argument out{};
  out.hContext = context_;
  out.pCommandBuffer = buffers.commands;
  out.CommandLength = work.command_bytes;
  out.CommandBufferSize = buffers.command_bytes;
  out.pAllocationList = buffers.list;
  out.AllocationListSize = buffers.list_entries;
  out.NumAllocations = static_cast<std::uint32_t>(work.allocations.size());
  out.pPatchLocationList = buffers.patches;
  out.PatchLocationListSize = buffers.patch_entries;
  out.pDmaBufferPrivateData = buffers.private_data;
  out.DmaBufferPrivateDataSize = private_bytes;
  return out;
}

auto runtime_u::call_route(const submission& work) noexcept -> HRESULT {
  switch (route_of(work.kind)) {
    case submit_route::present: {
      auto arguments = render_arguments<u::D3DDDICB_PRESENT>(work);
      return finish_render(work, callbacks_.pfnPresentCb(&arguments), arguments);
    }
    case submit_route::render_present:
    case submit_route::render: {
      auto arguments = render_arguments<u::D3DDDICB_RENDERPRESENT>(work);
      arguments.Present = has_present_bit_ && work.kind == submission_kind::present ? TRUE : FALSE;
      return finish_render(work, callbacks_.pfnRenderCb(&arguments), arguments);
    }
    case submit_route::submit_command: return call_submit_command(work);
    case submit_route::none: break;
  }
  return E_FAIL;
}

auto runtime_u::finish_render(const submission& work, HRESULT done,
                              const u::D3DDDICB_RENDER& answer) noexcept -> HRESULT {
  if (lent_.can_record()) {
    adopt(lent_.commands, lent_.command_bytes, answer.pNewCommandBuffer,
          answer.NewCommandBufferSize);
    adopt(lent_.list, lent_.list_entries, answer.pNewAllocationList, answer.NewAllocationListSize);
    adopt(lent_.patches, lent_.patch_entries, answer.pNewPatchLocationList,
          answer.NewPatchLocationListSize);
  }
  if (SUCCEEDED(done)) note_fence(work, 0, answer.SubmissionFenceId);
  return done;
}

auto runtime_u::call_submit_command(const submission& work) noexcept -> HRESULT {
  const submission_buffers& buffers = current();
  ULONGLONG value = 0;
  u::D3DDDIARG_SUBMITCOMMAND arguments{};
  arguments.hContext = context_;
  arguments.pCommandBuffer = buffers.commands;
  arguments.CommandLength = work.command_bytes;
  arguments.CommandBufferSize = buffers.command_bytes;
  arguments.pAllocationList = buffers.list;
  // There is no other member that says how many are used.
  arguments.AllocationListSize = static_cast<std::uint32_t>(work.allocations.size());
  arguments.pPatchLocationList = buffers.patches;
  arguments.pDmaBufferPrivateData = buffers.private_data;
  arguments.DmaBufferPrivateDataSize = private_bytes;
  arguments.pFenceValue = &value;
  const HRESULT done = callbacks_.pfnSubmitCommandCb(&arguments);
  if (FAILED(done)) return done;
  std::uint64_t wide = arguments.NewFenceValue;
  if (wide == 0 && arguments.pFenceValue != nullptr) wide = *arguments.pFenceValue;
  if (wide == 0) wide = arguments.FenceValue;
  note_fence(work, wide, arguments.SubmissionFenceId);
  return done;
}

/// The first value that is there, and not 0 (umd-d3d9.md 4.7).
void runtime_u::note_fence(const submission& work, std::uint64_t wide, std::uint32_t id) noexcept {
  if (wide == 0 && id != 0) {
    fence_counters known;
    static_cast<void>(fences_.last_value() == 0 && query_fences(adapter_, known));
    wide = widen_fence_id(id, std::max(fences_.last_value(), known.completed));
  }
  if (wide == 0) {
    fence_counters counters;
    if (query_fences(adapter_, counters)) wide = counters.submitted;
    if (fence_fallback.is_first()) log_line{"fence fallback"};
  }
  fences_.note(work.fence, wide);
}

auto runtime_u::allocate(const allocation_request& request, kernel_allocation& out) noexcept
    -> HRESULT {
  if (!gives_memory()) return D3DERR_NOTAVAILABLE;
  u::D3DDDICB_ALLOCATE answer{};
  answer.hDevice = device_;
  answer.IsPrimary = request.is_primary ? TRUE : FALSE;
  answer.VidPnSourceId = request.is_primary ? request.vidpn_source : 0;
  answer.pPrivateDriverData = request.private_data.data();
  answer.PrivateDriverDataSize = static_cast<std::uint32_t>(request.private_data.size());
  if (const HRESULT made = callbacks_.pfnAllocateCb(&answer); FAILED(made)) return made;
  if (answer.hAllocation == 0) return E_FAIL;
  out = kernel_allocation{answer.hAllocation};
  return S_OK;
}

void runtime_u::deallocate(kernel_allocation allocation, void*) noexcept {
  if (callbacks_.pfnDeallocateCb == nullptr) return;
  u::D3DDDICB_DEALLOCATE freed{};
  freed.hDevice = device_;
  freed.hAllocation = raw(allocation);
  static_cast<void>(callbacks_.pfnDeallocateCb(&freed));
}

auto runtime_u::lock(kernel_allocation allocation, lock_access access, bool may_wait,
                     std::byte*& out) noexcept -> HRESULT {
  if (callbacks_.pfnLockCb == nullptr) return D3DERR_NOTAVAILABLE;
  u::D3DDDICB_LOCK lock{};
  lock.hDevice = device_;
  lock.hAllocation = raw(allocation);
  lock.Flags.ReadOnly = access == lock_access::read ? 1 : 0;
  lock.Flags.WriteOnly = access == lock_access::write ? 1 : 0;
  lock.Flags.DonotWait = may_wait ? 0 : 1;
  if (const HRESULT locked = callbacks_.pfnLockCb(&lock); FAILED(locked)) return locked;
  out = static_cast<std::byte*>(lock.pData);
  if (out != nullptr) return S_OK;
  unlock(allocation);
  return E_FAIL;
}

void runtime_u::unlock(kernel_allocation allocation) noexcept {
  if (callbacks_.pfnUnlockCb == nullptr) return;
  u::D3DDDICB_UNLOCK unlock{device_, raw(allocation)};
  static_cast<void>(callbacks_.pfnUnlockCb(&unlock));
}

/// The kernel driver's word for the adapter first, and one look at the synchronisation object.
auto runtime_u::poll_completed(fence_value& out) noexcept -> bool {
  fence_counters counters;
  const bool is_asked = query_fences(adapter_, counters);
  out = fences_.finished_by(is_asked ? counters.completed : 0);
  const fence_value oldest = fences_.oldest_pending();
  if (oldest == fence_value{}) return true;
  const wait_outcome looked = wait_completed(oldest, 0);
  if (looked == wait_outcome::complete) out = fences_.finished_by(fences_.value_of(oldest));
  return is_asked || looked != wait_outcome::unavailable;
}

auto runtime_u::wait_completed(fence_value fence, std::uint32_t milliseconds) noexcept
    -> wait_outcome {
  const std::uint64_t value = fences_.value_of(fence);
  if (value == 0) return wait_outcome::complete;
  if (sync_object_ == 0 || !is_sync_object_good_.load()) return wait_outcome::unavailable;
  switch (os::wait_for_fence(sync_object_, value, milliseconds)) {
    case os::wait_status::complete: return wait_outcome::complete;
    case os::wait_status::timed_out: return wait_outcome::timed_out;
    case os::wait_status::failed: break;
  }
  is_sync_object_good_.store(false);
  return wait_outcome::unavailable;
}

}  // namespace aerogpu::umd::front_u

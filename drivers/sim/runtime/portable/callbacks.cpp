// SPDX-License-Identifier: MIT
/// \file Callbacks of profile U: what a driver of it calls, each through what profile M's end in.
#include "aerogpu/abi/dbgctl_escape.h"
#include "drivers/sim/runtime/callbacks/callback_service.hpp"
#include "drivers/sim/runtime/portable/device.hpp"

#include <mutex>
#include <span>
#include <vector>

namespace aerogpu::sim {
namespace {

/// Handles of the portable shape are the runtime's own, which fit into 32 bits.
[[nodiscard]] auto to_token(u::D3DKMT_HANDLE handle) -> HANDLE {
  return reinterpret_cast<HANDLE>(std::uintptr_t{handle});
}
[[nodiscard]] auto to_handle(HANDLE token) -> u::D3DKMT_HANDLE {
  return static_cast<u::D3DKMT_HANDLE>(reinterpret_cast<std::uintptr_t>(token));
}

/// By which of its members a structure names the device that it is for.
[[nodiscard]] auto token_in(const u::D3DDDIARG_CREATEDEVICE&) -> HANDLE {
  auto* const made = portable_device::in_creation();
  return made != nullptr ? made->runtime.token() : nullptr;
}
[[nodiscard]] auto token_in(const u::D3DDDIARG_DESTROYSYNCHRONIZATIONOBJECT& from) -> HANDLE {
  return to_token(from.hSyncObject);
}
template <class Argument>
[[nodiscard]] auto token_in(const Argument& from) -> HANDLE {
  if constexpr (requires { from.hDevice; })
    return to_token(from.hDevice);
  else
    return to_token(from.hContext);
}

template <callback Which, auto Act, class Argument>
auto APIENTRY on_callback(Argument* argument) -> HRESULT {
  HANDLE const token = argument != nullptr ? token_in(*argument) : nullptr;
  return serve_callback(token, Which, argument, [&](ddi_device& device) {
    return device.portable != nullptr ? (device.portable->*Act)(*argument) : E_FAIL;
  });
}

template <callback Which, auto Act, class Argument>
void set(u::callback<Argument>& entry) {
  entry = &on_callback<Which, Act, Argument>;
}

/// Nothing of ours calls them: whoever does shows.
template <callback Which, class Argument>
auto APIENTRY not_called(Argument*) -> HRESULT {
  rules_for(nullptr).record(contract_rule::bad_argument,
                            std::string{callback_name(Which)} + ": nobody calls it");
  return E_NOTIMPL;
}

template <class Argument>
auto APIENTRY trap(Argument*) -> HRESULT {
  rules_for(nullptr).record(contract_rule::kept_callback_table,
                            "a callback was called through a table that went back");
  return E_FAIL;
}
template <class Argument>
void set_trap(u::callback<Argument>& entry) {
  if (entry != nullptr) entry = &trap<Argument>;
}

template <class Argument>
[[nodiscard]] auto work_of(const Argument& from) -> portable_work {
  portable_work work;
  work.commands = from.pCommandBuffer;
  work.command_bytes = from.CommandLength;
  work.capacity = from.CommandBufferSize;
  work.list = from.pAllocationList;
  work.patches = from.pPatchLocationList;
  work.private_data = from.pDmaBufferPrivateData;
  work.private_bytes = from.DmaBufferPrivateDataSize;
  work.outputs_are_zero = from.SubmissionFenceId == 0;
  return work;
}

}  // namespace

auto portable_callbacks(const portable_variance& how) -> u::D3DDDI_DEVICECALLBACKS {
  using device = portable_device;
  u::D3DDDI_DEVICECALLBACKS table{};
  set<callback::allocate, &device::on_allocate>(table.pfnAllocateCb);
  set<callback::deallocate, &device::on_deallocate>(table.pfnDeallocateCb);
  set<callback::lock, &device::on_lock>(table.pfnLockCb);
  set<callback::unlock, &device::on_unlock>(table.pfnUnlockCb);
  set<callback::create_device, &device::on_create_device>(table.pfnCreateDeviceCb);
  set<callback::destroy_device, &device::on_destroy_device>(table.pfnDestroyDeviceCb);
  set<callback::create_context, &device::on_create_context>(
      how.has_create_context2 ? table.pfnCreateContextCb2 : table.pfnCreateContextCb);
  set<callback::destroy_context, &device::on_destroy_context>(table.pfnDestroyContextCb);
  set<callback::destroy_synchronization_object, &device::on_destroy_sync_object>(
      table.pfnDestroySynchronizationObjectCb);
  table.pfnWaitForSynchronizationObjectCb = &not_called<callback::wait_for_synchronization_object,
                                                        u::D3DDDICB_WAITFORSYNCHRONIZATIONOBJECT>;
  table.pfnSetErrorCb = &not_called<callback::set_error, u::D3DDDICB_SETERROR>;
  if (how.routes.has_render) set<callback::render, &device::on_render>(table.pfnRenderCb);
  if (how.routes.has_present) set<callback::present, &device::on_present>(table.pfnPresentCb);
  if (how.routes.has_submit_command)
    set<callback::submit_command, &device::on_submit_command>(table.pfnSubmitCommandCb);
  if (how.lending == portable_lending::borrowed)
    set<callback::get_command_buffer, &device::on_get_command_buffer>(table.pfnGetCommandBufferCb);
  return table;
}

void spoil(u::D3DDDI_DEVICECALLBACKS& table) {
  set_trap(table.pfnAllocateCb);
  set_trap(table.pfnDeallocateCb);
  set_trap(table.pfnSubmitCommandCb);
  set_trap(table.pfnRenderCb);
  set_trap(table.pfnPresentCb);
  set_trap(table.pfnLockCb);
  set_trap(table.pfnUnlockCb);
  set_trap(table.pfnCreateDeviceCb);
  set_trap(table.pfnDestroyDeviceCb);
  set_trap(table.pfnCreateContextCb2);
  set_trap(table.pfnCreateContextCb);
  set_trap(table.pfnDestroyContextCb);
  set_trap(table.pfnDestroySynchronizationObjectCb);
  set_trap(table.pfnGetCommandBufferCb);
}

auto portable_device::on_create_device(u::D3DDDIARG_CREATEDEVICE& wanted) -> HRESULT {
  if (has_kernel_device_ || wanted.hDevice != 0) {
    runtime.breach(contract_rule::bad_argument, "CreateDeviceCb", "a second one, or with a handle");
    return E_INVALIDARG;
  }
  has_kernel_device_ = true;
  wanted.hDevice = to_handle(runtime.token());
  return S_OK;
}

auto portable_device::on_destroy_device(const u::D3DDDIARG_DESTROYDEVICE&) -> HRESULT {
  if (!contexts_.empty())
    runtime.breach(contract_rule::leaked_object, "DestroyDeviceCb", "before its context went");
  has_kernel_device_ = false;
  return S_OK;
}

auto portable_device::is_kernel_device(const char* who, u::D3DKMT_HANDLE device) -> bool {
  if (has_kernel_device_ && device == to_handle(runtime.token())) return true;
  runtime.breach(contract_rule::unknown_handle, who, "for a device that there is not");
  return false;
}

auto portable_device::find_lending(const char* who, u::D3DKMT_HANDLE context) -> portable_context* {
  const auto found = contexts_.find(context);
  if (found != contexts_.end()) return found->second.get();
  runtime.breach(contract_rule::unknown_handle, who, "for a context that there is not");
  return nullptr;
}

auto portable_device::on_create_context(u::D3DDDIARG_CREATECONTEXT& wanted) -> HRESULT {
  if (!is_kernel_device("CreateContextCb", wanted.hDevice)) return E_INVALIDARG;
  const bool has_outputs = wanted.hContext != 0 || wanted.hSyncObject != 0 ||
                           wanted.pCommandBuffer != nullptr || wanted.pAllocationList != nullptr ||
                           wanted.pDmaBufferPrivateData != nullptr;
  if (has_outputs) {
    runtime.breach(contract_rule::bad_argument, "CreateContextCb",
                   "a member that is not set is not zero");
  }
  D3DDDICB_CREATECONTEXT made{};
  made.NodeOrdinal = wanted.NodeOrdinal;
  made.EngineAffinity = wanted.EngineAffinity;
  made.Flags.Value = wanted.Flags;
  made.pPrivateDriverData = wanted.pPrivateDriverData;
  made.PrivateDriverDataSize = wanted.PrivateDriverDataSize;
  if (const auto result = runtime.on_create_context(made); FAILED(result)) return result;
  bind_token(made.hContext, nullptr, &runtime);
  auto* const held = runtime.find_context("CreateContextCb", made.hContext);
  wanted.hContext = to_handle(made.hContext);
  auto& kept = contexts_[wanted.hContext];
  kept = std::make_unique<portable_context>(rules(), how(), *held->lent, counts_);
  kept->lend(wanted);
  if (!how().has_sync_object) return S_OK;
  HANDLE const sync_object = new_token(rules());
  bind_token(sync_object, nullptr, &runtime);
  sync_object_ = wanted.hSyncObject = to_handle(sync_object);
  return S_OK;
}

auto portable_device::on_destroy_context(const u::D3DDDIARG_DESTROYCONTEXT& gone) -> HRESULT {
  constexpr const char* who = "DestroyContextCb";
  auto* const lending = find_lending(who, gone.hContext);
  if (lending == nullptr) return E_INVALIDARG;
  lending->close(who);
  contexts_.erase(gone.hContext);
  if (sync_object_ != 0)
    runtime.breach(contract_rule::leaked_object, who, "before its synchronisation object went");
  bind_token(to_token(gone.hContext), nullptr, nullptr);
  return runtime.on_destroy_context({to_token(gone.hContext)});
}

auto portable_device::on_destroy_sync_object(const u::D3DDDIARG_DESTROYSYNCHRONIZATIONOBJECT& gone)
    -> HRESULT {
  if (gone.hSyncObject != sync_object_) {
    runtime.breach(contract_rule::unknown_handle, "DestroySynchronizationObjectCb",
                   "for an object that there is not");
    return E_INVALIDARG;
  }
  bind_token(to_token(gone.hSyncObject), nullptr, nullptr);
  sync_object_ = 0;
  return S_OK;
}

auto portable_device::on_allocate(u::D3DDDICB_ALLOCATE& wanted) -> HRESULT {
  constexpr const char* who = "AllocateCb";
  if (!is_kernel_device(who, wanted.hDevice)) return E_INVALIDARG;
  if (wanted.pPrivateDriverData == nullptr) {
    auto* const lending = find_lending(who, wanted.hContext);
    return lending != nullptr ? lending->allocate(wanted) : E_INVALIDARG;
  }
  D3DDDI_ALLOCATIONINFO info{};
  info.pPrivateDriverData = wanted.pPrivateDriverData;
  info.PrivateDriverDataSize = wanted.PrivateDriverDataSize;
  info.VidPnSourceId = wanted.VidPnSourceId;
  info.Flags.Primary = wanted.IsPrimary != 0 || creating.is_primary ? 1 : 0;
  D3DDDICB_ALLOCATE made{};
  made.hResource = std::exchange(creating, {}).runtime;
  made.NumAllocations = 1;
  made.pAllocationInfo = &info;
  const auto result = runtime.on_allocate(made);
  if (SUCCEEDED(result)) wanted.hAllocation = info.hAllocation;
  return result;
}

auto portable_device::on_deallocate(const u::D3DDDICB_DEALLOCATE& wanted) -> HRESULT {
  constexpr const char* who = "DeallocateCb";
  if (!is_kernel_device(who, wanted.hDevice)) return E_INVALIDARG;
  if (wanted.hAllocation == 0) {
    auto* const lending = find_lending(who, wanted.hContext);
    return lending != nullptr ? lending->give_back(wanted) : E_INVALIDARG;
  }
  D3DDDICB_DEALLOCATE gone{};
  {
    auto& held = runtime.held();
    const std::lock_guard hold{held.mutex};
    const auto found = held.allocations.find(wanted.hAllocation);
    // A resource's only one goes with what the kernel knows as the resource.
    if (found != held.allocations.end()) gone.hResource = found->second.resource;
  }
  if (gone.hResource == nullptr) {
    gone.NumAllocations = 1;
    gone.HandleList = &wanted.hAllocation;
  }
  return runtime.on_deallocate(gone);
}

auto portable_device::on_lock(u::D3DDDICB_LOCK& wanted) -> HRESULT {
  if (!is_kernel_device("LockCb", wanted.hDevice)) return E_INVALIDARG;
  D3DDDICB_LOCK lock{};
  lock.hAllocation = wanted.hAllocation;
  lock.Flags.ReadOnly = wanted.Flags.ReadOnly;
  lock.Flags.WriteOnly = wanted.Flags.WriteOnly;
  lock.Flags.DonotWait = wanted.Flags.DonotWait;
  lock.Flags.IgnoreSync = wanted.Flags.IgnoreSync;
  const auto result = runtime.on_lock(lock);
  wanted.pData = lock.pData;
  return result;
}

auto portable_device::on_unlock(const u::D3DDDICB_UNLOCK& wanted) -> HRESULT {
  if (!is_kernel_device("UnlockCb", wanted.hDevice)) return E_INVALIDARG;
  return runtime.on_unlock({1, &wanted.hAllocation});
}

auto portable_device::on_get_command_buffer(u::D3DDDICB_GETCOMMANDBUFFER& wanted) -> HRESULT {
  auto* const lending = find_lending("GetCommandBufferCb", wanted.hContext);
  return lending != nullptr ? lending->borrow(wanted) : E_INVALIDARG;
}

/// The kernel driver's newest, as soon as the thunk is done: this submission's, while nobody else
/// may submit.
auto portable_device::last_fence() -> std::uint64_t {
  aerogpu_escape_query_fence_out query{};
  query.hdr = {AEROGPU_ESCAPE_VERSION, AEROGPU_ESCAPE_OP_QUERY_FENCE, sizeof query, 0};
  D3DDDICB_ESCAPE asked{};
  asked.pPrivateDriverData = &query;
  asked.PrivateDriverDataSize = sizeof query;
  return SUCCEEDED(runtime.adapter.escape(asked)) ? query.last_submitted_fence : 0;
}

auto portable_device::run(callback which, u::D3DKMT_HANDLE context, portable_context& lending,
                          const portable_work& work, std::uint64_t& fence) -> HRESULT {
  const char* const who = callback_name(which);
  auto* const held = runtime.find_context(who, to_token(context));
  if (held == nullptr || !lending.check(which, work)) return E_INVALIDARG;
  const bool is_present = lending.is_present();
  if (is_present && !runtime.may_present(who)) return E_INVALIDARG;
  std::vector<D3DDDI_ALLOCATIONLIST> list;
  for (std::uint32_t i = 0; i < work.used_entries; ++i) {
    const auto& entry = work.list[i];
    if (entry.AllocationListSlotId != i || entry.Reserved != 0)
      runtime.breach(contract_rule::bad_argument, who, "a list entry is not in its slot");
    D3DDDI_ALLOCATIONLIST line{};
    line.hAllocation = entry.hAllocation;
    line.WriteOperation = entry.WriteOperation;
    list.push_back(line);
  }
  HRESULT result = E_FAIL;
  {
    const std::lock_guard hold{runtime.process().runtime.submitting};
    result = runtime.render(
        *held, {lending.spaces().commands(), lending.offset(), work.command_bytes, list, 0, false});
    if (FAILED(result)) return result;
    fence = counts_.last_fence = last_fence();
  }
  if (!is_present || presenting == nullptr) return result;
  return runtime.show(*held, presenting->allocation, 0);
}

auto portable_device::submit(callback which, u::D3DKMT_HANDLE context, const portable_work& work,
                             u::D3DDDICB_RENDER* renewed, std::uint64_t& fence) -> HRESULT {
  auto* const lending = find_lending(callback_name(which), context);
  if (lending == nullptr) return E_INVALIDARG;
  const auto result = run(which, context, *lending, work, fence);
  // Also after a failure: what the driver knew of buffers and sizes is void.
  lending->renew(renewed);
  return result;
}

auto portable_device::render(callback which, u::D3DDDICB_RENDER& wanted, bool has_present_bit)
    -> HRESULT {
  auto work = work_of(wanted);
  work.used_entries = wanted.NumAllocations;
  work.used_patches = wanted.NumPatchLocations;
  work.has_present_bit = has_present_bit;
  work.outputs_are_zero =
      work.outputs_are_zero && wanted.pNewCommandBuffer == nullptr &&
      wanted.NewCommandBufferSize == 0 && wanted.pNewAllocationList == nullptr &&
      wanted.NewAllocationListSize == 0 && wanted.pNewPatchLocationList == nullptr;
  std::uint64_t fence = 0;
  const auto result = submit(which, wanted.hContext, work, &wanted, fence);
  wanted.SubmissionFenceId = static_cast<std::uint32_t>(fence);
  return result;
}

auto portable_device::on_render(u::D3DDDICB_RENDER& wanted) -> HRESULT {
  // Only a runtime that announced it may read behind the structure.
  const bool has_bit =
      how().routes.has_present_bit && static_cast<u::D3DDDICB_RENDERPRESENT&>(wanted).Present != 0;
  return render(callback::render, wanted, has_bit);
}

auto portable_device::on_present(u::D3DDDICB_PRESENT& wanted) -> HRESULT {
  return render(callback::present, wanted, false);
}

auto portable_device::on_submit_command(u::D3DDDIARG_SUBMITCOMMAND& wanted) -> HRESULT {
  auto work = work_of(wanted);
  work.used_entries = wanted.AllocationListSize;
  work.used_patches = wanted.PatchLocationListSize;
  work.outputs_are_zero = work.outputs_are_zero && wanted.NewFenceValue == 0 &&
                          wanted.FenceValue == 0 &&
                          (wanted.pFenceValue == nullptr || *wanted.pFenceValue == 0);
  std::uint64_t fence = 0;
  const auto result = submit(callback::submit_command, wanted.hContext, work, nullptr, fence);
  switch (how().fence) {
    case portable_fence::id: wanted.SubmissionFenceId = static_cast<std::uint32_t>(fence); break;
    case portable_fence::value: wanted.FenceValue = fence; break;
    case portable_fence::pointer: *wanted.pFenceValue = fence; break;
    case portable_fence::fresh: wanted.NewFenceValue = fence; break;
  }
  return result;
}

}  // namespace aerogpu::sim

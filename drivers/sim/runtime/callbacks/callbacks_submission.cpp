// SPDX-License-Identifier: MIT
/// \file Callbacks for contexts, rendering, presenting, modes.
#include "drivers/sim/kernel/thunks/thunks.hpp"
#include "drivers/sim/runtime/ddi/ddi_device.hpp"
#include "drivers/sim/runtime/results.hpp"
#include "drivers/sim/runtime/tokens.hpp"
#include "drivers/win7/ddi/portable/portable_ddi.hpp"

#include <algorithm>
#include <cstring>
#include <span>
#include <string>

namespace aerogpu::sim {
namespace {

using table = D3DDDI_DEVICEFUNCS;

void lend(command_spaces& from, D3DDDICB_CREATECONTEXT& to) {
  to.pCommandBuffer = from.commands();
  to.CommandBufferSize = from.size().command_bytes;
  to.pAllocationList = from.allocations();
  to.AllocationListSize = from.size().list_entries;
  to.pPatchLocationList = from.patches();
  to.PatchLocationListSize = from.patch_entries();
}

void lend(command_spaces& from, D3DDDICB_RENDER& to) {
  to.pNewCommandBuffer = from.commands();
  to.NewCommandBufferSize = from.size().command_bytes;
  to.pNewAllocationList = from.allocations();
  to.NewAllocationListSize = from.size().list_entries;
  to.pNewPatchLocationList = from.patches();
  to.NewPatchLocationListSize = from.patch_entries();
}

/// What the driver wishes for the next set.
[[nodiscard]] auto wish_of(const D3DDDICB_RENDER& wanted) -> space_size {
  space_size wish;
  if (wanted.Flags.ResizeCommandBuffer != 0) wish.command_bytes = wanted.NewCommandBufferSize;
  if (wanted.Flags.ResizeAllocationList != 0) wish.list_entries = wanted.NewAllocationListSize;
  return wish;
}

}  // namespace

auto ddi_device::on_create_context(D3DDDICB_CREATECONTEXT& wanted) -> HRESULT {
  D3DKMT_CREATECONTEXT made{};
  made.hDevice = kernel_;
  made.NodeOrdinal = wanted.NodeOrdinal;
  made.EngineAffinity = wanted.EngineAffinity;
  made.Flags = wanted.Flags;
  made.pPrivateDriverData = wanted.pPrivateDriverData;
  made.PrivateDriverDataSize = wanted.PrivateDriverDataSize;
  made.ClientHint = D3DKMT_CLIENTHINT_DX9;
  const auto status = D3DKMTCreateContext(&made);
  if (!NT_SUCCESS(status)) return to_hresult(status);
  auto context = std::make_unique<held_context>();
  context->kernel = made.hContext;
  context->commands = static_cast<std::byte*>(made.pCommandBuffer);
  context->allocations = made.pAllocationList;
  context->lent = std::make_unique<command_spaces>(
      rules(), process().runtime.options.spaces,
      space_size{made.CommandBufferSize, made.AllocationListSize}, made.PatchLocationListSize,
      portable != nullptr ? sizeof(d3d9ddi_u::D3DDDI_ALLOCATIONLIST)
                          : sizeof(D3DDDI_ALLOCATIONLIST));
  wanted.hContext = new_token(rules());
  lend(*context->lent, wanted);
  const std::lock_guard hold{held_.mutex};
  held_.contexts[wanted.hContext] = std::move(context);
  return S_OK;
}

auto ddi_device::find_context(const char* who, HANDLE context) -> held_context* {
  const std::lock_guard hold{held_.mutex};
  const auto found = held_.contexts.find(context);
  if (found != held_.contexts.end()) return found->second.get();
  breach(contract_rule::unknown_handle, who, "for a context that there is not");
  return nullptr;
}

auto ddi_device::on_destroy_context(const D3DDDICB_DESTROYCONTEXT& wanted) -> HRESULT {
  auto* const context = find_context("DestroyContextCb", wanted.hContext);
  if (context == nullptr) return E_INVALIDARG;
  context->lent->check("DestroyContextCb");
  const D3DKMT_DESTROYCONTEXT gone{context->kernel};
  {
    const std::lock_guard hold{held_.mutex};
    held_.contexts.erase(wanted.hContext);
  }
  return to_hresult(D3DKMTDestroyContext(&gone));
}

auto ddi_device::check_render(const D3DDDICB_RENDER& wanted, command_spaces& lent) -> bool {
  constexpr const char* who = "RenderCb";
  constexpr UINT known_flags = 0xF;
  const bool is_reserved_used = wanted.pPrivateDriverData != nullptr ||
                                wanted.PrivateDriverDataSize != 0 || wanted.NewCommandBuffer != 0;
  if (is_reserved_used || (wanted.Flags.Value & ~known_flags) != 0 ||
      wanted.BroadcastContextCount != 0) {
    breach(contract_rule::bad_argument, who, "a reserved member is not zero");
    return false;
  }
  lent.check(who);
  const auto size = lent.size();
  const auto end = std::uint64_t{wanted.CommandOffset} + wanted.CommandLength;
  const auto refuse = [&](const char* what, std::uint64_t used, std::uint64_t room) {
    breach(contract_rule::command_overrun, who, std::to_string(used) + what + std::to_string(room));
    return false;
  };
  if (end > size.command_bytes)
    return refuse(" bytes in a command buffer of ", end, size.command_bytes);
  if (wanted.NumAllocations > size.list_entries)
    return refuse(" entries in an allocation list of ", wanted.NumAllocations, size.list_entries);
  if (wanted.NumPatchLocations > lent.patch_entries()) {
    return refuse(" entries in a patch location list of ", wanted.NumPatchLocations,
                  lent.patch_entries());
  }
  return true;
}

/// Known, and not locked.
auto ddi_device::check_list(std::span<const D3DDDI_ALLOCATIONLIST> list) -> bool {
  constexpr const char* who = "RenderCb";
  const std::lock_guard hold{held_.mutex};
  bool is_good = true;
  for (const auto& one : list) {
    if (one.hAllocation == 0) continue;
    const auto found = held_.allocations.find(one.hAllocation);
    if (found == held_.allocations.end()) {
      breach(contract_rule::unknown_handle, who,
             "lists allocation " + hexadecimal(one.hAllocation));
      is_good = false;
    } else if (found->second.locks != 0) {
      breach(contract_rule::rendered_while_locked, who,
             "lists allocation " + hexadecimal(one.hAllocation) + ", which is locked");
      is_good = false;
    }
  }
  return is_good;
}

auto ddi_device::render(held_context& context, const recorded_work& work) -> HRESULT {
  if (process().is_terminated()) return D3DERR_DEVICEREMOVED;  // The kernel's buffers are gone.
  if (!check_list(work.list)) return E_INVALIDARG;
  std::memcpy(context.commands, work.commands, work.offset + work.length);
  std::copy(work.list.begin(), work.list.end(), context.allocations);
  D3DKMT_RENDER render{};
  render.hContext = context.kernel;
  render.CommandOffset = work.offset;
  render.CommandLength = work.length;
  render.AllocationCount = static_cast<UINT>(work.list.size());
  render.PatchLocationCount = work.patches;
  render.Flags.NullRendering = work.is_null_rendering ? 1 : 0;
  const auto status = D3DKMTRender(&render);
  if (!NT_SUCCESS(status)) return to_hresult(status);
  ++submissions_;
  context.commands = static_cast<std::byte*>(render.pNewCommandBuffer);
  context.allocations = render.pNewAllocationList;
  context.queued_buffers = render.QueuedBufferCount;
  return to_hresult(status);
}

auto ddi_device::on_render(D3DDDICB_RENDER& wanted) -> HRESULT {
  auto* const context = find_context("RenderCb", wanted.hContext);
  if (context == nullptr) return E_INVALIDARG;
  auto& lent = *context->lent;
  HRESULT result = E_INVALIDARG;
  const auto wish = wish_of(wanted);
  if (process().is_terminated() || check_render(wanted, lent)) {
    result = render(*context, {lent.commands(), wanted.CommandOffset, wanted.CommandLength,
                               std::span{lent.allocations(), wanted.NumAllocations},
                               wanted.NumPatchLocations, wanted.Flags.NullRendering != 0});
    if (SUCCEEDED(result)) wanted.QueuedBufferCount = context->queued_buffers;
  }
  // Also after a failure: what the driver knew of buffers and sizes is void.
  lent.rotate(wish);
  lend(lent, wanted);
  return result;
}

auto ddi_device::may_present(const char* who) -> bool {
  const auto* const call = ddi_scope::find(this);
  // Profile U has a PresentEx as well.
  if (presenting_ == nullptr || call == nullptr ||
      !call->name().starts_with(entry_name(index_of(&table::pfnPresent)))) {
    breach(contract_rule::misplaced_present, who, "called outside of Present");
    return false;
  }
  if (presented_) breach(contract_rule::misplaced_present, who, "called twice in one Present");
  return true;
}

auto ddi_device::show(const held_context& context, D3DKMT_HANDLE source, D3DKMT_HANDLE destination)
    -> HRESULT {
  D3DKMT_PRESENT present{};
  present.hContext = context.kernel;
  present.hWindow = details_.window;
  present.hSource = source;
  present.hDestination = destination;
  present.Color = details_.color;
  present.FlipInterval = presenting_->FlipInterval;
  present.Flags.Blt = presenting_->Flags.Blt;
  present.Flags.ColorFill = presenting_->Flags.ColorFill;
  present.Flags.Flip = presenting_->Flags.Flip;
  present.PresentCount = details_.number.value_or(0);
  present.Flags.PresentCountValid = details_.number ? 1 : 0;
  present.Flags.FlipDoNotWait = details_.may_wait ? 0 : 1;
  if (details_.source) {
    present.SrcRect = *details_.source;
    present.Flags.SrcRectValid = 1;
  }
  if (details_.destination) {
    present.DstRect = *details_.destination;
    present.Flags.DstRectValid = 1;
  }
  presented_ = to_hresult(D3DKMTPresent(&present));
  // Busy and occluded are for the runtime's caller; the driver did its part.
  const bool is_loss = *presented_ == D3DERR_DEVICEREMOVED || *presented_ == E_OUTOFMEMORY;
  return is_loss ? *presented_ : S_OK;
}

auto ddi_device::on_present(const D3DDDICB_PRESENT& wanted) -> HRESULT {
  constexpr const char* who = "PresentCb";
  if (!may_present(who)) return E_INVALIDARG;
  auto* const context = find_context(who, wanted.hContext);
  if (context == nullptr) return E_INVALIDARG;
  if (wanted.BroadcastContextCount != 0)
    breach(contract_rule::bad_argument, who, "a reserved member is not zero");
  for (const auto handle : {wanted.hSrcAllocation, wanted.hDstAllocation}) {
    if (handle != 0 && !check_handles(who, &handle, 1)) return E_INVALIDARG;
  }
  return show(*context, wanted.hSrcAllocation, wanted.hDstAllocation);
}

auto ddi_device::on_set_display_mode(D3DDDICB_SETDISPLAYMODE& wanted) -> HRESULT {
  constexpr const char* who = "SetDisplayModeCb";
  const auto* const call = ddi_scope::find(this);
  if (call == nullptr || call->name() != entry_name(index_of(&table::pfnSetDisplayMode))) {
    breach(contract_rule::stray_callback, who, "called outside of SetDisplayMode");
    return E_INVALIDARG;
  }
  if (!check_handles(who, &wanted.hPrimaryAllocation, 1)) return E_INVALIDARG;
  D3DKMT_SETDISPLAYMODE mode{};
  mode.hDevice = kernel_;
  mode.hPrimaryAllocation = wanted.hPrimaryAllocation;
  mode.ScanLineOrdering = D3DDDI_VSSLO_PROGRESSIVE;
  mode.DisplayOrientation = D3DDDI_ROTATION_IDENTITY;
  mode.PrivateDriverFormatAttribute = wanted.PrivateDriverFormatAttribute;
  return to_hresult(D3DKMTSetDisplayMode(&mode));
}

auto ddi_device::on_set_async_callbacks(BOOL is_enabled) -> HRESULT {
  is_async_.store(is_enabled != 0);
  return S_OK;
}

}  // namespace aerogpu::sim

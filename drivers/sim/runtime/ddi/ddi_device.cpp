// SPDX-License-Identifier: MIT
#include "drivers/sim/runtime/ddi/ddi_device.hpp"

#include "drivers/sim/kernel/thunks/thunks.hpp"
#include "drivers/sim/runtime/callbacks/callback_tables.hpp"
#include "drivers/sim/runtime/results.hpp"
#include "drivers/sim/runtime/tokens.hpp"

#include <string>

namespace aerogpu::sim {
namespace {

using table = D3DDDI_DEVICEFUNCS;

/// The entries that a second thread may be in at any time.
[[nodiscard]] auto is_reentrant(std::size_t index) -> bool {
  return index == index_of(&table::pfnGetQueryData) || index == index_of(&table::pfnLockAsync) ||
         index == index_of(&table::pfnUnlockAsync);
}

/// The three that go together, or not at all (umd-d3d9.md 1.4).
[[nodiscard]] auto is_without_async_locks(const table& functions) -> bool {
  return functions.pfnLockAsync == nullptr && functions.pfnUnlockAsync == nullptr &&
         functions.pfnRename == nullptr;
}

}  // namespace

ddi_device::ddi_device(ddi_adapter& of) : adapter(of) {}

ddi_device::~ddi_device() {
  if (is_created()) destroy();
}

auto ddi_device::create(D3DDDI_CREATEDEVICEFLAGS flags) -> HRESULT {
  const process_scope here{process().id};
  D3DKMT_CREATEDEVICE made{};
  made.hAdapter = process().kernel_adapter();
  const auto status = D3DKMTCreateDevice(&made);
  if (!NT_SUCCESS(status)) return to_hresult(status);
  kernel_ = made.hDevice;
  token_ = new_token(rules());
  bind_token(token_, nullptr, this);
  functions_ = {};
  // A default context's buffers, which Windows 7 does not have: nobody may write there.
  command_spaces decoy{rules(), process().runtime.options.spaces, {4096, 16}, 16};
  const auto decoy_size = decoy.size();
  callbacks_ = device_callbacks();
  D3DDDIARG_CREATEDEVICE argument{};
  argument.hDevice = token_;
  argument.pCallbacks = &callbacks_;
  argument.pCommandBuffer = decoy.commands();
  argument.CommandBufferSize = decoy_size.command_bytes;
  argument.pAllocationList = decoy.allocations();
  argument.AllocationListSize = decoy_size.list_entries;
  argument.pPatchLocationList = decoy.patches();
  argument.PatchLocationListSize = decoy.patch_entries();
  argument.pDeviceFuncs = functions_.get();
  argument.Flags = flags;
  decoy.rotate({});
  const auto result = adapter.create_device(*this, argument);
  spoil(callbacks_);
  decoy.check("CreateDevice");
  check_table();
  if (FAILED(result)) {
    release_leaks();
    return result;
  }
  check_handle("CreateDevice", result, argument.hDevice, token_);
  check_entries();
  driver_ = argument.hDevice;
  return result;
}

void ddi_device::check_table() {
  if (functions_.is_overrun()) {
    breach(contract_rule::table_overrun, "CreateDevice", "wrote behind its table of 121 entries");
  }
}

void ddi_device::check_entries() {
  const bool may_miss_locks = is_without_async_locks(*functions_.get());
  for (std::size_t i = functions_.first_missing(); i < functions_.entries;
       i = functions_.first_missing(i + 1)) {
    const bool is_async_lock =
        i >= index_of(&table::pfnLockAsync) && i <= index_of(&table::pfnRename);
    if (is_async_lock && may_miss_locks) continue;
    breach(contract_rule::missing_entry, "CreateDevice",
           "left entry " + std::to_string(i) + " (" + entry_name(i) + ") NULL");
  }
}

auto ddi_device::destroy() -> HRESULT {
  const auto result = call<&table::pfnDestroyDevice>();
  driver_ = nullptr;
  check_table();
  for (const auto& [handle, context] : held_.contexts) context->lent->check("DestroyDevice");
  release_leaks();
  return result;
}

/// What is left goes with the kernel's device.
void ddi_device::release_leaks() {
  bind_token(token_, nullptr, nullptr);
  if (!held_.contexts.empty()) {
    breach(contract_rule::leaked_object, "the device",
           "left " + std::to_string(held_.contexts.size()) + " contexts behind");
  }
  for (const auto& [handle, one] : held_.allocations) {
    if (one.locks != 0) {
      breach(contract_rule::unpaired_lock, "the device",
             "left allocation " + hexadecimal(handle) + " locked");
    }
    breach(contract_rule::leaked_object, "the device",
           "left allocation " + hexadecimal(handle) + " behind");
  }
  held_.contexts.clear();
  held_.allocations.clear();
  held_.resources.clear();
  if (kernel_ == 0) return;
  const process_scope here{process().id};
  const D3DKMT_DESTROYDEVICE gone{kernel_};
  static_cast<void>(D3DKMTDestroyDevice(&gone));
  kernel_ = 0;
}

auto ddi_device::check_result(std::size_t index, HRESULT result) -> HRESULT {
  if (result != S_OK && !is_known_result(result)) {
    breach(contract_rule::odd_result, entry_name(index),
           "returned " + hexadecimal(static_cast<UINT>(result)));
  }
  return result;
}

void ddi_device::check_handle(const char* who, HRESULT result, HANDLE handle, HANDLE given) {
  if (FAILED(result)) return;
  if (handle == nullptr || handle == given)
    breach(contract_rule::missing_handle, who, "succeeded without a handle");
}

auto ddi_device::occupancy_for(std::size_t index) noexcept -> occupancy* {
  return is_reentrant(index) ? nullptr : &inside_;
}

auto ddi_device::may_call_back() const -> bool {
  return is_async_.load() || ddi_scope::find(this) != nullptr;
}

auto ddi_device::kernel_context(HANDLE context) -> D3DKMT_HANDLE {
  const std::lock_guard hold{held_.mutex};
  const auto found = held_.contexts.find(context);
  return found != held_.contexts.end() ? found->second->kernel : 0;
}

void ddi_device::breach(contract_rule rule, const char* who, const std::string& what) {
  rules().record(rule, std::string{who} + ": " + what);
}

}  // namespace aerogpu::sim

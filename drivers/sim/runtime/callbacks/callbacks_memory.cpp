// SPDX-License-Identifier: MIT
/// \file Callbacks for allocations and locks.
#include "drivers/sim/kernel/objects/user_services.hpp"
#include "drivers/sim/runtime/ddi/ddi_device.hpp"
#include "drivers/sim/runtime/results.hpp"

#include <mutex>
#include <span>
#include <string>
#include <vector>

namespace aerogpu::sim {

auto ddi_device::check_allocation_list(const D3DDDICB_ALLOCATE& wanted) -> bool {
  constexpr const char* who = "AllocateCb";
  const auto refuse = [&](const char* what) {
    breach(contract_rule::bad_argument, who, what);
    return false;
  };
  if (wanted.NumAllocations == 0 || wanted.pAllocationInfo == nullptr)
    return refuse("without allocations");
  if (wanted.pPrivateDriverData == nullptr && wanted.PrivateDriverDataSize != 0)
    return refuse("a size of private data without the data");
  for (const auto& one : std::span{wanted.pAllocationInfo, wanted.NumAllocations}) {
    constexpr UINT known_flags = 1;
    if ((one.Flags.Value & ~known_flags) != 0) return refuse("flags that Windows 7 does not have");
    if (one.pPrivateDriverData == nullptr && one.PrivateDriverDataSize != 0)
      return refuse("a size of an allocation's private data without the data");
  }
  if (wanted.hResource == nullptr) return true;
  const std::lock_guard hold{held_.mutex};
  const auto resource = held_.resources.find(wanted.hResource);
  if (resource == held_.resources.end()) {
    breach(contract_rule::unknown_handle, who, "for a resource that there is not");
    return false;
  }
  const bool is_second = resource->second.kernel != 0;
  if (is_second && resource->second.origin != resource_origin::made)
    return refuse("a shared resource gets its allocations at once");
  return true;
}

auto ddi_device::on_allocate(D3DDDICB_ALLOCATE& wanted) -> HRESULT {
  if (!check_allocation_list(wanted)) return E_INVALIDARG;
  held_resource resource;
  if (wanted.hResource != nullptr) {
    const std::lock_guard hold{held_.mutex};
    resource = held_.resources[wanted.hResource];
  }
  D3DKMT_CREATEALLOCATION made{};
  made.hDevice = kernel_;
  made.hResource = resource.kernel;
  made.pPrivateRuntimeData = resource.runtime_data.data();
  made.PrivateRuntimeDataSize = static_cast<UINT>(resource.runtime_data.size());
  made.pPrivateDriverData = wanted.pPrivateDriverData;
  made.PrivateDriverDataSize = wanted.PrivateDriverDataSize;
  made.NumAllocations = wanted.NumAllocations;
  made.pAllocationInfo = wanted.pAllocationInfo;
  made.Flags.CreateResource = wanted.hResource != nullptr && resource.kernel == 0 ? 1 : 0;
  made.Flags.CreateShared = resource.origin == resource_origin::made_shared ? 1 : 0;
  const auto status = D3DKMTCreateAllocation(&made);
  if (!NT_SUCCESS(status)) return to_hresult(status);
  const std::lock_guard hold{held_.mutex};
  if (wanted.hResource != nullptr) {
    auto& kept = held_.resources[wanted.hResource];
    kept.kernel = made.hResource;
    kept.share = made.hGlobalShare;
    wanted.hKMResource = made.hResource;
  }
  for (const auto& one : std::span{wanted.pAllocationInfo, wanted.NumAllocations})
    held_.allocations[one.hAllocation] = {wanted.hResource, 0};
  return S_OK;
}

/// Each is the device's own. The mutex is not held.
auto ddi_device::check_handles(const char* who, const D3DKMT_HANDLE* list, UINT count) -> bool {
  if (count == 0 || list == nullptr) {
    breach(contract_rule::bad_argument, who, "without allocations");
    return false;
  }
  const std::lock_guard hold{held_.mutex};
  bool are_known = true;
  for (const auto one : std::span{list, count}) {
    if (held_.allocations.count(one) != 0) continue;
    breach(contract_rule::unknown_handle, who, "for allocation " + hexadecimal(one));
    are_known = false;
  }
  return are_known;
}

auto ddi_device::release(const std::vector<D3DKMT_HANDLE>& allocations, D3DKMT_HANDLE resource)
    -> HRESULT {
  D3DKMT_DESTROYALLOCATION gone{};
  gone.hDevice = kernel_;
  gone.hResource = resource;
  if (resource == 0) {
    gone.phAllocationList = allocations.data();
    gone.AllocationCount = static_cast<UINT>(allocations.size());
  }
  return to_hresult(D3DKMTDestroyAllocation(&gone));
}

auto ddi_device::on_deallocate(const D3DDDICB_DEALLOCATE& wanted) -> HRESULT {
  constexpr const char* who = "DeallocateCb";
  std::vector<D3DKMT_HANDLE> gone;
  D3DKMT_HANDLE kernel = 0;
  if (wanted.hResource != nullptr) {
    const std::lock_guard hold{held_.mutex};
    const auto found = held_.resources.find(wanted.hResource);
    if (found == held_.resources.end() || found->second.kernel == 0) {
      breach(contract_rule::unknown_handle, who, "for a resource that has no allocations");
      return E_INVALIDARG;
    }
    if (wanted.NumAllocations != 0)
      breach(contract_rule::bad_argument, who, "a resource and a list of allocations");
    gone = held_.allocations_of(wanted.hResource);
    kernel = std::exchange(found->second.kernel, 0);
    found->second.share = 0;
  } else {
    if (!check_handles(who, wanted.HandleList, wanted.NumAllocations)) return E_INVALIDARG;
    gone.assign(wanted.HandleList, wanted.HandleList + wanted.NumAllocations);
  }
  {
    const std::lock_guard hold{held_.mutex};
    for (const auto one : gone) {
      if (held_.allocations[one].locks != 0) {
        breach(contract_rule::unpaired_lock, who,
               "allocation " + hexadecimal(one) + " is still locked");
      }
      held_.allocations.erase(one);
    }
  }
  return release(gone, kernel);
}

auto ddi_device::on_set_priority(const D3DDDICB_SETPRIORITY& wanted) -> HRESULT {
  if (wanted.hResource != nullptr) return S_OK;
  const bool is_good = check_handles("SetPriorityCb", wanted.HandleList, wanted.NumAllocations);
  return is_good && wanted.pPriorities != nullptr ? S_OK : E_INVALIDARG;
}

/// Windows tells of memory alone, and what went out of it comes back by itself.
auto ddi_device::on_query_residency(const D3DDDICB_QUERYRESIDENCY& wanted) -> HRESULT {
  if (!check_handles("QueryResidencyCb", wanted.HandleList, wanted.NumAllocations) ||
      wanted.pResidencyStatus == nullptr) {
    return E_INVALIDARG;
  }
  for (UINT i = 0; i < wanted.NumAllocations; ++i)
    wanted.pResidencyStatus[i] = D3DDDI_RESIDENCYSTATUS_RESIDENTINGPUMEMORY;
  return S_OK;
}

auto ddi_device::check_lock(const D3DDDICB_LOCK& wanted) -> bool {
  constexpr const char* who = "LockCb";
  D3DDDICB_LOCKFLAGS forbidden{};
  forbidden.IgnoreSync = 1;
  forbidden.AcquireAperture = 1;
  forbidden.Discard = 1;
  forbidden.NoExistingReference = 1;
  forbidden.UseAlternateVA = 1;
  forbidden.IgnoreReadSync = 1;
  const auto flags = wanted.Flags;
  if ((flags.Value & forbidden.Value) != 0) {
    breach(contract_rule::forbidden_lock, who, "flags " + hexadecimal(flags.Value));
    return false;
  }
  if (flags.Reserved != 0 || (flags.ReadOnly != 0 && flags.WriteOnly != 0)) {
    breach(contract_rule::bad_argument, who, "flags " + hexadecimal(flags.Value));
    return false;
  }
  if (wanted.NumPages != 0 && wanted.pPages == nullptr) {
    breach(contract_rule::bad_argument, who, "a number of pages without the pages");
    return false;
  }
  return check_handles(who, &wanted.hAllocation, 1);
}

auto ddi_device::on_lock(D3DDDICB_LOCK& wanted) -> HRESULT {
  if (!check_lock(wanted)) return E_INVALIDARG;
  D3DKMT_LOCK lock{};
  lock.hDevice = kernel_;
  lock.hAllocation = wanted.hAllocation;
  lock.PrivateDriverData = wanted.PrivateDriverData;
  lock.NumPages = wanted.NumPages;
  lock.pPages = wanted.pPages;
  lock.Flags = wanted.Flags;
  const auto status = D3DKMTLock(&lock);
  if (status == STATUS_GRAPHICS_ALLOCATION_BUSY) let_time_pass();
  if (!NT_SUCCESS(status)) return to_hresult(status);
  wanted.pData = lock.pData;
  const std::lock_guard hold{held_.mutex};
  ++held_.allocations[wanted.hAllocation].locks;
  return S_OK;
}

auto ddi_device::on_unlock(const D3DDDICB_UNLOCK& wanted) -> HRESULT {
  constexpr const char* who = "UnlockCb";
  if (!check_handles(who, wanted.phAllocations, wanted.NumAllocations)) return E_INVALIDARG;
  {
    const std::lock_guard hold{held_.mutex};
    for (const auto one : std::span{wanted.phAllocations, wanted.NumAllocations}) {
      auto& locks = held_.allocations[one].locks;
      if (locks == 0) {
        breach(contract_rule::unpaired_lock, who,
               "allocation " + hexadecimal(one) + " is not locked");
        return E_INVALIDARG;
      }
      --locks;
    }
  }
  const D3DKMT_UNLOCK unlock{kernel_, wanted.NumAllocations, wanted.phAllocations};
  return to_hresult(D3DKMTUnlock(&unlock));
}

}  // namespace aerogpu::sim

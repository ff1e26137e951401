// SPDX-License-Identifier: MIT
#include "drivers/sim/kernel/thunks/thunks.hpp"
#include "drivers/sim/runtime/ddi/ddi_device.hpp"
#include "drivers/sim/runtime/results.hpp"
#include "drivers/sim/runtime/tokens.hpp"

#include <string>
#include <utility>
#include <vector>

namespace aerogpu::sim {
namespace {

using table = D3DDDI_DEVICEFUNCS;

}  // namespace

auto ddi_device::new_resource(resource_origin origin, const byte_list& runtime_data) -> HANDLE {
  auto* const handle = new_token(rules());
  const std::lock_guard hold{held_.mutex};
  held_.resources[handle] = {origin, 0, 0, runtime_data};
  return handle;
}

auto ddi_device::create_resource(D3DDDIARG_CREATERESOURCE argument, ddi_resource& made,
                                 const byte_list& runtime_data) -> HRESULT {
  const bool is_shared = argument.Flags.SharedResource != 0;
  auto* const handle =
      new_resource(is_shared ? resource_origin::made_shared : resource_origin::made, runtime_data);
  const std::span surfaces{argument.pSurfList, argument.SurfCount};
  lent_bytes list{rules(), std::as_bytes(surfaces), "CreateResource's pSurfList"};
  argument.pSurfList = static_cast<const D3DDDI_SURFACEINFO*>(list.get());
  argument.hResource = handle;
  const auto result =
      ask<&table::pfnCreateResource>(argument, &D3DDDIARG_CREATERESOURCE::hResource);
  list.take_input();
  check_handle("CreateResource", result, argument.hResource, handle);
  if (FAILED(result)) {
    end_resource(handle, "CreateResource failed");
    return result;
  }
  made = {handle, argument.hResource};
  if (is_shared && share_of(made) == 0) {
    breach(contract_rule::bad_argument, "CreateResource",
           "made a shared resource without an AllocateCb for its handle");
  }
  return result;
}

auto ddi_device::open_resource(D3DKMT_HANDLE share, ddi_resource& made, byte_list& runtime_data)
    -> HRESULT {
  const process_scope here{process().id};
  D3DKMT_QUERYRESOURCEINFO about{};
  about.hDevice = kernel_;
  about.hGlobalShare = share;
  auto status = D3DKMTQueryResourceInfo(&about);
  if (!NT_SUCCESS(status)) return to_hresult(status);
  runtime_data.resize(about.PrivateRuntimeDataSize);
  std::vector<D3DDDI_OPENALLOCATIONINFO> infos(about.NumAllocations);
  byte_list resource_data(about.ResourcePrivateDriverDataSize);
  byte_list allocation_data(about.TotalPrivateDriverDataSize);
  D3DKMT_OPENRESOURCE wanted{};
  wanted.hDevice = kernel_;
  wanted.hGlobalShare = share;
  wanted.NumAllocations = about.NumAllocations;
  wanted.pOpenAllocationInfo = infos.data();
  wanted.pPrivateRuntimeData = runtime_data.data();
  wanted.PrivateRuntimeDataSize = about.PrivateRuntimeDataSize;
  wanted.pResourcePrivateDriverData = resource_data.data();
  wanted.ResourcePrivateDriverDataSize = about.ResourcePrivateDriverDataSize;
  wanted.pTotalPrivateDriverDataBuffer = allocation_data.data();
  wanted.TotalPrivateDriverDataBufferSize = about.TotalPrivateDriverDataSize;
  status = D3DKMTOpenResource(&wanted);
  if (!NT_SUCCESS(status)) return to_hresult(status);

  auto* const handle = new_resource(resource_origin::opened, runtime_data);
  {
    const std::lock_guard hold{held_.mutex};
    held_.resources[handle].kernel = wanted.hResource;
    held_.resources[handle].share = share;
    for (const auto& one : infos) held_.allocations[one.hAllocation] = {handle, 0};
  }
  lent_bytes list{rules(), std::as_bytes(std::span{infos}), "OpenResource's pOpenAllocationInfo"};
  D3DDDIARG_OPENRESOURCE argument{};
  argument.NumAllocations = about.NumAllocations;
  argument.pOpenAllocationInfo = static_cast<D3DDDI_OPENALLOCATIONINFO*>(list.get());
  argument.hKMResource = wanted.hResource;
  argument.pPrivateDriverData = resource_data.empty() ? nullptr : resource_data.data();
  argument.PrivateDriverDataSize = static_cast<UINT>(resource_data.size());
  argument.hResource = handle;
  argument.Rotation = D3DDDI_ROTATION_IDENTITY;
  const auto result = ask<&table::pfnOpenResource>(argument, &D3DDDIARG_OPENRESOURCE::hResource);
  list.take_input();
  check_handle("OpenResource", result, argument.hResource, handle);
  if (FAILED(result)) {
    // The runtime opened it, and closes what the driver did not take.
    const std::lock_guard hold{held_.mutex};
    if (held_.resources[handle].kernel != 0) {
      const D3DKMT_DESTROYALLOCATION gone{kernel_, wanted.hResource, nullptr, 0};
      static_cast<void>(D3DKMTDestroyAllocation(&gone));
    }
    for (const auto one : held_.allocations_of(handle)) held_.allocations.erase(one);
    held_.resources.erase(handle);
    return result;
  }
  made = {handle, argument.hResource};
  return result;
}

auto ddi_device::destroy_resource(const ddi_resource& gone) -> HRESULT {
  if (gone.driver == nullptr) return S_OK;  // It went with a lost device.
  const auto result = call<&table::pfnDestroyResource>(gone.driver);
  end_resource(gone.runtime, "DestroyResource");
  return result;
}

void ddi_device::end_resource(HANDLE resource, const char* after) {
  std::vector<D3DKMT_HANDLE> left;
  D3DKMT_HANDLE kernel = 0;
  {
    const std::lock_guard hold{held_.mutex};
    left = held_.allocations_of(resource);
    kernel = held_.resources[resource].kernel;
    for (const auto one : left) held_.allocations.erase(one);
    held_.resources.erase(resource);
  }
  if (left.empty()) return;
  breach(contract_rule::leaked_object, after,
         "the resource still has " + std::to_string(left.size()) + " allocations");
  const process_scope here{process().id};
  static_cast<void>(release(left, kernel));
}

auto ddi_device::share_of(const ddi_resource& resource) -> D3DKMT_HANDLE {
  const std::lock_guard hold{held_.mutex};
  const auto found = held_.resources.find(resource.runtime);
  return found != held_.resources.end() ? found->second.share : 0;
}

auto ddi_device::lock(D3DDDIARG_LOCK& argument) -> HRESULT {
  using lock_type = D3DDDIARG_LOCK;
  const auto result = ask<&table::pfnLock>(argument, &lock_type::pSurfData, &lock_type::Pitch,
                                           &lock_type::SlicePitch);
  if (result == S_OK && argument.Flags.NotifyOnly == 0 && argument.pSurfData == nullptr)
    breach(contract_rule::missing_handle, "Lock", "succeeded without memory");
  return result;
}

auto ddi_device::create_query(D3DDDIQUERYTYPE type, HANDLE& made) -> HRESULT {
  D3DDDIARG_CREATEQUERY argument{type, nullptr};
  const auto result = ask<&table::pfnCreateQuery>(argument, &D3DDDIARG_CREATEQUERY::hQuery);
  check_handle("CreateQuery", result, argument.hQuery, nullptr);
  made = argument.hQuery;
  return result;
}

auto ddi_device::present(const D3DDDIARG_PRESENT& argument, const present_details& details)
    -> HRESULT {
  presenting_ = &argument;
  details_ = details;
  presented_.reset();
  const auto result = send<&table::pfnPresent>(argument);
  presenting_ = nullptr;
  if (FAILED(result)) return result;
  if (!presented_) {
    breach(contract_rule::misplaced_present, "Present", "succeeded without a PresentCb");
    return result;
  }
  return *presented_;
}

}  // namespace aerogpu::sim

// SPDX-License-Identifier: MIT
/// \file Thunks: allocations, resources, locks.
#include "drivers/sim/kernel/thunks/thunk_caller.hpp"

#include <cstring>
#include <vector>

using namespace aerogpu::sim;

namespace {

/// Everything that creation needs, in kernel copies.
[[nodiscard]] auto capture_request(const thunk_caller& caller,
                                   const D3DKMT_CREATEALLOCATION& wanted,
                                   std::vector<D3DDDI_ALLOCATIONINFO>& infos,
                                   resource_request& request) -> NTSTATUS {
  auto& machine = caller.machine();
  constexpr UINT most_allocations = 10'240;
  if (wanted.NumAllocations == 0 || wanted.NumAllocations > most_allocations)
    return STATUS_INVALID_PARAMETER;
  auto list = capture_list(machine, wanted.pAllocationInfo, wanted.NumAllocations);
  auto runtime = capture(machine, wanted.pPrivateRuntimeData, wanted.PrivateRuntimeDataSize);
  auto driver = capture(machine, wanted.pPrivateDriverData, wanted.PrivateDriverDataSize);
  if (!list || !runtime || !driver) return STATUS_INVALID_PARAMETER;
  infos = *std::move(list);
  request.runtime_data = *std::move(runtime);
  request.driver_data = *std::move(driver);
  request.is_resource = wanted.Flags.CreateResource != 0;
  request.is_shared = wanted.Flags.CreateShared != 0;
  if (request.is_shared && !request.is_resource) return STATUS_INVALID_PARAMETER;
  for (const auto& info : infos) {
    auto data = capture(machine, info.pPrivateDriverData, info.PrivateDriverDataSize);
    if (!data) return STATUS_INVALID_PARAMETER;
    request.allocations.push_back({*std::move(data), info.Flags.Primary != 0, nullptr});
  }
  return STATUS_SUCCESS;
}

[[nodiscard]] auto total_private_bytes(const kernel_resource& resource) -> UINT {
  std::size_t sum = 0;
  for (const auto& one : resource.allocations) sum += one->private_data.size();
  return static_cast<UINT>(sum);
}

[[nodiscard]] auto has_room(const D3DKMT_OPENRESOURCE& wanted, const kernel_resource& resource)
    -> bool {
  return wanted.NumAllocations == resource.allocations.size() &&
         wanted.pOpenAllocationInfo != nullptr &&
         wanted.PrivateRuntimeDataSize >= resource.runtime_data.size() &&
         wanted.ResourcePrivateDriverDataSize >= resource.driver_data.size() &&
         wanted.TotalPrivateDriverDataBufferSize >= total_private_bytes(resource);
}

}  // namespace

auto APIENTRY D3DKMTCreateAllocation(D3DKMT_CREATEALLOCATION* arguments) -> NTSTATUS {
  thunk_caller caller;
  if (!caller.is_ready()) return STATUS_DEVICE_NOT_READY;
  if (arguments == nullptr) return STATUS_INVALID_PARAMETER;
  const auto [device, bad] = find_live_device(caller, arguments->hDevice);
  if (device == nullptr) return bad;
  std::vector<D3DDDI_ALLOCATIONINFO> infos;
  resource_request request;
  auto status = capture_request(caller, *arguments, infos, request);
  if (!NT_SUCCESS(status)) return status;
  if (arguments->hResource != 0) {
    request.existing = caller.find<user_resource>(arguments->hResource);
    if (request.existing == nullptr || request.existing->device != device.get())
      return STATUS_INVALID_HANDLE;
    if (request.existing->resource->is_shared) return STATUS_INVALID_PARAMETER;
  }
  status = caller.session().objects.create(*device, request);
  if (!NT_SUCCESS(status)) return status;
  for (std::size_t i = 0; i < infos.size(); ++i) {
    give_back(request.allocations[i].private_data, infos[i].pPrivateDriverData);
    arguments->pAllocationInfo[i].hAllocation = request.allocations[i].opening->handle;
  }
  if (request.resource != nullptr) arguments->hResource = request.resource->handle;
  arguments->hGlobalShare = request.share;
  return STATUS_SUCCESS;
}

auto APIENTRY D3DKMTDestroyAllocation(const D3DKMT_DESTROYALLOCATION* arguments) -> NTSTATUS {
  thunk_caller caller;
  if (!caller.is_ready()) return STATUS_DEVICE_NOT_READY;
  if (arguments == nullptr) return STATUS_INVALID_PARAMETER;
  const auto device = caller.find<user_device>(arguments->hDevice);
  if (device == nullptr) return STATUS_INVALID_HANDLE;
  auto& objects = caller.session().objects;
  if (arguments->hResource != 0) {
    const auto resource = caller.find<user_resource>(arguments->hResource);
    if (resource == nullptr || resource->device != device.get()) return STATUS_INVALID_HANDLE;
    objects.close(resource);
    return STATUS_SUCCESS;
  }
  const auto handles =
      capture_list(caller.machine(), arguments->phAllocationList, arguments->AllocationCount);
  if (!handles) return STATUS_INVALID_PARAMETER;
  for (const auto handle : *handles) {
    if (find_opening(caller, *device, handle) == nullptr) return STATUS_INVALID_HANDLE;
  }
  for (const auto handle : *handles) {
    const auto opening = find_opening(caller, *device, handle);
    if (opening != nullptr) objects.close(opening);
  }
  return STATUS_SUCCESS;
}

auto APIENTRY D3DKMTQueryResourceInfo(D3DKMT_QUERYRESOURCEINFO* arguments) -> NTSTATUS {
  thunk_caller caller;
  if (!caller.is_ready()) return STATUS_DEVICE_NOT_READY;
  if (arguments == nullptr) return STATUS_INVALID_PARAMETER;
  const auto [device, bad] = find_live_device(caller, arguments->hDevice);
  if (device == nullptr) return bad;
  const auto resource =
      caller.session().objects.find_share(caller.process(), arguments->hGlobalShare);
  if (resource == nullptr) return STATUS_INVALID_HANDLE;
  if (arguments->pPrivateRuntimeData != nullptr) {
    if (arguments->PrivateRuntimeDataSize < resource->runtime_data.size())
      return STATUS_BUFFER_TOO_SMALL;
    give_back(resource->runtime_data, arguments->pPrivateRuntimeData);
  }
  arguments->PrivateRuntimeDataSize = static_cast<UINT>(resource->runtime_data.size());
  arguments->ResourcePrivateDriverDataSize = static_cast<UINT>(resource->driver_data.size());
  arguments->TotalPrivateDriverDataSize = total_private_bytes(*resource);
  arguments->NumAllocations = static_cast<UINT>(resource->allocations.size());
  return STATUS_SUCCESS;
}

auto APIENTRY D3DKMTOpenResource(D3DKMT_OPENRESOURCE* arguments) -> NTSTATUS {
  thunk_caller caller;
  if (!caller.is_ready()) return STATUS_DEVICE_NOT_READY;
  if (arguments == nullptr) return STATUS_INVALID_PARAMETER;
  const auto [device, bad] = find_live_device(caller, arguments->hDevice);
  if (device == nullptr) return bad;
  auto& objects = caller.session().objects;
  const auto resource = objects.find_share(caller.process(), arguments->hGlobalShare);
  if (resource == nullptr) return STATUS_INVALID_HANDLE;
  if (!has_room(*arguments, *resource)) return STATUS_INVALID_PARAMETER;
  std::shared_ptr<user_resource> made;
  const auto status = objects.open(*device, resource, made);
  if (!NT_SUCCESS(status)) return status;
  auto* at = static_cast<std::byte*>(arguments->pTotalPrivateDriverDataBuffer);
  for (std::size_t i = 0; i < made->openings.size(); ++i) {
    const auto& data = made->openings[i]->memory->private_data;
    give_back(data, at);
    arguments->pOpenAllocationInfo[i] = {made->openings[i]->handle, at,
                                         static_cast<UINT>(data.size())};
    at += data.size();
  }
  give_back(resource->runtime_data, arguments->pPrivateRuntimeData);
  give_back(resource->driver_data, arguments->pResourcePrivateDriverData);
  arguments->TotalPrivateDriverDataBufferSize = total_private_bytes(*resource);
  arguments->hResource = made->handle;
  return STATUS_SUCCESS;
}

auto APIENTRY D3DKMTLock(D3DKMT_LOCK* arguments) -> NTSTATUS {
  thunk_caller caller;
  if (!caller.is_ready()) return STATUS_DEVICE_NOT_READY;
  if (arguments == nullptr) return STATUS_INVALID_PARAMETER;
  const auto [device, bad] = find_live_device(caller, arguments->hDevice);
  if (device == nullptr) return bad;
  const auto opening = find_opening(caller, *device, arguments->hAllocation);
  if (opening == nullptr) return STATUS_GRAPHICS_INVALID_ALLOCATION_HANDLE;
  if (!opening->memory->is_cpu_visible) return STATUS_INVALID_PARAMETER;
  auto& base = caller.session().base;
  const std::lock_guard hold{base.gpu};
  const bool may_not_wait = arguments->Flags.DonotWait != 0 && arguments->Flags.IgnoreSync == 0;
  if (may_not_wait && base.scheduler.is_pending(opening->memory->last_fence))
    return STATUS_GRAPHICS_ALLOCATION_BUSY;
  auto* const bytes = base.memory.lock(opening->memory);
  if (device->is_lost.load()) {
    if (bytes != nullptr) base.memory.unlock(opening->memory);
    return STATUS_DEVICE_REMOVED;
  }
  if (bytes == nullptr) return STATUS_GRAPHICS_NO_VIDEO_MEMORY;
  ++opening->locks;
  arguments->pData = bytes;
  return STATUS_SUCCESS;
}

auto APIENTRY D3DKMTUnlock(const D3DKMT_UNLOCK* arguments) -> NTSTATUS {
  thunk_caller caller;
  if (!caller.is_ready()) return STATUS_DEVICE_NOT_READY;
  if (arguments == nullptr) return STATUS_INVALID_PARAMETER;
  const auto device = caller.find<user_device>(arguments->hDevice);
  if (device == nullptr) return STATUS_INVALID_HANDLE;
  const auto handles =
      capture_list(caller.machine(), arguments->phAllocations, arguments->NumAllocations);
  if (!handles) return STATUS_INVALID_PARAMETER;
  auto& base = caller.session().base;
  const std::lock_guard hold{base.gpu};
  for (const auto handle : *handles) {
    const auto opening = find_opening(caller, *device, handle);
    if (opening == nullptr || opening->locks == 0) return STATUS_INVALID_PARAMETER;
    --opening->locks;
    base.memory.unlock(opening->memory);
  }
  return STATUS_SUCCESS;
}

// SPDX-License-Identifier: MIT
/// \file Resources, allocations and their openings.
#include "drivers/sim/kernel/objects/object_manager.hpp"

#include <algorithm>

namespace aerogpu::sim {

namespace {

using table_type = DRIVER_INITIALIZATION_DATA;

[[nodiscard]] auto data_of(byte_list& bytes) -> void* {
  return bytes.empty() ? nullptr : bytes.data();
}

}  // namespace

auto object_manager::check(const DXGK_ALLOCATIONINFO& info, bool is_shared, bool is_primary)
    -> bool {
  const auto sets = info.SupportedReadSegmentSet | info.SupportedWriteSegmentSet;
  if (info.hAllocation == nullptr || info.Size == 0 || sets == 0) return false;
  if (info.AllocationPriority < D3DDDI_ALLOCATIONPRIORITY_MINIMUM) return false;
  // dxgmms1 takes no shared allocation that the processor sees in a memory segment, but primaries.
  constexpr UINT memory_segment = 1;
  const bool is_seen = info.Flags.CpuVisible != 0 && (sets & memory_segment) != 0;
  return !is_shared || is_primary || !is_seen;
}

auto object_manager::make_allocation(const DXGK_ALLOCATIONINFO& info, bool is_shared)
    -> std::shared_ptr<allocation> {
  auto made = std::make_shared<allocation>();
  made->driver = info.hAllocation;
  made->size_bytes = pages_of(info.Size) * page_bytes;
  made->alignment = info.Alignment;
  made->segments = info.SupportedReadSegmentSet & info.SupportedWriteSegmentSet;
  made->is_cpu_visible = info.Flags.CpuVisible != 0;
  made->is_shared = is_shared;
  const std::lock_guard hold{base_.gpu};
  base_.memory.add(made);
  return made;
}

/// The driver's part of creation. `edited`: private data as the driver left it.
auto object_manager::call_create(resource_request& request, kernel_resource& resource,
                                 std::vector<byte_list>& edited) -> NTSTATUS {
  std::vector<DXGK_ALLOCATIONINFO> infos(request.allocations.size());
  edited.clear();
  for (const auto& one : request.allocations) edited.push_back(one.private_data);
  for (std::size_t i = 0; i < infos.size(); ++i) {
    infos[i].pPrivateDriverData = data_of(edited[i]);
    infos[i].PrivateDriverDataSize = static_cast<UINT>(edited[i].size());
  }
  DXGKARG_CREATEALLOCATION arguments{};
  arguments.pPrivateDriverData = data_of(request.driver_data);
  arguments.PrivateDriverDataSize = static_cast<UINT>(request.driver_data.size());
  arguments.NumAllocations = static_cast<UINT>(infos.size());
  arguments.pAllocationInfo = infos.data();
  arguments.hResource = resource.driver;
  arguments.Flags.Resource = request.is_resource ? 1 : 0;
  const auto status =
      base_.windows.call(&table_type::DxgkDdiCreateAllocation, base_.windows.context(), &arguments);
  if (!NT_SUCCESS(status)) return status;
  resource.driver = arguments.hResource;
  bool are_good = true;
  for (std::size_t i = 0; i < infos.size(); ++i) {
    are_good = are_good && check(infos[i], resource.is_shared, request.allocations[i].is_primary);
    resource.allocations.push_back(make_allocation(infos[i], resource.is_shared));
  }
  return are_good ? STATUS_SUCCESS : STATUS_INVALID_PARAMETER;
}

auto object_manager::make_openings(user_device& device,
                                   const std::shared_ptr<kernel_resource>& resource,
                                   std::size_t first) -> std::vector<entry> {
  std::vector<entry> made;
  for (std::size_t i = first; i < resource->allocations.size(); ++i) {
    auto one = std::make_shared<user_allocation>();
    one->device = &device;
    one->memory = resource->allocations[i];
    one->resource = resource;
    device.owner->handles.add(one);
    made.push_back(std::move(one));
  }
  return made;
}

void object_manager::forget_openings(std::span<const entry> openings) {
  for (const auto& one : openings) {
    one->device->owner->handles.remove(one->handle);
    one->device->allocations.erase(one->handle);
  }
}

auto object_manager::call_open(user_device& device, kernel_resource& resource,
                               std::span<const entry> openings, std::span<byte_list> private_data,
                               bool is_creation) -> NTSTATUS {
  std::vector<DXGK_OPENALLOCATIONINFO> infos(openings.size());
  for (std::size_t i = 0; i < infos.size(); ++i) {
    infos[i].hAllocation = openings[i]->handle;
    infos[i].pPrivateDriverData = data_of(private_data[i]);
    infos[i].PrivateDriverDataSize = static_cast<UINT>(private_data[i].size());
  }
  DXGKARG_OPENALLOCATION arguments{};
  arguments.NumAllocations = static_cast<UINT>(infos.size());
  arguments.pOpenAllocation = infos.data();
  arguments.pPrivateDriverData = data_of(resource.driver_data);
  arguments.PrivateDriverSize = static_cast<UINT>(resource.driver_data.size());
  arguments.Flags.Create = is_creation ? 1 : 0;
  const auto status = base_.windows.call(&table_type::DxgkDdiOpenAllocation, device.driver,
                                         static_cast<const DXGKARG_OPENALLOCATION*>(&arguments));
  if (!NT_SUCCESS(status)) return status;
  for (std::size_t i = 0; i < infos.size(); ++i) {
    if (infos[i].hDeviceSpecificAllocation == nullptr) {
      stop(stop_code::video_dxgkrnl_fatal_error, {5, infos[i].hAllocation, 0, 0},
           "OpenAllocation succeeds without a handle for an allocation");
    }
    openings[i]->driver = infos[i].hDeviceSpecificAllocation;
    device.allocations[openings[i]->handle] = openings[i];
  }
  return STATUS_SUCCESS;
}

auto object_manager::create(user_device& device, resource_request& request) -> NTSTATUS {
  auto resource = request.existing != nullptr ? request.existing->resource
                                              : std::make_shared<kernel_resource>();
  const auto first = resource->allocations.size();
  if (request.existing == nullptr) {
    resource->is_shared = request.is_shared;
    resource->runtime_data = request.runtime_data;
    resource->driver_data = request.driver_data;
  }
  std::vector<byte_list> data;
  auto status = call_create(request, *resource, data);
  const auto made = [&] { return std::span{resource->allocations}.subspan(first); };
  std::vector<entry> openings;
  if (NT_SUCCESS(status)) {
    if (base_.options.edits != create_edits::kept) {
      for (std::size_t i = 0; i < data.size(); ++i) data[i] = request.allocations[i].private_data;
    }
    openings = make_openings(device, resource, first);
    for (const auto& one : made()) one->openings = 1;
    status = call_open(device, *resource, openings, data, true);
    if (!NT_SUCCESS(status)) forget_openings(openings);
  }
  if (!NT_SUCCESS(status)) {
    if (!made().empty()) destroy_driver_allocations(*resource, made());
    resource->allocations.resize(first);
    return status;
  }
  const bool stays_as_asked =
      request.is_standard && base_.options.edits == create_edits::discarded_for_standard;
  for (std::size_t i = 0; i < data.size(); ++i) {
    if (!stays_as_asked) request.allocations[i].private_data = std::move(data[i]);
    made()[i]->private_data = request.allocations[i].private_data;
    request.allocations[i].opening = openings[i];
  }
  request.resource = request.existing;
  if (request.is_resource && request.existing == nullptr) {
    request.resource = std::make_shared<user_resource>();
    request.resource->device = &device;
    request.resource->resource = resource;
    device.owner->handles.add(request.resource);
    device.resources[request.resource->handle] = request.resource;
  }
  if (request.resource != nullptr) {
    auto& list = request.resource->openings;
    list.insert(list.end(), openings.begin(), openings.end());
  }
  // dxgkrnl finds its own resources without a handle.
  if (request.is_shared && !device.is_system) request.share = share(*device.owner, resource);
  return STATUS_SUCCESS;
}

auto object_manager::create_standard(user_device& device,
                                     DXGKARG_GETSTANDARDALLOCATIONDRIVERDATA asked,
                                     resource_request& request) -> NTSTATUS {
  const auto ask = [&] {
    return base_.windows.call(&table_type::DxgkDdiGetStandardAllocationDriverData,
                              base_.windows.context(), &asked);
  };
  auto status = ask();
  if (!NT_SUCCESS(status)) return status;
  request.is_standard = true;
  request.allocations.assign(1, {});
  auto& one = request.allocations.front();
  one.is_primary = asked.StandardAllocationType == D3DKMDT_STANDARDALLOCATION_SHAREDPRIMARYSURFACE;
  one.private_data.resize(asked.AllocationPrivateDriverDataSize);
  request.driver_data.resize(asked.ResourcePrivateDriverDataSize);
  asked.pAllocationPrivateDriverData = data_of(one.private_data);
  asked.pResourcePrivateDriverData = data_of(request.driver_data);
  status = ask();
  return NT_SUCCESS(status) ? create(device, request) : status;
}

auto object_manager::open(user_device& device, const std::shared_ptr<kernel_resource>& resource,
                          std::shared_ptr<user_resource>& made) -> NTSTATUS {
  {
    const std::lock_guard hold{mutex_};
    for (const auto& one : resource->allocations) {
      if (one->openings == 0 && resource->share_handles == 0) return STATUS_INVALID_HANDLE;
    }
    for (const auto& one : resource->allocations) ++one->openings;
  }
  const auto openings = make_openings(device, resource, 0);
  std::vector<byte_list> data;
  for (const auto& one : resource->allocations) data.push_back(one->private_data);
  const auto status = call_open(device, *resource, openings, data, false);
  bool was_touched = false;
  for (std::size_t i = 0; i < data.size(); ++i) {
    was_touched = was_touched || data[i] != resource->allocations[i]->private_data;
  }
  if (was_touched) {
    stop(stop_code::video_dxgkrnl_fatal_error, {6, 0, 0, 0},
         "OpenAllocation changes private data of an allocation that it does not create");
  }
  if (!NT_SUCCESS(status)) {
    forget_openings(openings);
    const std::lock_guard hold{mutex_};
    for (const auto& one : resource->allocations) --one->openings;
    return status;
  }
  auto opened = std::make_shared<user_resource>();
  opened->device = &device;
  opened->resource = resource;
  opened->openings = openings;
  device.owner->handles.add(opened);
  device.resources[opened->handle] = opened;
  made = std::move(opened);
  return STATUS_SUCCESS;
}

void object_manager::wait_for(const allocation& one) {
  const std::lock_guard hold{base_.gpu};
  base_.scheduler.wait(one.last_fence);
}

void object_manager::close_in_driver(const user_allocation& opening) {
  const HANDLE handle = opening.driver;
  const DXGKARG_CLOSEALLOCATION arguments{1, &handle};
  base_.windows.call(&table_type::DxgkDdiCloseAllocation, opening.device->driver, &arguments);
}

void object_manager::close(const std::shared_ptr<user_resource>& resource) {
  const auto openings = std::move(resource->openings);
  for (const auto& one : openings) close(one);
  resource->device->owner->handles.remove(resource->handle);
  resource->device->resources.erase(resource->handle);
}

void object_manager::close(const std::shared_ptr<user_allocation>& opening) {
  auto& memory = opening->memory;
  wait_for(*memory);
  {
    const std::lock_guard hold{base_.gpu};
    for (; opening->locks != 0; --opening->locks) base_.memory.unlock(memory);
  }
  bool is_last = false;
  {
    const std::lock_guard hold{mutex_};
    is_last = --memory->openings == 0 && opening->resource->share_handles == 0;
  }
  const bool destroys_first = is_last && base_.options.order == destroy_order::destroy_first;
  const std::span<const std::shared_ptr<allocation>> list{&memory, 1};
  if (destroys_first) destroy_driver_allocations(*opening->resource, list);
  close_in_driver(*opening);
  if (is_last && !destroys_first) destroy_driver_allocations(*opening->resource, list);
  const auto owner = opening->device;
  for (auto& [handle, resource] : owner->resources) std::erase(resource->openings, opening);
  forget_openings({&opening, 1});
}

void object_manager::destroy_driver_allocations(kernel_resource& resource,
                                                std::span<const std::shared_ptr<allocation>> list) {
  std::vector<HANDLE> handles;
  {
    const std::lock_guard hold{base_.gpu};
    for (const auto& one : list) base_.memory.remove(one);
  }
  for (const auto& one : list) handles.push_back(one->driver);
  DXGKARG_DESTROYALLOCATION arguments{};
  arguments.NumAllocations = static_cast<UINT>(handles.size());
  arguments.pAllocationList = handles.data();
  arguments.hResource = resource.driver;
  arguments.Flags.DestroyResource = list.size() == resource.allocations.size() ? 1 : 0;
  base_.windows.call(&table_type::DxgkDdiDestroyAllocation, base_.windows.context(),
                     static_cast<const DXGKARG_DESTROYALLOCATION*>(&arguments));
}

}  // namespace aerogpu::sim

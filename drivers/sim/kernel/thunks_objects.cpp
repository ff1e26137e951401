#include "drivers/sim/kernel/graphics.hpp"

#include <algorithm>
#include <utility>

namespace aerogpu::sim {

auto graphics::create_device(D3DKMT_HANDLE& device, bool is_system) -> NTSTATUS {
  auto made = std::make_unique<device_object>();
  made->process = this_thread().process;
  made->is_system = is_system;
  auto& kept = objects.add(objects.devices, std::move(made));
  DXGKARG_CREATEDEVICE arguments{};
  arguments.hDevice = reinterpret_cast<HANDLE>(std::uintptr_t{kept.handle});
  arguments.pInfo = &kept.info;
  const auto status =
      windows.call(&DRIVER_INITIALIZATION_DATA::DxgkDdiCreateDevice, windows.context(), &arguments);
  if (!NT_SUCCESS(status)) {
    objects.remove(objects.devices, kept.handle);
    return status;
  }
  kept.driver = arguments.hDevice;
  if (kept.info.DmaBufferSize == 0 || kept.info.AllocationListSize == 0) {
    stop(stop_code::video_dxgkrnl_fatal_error, {4, kept.info.DmaBufferSize, 0, 0},
         "CreateDevice leaves DXGK_DEVICEINFO unfilled: Windows would create the device for ever");
  }
  device = kept.handle;
  return status;
}

/// Takes contexts and openings with it, as the end of a process does.
auto graphics::destroy_device(D3DKMT_HANDLE device) -> NTSTATUS {
  auto* const found = find_device(device);
  if (found == nullptr) return STATUS_INVALID_HANDLE;
  scheduler.wait_idle();
  std::vector<D3DKMT_HANDLE> contexts;
  for (const auto& [handle, one] : objects.contexts) {
    if (one->device == found) contexts.push_back(handle);
  }
  for (const auto handle : contexts) static_cast<void>(destroy_context(handle));
  for (const auto handle :
       objects.openings_where([&](const opening& one) { return one.device == found; })) {
    static_cast<void>(destroy_allocation(handle));
  }
  const auto status =
      windows.call(&DRIVER_INITIALIZATION_DATA::DxgkDdiDestroyDevice, found->driver);
  objects.remove(objects.devices, device);
  return status;
}

auto graphics::create_context(D3DKMT_HANDLE device, D3DKMT_HANDLE& context,
                              const_bytes private_data) -> NTSTATUS {
  auto* const owner = find_device(device);
  if (owner == nullptr) return STATUS_INVALID_HANDLE;
  std::vector<std::byte> copy(private_data.begin(), private_data.end());
  DXGKARG_CREATECONTEXT arguments{};
  arguments.Flags.SystemContext = owner->is_system ? 1 : 0;
  arguments.pPrivateDriverData = copy.empty() ? nullptr : copy.data();
  arguments.PrivateDriverDataSize = static_cast<UINT>(copy.size());
  auto made = std::make_unique<context_object>();
  made->device = owner;
  made->is_system = owner->is_system;
  auto& kept = objects.add(objects.contexts, std::move(made));
  arguments.hContext = reinterpret_cast<HANDLE>(std::uintptr_t{kept.handle});
  const auto status =
      windows.call(&DRIVER_INITIALIZATION_DATA::DxgkDdiCreateContext, owner->driver, &arguments);
  if (!NT_SUCCESS(status)) {
    objects.remove(objects.contexts, kept.handle);
    return status;
  }
  kept.driver = arguments.hContext;
  kept.info = arguments.ContextInfo;
  context = kept.handle;
  return status;
}

auto graphics::destroy_context(D3DKMT_HANDLE context) -> NTSTATUS {
  auto* const found = objects.find(objects.contexts, context);
  if (found == nullptr) return STATUS_INVALID_HANDLE;
  scheduler.wait(found->last_fence);
  const auto status =
      windows.call(&DRIVER_INITIALIZATION_DATA::DxgkDdiDestroyContext, found->driver);
  objects.remove(objects.contexts, context);
  return status;
}

auto graphics::create_allocation(D3DKMT_HANDLE device, std::span<allocation_request> requests,
                                 D3DKMT_HANDLE* global) -> NTSTATUS {
  auto* const owner = find_device(device);
  if (owner == nullptr) return STATUS_INVALID_HANDLE;
  std::vector<std::vector<std::byte>> kernel_copies;
  std::vector<DXGK_ALLOCATIONINFO> infos(requests.size());
  for (const auto& one : requests) kernel_copies.push_back(one.private_data);
  for (std::size_t i = 0; i < infos.size(); ++i) {
    auto& copy = kernel_copies[i];
    infos[i].pPrivateDriverData = copy.empty() ? nullptr : copy.data();
    infos[i].PrivateDriverDataSize = static_cast<UINT>(copy.size());
  }
  DXGKARG_CREATEALLOCATION arguments{};
  arguments.NumAllocations = static_cast<UINT>(infos.size());
  arguments.pAllocationInfo = infos.data();
  auto status = windows.call(&DRIVER_INITIALIZATION_DATA::DxgkDdiCreateAllocation,
                             windows.context(), &arguments);
  if (!NT_SUCCESS(status)) return status;
  std::vector<std::shared_ptr<allocation>> made;
  for (std::size_t i = 0; i < infos.size(); ++i) {
    auto one = std::make_shared<allocation>();
    const auto& info = infos[i];
    one->driver = info.hAllocation;
    one->private_data = config.discards_create_edits ? requests[i].private_data : kernel_copies[i];
    one->size_bytes = pages_of(info.Size) * page_bytes;
    one->alignment = info.Alignment;
    one->segments = info.SupportedReadSegmentSet & info.SupportedWriteSegmentSet;
    one->is_cpu_visible = info.Flags.CpuVisible != 0;
    one->is_shared = global != nullptr;
    if (info.hAllocation == nullptr || info.Size == 0 || one->segments == 0 ||
        info.AllocationPriority == 0) {
      stop(stop_code::video_memory_management_internal, {i, info.Size, one->segments, 0},
           "CreateAllocation leaves an element without handle, size, segments or priority");
    }
    memory.add(one);
    made.push_back(std::move(one));
  }
  status = open_all(*owner, made, requests, true);
  if (!NT_SUCCESS(status)) {
    for (const auto& one : made) destroy_driver_allocation(one);
    return status;
  }
  if (global != nullptr) {
    auto resource = std::make_unique<shared_resource>();
    resource->allocations.assign(made.begin(), made.end());
    *global = objects.add(objects.resources, std::move(resource)).handle;
  }
  return status;
}

/// Openings of one device: all of them, or none. The bytes of a creation become the allocation's.
auto graphics::open_all(device_object& device, std::span<const std::shared_ptr<allocation>> list,
                        std::span<allocation_request> requests, bool is_creation) -> NTSTATUS {
  std::vector<opening*> opened;
  std::vector<DXGK_OPENALLOCATIONINFO> infos(list.size());
  std::vector<std::vector<std::byte>> copies;
  for (const auto& one : list) copies.push_back(one->private_data);
  for (std::size_t i = 0; i < list.size(); ++i) {
    auto made = std::make_unique<opening>();
    made->device = &device;
    made->of = list[i];
    opened.push_back(&objects.add(objects.openings, std::move(made)));
    infos[i].hAllocation = opened.back()->handle;
    infos[i].pPrivateDriverData = copies[i].empty() ? nullptr : copies[i].data();
    infos[i].PrivateDriverDataSize = static_cast<UINT>(copies[i].size());
  }
  DXGKARG_OPENALLOCATION arguments{};
  arguments.NumAllocations = static_cast<UINT>(infos.size());
  arguments.pOpenAllocation = infos.data();
  arguments.Flags.Create = is_creation ? 1 : 0;
  const auto status =
      windows.call(&DRIVER_INITIALIZATION_DATA::DxgkDdiOpenAllocation, device.driver,
                   static_cast<const DXGKARG_OPENALLOCATION*>(&arguments));
  for (std::size_t i = 0; i < list.size(); ++i) {
    if (!NT_SUCCESS(status)) {
      objects.remove(objects.openings, opened[i]->handle);
      continue;
    }
    opened[i]->driver = infos[i].hDeviceSpecificAllocation;
    ++list[i]->openings;
    if (is_creation) list[i]->private_data = copies[i];
    requests[i].private_data = copies[i];
    requests[i].handle = opened[i]->handle;
  }
  return status;
}

auto graphics::create_standard(D3DKMT_HANDLE device,
                               DXGKARG_GETSTANDARDALLOCATIONDRIVERDATA arguments,
                               allocation_request& made, D3DKMT_HANDLE* global) -> NTSTATUS {
  std::vector<std::byte> resource;
  for (int pass = 0; pass < 2; ++pass) {
    const auto status =
        windows.call(&DRIVER_INITIALIZATION_DATA::DxgkDdiGetStandardAllocationDriverData,
                     windows.context(), &arguments);
    if (!NT_SUCCESS(status)) return status;
    made.private_data.resize(arguments.AllocationPrivateDriverDataSize);
    resource.resize(arguments.ResourcePrivateDriverDataSize);
    arguments.pAllocationPrivateDriverData =
        made.private_data.empty() ? nullptr : made.private_data.data();
    arguments.pResourcePrivateDriverData = resource.empty() ? nullptr : resource.data();
  }
  return create_allocation(device, {&made, 1}, global);
}

auto graphics::open_resource(D3DKMT_HANDLE device, D3DKMT_HANDLE global,
                             std::vector<allocation_request>& opened) -> NTSTATUS {
  auto* const owner = find_device(device);
  auto* const resource = objects.find(objects.resources, global);
  if (owner == nullptr || resource == nullptr) return STATUS_INVALID_HANDLE;
  std::vector<std::shared_ptr<allocation>> list;
  for (const auto& weak : resource->allocations) {
    auto one = weak.lock();
    if (one == nullptr || one->openings == 0) return STATUS_INVALID_HANDLE;
    list.push_back(std::move(one));
  }
  opened.assign(list.size(), {});
  return open_all(*owner, list, opened, false);
}

void graphics::close(opening& one) {
  const DXGKARG_CLOSEALLOCATION arguments{1, &one.driver};
  windows.call(&DRIVER_INITIALIZATION_DATA::DxgkDdiCloseAllocation, one.device->driver, &arguments);
}

void graphics::destroy_driver_allocation(const std::shared_ptr<allocation>& one) {
  memory.remove(one);
  const DXGKARG_DESTROYALLOCATION arguments{1, &one->driver, nullptr, {}};
  windows.call(&DRIVER_INITIALIZATION_DATA::DxgkDdiDestroyAllocation, windows.context(),
               &arguments);
}

auto graphics::destroy_allocation(D3DKMT_HANDLE handle) -> NTSTATUS {
  auto* const found = objects.find(objects.openings, handle);
  if (found == nullptr) return STATUS_INVALID_HANDLE;
  const auto one = found->of;
  scheduler.wait(one->last_fence);
  {
    const std::lock_guard hold{flip_mutex_};
    if (shown_ == one && one->openings == 1) {
      --one->pins;
      shown_.reset();
    }
  }
  const bool is_last = --one->openings == 0;
  if (is_last && config.destroys_before_close) destroy_driver_allocation(one);
  close(*found);
  objects.remove(objects.openings, handle);
  if (is_last && !config.destroys_before_close) destroy_driver_allocation(one);
  return STATUS_SUCCESS;
}

auto graphics::lock(D3DKMT_HANDLE handle) -> std::byte* {
  const auto one = find_allocation(handle);
  return one != nullptr ? memory.lock(one) : nullptr;
}

void graphics::unlock(D3DKMT_HANDLE handle) {
  const auto one = find_allocation(handle);
  if (one != nullptr) memory.unlock(one);
}

auto graphics::find_allocation(D3DKMT_HANDLE handle) -> std::shared_ptr<allocation> {
  auto* const found = objects.find(objects.openings, handle);
  return found != nullptr ? found->of : nullptr;
}

auto graphics::find_device(D3DKMT_HANDLE handle) -> device_object* {
  return objects.find(objects.devices, handle);
}

}  // namespace aerogpu::sim

// SPDX-License-Identifier: MIT
/// \file Processes, devices and contexts.
#include "drivers/sim/kernel/objects/object_manager.hpp"

#include <algorithm>
#include <string>

namespace aerogpu::sim {

namespace {

using table_type = DRIVER_INITIALIZATION_DATA;

template <class T>
[[nodiscard]] auto user_list(pc& machine, std::uint32_t count) -> T* {
  return reinterpret_cast<T*>(machine.user.allocate(count * sizeof(T)));
}

void make_spaces(pc& machine, user_context& context) {
  for (auto& space : context.spaces) {
    space.commands = machine.user.allocate(context.info.DmaBufferSize);
    space.allocations = user_list<D3DDDI_ALLOCATIONLIST>(machine, context.info.AllocationListSize);
    space.patches =
        user_list<D3DDDI_PATCHLOCATIONLIST>(machine, context.info.PatchLocationListSize);
  }
}

void free_spaces(pc& machine, user_context& context) {
  for (auto& space : context.spaces) {
    machine.user.release(space.commands);
    machine.user.release(reinterpret_cast<std::byte*>(space.allocations));
    machine.user.release(reinterpret_cast<std::byte*>(space.patches));
  }
}

/// What dxgkrnl could not work with.
[[nodiscard]] auto is_usable(const DXGK_CONTEXTINFO& info, bool is_gdi) -> bool {
  constexpr UINT least_gdi_entries = 256;
  return info.DmaBufferSize != 0 && info.AllocationListSize != 0 &&
         info.PatchLocationListSize != 0 && info.DmaBufferSegmentSet == 0 &&
         (!is_gdi || info.AllocationListSize >= least_gdi_entries);
}

/// What CreateDevice left where flags and pInfo share their storage.
void check_device_answer(const user_device& device, const DXGKARG_CREATEDEVICE& answer) {
  const bool was_asked_for_info = !device.is_system;
  if (!was_asked_for_info && answer.pInfo != nullptr) {
    stop(stop_code::video_dxgkrnl_fatal_error, {5, answer.Flags.Value, 0, 0},
         "CreateDevice of a driver with contexts answers a pInfo: Windows would read it");
  }
  if (was_asked_for_info &&
      (device.info.DmaBufferSize == 0 || device.info.AllocationListSize == 0)) {
    stop(stop_code::video_dxgkrnl_fatal_error, {3, device.info.DmaBufferSize, 0, 0},
         "CreateDevice leaves DXGK_DEVICEINFO unfilled: Windows would create the device for ever");
  }
}

}  // namespace

object_manager::object_manager(services& base) : base_(base) {
  base_.windows.dxgk.find_handle = [this](const DXGKARGCB_GETHANDLEDATA& what) {
    return find_driver_object(what);
  };
}

object_manager::~object_manager() {
  base_.windows.dxgk.find_handle = nullptr;
}

auto object_manager::find_driver_object(const DXGKARGCB_GETHANDLEDATA& what) -> void* {
  if (what.Type != DXGK_HANDLE_ALLOCATION) return nullptr;
  const auto opening =
      process_of(this_thread().process).handles.find<user_allocation>(what.hObject);
  if (opening == nullptr) return nullptr;
  return what.Flags.DeviceSpecific != 0 ? opening->driver : opening->memory->driver;
}

auto object_manager::process_of(std::uint32_t id) -> process& {
  const std::lock_guard hold{mutex_};
  auto& slot = processes_[id];
  if (slot == nullptr) {
    slot = std::make_unique<process>();
    slot->id = id;
  }
  return *slot;
}

void object_manager::terminate(std::uint32_t id) {
  auto& dying = process_of(id);
  const process_scope here{id};
  const std::lock_guard hold{dying.mutex};
  while (!dying.devices.empty()) destroy_device(dying.devices.begin()->second);
  while (!dying.shares.empty()) close_share(dying, dying.shares.begin()->first);
  dying.handles.clear();
}

void object_manager::terminate_all() {
  std::vector<std::uint32_t> ids;
  {
    const std::lock_guard hold{mutex_};
    for (const auto& [id, one] : processes_) {
      if (id != 0) ids.push_back(id);
    }
  }
  for (const auto id : ids) terminate(id);
}

auto object_manager::create_device(process& owner, bool is_system,
                                   std::shared_ptr<user_device>& made) -> NTSTATUS {
  auto device = std::make_shared<user_device>();
  device->owner = &owner;
  device->is_system = is_system;
  owner.handles.add(device);
  DXGKARG_CREATEDEVICE arguments{};
  arguments.hDevice = device.get();
  // Both of what drivers are told (kmd.md 2.4): flags, as documented, and what Windows 7 was seen
  // to pass.
  if (is_system)
    arguments.Flags.SystemDevice = 1;
  else
    arguments.pInfo = &device->info;
  const auto status =
      base_.windows.call(&table_type::DxgkDdiCreateDevice, base_.windows.context(), &arguments);
  if (!NT_SUCCESS(status)) {
    owner.handles.remove(device->handle);
    return status;
  }
  check_device_answer(*device, arguments);
  device->driver = arguments.hDevice;
  owner.devices[device->handle] = device;
  made = std::move(device);
  return STATUS_SUCCESS;
}

void object_manager::destroy_device(const std::shared_ptr<user_device>& device) {
  if (base_.on_device_end) base_.on_device_end(*device);
  static_cast<void>(wait_idle(*device));
  // Windows promises no order between contexts and allocations.
  const bool contexts_first = base_.windows.machine.random() % 2 == 0;
  const auto destroy_contexts = [&] {
    while (!device->contexts.empty()) destroy_context(device->contexts.begin()->second);
  };
  if (contexts_first) destroy_contexts();
  if (device->desktop != nullptr) close(device->desktop);
  device->desktop = nullptr;
  while (!device->resources.empty()) close(device->resources.begin()->second);
  while (!device->allocations.empty()) close(device->allocations.begin()->second);
  destroy_contexts();
  base_.windows.call(&table_type::DxgkDdiDestroyDevice, device->driver);
  device->owner->handles.remove(device->handle);
  device->owner->devices.erase(device->handle);
}

auto object_manager::create_context(const std::shared_ptr<user_device>& device,
                                    const D3DKMT_CREATECONTEXT& wanted,
                                    std::shared_ptr<user_context>& made) -> NTSTATUS {
  auto& machine = base_.windows.machine;
  auto data = capture(machine, wanted.pPrivateDriverData, wanted.PrivateDriverDataSize);
  if (!data) return STATUS_INVALID_USER_BUFFER;
  auto context = std::make_shared<user_context>();
  context->device = device.get();
  context->is_null_rendering = wanted.Flags.NullRendering != 0;
  DXGKARG_CREATECONTEXT arguments{};
  arguments.hContext = context.get();
  arguments.NodeOrdinal = wanted.NodeOrdinal;
  arguments.EngineAffinity = wanted.EngineAffinity;
  arguments.Flags.SystemContext = device->is_system ? 1 : 0;
  arguments.pPrivateDriverData = data->empty() ? nullptr : data->data();
  arguments.PrivateDriverDataSize = static_cast<UINT>(data->size());
  const auto status =
      base_.windows.call(&table_type::DxgkDdiCreateContext, device->driver, &arguments);
  if (!NT_SUCCESS(status)) return status;
  if (!is_usable(arguments.ContextInfo, device->is_system)) {
    stop(stop_code::video_dxgkrnl_fatal_error, {4, arguments.ContextInfo.AllocationListSize, 0, 0},
         "CreateContext reports sizes that dxgkrnl cannot use");
  }
  give_back(*data, wanted.pPrivateDriverData);
  context->driver = arguments.hContext;
  context->info = arguments.ContextInfo;
  context->dma_buffer_bytes = arguments.ContextInfo.DmaBufferSize;
  make_spaces(machine, *context);
  device->owner->handles.add(context);
  device->contexts[context->handle] = context;
  made = std::move(context);
  return STATUS_SUCCESS;
}

void object_manager::destroy_context(const std::shared_ptr<user_context>& context) {
  {
    const std::lock_guard hold{base_.gpu};
    base_.scheduler.wait(context->last_fence);
  }
  base_.windows.call(&table_type::DxgkDdiDestroyContext, context->driver);
  free_spaces(base_.windows.machine, *context);
  context->device->owner->handles.remove(context->handle);
  context->device->contexts.erase(context->handle);
}

auto object_manager::wait_idle(user_device& device) -> bool {
  for (const auto& [handle, context] : device.contexts) {
    const std::lock_guard hold{base_.gpu};
    base_.scheduler.wait(context->last_fence);
  }
  return !device.is_lost.load();
}

void object_manager::lose_devices() {
  for (const auto& one : devices()) {
    if (!one->is_system) one->is_lost.store(true);
  }
}

auto object_manager::devices() const -> std::vector<std::shared_ptr<user_device>> {
  std::vector<std::shared_ptr<user_device>> out;
  const std::lock_guard hold{mutex_};
  for (const auto& [id, one] : processes_) {
    for (const auto& [handle, device] : one->devices) out.push_back(device);
  }
  return out;
}

auto object_manager::leaks() const -> std::string {
  std::string lines;
  const std::lock_guard hold{mutex_};
  for (const auto& [id, one] : processes_) {
    if (one->handles.size() == 0 && one->shares.empty()) continue;
    lines += "process " + std::to_string(id) + ": " + std::to_string(one->handles.size()) +
             " handles, " + std::to_string(one->shares.size()) + " share handles\n";
  }
  for (const auto& [handle, weak] : global_shares_) {
    if (!weak.expired()) lines += "a shared resource " + std::to_string(handle) + '\n';
  }
  return lines;
}

}  // namespace aerogpu::sim

// SPDX-License-Identifier: MIT
/// \file Thunks: adapters, devices, contexts.
#include "drivers/sim/kernel/thunks/thunk_caller.hpp"

#include <cstring>

using namespace aerogpu::sim;

namespace {

using table_type = DRIVER_INITIALIZATION_DATA;

/// The driver's own answer, through a kernel copy.
[[nodiscard]] auto query_private(const thunk_caller& caller, const D3DKMT_QUERYADAPTERINFO& asked)
    -> NTSTATUS {
  auto data = capture(caller.machine(), asked.pPrivateDriverData, asked.PrivateDriverDataSize);
  if (!data || data->empty()) return STATUS_INVALID_PARAMETER;
  const DXGKARG_QUERYADAPTERINFO query{DXGKQAITYPE_UMDRIVERPRIVATE, nullptr, 0, data->data(),
                                       asked.PrivateDriverDataSize};
  auto& kernel = caller.host().machine_kernel;
  const auto status = kernel.call(&table_type::DxgkDdiQueryAdapterInfo, kernel.context(), &query);
  if (NT_SUCCESS(status)) give_back(*data, asked.pPrivateDriverData);
  return status;
}

template <class Answer>
[[nodiscard]] auto answer(const D3DKMT_QUERYADAPTERINFO& asked, const Answer& made) -> NTSTATUS {
  if (asked.pPrivateDriverData == nullptr || asked.PrivateDriverDataSize < sizeof made)
    return STATUS_INVALID_PARAMETER;
  std::memcpy(asked.pPrivateDriverData, &made, sizeof made);
  return STATUS_SUCCESS;
}

[[nodiscard]] auto segment_sizes(const thunk_caller& caller) -> D3DKMT_SEGMENTSIZEINFO {
  D3DKMT_SEGMENTSIZEINFO sizes{};
  for (const auto& one : caller.session().memory.segments()) {
    (one.is_aperture ? sizes.SharedSystemMemorySize : sizes.DedicatedVideoMemorySize) +=
        one.size_bytes;
  }
  return sizes;
}

void set_spaces(const user_context& context, D3DKMT_CREATECONTEXT& out) {
  const auto& space = context.spaces[context.current_space];
  out.pCommandBuffer = space.commands;
  out.CommandBufferSize = context.info.DmaBufferSize;
  out.pAllocationList = space.allocations;
  out.AllocationListSize = context.info.AllocationListSize;
  out.pPatchLocationList = space.patches;
  out.PatchLocationListSize = context.info.PatchLocationListSize;
}

}  // namespace

auto APIENTRY D3DKMTOpenAdapterFromGdiDisplayName(D3DKMT_OPENADAPTERFROMGDIDISPLAYNAME* arguments)
    -> NTSTATUS {
  thunk_caller caller;
  if (!caller.is_ready()) return STATUS_DEVICE_NOT_READY;
  if (arguments == nullptr) return STATUS_INVALID_PARAMETER;
  const auto adapter = std::make_shared<adapter_reference>();
  arguments->hAdapter = caller.process().handles.add(adapter);
  arguments->AdapterLuid = {1, 0};
  arguments->VidPnSourceId = 0;
  return STATUS_SUCCESS;
}

auto APIENTRY D3DKMTCloseAdapter(const D3DKMT_CLOSEADAPTER* arguments) -> NTSTATUS {
  thunk_caller caller;
  if (!caller.is_ready()) return STATUS_DEVICE_NOT_READY;
  if (arguments == nullptr || caller.find<adapter_reference>(arguments->hAdapter) == nullptr)
    return STATUS_INVALID_PARAMETER;
  caller.process().handles.remove(arguments->hAdapter);
  return STATUS_SUCCESS;
}

auto APIENTRY D3DKMTQueryAdapterInfo(const D3DKMT_QUERYADAPTERINFO* arguments) -> NTSTATUS {
  thunk_caller caller;
  if (!caller.is_ready()) return STATUS_DEVICE_NOT_READY;
  if (arguments == nullptr || caller.find<adapter_reference>(arguments->hAdapter) == nullptr)
    return STATUS_INVALID_PARAMETER;
  switch (arguments->Type) {
    case KMTQAITYPE_UMDRIVERPRIVATE: return query_private(caller, *arguments);
    case KMTQAITYPE_GETSEGMENTSIZE: return answer(*arguments, segment_sizes(caller));
    case KMTQAITYPE_FLIPQUEUEINFO: {
      D3DKMT_FLIPQUEUEINFO flips{};
      flips.MaxHardwareFlipQueueLength = caller.host().caps().MaxQueuedFlipOnVSync;
      flips.MaxSoftwareFlipQueueLength = present_account::default_limit;
      flips.FlipFlags.FlipInterval = caller.host().caps().FlipCaps.FlipInterval;
      return answer(*arguments, flips);
    }
  }
  return STATUS_NOT_SUPPORTED;
}

auto APIENTRY D3DKMTEscape(const D3DKMT_ESCAPE* arguments) -> NTSTATUS {
  thunk_caller caller;
  if (!caller.is_ready()) return STATUS_DEVICE_NOT_READY;
  if (arguments == nullptr || arguments->Type != D3DKMT_ESCAPE_DRIVERPRIVATE ||
      caller.find<adapter_reference>(arguments->hAdapter) == nullptr) {
    return STATUS_INVALID_PARAMETER;
  }
  auto data =
      capture(caller.machine(), arguments->pPrivateDriverData, arguments->PrivateDriverDataSize);
  if (!data) return STATUS_INVALID_PARAMETER;
  DXGKARG_ESCAPE escape{};
  if (arguments->hDevice != 0) {
    const auto device = caller.find<user_device>(arguments->hDevice);
    if (device == nullptr) return STATUS_INVALID_HANDLE;
    escape.hDevice = device->driver;
  }
  if (arguments->hContext != 0) {
    const auto context = caller.find<user_context>(arguments->hContext);
    if (context == nullptr) return STATUS_INVALID_HANDLE;
    escape.hContext = context->driver;
  }
  escape.Flags = arguments->Flags;
  escape.pPrivateDriverData = data->empty() ? nullptr : data->data();
  escape.PrivateDriverDataSize = arguments->PrivateDriverDataSize;
  auto& base = caller.session().base;
  std::unique_lock idle{base.gpu, std::defer_lock};
  if (escape.Flags.HardwareAccess != 0) {
    idle.lock();
    base.scheduler.wait_idle();
  }
  auto& kernel = caller.host().machine_kernel;
  const auto status = kernel.call(&table_type::DxgkDdiEscape, kernel.context(),
                                  static_cast<const DXGKARG_ESCAPE*>(&escape));
  if (NT_SUCCESS(status)) give_back(*data, arguments->pPrivateDriverData);
  return status;
}

auto APIENTRY D3DKMTCreateDevice(D3DKMT_CREATEDEVICE* arguments) -> NTSTATUS {
  thunk_caller caller;
  if (!caller.is_ready()) return STATUS_DEVICE_NOT_READY;
  if (arguments == nullptr || caller.find<adapter_reference>(arguments->hAdapter) == nullptr)
    return STATUS_INVALID_PARAMETER;
  std::shared_ptr<user_device> made;
  const auto status = caller.session().objects.create_device(caller.process(), false, made);
  if (NT_SUCCESS(status)) arguments->hDevice = made->handle;
  return status;
}

auto APIENTRY D3DKMTDestroyDevice(const D3DKMT_DESTROYDEVICE* arguments) -> NTSTATUS {
  thunk_caller caller;
  if (!caller.is_ready()) return STATUS_DEVICE_NOT_READY;
  if (arguments == nullptr) return STATUS_INVALID_PARAMETER;
  const auto device = caller.find<user_device>(arguments->hDevice);
  if (device == nullptr) return STATUS_INVALID_HANDLE;
  caller.session().objects.destroy_device(device);
  return STATUS_SUCCESS;
}

auto APIENTRY D3DKMTCreateContext(D3DKMT_CREATECONTEXT* arguments) -> NTSTATUS {
  thunk_caller caller;
  if (!caller.is_ready()) return STATUS_DEVICE_NOT_READY;
  if (arguments == nullptr) return STATUS_INVALID_PARAMETER;
  const auto [device, bad] = find_live_device(caller, arguments->hDevice);
  if (device == nullptr) return bad;
  std::shared_ptr<user_context> made;
  const auto status = caller.session().objects.create_context(device, *arguments, made);
  if (!NT_SUCCESS(status)) return status;
  arguments->hContext = made->handle;
  set_spaces(*made, *arguments);
  return STATUS_SUCCESS;
}

auto APIENTRY D3DKMTDestroyContext(const D3DKMT_DESTROYCONTEXT* arguments) -> NTSTATUS {
  thunk_caller caller;
  if (!caller.is_ready()) return STATUS_DEVICE_NOT_READY;
  if (arguments == nullptr) return STATUS_INVALID_PARAMETER;
  const auto context = caller.find<user_context>(arguments->hContext);
  if (context == nullptr) return STATUS_INVALID_HANDLE;
  caller.session().objects.destroy_context(context);
  return STATUS_SUCCESS;
}

auto APIENTRY D3DKMTGetDeviceState(D3DKMT_GETDEVICESTATE* arguments) -> NTSTATUS {
  thunk_caller caller;
  if (!caller.is_ready()) return STATUS_DEVICE_NOT_READY;
  if (arguments == nullptr) return STATUS_INVALID_PARAMETER;
  const auto device = caller.find<user_device>(arguments->hDevice);
  if (device == nullptr) return STATUS_INVALID_HANDLE;
  switch (arguments->StateType) {
    case D3DKMT_DEVICESTATE_EXECUTION:
      arguments->ExecutionState =
          device->is_lost.load() ? D3DKMT_DEVICEEXECUTION_RESET : D3DKMT_DEVICEEXECUTION_ACTIVE;
      return STATUS_SUCCESS;
    case D3DKMT_DEVICESTATE_PRESENT: {
      if (arguments->PresentState.VidPnSourceId != 0) return STATUS_INVALID_PARAMETER;
      const auto seen = device->presents->statistics();
      auto& out = arguments->PresentState.PresentStats;
      out = {};
      out.PresentCount = seen.present_id;
      out.PresentRefreshCount = seen.present_refresh;
      out.SyncRefreshCount = seen.sync_refresh;
      out.SyncQPCTime.QuadPart = static_cast<LONGLONG>(seen.sync_time_ns / 100);
      return STATUS_SUCCESS;
    }
  }
  return STATUS_INVALID_PARAMETER;
}

auto APIENTRY D3DKMTWaitForIdle(const D3DKMT_WAITFORIDLE* arguments) -> NTSTATUS {
  thunk_caller caller;
  if (!caller.is_ready()) return STATUS_DEVICE_NOT_READY;
  if (arguments == nullptr) return STATUS_INVALID_PARAMETER;
  const auto [device, bad] = find_live_device(caller, arguments->hDevice);
  if (device == nullptr) return bad;
  return caller.session().objects.wait_idle(*device) ? STATUS_SUCCESS : STATUS_DEVICE_REMOVED;
}

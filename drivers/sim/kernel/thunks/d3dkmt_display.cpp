// SPDX-License-Identifier: MIT
/// \file Thunks: modes, the source's owner, the vertical blank.
#include "drivers/sim/kernel/thunks/thunk_caller.hpp"

using namespace aerogpu::sim;

namespace {

using table_type = DRIVER_INITIALIZATION_DATA;

/// A monitor that is on has a vertical blank within this time.
constexpr std::uint64_t longest_refresh_ns = 1'000'000'000;

}  // namespace

auto APIENTRY D3DKMTGetDisplayModeList(D3DKMT_GETDISPLAYMODELIST* arguments) -> NTSTATUS {
  thunk_caller caller;
  if (!caller.is_ready()) return STATUS_DEVICE_NOT_READY;
  if (arguments == nullptr || arguments->VidPnSourceId != 0 ||
      caller.find<adapter_reference>(arguments->hAdapter) == nullptr) {
    return STATUS_INVALID_PARAMETER;
  }
  const auto modes = caller.session().display.modes();
  const auto room = arguments->ModeCount;
  arguments->ModeCount = static_cast<UINT>(modes.size());
  if (arguments->pModeList == nullptr) return STATUS_SUCCESS;
  if (room < modes.size()) return STATUS_BUFFER_TOO_SMALL;
  for (std::size_t i = 0; i < modes.size(); ++i) {
    constexpr UINT hertz = 60;
    arguments->pModeList[i] = {modes[i].width,
                               modes[i].height,
                               modes[i].format,
                               hertz,
                               {hertz, 1},
                               D3DDDI_VSSLO_PROGRESSIVE,
                               D3DDDI_ROTATION_IDENTITY,
                               0,
                               0};
  }
  return STATUS_SUCCESS;
}

auto APIENTRY D3DKMTSetDisplayMode(const D3DKMT_SETDISPLAYMODE* arguments) -> NTSTATUS {
  thunk_caller caller;
  if (!caller.is_ready()) return STATUS_DEVICE_NOT_READY;
  if (arguments == nullptr) return STATUS_INVALID_PARAMETER;
  const auto [device, bad] = find_live_device(caller, arguments->hDevice);
  if (device == nullptr) return bad;
  const auto opening = find_opening(caller, *device, arguments->hPrimaryAllocation);
  if (opening == nullptr) return STATUS_GRAPHICS_INVALID_ALLOCATION_HANDLE;
  auto& base = caller.session().base;
  const std::lock_guard hold{base.gpu};
  const auto& owner = caller.host().owner;
  if (owner.device != device.get() || owner.type != D3DKMT_VIDPNSOURCEOWNER_EXCLUSIVE)
    return STATUS_ACCESS_DENIED;
  DXGKARG_DESCRIBEALLOCATION described{};
  described.hAllocation = opening->memory->driver;
  const auto status =
      base.windows.call(&table_type::DxgkDdiDescribeAllocation, base.windows.context(), &described);
  if (!NT_SUCCESS(status)) return status;
  auto& display = caller.session().display;
  if (!display.offers_rate(described.RefreshRate))
    return STATUS_GRAPHICS_VIDPN_MODALITY_NOT_SUPPORTED;
  return display.set_mode({described.Width, described.Height, described.Format}, opening->memory);
}

auto APIENTRY D3DKMTGetSharedPrimaryHandle(D3DKMT_GETSHAREDPRIMARYHANDLE* arguments) -> NTSTATUS {
  thunk_caller caller;
  if (!caller.is_ready()) return STATUS_DEVICE_NOT_READY;
  if (arguments == nullptr || arguments->VidPnSourceId != 0 ||
      caller.find<adapter_reference>(arguments->hAdapter) == nullptr) {
    return STATUS_INVALID_PARAMETER;
  }
  const auto& primary = caller.session().display.primary().resource;
  if (primary == nullptr) return STATUS_DEVICE_NOT_READY;
  arguments->hSharedPrimary = caller.session().objects.share(caller.process(), primary);
  return STATUS_SUCCESS;
}

auto APIENTRY D3DKMTSetVidPnSourceOwner(const D3DKMT_SETVIDPNSOURCEOWNER* arguments) -> NTSTATUS {
  thunk_caller caller;
  if (!caller.is_ready()) return STATUS_DEVICE_NOT_READY;
  if (arguments == nullptr) return STATUS_INVALID_PARAMETER;
  const auto device = caller.find<user_device>(arguments->hDevice);
  if (device == nullptr) return STATUS_INVALID_HANDLE;
  const std::lock_guard hold{caller.session().base.gpu};
  auto& owner = caller.host().owner;
  if (arguments->VidPnSourceCount == 0) return caller.host().release_source(*device);
  if (device->is_lost.load()) return STATUS_DEVICE_REMOVED;
  if (arguments->VidPnSourceCount != 1 || arguments->pType == nullptr ||
      arguments->pVidPnSourceId == nullptr || *arguments->pVidPnSourceId != 0) {
    return STATUS_INVALID_PARAMETER;
  }
  if (owner.device != nullptr && owner.device != device.get())
    return STATUS_GRAPHICS_VIDPN_SOURCE_IN_USE;
  if (*arguments->pType == D3DKMT_VIDPNSOURCEOWNER_UNOWNED)
    return caller.host().release_source(*device);
  owner = {device.get(), *arguments->pType};
  return STATUS_SUCCESS;
}

auto APIENTRY D3DKMTWaitForVerticalBlankEvent(const D3DKMT_WAITFORVERTICALBLANKEVENT* arguments)
    -> NTSTATUS {
  thunk_caller caller;
  if (!caller.is_ready()) return STATUS_DEVICE_NOT_READY;
  if (arguments == nullptr || arguments->VidPnSourceId != 0 ||
      caller.find<adapter_reference>(arguments->hAdapter) == nullptr) {
    return STATUS_INVALID_PARAMETER;
  }
  auto& flips = caller.session().flips;
  flips.add_waiter();
  const auto before = flips.refreshes();
  const bool came =
      caller.wait_until([&] { return flips.refreshes() != before; }, longest_refresh_ns);
  flips.remove_waiter();
  return came ? STATUS_SUCCESS : STATUS_DEVICE_NOT_READY;
}

auto APIENTRY D3DKMTGetScanLine(D3DKMT_GETSCANLINE* arguments) -> NTSTATUS {
  thunk_caller caller;
  if (!caller.is_ready()) return STATUS_DEVICE_NOT_READY;
  if (arguments == nullptr || arguments->VidPnSourceId != 0 ||
      caller.find<adapter_reference>(arguments->hAdapter) == nullptr) {
    return STATUS_INVALID_PARAMETER;
  }
  DXGKARG_GETSCANLINE asked{};
  auto& kernel = caller.host().machine_kernel;
  const auto status = kernel.call(&table_type::DxgkDdiGetScanLine, kernel.context(), &asked);
  if (!NT_SUCCESS(status)) return status;
  arguments->InVerticalBlank = asked.InVerticalBlank;
  arguments->ScanLine = asked.ScanLine;
  return STATUS_SUCCESS;
}

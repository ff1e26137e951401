// SPDX-License-Identifier: MIT
/// \file Presents, modes and the end of a device of profile M as calls of profile U.
#include "drivers/sim/runtime/portable/device.hpp"

namespace aerogpu::sim {
namespace {

using driver = u::D3D9DDI_DEVICEFUNCS;

/// The driver's submission of a present ends in the Present thunk, for this resource. A window's
/// comes through Present, a whole screen's through PresentEx.
auto present(portable_device& on, const D3DDDIARG_PRESENT* a) -> HRESULT {
  const auto shown = to_portable(a->hSrcResource, a->SrcSubResourceIndex);
  if (shown.of == nullptr || shown.index != 0 || a->hDstResource != nullptr)
    return D3DERR_NOTAVAILABLE;
  const auto& details = on.runtime.details();
  const bool is_immediate = a->FlipInterval == D3DDDI_FLIPINTERVAL_IMMEDIATE;
  const auto interval =
      is_immediate ? D3DPRESENT_INTERVAL_IMMEDIATE : static_cast<std::uint32_t>(a->FlipInterval);
  const auto flags = details.may_wait ? 0 : D3DPRESENT_DONOTWAIT;
  const auto source = shown.of->driver;
  on.presenting = shown.of;
  const auto result = a->Flags.Flip != 0 ? on.send<&driver::pfnPresentEx>(u::D3D9DDIARG_PRESENTEX{
                                               source, details.window, interval, flags})
                                         : on.send<&driver::pfnPresent>(u::D3D9DDIARG_PRESENT{
                                               source, {}, details.window, interval, flags});
  on.presenting = nullptr;
  return result;
}

/// No entry of the driver's: the runtime shows what it had made.
auto set_display_mode(portable_device& on, const D3DDDIARG_SETDISPLAYMODE* a) -> HRESULT {
  const auto primary = to_portable(a->hResource, a->SubResourceIndex);
  if (primary.index != 0) return D3DERR_NOTAVAILABLE;
  D3DDDICB_SETDISPLAYMODE wanted{primary.of->allocation, 0};
  return on.runtime.on_set_display_mode(wanted);
}

auto flush(portable_device& on) -> HRESULT {
  return on.call<&driver::pfnFlush>();
}

auto destroy_device(portable_device& on) -> HRESULT {
  const std::unique_ptr<portable_device> ended{&on};
  return ended->destroy();
}

}  // namespace

void add_portable_presents(D3DDDI_DEVICEFUNCS& table) {
  set_entry<present>(table.pfnPresent);
  set_entry<set_display_mode>(table.pfnSetDisplayMode);
  set_entry<flush>(table.pfnFlush);
  set_entry<destroy_device>(table.pfnDestroyDevice);
}

}  // namespace aerogpu::sim

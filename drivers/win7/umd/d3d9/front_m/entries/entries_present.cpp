// SPDX-License-Identifier: MIT
#include "drivers/win7/umd/d3d9/front_m/entries/entries_present.hpp"

#include "drivers/win7/umd/d3d9/device/device_call.hpp"
#include "drivers/win7/umd/d3d9/front_m/device_handle.hpp"
#include "drivers/win7/umd/d3d9/front_m/resource_arguments.hpp"
#include "drivers/win7/umd/d3d9/present/present.hpp"

namespace aerogpu::umd::front_m {

namespace {

auto APIENTRY present_m(HANDLE handle, const D3DDDIARG_PRESENT* argument) noexcept -> HRESULT {
  const device_call call{to_device(handle), argument};
  if (!call) return call.refusal();
  return present_by_kernel(
      *call, {.source = to_surface(argument->hSrcResource, argument->SrcSubResourceIndex),
              .destination = to_surface(argument->hDstResource, argument->DstSubResourceIndex),
              .is_flip = argument->Flags.Flip != 0});
}

}  // namespace

void add_present_entries(D3DDDI_DEVICEFUNCS& table) noexcept {
  table.pfnPresent = present_m;
}

}  // namespace aerogpu::umd::front_m

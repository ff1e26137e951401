// SPDX-License-Identifier: MIT
#include "drivers/win7/kmd/entry/entry_memory.hpp"

#include "drivers/win7/kmd/adapter/adapter.hpp"
#include "drivers/win7/kmd/adapter/device.hpp"
#include "drivers/win7/kmd/memory/allocation.hpp"
#include "drivers/win7/kmd/memory/paging.hpp"
#include "drivers/win7/kmd/present/present.hpp"

namespace aerogpu::kmd {

namespace {

template <class T>
[[nodiscard]] auto from_handle(HANDLE handle) noexcept -> T& {
  return *static_cast<T*>(handle);
}

}  // namespace

auto APIENTRY ddi_create_device(HANDLE adapter, DXGKARG_CREATEDEVICE* args) noexcept -> NTSTATUS {
  if (adapter == nullptr || args == nullptr) return STATUS_INVALID_PARAMETER;
  return create_device(from_handle<kmd::adapter>(adapter), *args);
}

auto APIENTRY ddi_destroy_device(HANDLE device) noexcept -> NTSTATUS {
  if (device == nullptr) return STATUS_INVALID_PARAMETER;
  destroy_device(from_handle<kmd::device>(device));
  return STATUS_SUCCESS;
}

auto APIENTRY ddi_create_context(HANDLE device, DXGKARG_CREATECONTEXT* args) noexcept -> NTSTATUS {
  if (device == nullptr || args == nullptr) return STATUS_INVALID_PARAMETER;
  return create_context(from_handle<kmd::device>(device), *args);
}

auto APIENTRY ddi_destroy_context(HANDLE context) noexcept -> NTSTATUS {
  if (context == nullptr) return STATUS_INVALID_PARAMETER;
  destroy_context(from_handle<kmd::context>(context));
  return STATUS_SUCCESS;
}

auto APIENTRY ddi_get_standard_allocation_driver_data(
    HANDLE adapter, DXGKARG_GETSTANDARDALLOCATIONDRIVERDATA* args) noexcept -> NTSTATUS {
  if (adapter == nullptr || args == nullptr) return STATUS_INVALID_PARAMETER;
  return describe_standard_allocation(from_handle<kmd::adapter>(adapter), *args);
}

auto APIENTRY ddi_create_allocation(HANDLE adapter, DXGKARG_CREATEALLOCATION* args) noexcept
    -> NTSTATUS {
  if (adapter == nullptr || args == nullptr) return STATUS_INVALID_PARAMETER;
  return create_allocations(from_handle<kmd::adapter>(adapter), *args);
}

auto APIENTRY ddi_destroy_allocation(HANDLE adapter, const DXGKARG_DESTROYALLOCATION* args) noexcept
    -> NTSTATUS {
  if (adapter == nullptr || args == nullptr) return STATUS_INVALID_PARAMETER;
  destroy_allocations(from_handle<kmd::adapter>(adapter), *args);
  return STATUS_SUCCESS;
}

auto APIENTRY ddi_describe_allocation(HANDLE adapter, DXGKARG_DESCRIBEALLOCATION* args) noexcept
    -> NTSTATUS {
  if (adapter == nullptr || args == nullptr) return STATUS_INVALID_PARAMETER;
  return describe_allocation(from_handle<kmd::adapter>(adapter), *args);
}

auto APIENTRY ddi_open_allocation(HANDLE device, const DXGKARG_OPENALLOCATION* args) noexcept
    -> NTSTATUS {
  if (device == nullptr || args == nullptr) return STATUS_INVALID_PARAMETER;
  return open_allocations(from_handle<kmd::device>(device), *args);
}

auto APIENTRY ddi_close_allocation(HANDLE device, const DXGKARG_CLOSEALLOCATION* args) noexcept
    -> NTSTATUS {
  if (device == nullptr || args == nullptr) return STATUS_INVALID_PARAMETER;
  close_allocations(from_handle<kmd::device>(device), *args);
  return STATUS_SUCCESS;
}

auto APIENTRY ddi_build_paging_buffer(HANDLE adapter, DXGKARG_BUILDPAGINGBUFFER* args) noexcept
    -> NTSTATUS {
  if (adapter == nullptr || args == nullptr) return STATUS_INVALID_PARAMETER;
  return build_paging_buffer(from_handle<kmd::adapter>(adapter), *args);
}

auto APIENTRY ddi_present(HANDLE context, DXGKARG_PRESENT* args) noexcept -> NTSTATUS {
  if (context == nullptr || args == nullptr) return STATUS_INVALID_PARAMETER;
  return present(from_handle<kmd::context>(context), *args);
}

}  // namespace aerogpu::kmd

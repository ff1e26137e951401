// SPDX-License-Identifier: MIT
/// \file \Device\DxgKrnl, as aerogpu.sys looks for it: a driver for Wine's kernel.
///
/// It keeps to what only a driver can do. The rest is in the library beside it.
#include "drivers/win7/tests/run_service/control.hpp"
#include "drivers/win7/tests/run_service/model.hpp"

#include <intrin.h>
// mingw declares these two twice in C++.
#define InterlockedBitTestAndSet aerogpu_bit_test_and_set
#define InterlockedBitTestAndReset aerogpu_bit_test_and_reset
#include <ntddk.h>

namespace {

using namespace aerogpu::run_service;

constexpr ULONG initialize_code = 0x0023003F;
WCHAR device_text[] = L"\\Device\\DxgKrnl";
WCHAR link_text[] = L"\\DosDevices\\AeroGpuDxgKrnl";
UNICODE_STRING device_name{sizeof device_text - sizeof(WCHAR), sizeof device_text, device_text};
UNICODE_STRING link_name{sizeof link_text - sizeof(WCHAR), sizeof link_text, link_text};

void NTAPI unload_miniport(PDRIVER_OBJECT) {
  model_unload();
}

/// The function that the IOCTL gives. It alone fills the miniport's driver object.
auto NTAPI initialize(PDRIVER_OBJECT driver, PUNICODE_STRING registry_path, PVOID table)
    -> NTSTATUS {
  if (driver == nullptr || registry_path == nullptr || table == nullptr)
    return STATUS_INVALID_PARAMETER;
  if (driver->DriverUnload != nullptr || driver->DriverExtension->AddDevice != nullptr)
    model_fault("the miniport fills its driver object itself");
  const auto status = model_initialize(reinterpret_cast<unsigned short*>(registry_path->Buffer),
                                       registry_path->Length, table);
  if (NT_SUCCESS(status)) driver->DriverUnload = &unload_miniport;
  return status;
}

auto complete(PIRP request, NTSTATUS status, ULONG_PTR bytes) -> NTSTATUS {
  request->IoStatus.Status = status;
  request->IoStatus.Information = bytes;
  IoCompleteRequest(request, IO_NO_INCREMENT);
  return status;
}

auto NTAPI on_open_or_close(PDEVICE_OBJECT, PIRP request) -> NTSTATUS {
  return complete(request, STATUS_SUCCESS, 0);
}

auto NTAPI on_internal_control(PDEVICE_OBJECT, PIRP request) -> NTSTATUS {
  const auto& asked = IoGetCurrentIrpStackLocation(request)->Parameters.DeviceIoControl;
  if (asked.IoControlCode != initialize_code) {
    model_fault("the miniport sends an unknown internal request");
    return complete(request, STATUS_INVALID_DEVICE_REQUEST, 0);
  }
  if (asked.OutputBufferLength != sizeof(PVOID) || asked.InputBufferLength != 0 ||
      request->UserBuffer == nullptr) {
    model_fault("the request for DxgkInitialize has a wrong buffer");
    return complete(request, STATUS_INVALID_PARAMETER, 0);
  }
  *static_cast<PVOID*>(request->UserBuffer) = reinterpret_cast<PVOID>(&initialize);
  return complete(request, STATUS_SUCCESS, sizeof(PVOID));
}

auto NTAPI on_control(PDEVICE_OBJECT, PIRP request) -> NTSTATUS {
  const auto& asked = IoGetCurrentIrpStackLocation(request)->Parameters.DeviceIoControl;
  if (asked.IoControlCode != control_run)
    return complete(request, STATUS_INVALID_DEVICE_REQUEST, 0);
  model_run();
  return complete(request, STATUS_SUCCESS, 0);
}

void NTAPI on_image(PUNICODE_STRING, HANDLE, PIMAGE_INFO image) {
  model_image_loaded(image->ImageBase);
}

void NTAPI unload(PDRIVER_OBJECT driver) {
  PsRemoveLoadImageNotifyRoutine(&on_image);
  IoDeleteSymbolicLink(&link_name);
  IoDeleteDevice(driver->DeviceObject);
}

}  // namespace

extern "C" auto NTAPI DriverEntry(PDRIVER_OBJECT driver, PUNICODE_STRING) -> NTSTATUS {
  PDEVICE_OBJECT device = nullptr;
  auto status = IoCreateDevice(driver, 0, &device_name, FILE_DEVICE_VIDEO, 0, FALSE, &device);
  if (!NT_SUCCESS(status)) return status;
  status = IoCreateSymbolicLink(&link_name, &device_name);
  if (NT_SUCCESS(status)) status = PsSetLoadImageNotifyRoutine(&on_image);
  if (!NT_SUCCESS(status)) {
    IoDeleteDevice(device);
    return status;
  }
  driver->MajorFunction[IRP_MJ_CREATE] = &on_open_or_close;
  driver->MajorFunction[IRP_MJ_CLOSE] = &on_open_or_close;
  driver->MajorFunction[IRP_MJ_DEVICE_CONTROL] = &on_control;
  driver->MajorFunction[IRP_MJ_INTERNAL_DEVICE_CONTROL] = &on_internal_control;
  driver->DriverUnload = &unload;
  model_start(device);
  return STATUS_SUCCESS;
}

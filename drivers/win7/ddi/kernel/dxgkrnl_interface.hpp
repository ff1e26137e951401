// SPDX-License-Identifier: MIT
/// \file The callbacks that dxgkrnl hands to StartDevice (kmd.md 1.4).
#pragma once

#include "drivers/win7/ddi/kernel/dxgk_adapter.hpp"
#include "drivers/win7/ddi/kernel/dxgk_interrupt.hpp"
#include "drivers/win7/ddi/kernel/dxgk_memory.hpp"
#include "drivers/win7/ddi/kernel/dxgk_vidpn_interfaces.hpp"

#ifndef AEROGPU_WITH_WDK

struct ACPI_EVAL_INPUT_BUFFER_COMPLEX;
struct ACPI_EVAL_OUTPUT_BUFFER;
struct PCI_DEVICE_PRESENCE_PARAMETERS;
struct DXGKARGCB_GETCAPTUREADDRESS;

enum DXGK_SERVICES : int {
  DxgkServicesAgp = 0,
  DxgkServicesDebugReport = 1,
};

enum DXGK_HANDLE_TYPE : int {
  DXGK_HANDLE_ALLOCATION = 1,
  DXGK_HANDLE_RESOURCE = 2,
};

struct DXGKARGCB_GETHANDLEDATA_FLAGS {
  __extension__ union {
    struct {
      UINT DeviceSpecific : 1;
      UINT Reserved : 31;
    };
    UINT Value;
  };
};

struct DXGKARGCB_GETHANDLEDATA {
  D3DKMT_HANDLE hObject;
  DXGK_HANDLE_TYPE Type;
  DXGKARGCB_GETHANDLEDATA_FLAGS Flags;
};

struct DXGKARGCB_ENUMHANDLECHILDREN {
  D3DKMT_HANDLE hObject;
  UINT Index;
};

using PKSYNCHRONIZE_ROUTINE = BOOLEAN(NTAPI*)(PVOID SynchronizeContext);
using DXGKDDI_PROTECTED_CALLBACK = void(APIENTRY*)(PVOID MiniportDeviceContext,
                                                   PVOID ProtectedCallbackContext,
                                                   NTSTATUS ProtectionStatus);

using DXGKCB_EVAL_ACPI_METHOD = NTSTATUS(APIENTRY*)(HANDLE DeviceHandle, ULONG DeviceUid,
                                                    ACPI_EVAL_INPUT_BUFFER_COMPLEX* AcpiInputBuffer,
                                                    ULONG AcpiInputSize,
                                                    ACPI_EVAL_OUTPUT_BUFFER* AcpiOutputBuffer,
                                                    ULONG AcpiOutputSize);
using DXGKCB_GET_DEVICE_INFORMATION = NTSTATUS(APIENTRY*)(HANDLE DeviceHandle,
                                                          PDXGK_DEVICE_INFO DeviceInfo);
using DXGKCB_INDICATE_CHILD_STATUS = NTSTATUS(APIENTRY*)(HANDLE DeviceHandle,
                                                         PDXGK_CHILD_STATUS ChildStatus);
using DXGKCB_MAP_MEMORY = NTSTATUS(APIENTRY*)(HANDLE DeviceHandle,
                                              PHYSICAL_ADDRESS TranslatedAddress, ULONG Length,
                                              BOOLEAN InIoSpace, BOOLEAN MapToUserMode,
                                              MEMORY_CACHING_TYPE CacheType, PVOID* VirtualAddress);
/// FALSE: it was queued already.
using DXGKCB_QUEUE_DPC = BOOLEAN(APIENTRY*)(HANDLE DeviceHandle);
using DXGKCB_QUERY_SERVICES = NTSTATUS(APIENTRY*)(HANDLE DeviceHandle, DXGK_SERVICES ServicesType,
                                                  PINTERFACE Interface);
using DXGKCB_READ_DEVICE_SPACE = NTSTATUS(APIENTRY*)(HANDLE DeviceHandle, ULONG DataType,
                                                     PVOID Buffer, ULONG Offset, ULONG Length,
                                                     PULONG BytesRead);
/// Runs the routine at DIRQL under the interrupt lock.
using DXGKCB_SYNCHRONIZE_EXECUTION = NTSTATUS(APIENTRY*)(HANDLE DeviceHandle,
                                                         PKSYNCHRONIZE_ROUTINE SynchronizeRoutine,
                                                         PVOID Context, ULONG MessageNumber,
                                                         PBOOLEAN ReturnValue);
using DXGKCB_UNMAP_MEMORY = NTSTATUS(APIENTRY*)(HANDLE DeviceHandle, PVOID VirtualAddress);
using DXGKCB_WRITE_DEVICE_SPACE = NTSTATUS(APIENTRY*)(HANDLE DeviceHandle, ULONG DataType,
                                                      PVOID Buffer, ULONG Offset, ULONG Length,
                                                      PULONG BytesWritten);
using DXGKCB_IS_DEVICE_PRESENT = NTSTATUS(APIENTRY*)(
    HANDLE DeviceHandle, PCI_DEVICE_PRESENCE_PARAMETERS* DevicePresenceParameters,
    PBOOLEAN DevicePresent);
/// The driver's object behind a handle of dxgkrnl's.
using DXGKCB_GETHANDLEDATA = PVOID(APIENTRY*)(const DXGKARGCB_GETHANDLEDATA* pData);
using DXGKCB_GETHANDLEPARENT = D3DKMT_HANDLE(APIENTRY*)(D3DKMT_HANDLE hAllocation);
using DXGKCB_ENUMHANDLECHILDREN =
    D3DKMT_HANDLE(APIENTRY*)(const DXGKARGCB_ENUMHANDLECHILDREN* pData);
/// Above DISPATCH_LEVEL only.
using DXGKCB_NOTIFY_INTERRUPT = void(APIENTRY*)(HANDLE hAdapter,
                                                const DXGKARGCB_NOTIFY_INTERRUPT_DATA* pData);
using DXGKCB_NOTIFY_DPC = void(APIENTRY*)(HANDLE hAdapter);
using DXGKCB_QUERYVIDPNINTERFACE =
    NTSTATUS(APIENTRY*)(D3DKMDT_HVIDPN hVidPn, DXGK_VIDPN_INTERFACE_VERSION VidPnInterfaceVersion,
                        const DXGK_VIDPN_INTERFACE** ppVidPnInterface);
using DXGKCB_QUERYMONITORINTERFACE =
    NTSTATUS(APIENTRY*)(HANDLE hAdapter, DXGK_MONITOR_INTERFACE_VERSION MonitorInterfaceVersion,
                        const DXGK_MONITOR_INTERFACE** ppMonitorInterface);
using DXGKCB_GETCAPTUREADDRESS = NTSTATUS(APIENTRY*)(DXGKARGCB_GETCAPTUREADDRESS* pData);
using DXGKCB_LOG_ETW_EVENT = void(APIENTRY*)(const GUID* EventGuid, UCHAR Type,
                                             USHORT EventBufferSize, PVOID EventBuffer);
using DXGKCB_EXCLUDE_ADAPTER_ACCESS = NTSTATUS(APIENTRY*)(
    HANDLE DeviceHandle, ULONG Attributes, DXGKDDI_PROTECTED_CALLBACK DxgkProtectedCallback,
    PVOID ProtectedCallbackContext);

struct DXGKRNL_INTERFACE {
  ULONG Size;
  ULONG Version;
  HANDLE DeviceHandle;
  DXGKCB_EVAL_ACPI_METHOD DxgkCbEvalAcpiMethod;
  DXGKCB_GET_DEVICE_INFORMATION DxgkCbGetDeviceInformation;
  DXGKCB_INDICATE_CHILD_STATUS DxgkCbIndicateChildStatus;
  DXGKCB_MAP_MEMORY DxgkCbMapMemory;
  DXGKCB_QUEUE_DPC DxgkCbQueueDpc;
  DXGKCB_QUERY_SERVICES DxgkCbQueryServices;
  DXGKCB_READ_DEVICE_SPACE DxgkCbReadDeviceSpace;
  DXGKCB_SYNCHRONIZE_EXECUTION DxgkCbSynchronizeExecution;
  DXGKCB_UNMAP_MEMORY DxgkCbUnmapMemory;
  DXGKCB_WRITE_DEVICE_SPACE DxgkCbWriteDeviceSpace;
  DXGKCB_IS_DEVICE_PRESENT DxgkCbIsDevicePresent;
  DXGKCB_GETHANDLEDATA DxgkCbGetHandleData;
  DXGKCB_GETHANDLEPARENT DxgkCbGetHandleParent;
  DXGKCB_ENUMHANDLECHILDREN DxgkCbEnumHandleChildren;
  DXGKCB_NOTIFY_INTERRUPT DxgkCbNotifyInterrupt;
  DXGKCB_NOTIFY_DPC DxgkCbNotifyDpc;
  DXGKCB_QUERYVIDPNINTERFACE DxgkCbQueryVidPnInterface;
  DXGKCB_QUERYMONITORINTERFACE DxgkCbQueryMonitorInterface;
  DXGKCB_GETCAPTUREADDRESS DxgkCbGetCaptureAddress;
  DXGKCB_LOG_ETW_EVENT DxgkCbLogEtwEvent;
  DXGKCB_EXCLUDE_ADAPTER_ACCESS DxgkCbExcludeAdapterAccess;
};
using PDXGKRNL_INTERFACE = DXGKRNL_INTERFACE*;

#endif

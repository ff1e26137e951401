// SPDX-License-Identifier: MIT
/// \file The few functions and structures of ntoskrnl.exe and hal.dll that os.hpp stands on.
///
/// Own declarations, because mingw's wdm.h is no C++. A physical address is passed and returned as
/// the 64-bit number that it is: both conventions treat the union alike.
#pragma once

#include "drivers/win7/ddi/ddi.hpp"

#include <cstddef>
#include <cstdint>

namespace aerogpu::kmd::nt {

struct object_attributes {
  ULONG Length;
  HANDLE RootDirectory;
  const UNICODE_STRING* ObjectName;
  ULONG Attributes;
  PVOID SecurityDescriptor;
  PVOID SecurityQualityOfService;
};
static_assert(sizeof(object_attributes) == (sizeof(void*) == 8 ? 48 : 24));

struct io_status_block {
  union {
    NTSTATUS Status;
    PVOID Pointer;
  };
  ULONG_PTR Information;
};

struct key_value_partial_information {
  ULONG TitleIndex;
  ULONG Type;
  ULONG DataLength;
  UCHAR Data[4];
};

struct security_subject_context {
  PVOID ClientToken;
  int ImpersonationLevel;
  PVOID PrimaryToken;
  PVOID ProcessAuditId;
};

/// Objects of the kernel by their size alone.
template <std::size_t Size64, std::size_t Size32>
struct opaque {
  alignas(8) std::byte bytes[sizeof(void*) == 8 ? Size64 : Size32];
};
using event_object = opaque<24, 16>;
using timer_object = opaque<64, 40>;
using dpc_object = opaque<64, 32>;

using dpc_routine = void NTAPI(dpc_object* dpc, PVOID context, PVOID argument1, PVOID argument2);

inline constexpr int non_paged_pool = 0;
inline constexpr int paged_pool = 1;
inline constexpr int kernel_mode = 0;
inline constexpr int user_mode = 1;
inline constexpr int executive = 0;
inline constexpr int notification_event = 0;
inline constexpr int high_page_priority = 32;
inline constexpr ULONG key_read = 0x20019;
inline constexpr ULONG key_set_value = 2;
inline constexpr ULONG generic_read_write = 0xC0000000;
inline constexpr ULONG section_query = 1;
inline constexpr ULONG plugplay_device_key = 1;
inline constexpr ULONG plugplay_driver_key = 2;
inline constexpr ULONG obj_case_insensitive = 0x40;
inline constexpr ULONG obj_kernel_handle = 0x200;
inline constexpr ULONG reg_binary = 3;
inline constexpr ULONG reg_dword = 4;
inline constexpr int key_value_partial = 2;

}  // namespace aerogpu::kmd::nt

#ifdef __i386__
#define AEROGPU_FASTCALL __attribute__((__fastcall__))
#else
#define AEROGPU_FASTCALL
#endif
#define AEROGPU_IMPORT extern "C" __attribute__((__dllimport__))

struct IRP;
struct FILE_OBJECT;
struct EPROCESS;

AEROGPU_IMPORT PVOID NTAPI ExAllocatePoolWithTag(int type, SIZE_T bytes, ULONG tag);
AEROGPU_IMPORT void NTAPI ExFreePoolWithTag(PVOID memory, ULONG tag);
AEROGPU_IMPORT PVOID NTAPI MmAllocateContiguousMemorySpecifyCache(SIZE_T bytes, LONGLONG lowest,
                                                                  LONGLONG highest,
                                                                  LONGLONG boundary,
                                                                  MEMORY_CACHING_TYPE caching);
AEROGPU_IMPORT void NTAPI MmFreeContiguousMemorySpecifyCache(PVOID memory, SIZE_T bytes,
                                                             MEMORY_CACHING_TYPE caching);
AEROGPU_IMPORT LONGLONG NTAPI MmGetPhysicalAddress(PVOID address);
AEROGPU_IMPORT PVOID NTAPI MmMapIoSpace(LONGLONG physical, SIZE_T bytes,
                                        MEMORY_CACHING_TYPE caching);
AEROGPU_IMPORT void NTAPI MmUnmapIoSpace(PVOID address, SIZE_T bytes);
AEROGPU_IMPORT PVOID NTAPI MmMapLockedPagesSpecifyCache(PMDL mdl, int mode,
                                                        MEMORY_CACHING_TYPE caching, PVOID at,
                                                        ULONG bug_check, int priority);
AEROGPU_IMPORT void NTAPI MmUnmapLockedPages(PVOID address, PMDL mdl);
AEROGPU_IMPORT NTSTATUS NTAPI MmCopyVirtualMemory(EPROCESS* from_process, const void* from,
                                                  EPROCESS* to_process, PVOID to, SIZE_T bytes,
                                                  int mode, SIZE_T* copied);
AEROGPU_IMPORT EPROCESS* NTAPI IoGetCurrentProcess();
AEROGPU_IMPORT LONGLONG NTAPI PsGetProcessCreateTimeQuadPart(EPROCESS* process);
#ifdef __i386__
AEROGPU_IMPORT ULONG_PTR MmUserProbeAddress;
#endif
/// The variable is the object type; ntddk.h's `POBJECT_TYPE*` is its import slot.
AEROGPU_IMPORT PVOID MmSectionObjectType;

#ifdef __i386__
AEROGPU_IMPORT UCHAR AEROGPU_FASTCALL KfAcquireSpinLock(ULONG_PTR* lock);
AEROGPU_IMPORT void AEROGPU_FASTCALL KfReleaseSpinLock(ULONG_PTR* lock, UCHAR before);
AEROGPU_IMPORT UCHAR NTAPI KeGetCurrentIrql();
AEROGPU_IMPORT ULONGLONG NTAPI KeQueryInterruptTime();
#else
AEROGPU_IMPORT UCHAR NTAPI KeAcquireSpinLockRaiseToDpc(ULONG_PTR* lock);
AEROGPU_IMPORT void NTAPI KeReleaseSpinLock(ULONG_PTR* lock, UCHAR before);
#endif

AEROGPU_IMPORT void NTAPI KeEnterCriticalRegion();
AEROGPU_IMPORT void NTAPI KeLeaveCriticalRegion();
AEROGPU_IMPORT NTSTATUS NTAPI KeDelayExecutionThread(int mode, BOOLEAN is_alertable,
                                                     const LONGLONG* interval);
AEROGPU_IMPORT LONGLONG NTAPI KeQueryPerformanceCounter(LONGLONG* frequency);
AEROGPU_IMPORT void NTAPI KeInitializeEvent(aerogpu::kmd::nt::event_object* event, int type,
                                            BOOLEAN state);
AEROGPU_IMPORT NTSTATUS NTAPI KeWaitForSingleObject(PVOID object, int reason, int mode,
                                                    BOOLEAN is_alertable, const LONGLONG* timeout);
AEROGPU_IMPORT void NTAPI KeInitializeTimer(aerogpu::kmd::nt::timer_object* timer);
AEROGPU_IMPORT void NTAPI KeInitializeDpc(aerogpu::kmd::nt::dpc_object* dpc,
                                          aerogpu::kmd::nt::dpc_routine* routine, PVOID context);
AEROGPU_IMPORT BOOLEAN NTAPI KeSetTimer(aerogpu::kmd::nt::timer_object* timer, LONGLONG due,
                                        aerogpu::kmd::nt::dpc_object* dpc);
AEROGPU_IMPORT BOOLEAN NTAPI KeCancelTimer(aerogpu::kmd::nt::timer_object* timer);
AEROGPU_IMPORT void NTAPI KeFlushQueuedDpcs();

AEROGPU_IMPORT NTSTATUS NTAPI ZwOpenKey(HANDLE* key, ULONG access,
                                        const aerogpu::kmd::nt::object_attributes* attributes);
AEROGPU_IMPORT NTSTATUS NTAPI ZwQueryValueKey(HANDLE key, const UNICODE_STRING* name, int kind,
                                              PVOID information, ULONG bytes, ULONG* needed);
AEROGPU_IMPORT NTSTATUS NTAPI ZwSetValueKey(HANDLE key, const UNICODE_STRING* name,
                                            ULONG title_index, ULONG type, const void* data,
                                            ULONG bytes);
AEROGPU_IMPORT NTSTATUS NTAPI ZwClose(HANDLE handle);
AEROGPU_IMPORT NTSTATUS NTAPI ZwLoadDriver(const UNICODE_STRING* service);
AEROGPU_IMPORT NTSTATUS NTAPI ZwUnloadDriver(const UNICODE_STRING* service);
AEROGPU_IMPORT NTSTATUS NTAPI IoOpenDeviceRegistryKey(PDEVICE_OBJECT device, ULONG kind,
                                                      ULONG access, HANDLE* key);
AEROGPU_IMPORT NTSTATUS NTAPI IoGetDeviceObjectPointer(const UNICODE_STRING* name, ULONG access,
                                                       FILE_OBJECT** file, PDEVICE_OBJECT* device);
AEROGPU_IMPORT IRP* NTAPI IoBuildDeviceIoControlRequest(ULONG code, PDEVICE_OBJECT device,
                                                        PVOID input, ULONG input_bytes,
                                                        PVOID output, ULONG output_bytes,
                                                        BOOLEAN is_internal,
                                                        aerogpu::kmd::nt::event_object* event,
                                                        aerogpu::kmd::nt::io_status_block* status);
AEROGPU_IMPORT NTSTATUS AEROGPU_FASTCALL IofCallDriver(PDEVICE_OBJECT device, IRP* request);
AEROGPU_IMPORT LONG_PTR AEROGPU_FASTCALL ObfDereferenceObject(PVOID object);
AEROGPU_IMPORT NTSTATUS NTAPI ObReferenceObjectByHandle(HANDLE handle, ULONG access, PVOID type,
                                                        int mode, PVOID* object, PVOID granted);
AEROGPU_IMPORT void NTAPI
SeCaptureSubjectContext(aerogpu::kmd::nt::security_subject_context* context);
AEROGPU_IMPORT void NTAPI
SeReleaseSubjectContext(aerogpu::kmd::nt::security_subject_context* context);
AEROGPU_IMPORT BOOLEAN NTAPI SeTokenIsAdmin(PVOID token);
AEROGPU_IMPORT BOOLEAN NTAPI SeSinglePrivilegeCheck(LUID privilege, int mode);
AEROGPU_IMPORT ULONG DbgPrint(const char* format, ...);

// SPDX-License-Identifier: MIT
/// \file The types of Windows that the display DDI is written in, right-sized on every target.
///
/// Natively ULONG has 32 bits and WCHAR 16, as on Windows. Where <windows.h> came first, what it
/// declares is taken from there.
#pragma once

#include "drivers/win7/ddi/platform.hpp"

#ifndef AEROGPU_WITH_WDK

/// A text of WCHARs: L"" on Windows, u"" where wchar_t is wider.
#ifdef _WIN32
#define AEROGPU_DDI_TEXT(text) L##text
#else
#define AEROGPU_DDI_TEXT(text) u##text
#endif

#ifndef _WINDEF_

#ifdef _WIN32
using LONG = long;
using ULONG = unsigned long;
using DWORD = unsigned long;
using WCHAR = wchar_t;
#ifdef _WIN64
using LONG_PTR = long long;
using ULONG_PTR = unsigned long long;
#else
using LONG_PTR = long;
using ULONG_PTR = unsigned long;
#endif
#else
using LONG = int;
using ULONG = unsigned int;
using DWORD = unsigned int;
using WCHAR = char16_t;
using LONG_PTR = std::intptr_t;
using ULONG_PTR = std::uintptr_t;
#endif

using CHAR = char;
using UCHAR = unsigned char;
using BYTE = unsigned char;
using BOOLEAN = unsigned char;
using SHORT = short;
using USHORT = unsigned short;
using WORD = unsigned short;
using INT = int;
using UINT = unsigned int;
using BOOL = int;
#if defined(__i386__) && !defined(_WIN32)
// Outside Windows, 32-bit x86 aligns these to 4 bytes.
typedef long long LONGLONG __attribute__((aligned(8)));
typedef unsigned long long ULONGLONG __attribute__((aligned(8)));
#else
using LONGLONG = long long;
using ULONGLONG = unsigned long long;
#endif
using ULONG64 = ULONGLONG;
using SIZE_T = ULONG_PTR;
using KAFFINITY = ULONG_PTR;
using PVOID = void*;
using HANDLE = void*;
using PHANDLE = HANDLE*;
using PBOOLEAN = BOOLEAN*;
using PUCHAR = UCHAR*;
using PUSHORT = USHORT*;
using PULONG = ULONG*;
using PWSTR = WCHAR*;
using PCWSTR = const WCHAR*;

struct GUID {
  ULONG Data1;
  USHORT Data2;
  USHORT Data3;
  UCHAR Data4[8];
};

struct LUID {
  ULONG LowPart;
  LONG HighPart;
};

struct RECT {
  LONG left;
  LONG top;
  LONG right;
  LONG bottom;
};

union LARGE_INTEGER {
  __extension__ struct {
    ULONG LowPart;
    LONG HighPart;
  };
  struct {
    ULONG LowPart;
    LONG HighPart;
  } u;
  LONGLONG QuadPart;
};

union ULARGE_INTEGER {
  __extension__ struct {
    ULONG LowPart;
    ULONG HighPart;
  };
  struct {
    ULONG LowPart;
    ULONG HighPart;
  } u;
  ULONGLONG QuadPart;
};

#endif  // _WINDEF_

#ifndef TRUE
#define TRUE 1
#endif
#ifndef FALSE
#define FALSE 0
#endif

using NTSTATUS = LONG;
using CSHORT = SHORT;
using KIRQL = UCHAR;
using PKIRQL = KIRQL*;
using PHYSICAL_ADDRESS = LARGE_INTEGER;
using PPHYSICAL_ADDRESS = PHYSICAL_ADDRESS*;

#ifndef __UNICODE_STRING_DEFINED  // Of <winternl.h>.
struct UNICODE_STRING {
  USHORT Length;  ///< Bytes, without a terminating zero.
  USHORT MaximumLength;
  PWSTR Buffer;
};
using PUNICODE_STRING = UNICODE_STRING*;
using PCUNICODE_STRING = const UNICODE_STRING*;
#endif

/// Objects of the kernel that a driver passes on and never looks into.
struct DEVICE_OBJECT;
struct DRIVER_OBJECT;
struct INTERFACE;
using PDEVICE_OBJECT = DEVICE_OBJECT*;
using PDRIVER_OBJECT = DRIVER_OBJECT*;
using PINTERFACE = INTERFACE*;

inline constexpr KIRQL PASSIVE_LEVEL = 0;
inline constexpr KIRQL APC_LEVEL = 1;
inline constexpr KIRQL DISPATCH_LEVEL = 2;

enum MEMORY_CACHING_TYPE : int {
  MmNonCached = 0,
  MmCached = 1,
  MmWriteCombined = 2,
};

#ifndef _WINDEF_
enum DEVICE_POWER_STATE : int {
  PowerDeviceUnspecified = 0,
  PowerDeviceD0 = 1,
  PowerDeviceD1 = 2,
  PowerDeviceD2 = 3,
  PowerDeviceD3 = 4,
};

enum POWER_ACTION : int {
  PowerActionNone = 0,
  PowerActionReserved = 1,
  PowerActionSleep = 2,
  PowerActionHibernate = 3,
  PowerActionShutdown = 4,
  PowerActionShutdownReset = 5,
  PowerActionShutdownOff = 6,
  PowerActionWarmEject = 7,
};
#endif

#endif

// SPDX-License-Identifier: MIT
/// \file Structures of the kernel that the driver reads itself: resource lists, MDLs, PCI numbers.
#pragma once

#include "drivers/win7/ddi/nt_types.hpp"

#ifndef AEROGPU_WITH_WDK

enum INTERFACE_TYPE : int {
  InterfaceTypeUndefined = -1,
  Internal = 0,
  Isa = 1,
  PCIBus = 5,
};

inline constexpr UCHAR CmResourceTypeNull = 0;
inline constexpr UCHAR CmResourceTypePort = 1;
inline constexpr UCHAR CmResourceTypeInterrupt = 2;
inline constexpr UCHAR CmResourceTypeMemory = 3;
inline constexpr UCHAR CmResourceTypeMemoryLarge = 7;

/// How far the length of a large memory range is shifted: 8, 16 or 32 bits.
inline constexpr USHORT CM_RESOURCE_MEMORY_LARGE_40 = 0x0200;
inline constexpr USHORT CM_RESOURCE_MEMORY_LARGE_48 = 0x0400;
inline constexpr USHORT CM_RESOURCE_MEMORY_LARGE_64 = 0x0800;
inline constexpr USHORT CM_RESOURCE_MEMORY_LARGE = 0x0E00;

#pragma pack(push, 4)
struct CM_PARTIAL_RESOURCE_DESCRIPTOR {
  UCHAR Type;
  UCHAR ShareDisposition;
  USHORT Flags;
  union {
    struct {
      PHYSICAL_ADDRESS Start;
      ULONG Length;
    } Generic;
    struct {
      PHYSICAL_ADDRESS Start;
      ULONG Length;
    } Port;
    struct {
      ULONG Level;
      ULONG Vector;
      KAFFINITY Affinity;
    } Interrupt;
    struct {
      PHYSICAL_ADDRESS Start;
      ULONG Length;
    } Memory;
    struct {
      PHYSICAL_ADDRESS Start;
      ULONG Length40;
    } Memory40;
    struct {
      PHYSICAL_ADDRESS Start;
      ULONG Length48;
    } Memory48;
    struct {
      PHYSICAL_ADDRESS Start;
      ULONG Length64;
    } Memory64;
    struct {
      ULONG Data[3];
    } DevicePrivate;
  } u;
};

struct CM_PARTIAL_RESOURCE_LIST {
  USHORT Version;
  USHORT Revision;
  ULONG Count;
  CM_PARTIAL_RESOURCE_DESCRIPTOR PartialDescriptors[1];
};

struct CM_FULL_RESOURCE_DESCRIPTOR {
  INTERFACE_TYPE InterfaceType;
  ULONG BusNumber;
  CM_PARTIAL_RESOURCE_LIST PartialResourceList;
};

struct CM_RESOURCE_LIST {
  ULONG Count;
  CM_FULL_RESOURCE_DESCRIPTOR List[1];
};
#pragma pack(pop)
using PCM_PARTIAL_RESOURCE_DESCRIPTOR = CM_PARTIAL_RESOURCE_DESCRIPTOR*;
using PCM_FULL_RESOURCE_DESCRIPTOR = CM_FULL_RESOURCE_DESCRIPTOR*;
using PCM_RESOURCE_LIST = CM_RESOURCE_LIST*;

/// Page-frame numbers, one PFN_NUMBER for each page, follow the header.
struct MDL {
  MDL* Next;
  CSHORT Size;
  CSHORT MdlFlags;
  struct EPROCESS* Process;
  PVOID MappedSystemVa;
  PVOID StartVa;
  ULONG ByteCount;
  ULONG ByteOffset;
};
using PMDL = MDL*;
using PFN_NUMBER = ULONG_PTR;
using PPFN_NUMBER = PFN_NUMBER*;

inline constexpr CSHORT MDL_MAPPED_TO_SYSTEM_VA = 0x0001;
inline constexpr CSHORT MDL_PAGES_LOCKED = 0x0002;
inline constexpr CSHORT MDL_SOURCE_IS_NONPAGED_POOL = 0x0004;

/// The data type of ReadDeviceSpace for PCI configuration space.
inline constexpr ULONG PCI_WHICHSPACE_CONFIG = 0;
/// Bits of the command register, at configuration offset 4.
inline constexpr USHORT PCI_ENABLE_IO_SPACE = 0x0001;
inline constexpr USHORT PCI_ENABLE_MEMORY_SPACE = 0x0002;
inline constexpr USHORT PCI_ENABLE_BUS_MASTER = 0x0004;
inline constexpr USHORT PCI_DISABLE_LEVEL_INTERRUPT = 0x0400;

#endif

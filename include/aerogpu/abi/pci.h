/* SPDX-License-Identifier: MIT */
/* PCI identity and BAR sizes of the device. */
#pragma once

#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

#define AEROGPU_PCI_VENDOR_ID 0xA3A0u
#define AEROGPU_PCI_DEVICE_ID 1u
#define AEROGPU_PCI_SUBSYSTEM_ID 1u
#define AEROGPU_PCI_SUBSYSTEM_VENDOR_ID 0xA3A0u
#define AEROGPU_PCI_CLASS_CODE_DISPLAY_CONTROLLER 3u
#define AEROGPU_PCI_SUBCLASS_VGA_COMPATIBLE 0u
#define AEROGPU_PCI_PROG_IF 0u

/* BAR0: registers. */
#define AEROGPU_PCI_BAR0_INDEX 0u
#define AEROGPU_PCI_BAR0_SIZE_BYTES 0x10000u

/* BAR1: prefetchable memory, with the boot frame buffer behind four planes of 64 KiB. */
#define AEROGPU_PCI_BAR1_INDEX 1u
#define AEROGPU_PCI_BAR1_VBE_LFB_OFFSET_BYTES 0x40000u
#define AEROGPU_PCI_BAR1_SIZE_BYTES 0x4000000u

#ifdef __cplusplus
}
#endif

/* SPDX-License-Identifier: MIT */
/* The ABI version word carried by every versioned structure. */
#pragma once

#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

#define AEROGPU_ABI_MAJOR 1u
#define AEROGPU_ABI_MINOR 4u
#define AEROGPU_ABI_VERSION_U32 0x10004u

#ifdef __cplusplus
}
#endif

/* SPDX-License-Identifier: MIT */
/* Private data of a Windows 7 DMA buffer. */
#pragma once

#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/* AEROGPU_DMA_PRIV.Type. */
#define AEROGPU_SUBMIT_RENDER 1u
#define AEROGPU_SUBMIT_PRESENT 2u
#define AEROGPU_SUBMIT_PAGING 3u
#define AEROGPU_WIN7_DMA_BUFFER_PRIVATE_DATA_SIZE_BYTES 16u

typedef uint32_t aerogpu_win7_u32;
typedef uint64_t aerogpu_win7_u64;

#pragma pack(push, 1)

/* First bytes of the private data; the rest is the kernel driver's own. */
struct AEROGPU_DMA_PRIV {
  uint32_t Type;       /* AEROGPU_SUBMIT_* */
  uint32_t Reserved0;  /* context id, 0 = default */
  uint64_t MetaHandle; /* key of a kernel table, 0 = none */
};

#pragma pack(pop)

#ifdef __cplusplus
}
#endif

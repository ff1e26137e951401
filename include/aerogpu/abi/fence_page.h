/* SPDX-License-Identifier: MIT */
/* The guest page that mirrors the completed fence. */
#pragma once

#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

#define AEROGPU_FENCE_PAGE_MAGIC 0x434E4546u

#pragma pack(push, 1)

/* The device writes its completed fence here, too. */
struct aerogpu_fence_page {
  uint32_t magic;
  uint32_t abi_version;     /* major << 16 | minor */
  uint64_t completed_fence; /* written by the device */
  uint64_t reserved0[5];
};

#pragma pack(pop)

#ifdef __cplusplus
}
#endif

/* SPDX-License-Identifier: MIT */
/* Escape protocol: common header and device query. */
#pragma once

#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

#define AEROGPU_ESCAPE_VERSION 1u
#define AEROGPU_ESCAPE_OP_QUERY_DEVICE 1u

typedef uint32_t aerogpu_escape_u32;
typedef uint64_t aerogpu_escape_u64;

#pragma pack(push, 1)

/* Starts every escape, request and reply. */
struct aerogpu_escape_header {
  uint32_t version; /* AEROGPU_ESCAPE_VERSION */
  uint32_t op;      /* AEROGPU_ESCAPE_OP_* */
  uint32_t size;    /* bytes with this header; in a reply, bytes filled */
  uint32_t reserved0;
};

/* QUERY_DEVICE: the version of the device. */
struct aerogpu_escape_query_device_out {
  struct aerogpu_escape_header hdr;
  uint32_t mmio_version; /* major << 16 | minor */
  uint32_t reserved0;
};

#pragma pack(pop)

#ifdef __cplusplus
}
#endif

/* SPDX-License-Identifier: MIT */
/* Submission ring header and submit descriptor. */
#pragma once

#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

#define AEROGPU_RING_MAGIC 0x474E5241u

/* How a submission is treated. */
enum aerogpu_submit_flags {
  AEROGPU_SUBMIT_FLAG_NONE = 0x0,
  AEROGPU_SUBMIT_FLAG_PRESENT = 0x1, /* holds a present; a hint */
  AEROGPU_SUBMIT_FLAG_NO_IRQ = 0x2,  /* no fence interrupt */
};

/* There is one engine. */
enum aerogpu_engine_id {
  AEROGPU_ENGINE_0 = 0,
};

#pragma pack(push, 1)

/* Starts the ring; entry_count slots follow. */
struct aerogpu_ring_header {
  uint32_t magic;
  uint32_t abi_version;        /* major << 16 | minor */
  uint32_t size_bytes;         /* header and slots */
  uint32_t entry_count;        /* a power of two */
  uint32_t entry_stride_bytes; /* at least 64 */
  uint32_t flags;
  uint32_t head; /* next index that the device takes */
  uint32_t tail; /* next index that the guest fills */
  uint32_t reserved0;
  uint32_t reserved1;
  uint64_t reserved2[3];
};

/* One slot: a stream, its allocation table and its fence. */
struct aerogpu_submit_desc {
  uint32_t desc_size_bytes; /* at least 64, at most the stride */
  uint32_t flags;           /* aerogpu_submit_flags */
  uint32_t context_id;      /* 0 = default */
  uint32_t engine_id;       /* aerogpu_engine_id */
  uint64_t cmd_gpa;         /* 0 with size 0 = no stream */
  uint32_t cmd_size_bytes;  /* of the buffer, not of the stream */
  uint32_t cmd_reserved0;
  uint64_t alloc_table_gpa;        /* 0 with size 0 = no table */
  uint32_t alloc_table_size_bytes; /* of the buffer */
  uint32_t alloc_table_reserved0;
  uint64_t signal_fence; /* published when all is done */
  uint64_t reserved0;
};

#pragma pack(pop)

#ifdef __cplusplus
}
#endif

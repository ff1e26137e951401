/* Submission ring header and submit descriptor. */
#pragma once

#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

#define AEROGPU_RING_MAGIC 0x474E5241u

enum aerogpu_submit_flags {
  AEROGPU_SUBMIT_FLAG_NONE = 0x0,
  AEROGPU_SUBMIT_FLAG_PRESENT = 0x1,
  AEROGPU_SUBMIT_FLAG_NO_IRQ = 0x2,
};

enum aerogpu_engine_id {
  AEROGPU_ENGINE_0 = 0,
};

#pragma pack(push, 1)

struct aerogpu_ring_header {
  uint32_t magic;
  uint32_t abi_version;
  uint32_t size_bytes;
  uint32_t entry_count;
  uint32_t entry_stride_bytes;
  uint32_t flags;
  uint32_t head;
  uint32_t tail;
  uint32_t reserved0;
  uint32_t reserved1;
  uint64_t reserved2[3];
};

struct aerogpu_submit_desc {
  uint32_t desc_size_bytes;
  uint32_t flags;
  uint32_t context_id;
  uint32_t engine_id;
  uint64_t cmd_gpa;
  uint32_t cmd_size_bytes;
  uint32_t cmd_reserved0;
  uint64_t alloc_table_gpa;
  uint32_t alloc_table_size_bytes;
  uint32_t alloc_table_reserved0;
  uint64_t signal_fence;
  uint64_t reserved0;
};

#pragma pack(pop)

#ifdef __cplusplus
}
#endif

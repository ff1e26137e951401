/* Per-submission allocation table: names guest memory by stable id. */
#pragma once

#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

#define AEROGPU_ALLOC_TABLE_MAGIC 0x434F4C41u

enum aerogpu_alloc_flags {
  AEROGPU_ALLOC_FLAG_NONE = 0x0,
  AEROGPU_ALLOC_FLAG_READONLY = 0x1,
};

#pragma pack(push, 1)

struct aerogpu_alloc_table_header {
  uint32_t magic;
  uint32_t abi_version;
  uint32_t size_bytes;
  uint32_t entry_count;
  uint32_t entry_stride_bytes;
  uint32_t reserved0;
};

struct aerogpu_alloc_entry {
  uint32_t alloc_id;
  uint32_t flags;
  uint64_t gpa;
  uint64_t size_bytes;
  uint64_t reserved0;
};

#pragma pack(pop)

#ifdef __cplusplus
}
#endif

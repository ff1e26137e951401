/* SPDX-License-Identifier: MIT */
/* Per-submission allocation table: names guest memory by stable id. */
#pragma once

#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

#define AEROGPU_ALLOC_TABLE_MAGIC 0x434F4C41u

/* What the device may do with the memory. */
enum aerogpu_alloc_flags {
  AEROGPU_ALLOC_FLAG_NONE = 0x0,
  AEROGPU_ALLOC_FLAG_READONLY = 0x1, /* no write-back */
};

#pragma pack(push, 1)

/* Starts a table; entry i lies at 24 + i * entry_stride_bytes. */
struct aerogpu_alloc_table_header {
  uint32_t magic;
  uint32_t abi_version; /* major << 16 | minor */
  uint32_t size_bytes;  /* header and entries */
  uint32_t entry_count;
  uint32_t entry_stride_bytes; /* at least 32 */
  uint32_t reserved0;
};

/* One contiguous range of guest memory and its name. */
struct aerogpu_alloc_entry {
  uint32_t alloc_id;   /* nonzero and unique in the table */
  uint32_t flags;      /* aerogpu_alloc_flags */
  uint64_t gpa;        /* 0 is an address like any other */
  uint64_t size_bytes; /* nonzero */
  uint64_t reserved0;
};

#pragma pack(pop)

#ifdef __cplusplus
}
#endif

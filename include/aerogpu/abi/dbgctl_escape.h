/* SPDX-License-Identifier: MIT */
/* Escape protocol: debug and control operations. */
#pragma once

#include "aerogpu/abi/escape.h"

#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Operations; DUMP_VBLANK is an old name of QUERY_VBLANK. */
#define AEROGPU_ESCAPE_OP_QUERY_FENCE 2u
#define AEROGPU_ESCAPE_OP_DUMP_RING 3u
#define AEROGPU_ESCAPE_OP_SELFTEST 4u
#define AEROGPU_ESCAPE_OP_DUMP_VBLANK 5u
#define AEROGPU_ESCAPE_OP_QUERY_VBLANK 5u
#define AEROGPU_ESCAPE_OP_DUMP_RING_V2 6u
#define AEROGPU_ESCAPE_OP_QUERY_DEVICE_V2 7u
#define AEROGPU_ESCAPE_OP_MAP_SHARED_HANDLE 8u
#define AEROGPU_ESCAPE_OP_DUMP_CREATEALLOCATION 9u
#define AEROGPU_ESCAPE_OP_QUERY_SCANOUT 10u
#define AEROGPU_ESCAPE_OP_QUERY_CURSOR 11u
#define AEROGPU_ESCAPE_OP_QUERY_PERF 12u
#define AEROGPU_ESCAPE_OP_READ_GPA 13u
#define AEROGPU_ESCAPE_OP_QUERY_ERROR 14u
#define AEROGPU_ESCAPE_OP_SET_CURSOR_SHAPE 15u
#define AEROGPU_ESCAPE_OP_SET_CURSOR_POSITION 16u
#define AEROGPU_ESCAPE_OP_SET_CURSOR_VISIBILITY 17u

/* Limits of one call. */
#define AEROGPU_DBGCTL_MAX_RECENT_ALLOCATIONS 32u
#define AEROGPU_DBGCTL_MAX_RECENT_DESCRIPTORS 32u
#define AEROGPU_DBGCTL_READ_GPA_MAX_BYTES 0x1000u

/* A flag word holds something only when its FLAGS_VALID bit is set. */
#define AEROGPU_DBGCTL_QUERY_VBLANK_FLAG_VBLANK_SUPPORTED 1u
#define AEROGPU_DBGCTL_QUERY_VBLANK_FLAG_INTERRUPT_TYPE_VALID 2u
#define AEROGPU_DBGCTL_QUERY_VBLANK_FLAGS_VALID 0x80000000u

#define AEROGPU_DBGCTL_QUERY_SCANOUT_FLAG_CACHED_FB_GPA_VALID 1u
#define AEROGPU_DBGCTL_QUERY_SCANOUT_FLAG_POST_DISPLAY_OWNERSHIP_RELEASED 2u
#define AEROGPU_DBGCTL_QUERY_SCANOUT_FLAGS_VALID 0x80000000u

#define AEROGPU_DBGCTL_QUERY_CURSOR_FLAG_CURSOR_SUPPORTED 1u
#define AEROGPU_DBGCTL_QUERY_CURSOR_FLAG_POST_DISPLAY_OWNERSHIP_RELEASED 2u
#define AEROGPU_DBGCTL_QUERY_CURSOR_FLAGS_VALID 0x80000000u

#define AEROGPU_DBGCTL_QUERY_PERF_FLAG_RING_VALID 1u
#define AEROGPU_DBGCTL_QUERY_PERF_FLAG_VBLANK_VALID 2u
#define AEROGPU_DBGCTL_QUERY_PERF_FLAG_GETSCANLINE_COUNTERS_VALID 4u
#define AEROGPU_DBGCTL_QUERY_PERF_FLAGS_VALID 0x80000000u

#define AEROGPU_DBGCTL_QUERY_ERROR_FLAG_ERROR_SUPPORTED 1u
#define AEROGPU_DBGCTL_QUERY_ERROR_FLAG_ERROR_LATCHED 2u
#define AEROGPU_DBGCTL_QUERY_ERROR_FLAGS_VALID 0x80000000u

/* Which device generation a dump comes from. */
enum aerogpu_dbgctl_ring_format {
  AEROGPU_DBGCTL_RING_FORMAT_UNKNOWN = 0,
  AEROGPU_DBGCTL_RING_FORMAT_LEGACY = 1,
  AEROGPU_DBGCTL_RING_FORMAT_AGPU = 2,
};

/* Why a self-test failed. */
enum aerogpu_dbgctl_selftest_error {
  AEROGPU_DBGCTL_SELFTEST_OK = 0,
  AEROGPU_DBGCTL_SELFTEST_ERR_INVALID_STATE = 1,
  AEROGPU_DBGCTL_SELFTEST_ERR_RING_NOT_READY = 2,
  AEROGPU_DBGCTL_SELFTEST_ERR_GPU_BUSY = 3,
  AEROGPU_DBGCTL_SELFTEST_ERR_NO_RESOURCES = 4,
  AEROGPU_DBGCTL_SELFTEST_ERR_TIMEOUT = 5,
  AEROGPU_DBGCTL_SELFTEST_ERR_VBLANK_REGS_OUT_OF_RANGE = 6,
  AEROGPU_DBGCTL_SELFTEST_ERR_VBLANK_SEQ_STUCK = 7,
  AEROGPU_DBGCTL_SELFTEST_ERR_VBLANK_IRQ_REGS_OUT_OF_RANGE = 8,
  AEROGPU_DBGCTL_SELFTEST_ERR_VBLANK_IRQ_NOT_LATCHED = 9,
  AEROGPU_DBGCTL_SELFTEST_ERR_VBLANK_IRQ_NOT_CLEARED = 10,
  AEROGPU_DBGCTL_SELFTEST_ERR_CURSOR_REGS_OUT_OF_RANGE = 11,
  AEROGPU_DBGCTL_SELFTEST_ERR_CURSOR_RW_MISMATCH = 12,
  AEROGPU_DBGCTL_SELFTEST_ERR_VBLANK_IRQ_NOT_DELIVERED = 13,
  AEROGPU_DBGCTL_SELFTEST_ERR_TIME_BUDGET_EXHAUSTED = 14,
};

#pragma pack(push, 1)

/* QUERY_FENCE: progress of the adapter, from 32 bytes on. */
struct aerogpu_escape_query_fence_out {
  struct aerogpu_escape_header hdr;
  uint64_t last_submitted_fence;
  uint64_t last_completed_fence;
  uint64_t error_irq_count; /* error interrupts seen */
  uint64_t last_error_fence;
};

/* One submission in a ring dump. */
struct aerogpu_dbgctl_ring_desc {
  uint64_t signal_fence;
  uint64_t cmd_gpa;
  uint32_t cmd_size_bytes;
  uint32_t flags; /* aerogpu_submit_flags */
};

/* DUMP_RING: submissions not taken yet. */
struct aerogpu_escape_dump_ring_inout {
  struct aerogpu_escape_header hdr;
  uint32_t ring_id; /* in: 0 */
  uint32_t ring_size_bytes;
  uint32_t head; /* free-running, as tail */
  uint32_t tail;
  uint32_t desc_count;    /* entries returned */
  uint32_t desc_capacity; /* in: entries wanted */
  struct aerogpu_dbgctl_ring_desc desc[32];
};

/* One submission in a ring dump, with its allocation table. */
struct aerogpu_dbgctl_ring_desc_v2 {
  uint64_t fence;
  uint64_t cmd_gpa;
  uint32_t cmd_size_bytes;
  uint32_t flags; /* aerogpu_submit_flags */
  uint64_t alloc_table_gpa;
  uint32_t alloc_table_size_bytes;
  uint32_t reserved0;
};

/* DUMP_RING_V2: the latest submissions, newest last. */
struct aerogpu_escape_dump_ring_v2_inout {
  struct aerogpu_escape_header hdr;
  uint32_t ring_id;     /* in: 0 */
  uint32_t ring_format; /* aerogpu_dbgctl_ring_format */
  uint32_t ring_size_bytes;
  uint32_t head; /* free-running, as tail */
  uint32_t tail;
  uint32_t desc_count;    /* entries returned */
  uint32_t desc_capacity; /* in: entries wanted */
  uint32_t reserved0;
  uint32_t reserved1;
  struct aerogpu_dbgctl_ring_desc_v2 desc[32];
};

/* SELFTEST: whether the device works; the call itself succeeds. */
struct aerogpu_escape_selftest_inout {
  struct aerogpu_escape_header hdr;
  uint32_t timeout_ms; /* in: 0 = default */
  uint32_t passed;     /* 0 or 1 */
  uint32_t error_code; /* aerogpu_dbgctl_selftest_error */
  uint32_t reserved0;
};

/* QUERY_VBLANK: the clock of a scanout. */
struct aerogpu_escape_query_vblank_out {
  struct aerogpu_escape_header hdr;
  uint32_t vidpn_source_id; /* in: 0 */
  uint32_t irq_enable;      /* register */
  uint32_t irq_status;      /* register */
  uint32_t flags;           /* AEROGPU_DBGCTL_QUERY_VBLANK_* */
  uint64_t vblank_seq;
  uint64_t last_vblank_time_ns;
  uint32_t vblank_period_ns;
  uint32_t vblank_interrupt_type; /* DXGK_INTERRUPT_TYPE */
};

/* QUERY_DEVICE_V2: identity and features. */
struct aerogpu_escape_query_device_v2_out {
  struct aerogpu_escape_header hdr;
  uint32_t detected_mmio_magic; /* BAR0 word 0 */
  uint32_t abi_version_u32;     /* major << 16 | minor */
  uint64_t features_lo;         /* bits 0..63 */
  uint64_t features_hi;         /* bits 64..127 */
  uint64_t reserved0;
};

/* MAP_SHARED_HANDLE: a debug number for a section handle. */
struct aerogpu_escape_map_shared_handle_inout {
  struct aerogpu_escape_header hdr;
  uint64_t shared_handle; /* in: NT handle */
  union {
    uint32_t debug_token; /* out */
    uint32_t share_token; /* old name; no protocol token */
  };
  uint32_t reserved0;
};

/* One allocation in the log of CreateAllocation calls. */
struct aerogpu_dbgctl_createallocation_desc {
  uint32_t seq;             /* of the record */
  uint32_t call_seq;        /* of the call */
  uint32_t alloc_index;     /* place in the call */
  uint32_t num_allocations; /* of the call */
  uint32_t create_flags;    /* of the call */
  uint32_t alloc_id;
  uint32_t priv_flags;  /* aerogpu_wddm_alloc_private_flags */
  uint32_t pitch_bytes; /* 0 = unknown */
  uint64_t share_token; /* 0 = not shared */
  uint64_t size_bytes;
  uint32_t flags_in;  /* of the OS */
  uint32_t flags_out; /* as the driver changed them */
};

/* DUMP_CREATEALLOCATION: the latest allocations created. */
struct aerogpu_escape_dump_createallocation_inout {
  struct aerogpu_escape_header hdr;
  uint32_t write_index;    /* records ever written */
  uint32_t entry_count;    /* records returned */
  uint32_t entry_capacity; /* in: records wanted */
  uint32_t reserved0;
  struct aerogpu_dbgctl_createallocation_desc entries[32];
};

/* QUERY_SCANOUT: what the driver believes and what the registers say. */
struct aerogpu_escape_query_scanout_out {
  struct aerogpu_escape_header hdr;
  uint32_t vidpn_source_id; /* in: 0 */
  uint32_t reserved0;       /* AEROGPU_DBGCTL_QUERY_SCANOUT_*, in version 2 */
  uint32_t cached_enable;
  uint32_t cached_width;
  uint32_t cached_height;
  uint32_t cached_format; /* aerogpu_format */
  uint32_t cached_pitch_bytes;
  uint32_t mmio_enable;
  uint32_t mmio_width;
  uint32_t mmio_height;
  uint32_t mmio_format; /* aerogpu_format */
  uint32_t mmio_pitch_bytes;
  uint64_t mmio_fb_gpa;
};

/* QUERY_SCANOUT in 80 bytes. */
struct aerogpu_escape_query_scanout_out_v2 {
  struct aerogpu_escape_query_scanout_out base;
  uint64_t cached_fb_gpa;
};

/* QUERY_CURSOR: the cursor registers. */
struct aerogpu_escape_query_cursor_out {
  struct aerogpu_escape_header hdr;
  uint32_t flags; /* AEROGPU_DBGCTL_QUERY_CURSOR_* */
  uint32_t reserved0;
  uint32_t enable;
  uint32_t x; /* signed */
  uint32_t y; /* signed */
  uint32_t hot_x;
  uint32_t hot_y;
  uint32_t width;
  uint32_t height;
  uint32_t format; /* aerogpu_format */
  uint64_t fb_gpa;
  uint32_t pitch_bytes;
  uint32_t reserved1;
};

/* QUERY_PERF: counters of the adapter, from 144 bytes on. */
struct aerogpu_escape_query_perf_out {
  struct aerogpu_escape_header hdr;
  uint64_t last_submitted_fence;
  uint64_t last_completed_fence;
  uint32_t ring0_head; /* valid with RING_VALID, as the next three */
  uint32_t ring0_tail;
  uint32_t ring0_size_bytes;
  uint32_t ring0_entry_count;
  uint64_t total_submissions;
  uint64_t total_presents;
  uint64_t total_render_submits;
  uint64_t total_internal_submits; /* by the driver itself */
  uint64_t irq_fence_delivered;
  uint64_t irq_vblank_delivered;
  uint64_t irq_spurious;
  uint64_t reset_from_timeout_count; /* TDR resets */
  uint64_t last_reset_time_100ns;
  uint64_t vblank_seq; /* valid with VBLANK_VALID */
  uint64_t last_vblank_time_ns;
  uint32_t vblank_period_ns;
  uint32_t reserved0; /* bit 31 error latched; 0..30 its time, 10 ms */
  uint64_t error_irq_count;
  uint64_t last_error_fence;
  uint64_t ring_push_failures;
  uint64_t selftest_count;
  uint32_t selftest_last_error_code; /* aerogpu_dbgctl_selftest_error */
  uint32_t flags;                    /* AEROGPU_DBGCTL_QUERY_PERF_* */
  uint32_t pending_meta_handle_count;
  uint32_t pending_meta_handle_reserved0;
  uint64_t pending_meta_handle_bytes;
  uint64_t get_scanline_cache_hits; /* debug builds, as the next */
  uint64_t get_scanline_mmio_polls;
  uint64_t contig_pool_hit;
  uint64_t contig_pool_miss;
  uint64_t contig_pool_bytes_saved;
  uint64_t alloc_table_count;
  uint64_t alloc_table_entries;
  uint64_t alloc_table_readonly_entries;
};

/* READ_GPA: guest memory, for debugging. */
struct aerogpu_escape_read_gpa_inout {
  struct aerogpu_escape_header hdr;
  uint64_t gpa;        /* in */
  uint32_t size_bytes; /* in: at most 4096 */
  uint32_t reserved0;
  uint32_t status; /* NTSTATUS of the read */
  uint32_t bytes_copied;
  uint8_t data[4096];
};

/* QUERY_ERROR: the last device error. */
struct aerogpu_escape_query_error_out {
  struct aerogpu_escape_header hdr;
  uint32_t flags;      /* AEROGPU_DBGCTL_QUERY_ERROR_* */
  uint32_t error_code; /* aerogpu_error_code */
  uint64_t error_fence;
  uint32_t error_count;
  uint32_t reserved0;
};

/* SET_CURSOR_SHAPE: 48 + pitch_bytes * height bytes. */
struct aerogpu_escape_set_cursor_shape_in {
  struct aerogpu_escape_header hdr;
  uint32_t width;
  uint32_t height;
  uint32_t hot_x;
  uint32_t hot_y;
  uint32_t pitch_bytes;
  uint32_t format; /* aerogpu_format, advisory */
  uint32_t reserved0;
  uint32_t reserved1;
  uint8_t pixels[1]; /* the first of pitch_bytes * height */
};

/* SET_CURSOR_POSITION. */
struct aerogpu_escape_set_cursor_position_in {
  struct aerogpu_escape_header hdr;
  uint32_t x; /* signed pixels */
  uint32_t y; /* signed pixels */
};

/* SET_CURSOR_VISIBILITY. */
struct aerogpu_escape_set_cursor_visibility_in {
  struct aerogpu_escape_header hdr;
  uint32_t visible; /* 0 or 1 */
  uint32_t reserved0;
};

#pragma pack(pop)

typedef struct aerogpu_escape_query_vblank_out aerogpu_escape_dump_vblank_inout;

#ifdef __cplusplus
}
#endif

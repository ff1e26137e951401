/* Escape protocol: debug and control operations. */
#pragma once

#include <stdint.h>

#include "aerogpu/abi/escape.h"

#ifdef __cplusplus
extern "C" {
#endif

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

#define AEROGPU_DBGCTL_QUERY_CURSOR_FLAG_CURSOR_SUPPORTED 1u
#define AEROGPU_DBGCTL_QUERY_ERROR_FLAG_ERROR_SUPPORTED 1u
#define AEROGPU_DBGCTL_QUERY_PERF_FLAG_RING_VALID 1u
#define AEROGPU_DBGCTL_QUERY_SCANOUT_FLAG_CACHED_FB_GPA_VALID 1u
#define AEROGPU_DBGCTL_QUERY_VBLANK_FLAG_VBLANK_SUPPORTED 1u
#define AEROGPU_DBGCTL_QUERY_CURSOR_FLAG_POST_DISPLAY_OWNERSHIP_RELEASED 2u
#define AEROGPU_DBGCTL_QUERY_ERROR_FLAG_ERROR_LATCHED 2u
#define AEROGPU_DBGCTL_QUERY_PERF_FLAG_VBLANK_VALID 2u
#define AEROGPU_DBGCTL_QUERY_SCANOUT_FLAG_POST_DISPLAY_OWNERSHIP_RELEASED 2u
#define AEROGPU_DBGCTL_QUERY_VBLANK_FLAG_INTERRUPT_TYPE_VALID 2u
#define AEROGPU_DBGCTL_QUERY_PERF_FLAG_GETSCANLINE_COUNTERS_VALID 4u
#define AEROGPU_DBGCTL_MAX_RECENT_ALLOCATIONS 32u
#define AEROGPU_DBGCTL_MAX_RECENT_DESCRIPTORS 32u
#define AEROGPU_DBGCTL_READ_GPA_MAX_BYTES 0x1000u
#define AEROGPU_DBGCTL_QUERY_CURSOR_FLAGS_VALID 0x80000000u
#define AEROGPU_DBGCTL_QUERY_ERROR_FLAGS_VALID 0x80000000u
#define AEROGPU_DBGCTL_QUERY_PERF_FLAGS_VALID 0x80000000u
#define AEROGPU_DBGCTL_QUERY_SCANOUT_FLAGS_VALID 0x80000000u
#define AEROGPU_DBGCTL_QUERY_VBLANK_FLAGS_VALID 0x80000000u

enum aerogpu_dbgctl_ring_format {
  AEROGPU_DBGCTL_RING_FORMAT_UNKNOWN = 0,
  AEROGPU_DBGCTL_RING_FORMAT_LEGACY = 1,
  AEROGPU_DBGCTL_RING_FORMAT_AGPU = 2,
};

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

struct aerogpu_escape_query_fence_out {
  struct aerogpu_escape_header hdr;
  uint64_t last_submitted_fence;
  uint64_t last_completed_fence;
  uint64_t error_irq_count;
  uint64_t last_error_fence;
};

struct aerogpu_dbgctl_ring_desc {
  uint64_t signal_fence;
  uint64_t cmd_gpa;
  uint32_t cmd_size_bytes;
  uint32_t flags;
};

struct aerogpu_escape_dump_ring_inout {
  struct aerogpu_escape_header hdr;
  uint32_t ring_id;
  uint32_t ring_size_bytes;
  uint32_t head;
  uint32_t tail;
  uint32_t desc_count;
  uint32_t desc_capacity;
  struct aerogpu_dbgctl_ring_desc desc[32];
};

struct aerogpu_dbgctl_ring_desc_v2 {
  uint64_t fence;
  uint64_t cmd_gpa;
  uint32_t cmd_size_bytes;
  uint32_t flags;
  uint64_t alloc_table_gpa;
  uint32_t alloc_table_size_bytes;
  uint32_t reserved0;
};

struct aerogpu_escape_dump_ring_v2_inout {
  struct aerogpu_escape_header hdr;
  uint32_t ring_id;
  uint32_t ring_format;
  uint32_t ring_size_bytes;
  uint32_t head;
  uint32_t tail;
  uint32_t desc_count;
  uint32_t desc_capacity;
  uint32_t reserved0;
  uint32_t reserved1;
  struct aerogpu_dbgctl_ring_desc_v2 desc[32];
};

struct aerogpu_escape_selftest_inout {
  struct aerogpu_escape_header hdr;
  uint32_t timeout_ms;
  uint32_t passed;
  uint32_t error_code;
  uint32_t reserved0;
};

struct aerogpu_escape_query_vblank_out {
  struct aerogpu_escape_header hdr;
  uint32_t vidpn_source_id;
  uint32_t irq_enable;
  uint32_t irq_status;
  uint32_t flags;
  uint64_t vblank_seq;
  uint64_t last_vblank_time_ns;
  uint32_t vblank_period_ns;
  uint32_t vblank_interrupt_type;
};

struct aerogpu_escape_query_device_v2_out {
  struct aerogpu_escape_header hdr;
  uint32_t detected_mmio_magic;
  uint32_t abi_version_u32;
  uint64_t features_lo;
  uint64_t features_hi;
  uint64_t reserved0;
};

struct aerogpu_escape_map_shared_handle_inout {
  struct aerogpu_escape_header hdr;
  uint64_t shared_handle;
  union {
    uint32_t debug_token;
    uint32_t share_token;
  };
  uint32_t reserved0;
};

struct aerogpu_dbgctl_createallocation_desc {
  uint32_t seq;
  uint32_t call_seq;
  uint32_t alloc_index;
  uint32_t num_allocations;
  uint32_t create_flags;
  uint32_t alloc_id;
  uint32_t priv_flags;
  uint32_t pitch_bytes;
  uint64_t share_token;
  uint64_t size_bytes;
  uint32_t flags_in;
  uint32_t flags_out;
};

struct aerogpu_escape_dump_createallocation_inout {
  struct aerogpu_escape_header hdr;
  uint32_t write_index;
  uint32_t entry_count;
  uint32_t entry_capacity;
  uint32_t reserved0;
  struct aerogpu_dbgctl_createallocation_desc entries[32];
};

struct aerogpu_escape_query_scanout_out {
  struct aerogpu_escape_header hdr;
  uint32_t vidpn_source_id;
  uint32_t reserved0;
  uint32_t cached_enable;
  uint32_t cached_width;
  uint32_t cached_height;
  uint32_t cached_format;
  uint32_t cached_pitch_bytes;
  uint32_t mmio_enable;
  uint32_t mmio_width;
  uint32_t mmio_height;
  uint32_t mmio_format;
  uint32_t mmio_pitch_bytes;
  uint64_t mmio_fb_gpa;
};

struct aerogpu_escape_query_scanout_out_v2 {
  struct aerogpu_escape_query_scanout_out base;
  uint64_t cached_fb_gpa;
};

struct aerogpu_escape_query_cursor_out {
  struct aerogpu_escape_header hdr;
  uint32_t flags;
  uint32_t reserved0;
  uint32_t enable;
  uint32_t x;
  uint32_t y;
  uint32_t hot_x;
  uint32_t hot_y;
  uint32_t width;
  uint32_t height;
  uint32_t format;
  uint64_t fb_gpa;
  uint32_t pitch_bytes;
  uint32_t reserved1;
};

struct aerogpu_escape_query_perf_out {
  struct aerogpu_escape_header hdr;
  uint64_t last_submitted_fence;
  uint64_t last_completed_fence;
  uint32_t ring0_head;
  uint32_t ring0_tail;
  uint32_t ring0_size_bytes;
  uint32_t ring0_entry_count;
  uint64_t total_submissions;
  uint64_t total_presents;
  uint64_t total_render_submits;
  uint64_t total_internal_submits;
  uint64_t irq_fence_delivered;
  uint64_t irq_vblank_delivered;
  uint64_t irq_spurious;
  uint64_t reset_from_timeout_count;
  uint64_t last_reset_time_100ns;
  uint64_t vblank_seq;
  uint64_t last_vblank_time_ns;
  uint32_t vblank_period_ns;
  uint32_t reserved0;
  uint64_t error_irq_count;
  uint64_t last_error_fence;
  uint64_t ring_push_failures;
  uint64_t selftest_count;
  uint32_t selftest_last_error_code;
  uint32_t flags;
  uint32_t pending_meta_handle_count;
  uint32_t pending_meta_handle_reserved0;
  uint64_t pending_meta_handle_bytes;
  uint64_t get_scanline_cache_hits;
  uint64_t get_scanline_mmio_polls;
  uint64_t contig_pool_hit;
  uint64_t contig_pool_miss;
  uint64_t contig_pool_bytes_saved;
  uint64_t alloc_table_count;
  uint64_t alloc_table_entries;
  uint64_t alloc_table_readonly_entries;
};

struct aerogpu_escape_read_gpa_inout {
  struct aerogpu_escape_header hdr;
  uint64_t gpa;
  uint32_t size_bytes;
  uint32_t reserved0;
  uint32_t status;
  uint32_t bytes_copied;
  uint8_t data[4096];
};

struct aerogpu_escape_query_error_out {
  struct aerogpu_escape_header hdr;
  uint32_t flags;
  uint32_t error_code;
  uint64_t error_fence;
  uint32_t error_count;
  uint32_t reserved0;
};

struct aerogpu_escape_set_cursor_shape_in {
  struct aerogpu_escape_header hdr;
  uint32_t width;
  uint32_t height;
  uint32_t hot_x;
  uint32_t hot_y;
  uint32_t pitch_bytes;
  uint32_t format;
  uint32_t reserved0;
  uint32_t reserved1;
  uint8_t pixels[1];
};

struct aerogpu_escape_set_cursor_position_in {
  struct aerogpu_escape_header hdr;
  uint32_t x;
  uint32_t y;
};

struct aerogpu_escape_set_cursor_visibility_in {
  struct aerogpu_escape_header hdr;
  uint32_t visible;
  uint32_t reserved0;
};

#pragma pack(pop)

typedef struct aerogpu_escape_query_vblank_out aerogpu_escape_dump_vblank_inout;

#ifdef __cplusplus
}
#endif

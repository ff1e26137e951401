// SPDX-License-Identifier: MIT
/// \file Layout of QUERY_PERF, which older drivers cut short (kmd.md 3.22).
#include "drivers/win7/tools/dbgctl/answers/layouts.hpp"
#include "drivers/win7/tools/dbgctl/answers/value_names.hpp"

#include <cstddef>

namespace aerogpu::dbgctl {
namespace {

using enum value_kind;

using query_perf = aerogpu_escape_query_perf_out;

constexpr std::uint32_t ring_valid = AEROGPU_DBGCTL_QUERY_PERF_FLAG_RING_VALID;
constexpr std::uint32_t vblank_valid = AEROGPU_DBGCTL_QUERY_PERF_FLAG_VBLANK_VALID;
constexpr std::uint32_t scanline_valid = AEROGPU_DBGCTL_QUERY_PERF_FLAG_GETSCANLINE_COUNTERS_VALID;

constexpr field query_perf_fields[] = {
    {"last_submitted_fence", offsetof(query_perf, last_submitted_fence), 8},
    {"last_completed_fence", offsetof(query_perf, last_completed_fence), 8},
    {"ring0_head", offsetof(query_perf, ring0_head), 4, number, {}, ring_valid},
    {"ring0_tail", offsetof(query_perf, ring0_tail), 4, number, {}, ring_valid},
    {"ring0_size_bytes", offsetof(query_perf, ring0_size_bytes), 4, number, {}, ring_valid},
    {"ring0_entry_count", offsetof(query_perf, ring0_entry_count), 4, number, {}, ring_valid},
    {"total_submissions", offsetof(query_perf, total_submissions), 8},
    {"total_presents", offsetof(query_perf, total_presents), 8},
    {"total_render_submits", offsetof(query_perf, total_render_submits), 8},
    {"total_internal_submits", offsetof(query_perf, total_internal_submits), 8},
    {"irq_fence_delivered", offsetof(query_perf, irq_fence_delivered), 8},
    {"irq_vblank_delivered", offsetof(query_perf, irq_vblank_delivered), 8},
    {"irq_spurious", offsetof(query_perf, irq_spurious), 8},
    {"reset_from_timeout_count", offsetof(query_perf, reset_from_timeout_count), 8},
    {"last_reset_time_100ns", offsetof(query_perf, last_reset_time_100ns), 8},
    {"vblank_seq", offsetof(query_perf, vblank_seq), 8, number, {}, vblank_valid},
    {"last_vblank_time_ns", offsetof(query_perf, last_vblank_time_ns), 8, number, {}, vblank_valid},
    {"vblank_period_ns", offsetof(query_perf, vblank_period_ns), 4, number, {}, vblank_valid},
    {"error_state", offsetof(query_perf, reserved0), 4, hex},
    {"error_irq_count", offsetof(query_perf, error_irq_count), 8},
    {"last_error_fence", offsetof(query_perf, last_error_fence), 8},
    {"ring_push_failures", offsetof(query_perf, ring_push_failures), 8},
    {"selftest_count", offsetof(query_perf, selftest_count), 8},
    {"selftest_last_error", offsetof(query_perf, selftest_last_error_code), 4, one_of,
     selftest_errors},
    {"flags", offsetof(query_perf, flags), 4, bits, perf_flags},
    {"pending_meta_handle_count", offsetof(query_perf, pending_meta_handle_count), 4},
    {"pending_meta_handle_bytes", offsetof(query_perf, pending_meta_handle_bytes), 8},
    {"get_scanline_cache_hits",
     offsetof(query_perf, get_scanline_cache_hits),
     8,
     number,
     {},
     scanline_valid},
    {"get_scanline_mmio_polls",
     offsetof(query_perf, get_scanline_mmio_polls),
     8,
     number,
     {},
     scanline_valid},
    {"contig_pool_hit", offsetof(query_perf, contig_pool_hit), 8},
    {"contig_pool_miss", offsetof(query_perf, contig_pool_miss), 8},
    {"contig_pool_bytes_saved", offsetof(query_perf, contig_pool_bytes_saved), 8},
    {"alloc_table_count", offsetof(query_perf, alloc_table_count), 8},
    {"alloc_table_entries", offsetof(query_perf, alloc_table_entries), 8},
    {"alloc_table_readonly_entries", offsetof(query_perf, alloc_table_readonly_entries), 8},
};

}  // namespace

const answer_layout query_perf_layout{sizeof(query_perf), 144, query_perf_fields,
                                      offsetof(query_perf, flags)};

}  // namespace aerogpu::dbgctl

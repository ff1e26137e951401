// SPDX-License-Identifier: MIT
/// \file Layouts of the queries, member by member (kmd.md 3.21).
#include "drivers/win7/tools/dbgctl/answers/layouts.hpp"
#include "drivers/win7/tools/dbgctl/answers/value_names.hpp"

#include <cstddef>

namespace aerogpu::dbgctl {
namespace {

using enum value_kind;

using query_device = aerogpu_escape_query_device_out;
using query_device_v2 = aerogpu_escape_query_device_v2_out;
using query_fence = aerogpu_escape_query_fence_out;
using selftest = aerogpu_escape_selftest_inout;
using query_vblank = aerogpu_escape_query_vblank_out;
using query_scanout = aerogpu_escape_query_scanout_out_v2;
using query_cursor = aerogpu_escape_query_cursor_out;
using query_error = aerogpu_escape_query_error_out;

// Flags without which a value means nothing.
constexpr std::uint32_t has_vblank = AEROGPU_DBGCTL_QUERY_VBLANK_FLAG_VBLANK_SUPPORTED;
constexpr std::uint32_t has_type = AEROGPU_DBGCTL_QUERY_VBLANK_FLAG_INTERRUPT_TYPE_VALID;
constexpr std::uint32_t has_address = AEROGPU_DBGCTL_QUERY_SCANOUT_FLAG_CACHED_FB_GPA_VALID;
constexpr std::uint32_t has_cursor = AEROGPU_DBGCTL_QUERY_CURSOR_FLAG_CURSOR_SUPPORTED;
constexpr std::uint32_t is_latched = AEROGPU_DBGCTL_QUERY_ERROR_FLAG_ERROR_LATCHED;

constexpr field query_device_fields[] = {
    {"mmio_version", offsetof(query_device, mmio_version), 4, version},
};

constexpr field query_device_v2_fields[] = {
    {"magic", offsetof(query_device_v2, detected_mmio_magic), 4, magic},
    {"abi_version", offsetof(query_device_v2, abi_version_u32), 4, version},
    {"features", offsetof(query_device_v2, features_lo), 8, features_low},
    {"features_hi", offsetof(query_device_v2, features_hi), 8, features_high},
};

constexpr field query_fence_fields[] = {
    {"last_submitted_fence", offsetof(query_fence, last_submitted_fence), 8},
    {"last_completed_fence", offsetof(query_fence, last_completed_fence), 8},
    {"error_irq_count", offsetof(query_fence, error_irq_count), 8},
    {"last_error_fence", offsetof(query_fence, last_error_fence), 8},
};

constexpr field selftest_fields[] = {
    {"timeout_ms", offsetof(selftest, timeout_ms), 4},
    {"passed", offsetof(selftest, passed), 4, truth},
    {"error", offsetof(selftest, error_code), 4, one_of, selftest_errors},
};

constexpr field query_vblank_fields[] = {
    {"vidpn_source_id", offsetof(query_vblank, vidpn_source_id), 4},
    {"irq_enable", offsetof(query_vblank, irq_enable), 4, bits, interrupt_bits},
    {"irq_status", offsetof(query_vblank, irq_status), 4, bits, interrupt_bits},
    {"flags", offsetof(query_vblank, flags), 4, bits, vblank_flags},
    {"vblank_seq", offsetof(query_vblank, vblank_seq), 8, number, {}, has_vblank},
    {"last_vblank_time_ns", offsetof(query_vblank, last_vblank_time_ns), 8, number, {}, has_vblank},
    {"vblank_period_ns", offsetof(query_vblank, vblank_period_ns), 4, number, {}, has_vblank},
    {"vblank_interrupt_type", offsetof(query_vblank, vblank_interrupt_type), 4, one_of,
     interrupt_types, has_type},
};

constexpr field query_scanout_fields[] = {
    {"vidpn_source_id", offsetof(query_scanout, base.vidpn_source_id), 4},
    {"flags", offsetof(query_scanout, base.reserved0), 4, bits, scanout_flags},
    {"cached_enable", offsetof(query_scanout, base.cached_enable), 4, truth},
    {"cached_width", offsetof(query_scanout, base.cached_width), 4},
    {"cached_height", offsetof(query_scanout, base.cached_height), 4},
    {"cached_format", offsetof(query_scanout, base.cached_format), 4, format},
    {"cached_pitch_bytes", offsetof(query_scanout, base.cached_pitch_bytes), 4},
    {"cached_fb_gpa", offsetof(query_scanout, cached_fb_gpa), 8, hex, {}, has_address},
    {"mmio_enable", offsetof(query_scanout, base.mmio_enable), 4, truth},
    {"mmio_width", offsetof(query_scanout, base.mmio_width), 4},
    {"mmio_height", offsetof(query_scanout, base.mmio_height), 4},
    {"mmio_format", offsetof(query_scanout, base.mmio_format), 4, format},
    {"mmio_pitch_bytes", offsetof(query_scanout, base.mmio_pitch_bytes), 4},
    {"mmio_fb_gpa", offsetof(query_scanout, base.mmio_fb_gpa), 8, hex},
};

constexpr field query_cursor_fields[] = {
    {"flags", offsetof(query_cursor, flags), 4, bits, cursor_flags},
    {"enable", offsetof(query_cursor, enable), 4, truth, {}, has_cursor},
    {"x", offsetof(query_cursor, x), 4, signed_number, {}, has_cursor},
    {"y", offsetof(query_cursor, y), 4, signed_number, {}, has_cursor},
    {"hot_x", offsetof(query_cursor, hot_x), 4, number, {}, has_cursor},
    {"hot_y", offsetof(query_cursor, hot_y), 4, number, {}, has_cursor},
    {"width", offsetof(query_cursor, width), 4, number, {}, has_cursor},
    {"height", offsetof(query_cursor, height), 4, number, {}, has_cursor},
    {"format", offsetof(query_cursor, format), 4, format, {}, has_cursor},
    {"fb_gpa", offsetof(query_cursor, fb_gpa), 8, hex, {}, has_cursor},
    {"pitch_bytes", offsetof(query_cursor, pitch_bytes), 4, number, {}, has_cursor},
};

constexpr field query_error_fields[] = {
    {"flags", offsetof(query_error, flags), 4, bits, error_flags},
    {"error_code", offsetof(query_error, error_code), 4, one_of, device_errors, is_latched},
    {"error_fence", offsetof(query_error, error_fence), 8, number, {}, is_latched},
    {"error_count", offsetof(query_error, error_count), 4},
};

}  // namespace

const answer_layout query_device_layout{sizeof(query_device), sizeof(query_device),
                                        query_device_fields};
const answer_layout query_device_v2_layout{sizeof(query_device_v2), sizeof(query_device_v2),
                                           query_device_v2_fields};
const answer_layout query_fence_layout{sizeof(query_fence), 32, query_fence_fields};
const answer_layout selftest_layout{sizeof(selftest), sizeof(selftest), selftest_fields};
const answer_layout query_vblank_layout{sizeof(query_vblank), sizeof(query_vblank),
                                        query_vblank_fields, offsetof(query_vblank, flags)};
const answer_layout query_scanout_layout{sizeof(query_scanout), sizeof(query_scanout::base),
                                         query_scanout_fields,
                                         offsetof(query_scanout, base.reserved0)};
const answer_layout query_cursor_layout{sizeof(query_cursor), sizeof(query_cursor),
                                        query_cursor_fields, offsetof(query_cursor, flags)};
const answer_layout query_error_layout{sizeof(query_error), sizeof(query_error), query_error_fields,
                                       offsetof(query_error, flags)};

}  // namespace aerogpu::dbgctl

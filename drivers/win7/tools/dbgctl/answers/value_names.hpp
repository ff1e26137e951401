// SPDX-License-Identifier: MIT
/// \file Names of the numbers and bits in answers.
#pragma once

#include "aerogpu/abi/dbgctl_escape.h"
#include "aerogpu/abi/mmio.h"
#include "aerogpu/abi/ring.h"
#include "aerogpu/abi/wddm_alloc.h"
#include "drivers/win7/tools/dbgctl/answers/answer_layout.hpp"

#include <array>

namespace aerogpu::dbgctl {

inline constexpr std::array<value_name, 15> selftest_errors{{
    {AEROGPU_DBGCTL_SELFTEST_OK, "ok"},
    {AEROGPU_DBGCTL_SELFTEST_ERR_INVALID_STATE, "invalid state"},
    {AEROGPU_DBGCTL_SELFTEST_ERR_RING_NOT_READY, "ring not ready"},
    {AEROGPU_DBGCTL_SELFTEST_ERR_GPU_BUSY, "GPU busy"},
    {AEROGPU_DBGCTL_SELFTEST_ERR_NO_RESOURCES, "no resources"},
    {AEROGPU_DBGCTL_SELFTEST_ERR_TIMEOUT, "timeout"},
    {AEROGPU_DBGCTL_SELFTEST_ERR_VBLANK_REGS_OUT_OF_RANGE, "vblank registers out of range"},
    {AEROGPU_DBGCTL_SELFTEST_ERR_VBLANK_SEQ_STUCK, "vblank counter does not move"},
    {AEROGPU_DBGCTL_SELFTEST_ERR_VBLANK_IRQ_REGS_OUT_OF_RANGE, "IRQ registers out of range"},
    {AEROGPU_DBGCTL_SELFTEST_ERR_VBLANK_IRQ_NOT_LATCHED, "vblank interrupt not latched"},
    {AEROGPU_DBGCTL_SELFTEST_ERR_VBLANK_IRQ_NOT_CLEARED, "vblank interrupt not cleared"},
    {AEROGPU_DBGCTL_SELFTEST_ERR_CURSOR_REGS_OUT_OF_RANGE, "cursor registers out of range"},
    {AEROGPU_DBGCTL_SELFTEST_ERR_CURSOR_RW_MISMATCH, "cursor registers read back otherwise"},
    {AEROGPU_DBGCTL_SELFTEST_ERR_VBLANK_IRQ_NOT_DELIVERED, "vblank interrupt not delivered"},
    {AEROGPU_DBGCTL_SELFTEST_ERR_TIME_BUDGET_EXHAUSTED, "time budget exhausted"},
}};

inline constexpr std::array<value_name, 5> device_errors{{
    {AEROGPU_ERROR_NONE, "none"},
    {AEROGPU_ERROR_CMD_DECODE, "CMD_DECODE"},
    {AEROGPU_ERROR_OOB, "OOB"},
    {AEROGPU_ERROR_BACKEND, "BACKEND"},
    {AEROGPU_ERROR_INTERNAL, "INTERNAL"},
}};

inline constexpr std::array<value_name, 3> ring_formats{{
    {AEROGPU_DBGCTL_RING_FORMAT_UNKNOWN, "unknown"},
    {AEROGPU_DBGCTL_RING_FORMAT_LEGACY, "legacy"},
    {AEROGPU_DBGCTL_RING_FORMAT_AGPU, "AGPU"},
}};

inline constexpr std::array<value_name, 1> interrupt_types{{{3, "CRTC_VSYNC"}}};

inline constexpr std::array<value_name, 4> read_statuses{{
    {0, "success"},
    {0x8000000D, "partial copy"},
    {0xC0000022, "access denied"},
    {0xC000000D, "invalid parameter"},
}};

inline constexpr std::array<value_name, 2> submit_flags{{
    {AEROGPU_SUBMIT_FLAG_PRESENT, "present"},
    {AEROGPU_SUBMIT_FLAG_NO_IRQ, "no_irq"},
}};

inline constexpr std::array<value_name, 3> interrupt_bits{{
    {AEROGPU_IRQ_FENCE, "fence"},
    {AEROGPU_IRQ_SCANOUT_VBLANK, "vblank"},
    {AEROGPU_IRQ_ERROR, "error"},
}};

inline constexpr std::array<value_name, 4> allocation_flags{{
    {AEROGPU_WDDM_ALLOC_PRIV_FLAG_IS_SHARED, "shared"},
    {AEROGPU_WDDM_ALLOC_PRIV_FLAG_CPU_VISIBLE, "cpu_visible"},
    {AEROGPU_WDDM_ALLOC_PRIV_FLAG_STAGING, "staging"},
    {AEROGPU_WDDM_ALLOC_PRIV_FLAG_PRIMARY, "primary"},
}};

inline constexpr std::array<value_name, 3> vblank_flags{{
    {AEROGPU_DBGCTL_QUERY_VBLANK_FLAG_VBLANK_SUPPORTED, "supported"},
    {AEROGPU_DBGCTL_QUERY_VBLANK_FLAG_INTERRUPT_TYPE_VALID, "interrupt_type_valid"},
    {AEROGPU_DBGCTL_QUERY_VBLANK_FLAGS_VALID, "valid"},
}};

inline constexpr std::array<value_name, 3> scanout_flags{{
    {AEROGPU_DBGCTL_QUERY_SCANOUT_FLAG_CACHED_FB_GPA_VALID, "cached_fb_gpa_valid"},
    {AEROGPU_DBGCTL_QUERY_SCANOUT_FLAG_POST_DISPLAY_OWNERSHIP_RELEASED, "released"},
    {AEROGPU_DBGCTL_QUERY_SCANOUT_FLAGS_VALID, "valid"},
}};

inline constexpr std::array<value_name, 3> cursor_flags{{
    {AEROGPU_DBGCTL_QUERY_CURSOR_FLAG_CURSOR_SUPPORTED, "supported"},
    {AEROGPU_DBGCTL_QUERY_CURSOR_FLAG_POST_DISPLAY_OWNERSHIP_RELEASED, "released"},
    {AEROGPU_DBGCTL_QUERY_CURSOR_FLAGS_VALID, "valid"},
}};

inline constexpr std::array<value_name, 4> perf_flags{{
    {AEROGPU_DBGCTL_QUERY_PERF_FLAG_RING_VALID, "ring_valid"},
    {AEROGPU_DBGCTL_QUERY_PERF_FLAG_VBLANK_VALID, "vblank_valid"},
    {AEROGPU_DBGCTL_QUERY_PERF_FLAG_GETSCANLINE_COUNTERS_VALID, "get_scanline_valid"},
    {AEROGPU_DBGCTL_QUERY_PERF_FLAGS_VALID, "valid"},
}};

inline constexpr std::array<value_name, 3> error_flags{{
    {AEROGPU_DBGCTL_QUERY_ERROR_FLAG_ERROR_SUPPORTED, "supported"},
    {AEROGPU_DBGCTL_QUERY_ERROR_FLAG_ERROR_LATCHED, "latched"},
    {AEROGPU_DBGCTL_QUERY_ERROR_FLAGS_VALID, "valid"},
}};

/// Of every flags word: without it the other bits mean nothing.
inline constexpr std::uint32_t flags_valid = 0x80000000u;

}  // namespace aerogpu::dbgctl

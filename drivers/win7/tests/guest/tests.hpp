// SPDX-License-Identifier: MIT
/// \file Every guest test, by name (kmd.md 5).
#pragma once

#include "drivers/win7/tests/guest/program.hpp"

#include <array>

namespace aerogpu::guest {

extern const guest_test alloc_table_readonly_sanity;
extern const guest_test cursor_state_sanity;
extern const guest_test dbgctl_escape_security_sanity;
extern const guest_test dbgctl_selftest_sanity;
extern const guest_test device_state_sanity;
extern const guest_test dump_createalloc_sanity;
extern const guest_test fence_state_sanity;
extern const guest_test get_scanline_sanity;
extern const guest_test map_shared_handle_stress;
extern const guest_test modeset_roundtrip_sanity;
extern const guest_test perf_state_sanity;
extern const guest_test ring_state_sanity;
extern const guest_test scanout_state_sanity;
extern const guest_test segment_budget_sanity;
extern const guest_test submit_fence_stress;
extern const guest_test transfer_feature_sanity;
extern const guest_test umd_private_sanity;
extern const guest_test vblank_state_sanity;
extern const guest_test vblank_wait;
extern const guest_test vblank_wait_pacing;
extern const guest_test vblank_wait_sanity;
extern const guest_test wait_vblank_pacing;

inline constexpr std::array all_tests{
    &alloc_table_readonly_sanity,
    &cursor_state_sanity,
    &dbgctl_escape_security_sanity,
    &dbgctl_selftest_sanity,
    &device_state_sanity,
    &dump_createalloc_sanity,
    &fence_state_sanity,
    &get_scanline_sanity,
    &map_shared_handle_stress,
    &modeset_roundtrip_sanity,
    &perf_state_sanity,
    &ring_state_sanity,
    &scanout_state_sanity,
    &segment_budget_sanity,
    &submit_fence_stress,
    &transfer_feature_sanity,
    &umd_private_sanity,
    &vblank_state_sanity,
    &vblank_wait,
    &vblank_wait_pacing,
    &vblank_wait_sanity,
    &wait_vblank_pacing,
};

}  // namespace aerogpu::guest

// SPDX-License-Identifier: MIT
/// \file The layout of each operation's answer.
#pragma once

#include "drivers/win7/tools/dbgctl/answers/answer_layout.hpp"

namespace aerogpu::dbgctl {

extern const answer_layout query_device_layout;
extern const answer_layout query_fence_layout;
extern const answer_layout dump_ring_layout;
extern const answer_layout selftest_layout;
extern const answer_layout query_vblank_layout;
extern const answer_layout dump_ring_v2_layout;
extern const answer_layout query_device_v2_layout;
extern const answer_layout map_shared_handle_layout;
extern const answer_layout dump_createallocation_layout;
extern const answer_layout query_scanout_layout;
extern const answer_layout query_cursor_layout;
extern const answer_layout query_perf_layout;
extern const answer_layout read_gpa_layout;
extern const answer_layout query_error_layout;
extern const answer_layout set_cursor_shape_layout;
extern const answer_layout set_cursor_position_layout;
extern const answer_layout set_cursor_visibility_layout;

}  // namespace aerogpu::dbgctl

// SPDX-License-Identifier: MIT
/// \file Fences and vblank, of host and guest.
#pragma once

#include "aerogpu/sync/early_completions.hpp"
#include "aerogpu/sync/fence_extender.hpp"
#include "aerogpu/sync/fence_reporter.hpp"
#include "aerogpu/sync/fence_timeline.hpp"
#include "aerogpu/sync/frame_latency.hpp"
#include "aerogpu/sync/vblank_anchor.hpp"
#include "aerogpu/sync/vblank_clock.hpp"

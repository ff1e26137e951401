// SPDX-License-Identifier: MIT
/// \file Sleep and resume of the adapter (kmd.md 3.13).
#pragma once

#include "drivers/win7/ddi/ddi.hpp"

namespace aerogpu::kmd {

class adapter;

/// Level 3: nothing is queued, video memory is evicted. A repeated state does nothing. PASSIVE.
void set_power_state(adapter& adapter, DEVICE_POWER_STATE state) noexcept;

}  // namespace aerogpu::kmd

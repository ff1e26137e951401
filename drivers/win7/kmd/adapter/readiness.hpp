// SPDX-License-Identifier: MIT
/// \file When the device may be touched and may interrupt: entering and leaving that state.
#pragma once

#include <cstdint>

namespace aerogpu::kmd {

class adapter;

/// Interrupts off and acknowledged, then `is_ready` false: neither ISR nor DPC touches anything
/// afterwards, and no DPC that did still runs. Registers mapped. PASSIVE, no lock held.
void leave_ready(adapter& adapter) noexcept;
/// `is_ready` true, then interrupts on, stale causes acknowledged before. The wish for vertical
/// blanks is applied with it. Registers mapped, everything programmed. PASSIVE.
void enter_ready(adapter& adapter) noexcept;

/// Scanout and cursor go dark; caches stay. Registers mapped, not ready. PASSIVE.
void darken_display(adapter& adapter) noexcept;
/// Scanout and cursor as the caches have them. Registers mapped, not ready. PASSIVE.
void restore_display(adapter& adapter) noexcept;

}  // namespace aerogpu::kmd

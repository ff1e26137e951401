// SPDX-License-Identifier: MIT
/// \file Timeout detection and recovery: the two halves of a device reset (kmd.md 3.12).
#pragma once

namespace aerogpu::kmd {

class adapter;

/// The device stops touching memory, and all work and pending releases are dropped without reports:
/// dxgkrnl drops its own side [K-28]. The aperture is empty then. ISR and DPC may run meanwhile.
/// Level 3, PASSIVE.
void reset_from_timeout(adapter& adapter) noexcept;
/// The device works again; fences and tokens go on rising. Level 3, PASSIVE.
void restart_from_timeout(adapter& adapter) noexcept;

}  // namespace aerogpu::kmd

// SPDX-License-Identifier: MIT
/// \file What user mode asks of Windows beside the thunks: handles, processes, the display's mode.
///
/// With the thunks, all that the simulated runtime knows of a kernel: `sim_kernel` has both in the
/// same process, drivers/wine/transport in another one.
#pragma once

#include "drivers/sim/kernel/thunks/thunks.hpp"

#include <cstdint>
#include <optional>

namespace aerogpu::sim {

/// DuplicateHandle of a resource's share handle; the same number where handles are global, 0 when
/// there is nothing to duplicate.
[[nodiscard]] auto duplicate_share(std::uint32_t from, D3DKMT_HANDLE share, std::uint32_t to)
    -> D3DKMT_HANDLE;
/// CloseHandle; nothing where handles are global.
void close_share(std::uint32_t process, D3DKMT_HANDLE share);
/// TerminateProcess. False: Windows does not run.
auto terminate_process(std::uint32_t process) -> bool;
/// What the display shows now; nothing without a display.
[[nodiscard]] auto current_display_mode() -> std::optional<D3DKMT_DISPLAYMODE>;
/// A machine of one thread stands still while somebody polls, unless time passes.
void let_time_pass();

}  // namespace aerogpu::sim

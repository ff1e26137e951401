// SPDX-License-Identifier: MIT
/// \file What a process gives up before it reads anything that a guest wrote. Cannot be undone.
#pragma once

namespace aerogpu::dxbc {

/// How much could be given up. Only `none` means that the process must not go on.
enum class sandbox_level {
  none,    ///< A step failed; errno says why.
  limits,  ///< Resource limits and no files; this build has no libseccomp.
  calls,   ///< And no system calls but those for memory, time and the open socket.
};

/// Closes every descriptor but `socket`, sets the limits of limits.hpp and one of processor time
/// for all that the process will do, and allows no system call that opens, connects, starts,
/// signals or maps anything executable: the system ends a process that tries. The calling thread
/// must be the only one.
[[nodiscard]] auto enter_sandbox(int socket, unsigned life_seconds) noexcept -> sandbox_level;

/// Starts to count processor time for one request; 0 stops. The system ends the process after so
/// many seconds. A process that a guest took over need not call it: it has the limit of its life.
void limit_processor_time(unsigned seconds) noexcept;

}  // namespace aerogpu::dxbc

// SPDX-License-Identifier: MIT
/// \file The connections of a client program, by the process that a thread belongs to.
#pragma once

#include "drivers/wine/transport/remote_process.hpp"

#include <cstdint>

namespace aerogpu::wine {

/// Connects to the server that AEROGPU_GUESTD names when it is asked for a process for the first
/// time. It stays lost when that fails or when the process has ended. Any thread.
[[nodiscard]] auto remote_process_of(std::uint32_t process) -> remote_process&;

/// Of all of them.
[[nodiscard]] auto all_counts() -> call_counts;

}  // namespace aerogpu::wine

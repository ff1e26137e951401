// SPDX-License-Identifier: MIT
/// \file Queries that no driver knows: said once each, and not for ever.
#pragma once

#include <cstdint>

namespace aerogpu::umd {

/// Logs the first 16 types of a process, once each, and then that it stops. Any thread.
void log_unknown_query(std::uint32_t type, std::uint32_t size_bytes) noexcept;

}  // namespace aerogpu::umd

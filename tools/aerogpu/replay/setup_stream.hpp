// SPDX-License-Identifier: MIT
/// \file The part of a stream that later frames depend on.
#pragma once

#include "aerogpu/core/bytes.hpp"

#include <cstdint>
#include <vector>

namespace aerogpu::tool {

/// Whether draws, dispatches and clears of earlier frames stay.
enum class earlier_draws : std::uint8_t { drop, keep };

/// A copy of `stream` without presents, flushes, markers and NOPs, and on request without what
/// renders. Empty when nothing is left. A malformed stream is copied up to its malformed packet.
[[nodiscard]] auto make_setup_stream(const_bytes stream, earlier_draws draws)
    -> std::vector<std::byte>;

}  // namespace aerogpu::tool

// SPDX-License-Identifier: MIT
/// \file Errors of the trace reader: the container's offset instead of a packet's.
#pragma once

#include "aerogpu/core/error.hpp"

#include <cstdint>

namespace aerogpu {

/// A trace is broken at `offset` bytes from the start of the file.
[[nodiscard]] constexpr auto trace_error(std::uint64_t offset, const char* what,
                                         std::uint64_t detail = 0, std::uint64_t limit = 0) noexcept
    -> error {
  return error{error_code::corrupt, 0, offset, detail, limit, what};
}

}  // namespace aerogpu

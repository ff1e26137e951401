// SPDX-License-Identifier: MIT
/// \file The error payload: the last error wins, and a count that saturates.
#pragma once

#include "aerogpu/abi/mmio.h"
#include "aerogpu/core/error.hpp"
#include "aerogpu/core/ids.hpp"

#include <cstdint>

namespace aerogpu {

/// ERROR_CODE, ERROR_FENCE and ERROR_COUNT (host.md 1.7). Acknowledging the interrupt leaves them.
struct error_registers {
  std::uint32_t code = AEROGPU_ERROR_NONE;
  std::uint32_t count = 0;
  fence_value fence{};

  constexpr void record(aerogpu_error_code what, fence_value related) noexcept {
    code = what;
    fence = related;
    if (count != UINT32_MAX) ++count;
  }
};

/// The register code for a failure: framing and malformed structures are CMD_DECODE, address
/// arithmetic of the decoder is OOB, everything that went wrong while executing is BACKEND
/// (host.md 1.7, D-03).
[[nodiscard]] constexpr auto register_code(error_code code) noexcept -> aerogpu_error_code {
  switch (code) {
    case error_code::none: return AEROGPU_ERROR_NONE;
    case error_code::framing:
    case error_code::cmd_decode: return AEROGPU_ERROR_CMD_DECODE;
    case error_code::out_of_bounds: return AEROGPU_ERROR_OOB;
    case error_code::internal: return AEROGPU_ERROR_INTERNAL;
    default: return AEROGPU_ERROR_BACKEND;
  }
}

}  // namespace aerogpu

// SPDX-License-Identifier: MIT
/// \file The library's error codes as the status values of Windows.
#pragma once

#include "aerogpu/core/error.hpp"
#include "drivers/win7/ddi/nt_status.hpp"

namespace aerogpu::kmd {

[[nodiscard]] constexpr auto to_status(error_code code) noexcept -> NTSTATUS {
  switch (code) {
    case error_code::out_of_bounds: return STATUS_BUFFER_TOO_SMALL;
    case error_code::unsupported: return STATUS_NOT_SUPPORTED;
    case error_code::size_overflow: return STATUS_INTEGER_OVERFLOW;
    case error_code::out_of_memory: return STATUS_INSUFFICIENT_RESOURCES;
    default: return STATUS_INVALID_PARAMETER;
  }
}

}  // namespace aerogpu::kmd

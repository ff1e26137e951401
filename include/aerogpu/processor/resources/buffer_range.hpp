// SPDX-License-Identifier: MIT
/// \file Whether a byte range lies in a buffer.
#pragma once

#include "aerogpu/core/checked.hpp"
#include "aerogpu/core/result.hpp"
#include "aerogpu/memory/texture_layout.hpp"

#include <cstdint>

namespace aerogpu {

/// Errors: size_overflow, resource_out_of_bounds.
[[nodiscard]] constexpr auto check_buffer_range(const byte_range& range,
                                                std::uint64_t buffer_size_bytes) noexcept
    -> result<void> {
  if (range_wraps(range.offset_bytes, range.size_bytes)) {
    return make_error(error_code::size_overflow, "offset_bytes plus size_bytes overflows",
                      range.size_bytes);
  }
  if (!range_fits(range.offset_bytes, range.size_bytes, buffer_size_bytes)) {
    return make_error(error_code::resource_out_of_bounds, "range exceeds the buffer",
                      range.offset_bytes + range.size_bytes, buffer_size_bytes);
  }
  return {};
}

}  // namespace aerogpu

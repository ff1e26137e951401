// SPDX-License-Identifier: MIT
/// \file One submission as a ring descriptor: how a guest fills it and what each address means.
#pragma once

#include "aerogpu/abi/ring.h"
#include "aerogpu/core/checked.hpp"
#include "aerogpu/core/ids.hpp"
#include "aerogpu/core/result.hpp"

#include <cstdint>

namespace aerogpu {

/// A buffer that a descriptor names. Address and size are both 0 when there is none.
struct submission_buffer {
  gpa first{};
  std::uint32_t capacity_bytes = 0;

  [[nodiscard]] constexpr auto is_absent() const noexcept -> bool {
    return first == gpa{} && capacity_bytes == 0;
  }
};

/// Whether address and size name a buffer, or neither does (wire.md 5.3). Errors: cmd_decode when
/// only one of them is 0; out_of_bounds when their sum exceeds 64 bits.
[[nodiscard]] constexpr auto check_buffer(const submission_buffer& buffer) noexcept
    -> result<void> {
  if ((buffer.first == gpa{}) != (buffer.capacity_bytes == 0)) {
    return make_error(error_code::cmd_decode, "one of a buffer's address and size is zero",
                      buffer.capacity_bytes, raw(buffer.first));
  }
  if (range_wraps(raw(buffer.first), buffer.capacity_bytes)) {
    return make_error(error_code::out_of_bounds, "a buffer's address plus size overflows",
                      buffer.capacity_bytes, raw(buffer.first));
  }
  return {};
}

/// Work for the device. Absent commands make a submission that only signals its fence.
struct ring_submission {
  std::uint32_t flags = AEROGPU_SUBMIT_FLAG_NONE;  ///< aerogpu_submit_flags.
  context_id context{};
  submission_buffer commands;
  submission_buffer alloc_table;
  fence_value signal_fence{};  ///< 0 = nothing to signal.
};

/// The buffers of a descriptor that was copied out of the ring; they are still to be checked.
[[nodiscard]] constexpr auto commands_of(const aerogpu_submit_desc& desc) noexcept
    -> submission_buffer {
  return {static_cast<gpa>(desc.cmd_gpa), desc.cmd_size_bytes};
}
[[nodiscard]] constexpr auto alloc_table_of(const aerogpu_submit_desc& desc) noexcept
    -> submission_buffer {
  return {static_cast<gpa>(desc.alloc_table_gpa), desc.alloc_table_size_bytes};
}

/// The descriptor of a submission; reserved fields are zero.
[[nodiscard]] constexpr auto make_descriptor(const ring_submission& work) noexcept
    -> aerogpu_submit_desc {
  return {.desc_size_bytes = sizeof(aerogpu_submit_desc),
          .flags = work.flags,
          .context_id = raw(work.context),
          .engine_id = AEROGPU_ENGINE_0,
          .cmd_gpa = raw(work.commands.first),
          .cmd_size_bytes = work.commands.capacity_bytes,
          .cmd_reserved0 = 0,
          .alloc_table_gpa = raw(work.alloc_table.first),
          .alloc_table_size_bytes = work.alloc_table.capacity_bytes,
          .alloc_table_reserved0 = 0,
          .signal_fence = raw(work.signal_fence),
          .reserved0 = 0};
}

}  // namespace aerogpu

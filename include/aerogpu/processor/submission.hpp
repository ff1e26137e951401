// SPDX-License-Identifier: MIT
/// \file A submission as whoever processes it gets it, and what comes back.
#pragma once

#include "aerogpu/backend/objects.hpp"
#include "aerogpu/core/bytes.hpp"
#include "aerogpu/core/error.hpp"
#include "aerogpu/core/ids.hpp"
#include "aerogpu/hosted/limits.hpp"
#include "aerogpu/memory/alloc_table.hpp"

#include <algorithm>
#include <cstdint>

namespace aerogpu {

/// What is written back (host.md 2.10).
struct write_back_budget {
  std::uint32_t count = 0;  ///< Write-backs queued so far.
  std::uint64_t bytes = 0;
};

/// What one submission may write back: never more than all may.
[[nodiscard]] constexpr auto write_back_allowance(const limits& most) noexcept
    -> write_back_budget {
  return {std::min(most.write_backs, most.pending_write_backs),
          std::min(most.write_back_bytes, most.pending_write_back_bytes)};
}

/// Whether a submission may begin: what it may write back fits beside what is `pending`.
[[nodiscard]] constexpr auto can_write_back(const write_back_budget& pending,
                                            const limits& most) noexcept -> bool {
  const write_back_budget one = write_back_allowance(most);
  return pending.count <= most.pending_write_backs - one.count &&
         pending.bytes <= most.pending_write_back_bytes - one.bytes;
}

/// A submission as the device fetched it.
struct submission_input {
  context_id context{};
  fence_value fence{};                 ///< Handed on to the backend; the processor owns no fence.
  const_bytes stream;                  ///< A private copy; empty = nothing to execute.
  const alloc_table* table = nullptr;  ///< Null = absent.
};

/// How the processor took a submission.
struct execution_report {
  error why;                       ///< `none`, or the first failure, with opcode and offset.
  submission_id id{};              ///< 0 when the backend never heard of it.
  bool is_pending = false;         ///< The backend will report it from `poll`, also after an error.
  bool has_vsync_present = false;  ///< host.md 1.14.
  std::uint32_t packet_count = 0;
  std::uint32_t unknown_count = 0;  ///< Of opcodes that this library does not know.
  /// Moved (limits: transfer_bytes_per_submission), and looked at for the end of the context.
  std::uint64_t transfer_bytes = 0;
  write_back_budget write_backs;  ///< That `poll` will report, unless the device is lost.
};

}  // namespace aerogpu

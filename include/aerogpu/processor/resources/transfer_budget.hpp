// SPDX-License-Identifier: MIT
/// \file What the packets of one submission move: bounded, because a submission runs to its end.
#pragma once

#include "aerogpu/core/checked.hpp"
#include "aerogpu/processor/execution.hpp"

#include <cstdint>

namespace aerogpu::detail {

/// What moving rows costs, in bytes: reaching a place takes as long as a page, a row as 256 bytes.
/// Does not wrap: a row has fewer than 2^32 bytes.
[[nodiscard]] constexpr auto transfer_cost(std::uint64_t row_size_bytes,
                                           std::uint32_t row_count = 1) noexcept -> std::uint64_t {
  constexpr std::uint64_t place = 4'096;
  constexpr std::uint64_t row = 256;
  return place + row_count * (row_size_bytes > row ? row_size_bytes : row);
}

/// What looking at slots of a table costs: each may lead to an object elsewhere in memory.
[[nodiscard]] constexpr auto walk_cost(std::uint64_t slots) noexcept -> std::uint64_t {
  constexpr std::uint64_t slot = 64;
  return slots * slot;
}

/// Whether a budget has room; then it is spent.
[[nodiscard]] constexpr auto take_from(std::uint64_t& spent, std::uint64_t limit,
                                       std::uint64_t cost) noexcept -> bool {
  if (spent > limit || cost > limit - spent) return false;
  spent += cost;
  return true;
}

/// Counts what a new resource, a copy, a clear, a present or a read-back moves, before it does.
/// Error: out_of_memory.
template <backend B>
[[nodiscard]] auto spend_transfer(execution<B>& x, std::uint64_t cost) noexcept -> error_code {
  if (take_from(x.transfers.moved_bytes, x.limits.transfer_bytes_per_submission, cost)) [[likely]]
    return error_code::none;
  return x.fail(error_code::out_of_memory, "transfers of one submission are too large", cost,
                x.limits.transfer_bytes_per_submission);
}

/// The same for what is read from guest memory.
template <backend B>
[[nodiscard]] auto spend_upload(execution<B>& x, std::uint64_t cost) noexcept -> error_code {
  if (take_from(x.transfers.uploaded_bytes, x.limits.upload_bytes_per_submission, cost)) [[likely]]
    return spend_transfer(x, cost);
  return x.fail(error_code::out_of_memory,
                "what one submission reads of guest-backed resources is too large", cost,
                x.limits.upload_bytes_per_submission);
}

}  // namespace aerogpu::detail

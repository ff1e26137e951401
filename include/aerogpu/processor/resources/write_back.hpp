// SPDX-License-Identifier: MIT
/// \file Copies back to guest memory: where they go, and how much of them one submission may do.
#pragma once

#include "aerogpu/core/checked.hpp"
#include "aerogpu/memory/texture_rectangle.hpp"
#include "aerogpu/processor/execution.hpp"
#include "aerogpu/processor/resources/resource.hpp"

#include <cstdint>

namespace aerogpu::detail {

/// What storing rows costs, in bytes: each is a call of the embedder's, which takes as long as 256
/// bytes. Rows without gaps are one.
[[nodiscard]] constexpr auto write_back_cost(std::uint64_t pitch_bytes,
                                             std::uint64_t row_size_bytes,
                                             std::uint32_t row_count) noexcept -> std::uint64_t {
  constexpr std::uint64_t least = 256;
  const bool has_gaps = row_count > 1 && pitch_bytes != row_size_bytes;
  return row_count * (has_gaps && row_size_bytes < least ? least : row_size_bytes);
}

/// Whether the submission may write back `size_bytes` more. Error: out_of_memory.
template <backend B>
[[nodiscard]] auto check_budget(const execution<B>& x, std::uint64_t size_bytes) noexcept
    -> result<void> {
  const write_back_budget most = write_back_allowance(x.limits);
  if (x.write_backs.count >= most.count) {
    return make_error(error_code::out_of_memory, "write-backs of one submission are too many",
                      x.write_backs.count, most.count);
  }
  if (size_bytes > most.bytes - x.write_backs.bytes) {
    return make_error(error_code::out_of_memory, "write-back bytes of one submission are too many",
                      size_bytes, most.bytes - x.write_backs.bytes);
  }
  return {};
}

/// Address of `range` of a destination, checked for writing, in the order of host.md 2.10.
/// Errors: not_guest_backed, missing_alloc_table, unknown_alloc_id, read_only, size_overflow,
/// alloc_out_of_bounds.
template <backend B>
[[nodiscard]] auto locate_write_back(const execution<B>& x, const guest_backing& backing,
                                     const byte_range& range) noexcept -> result<gpa> {
  if (!backing) {
    return make_error(error_code::not_guest_backed, "write-back into a host-owned resource");
  }
  const auto offset = checked_add(backing.offset_bytes, range.offset_bytes);
  if (!offset) return offset.why();
  return x.table.resolve_for_write(backing.id, *offset, range.size_bytes);
}

/// One row: the copied bytes of a buffer.
template <backend B>
[[nodiscard]] auto plan_write_back(const execution<B>& x, const buffer_object<B>& buffer,
                                   const byte_range& range) noexcept -> result<guest_rows> {
  const auto at = locate_write_back(x, buffer.backing, range);
  if (!at) return at.why();
  if (const auto affordable = check_budget(x, range.size_bytes); !affordable) {
    return affordable.why();
  }
  return guest_rows{*at, range.size_bytes, range.size_bytes, 1};
}

/// The rows of a rectangle. Depth texels have no defined bytes: unsupported (host.md 3.18).
template <backend B>
[[nodiscard]] auto plan_write_back(const execution<B>& x, const texture_object<B>& texture,
                                   const texture_rows& rows) noexcept -> result<guest_rows> {
  if (texture.layout.format().is_depth()) {
    return make_error(error_code::unsupported, "write-back of a depth format", texture.desc.format);
  }
  const auto at = locate_write_back(x, texture.backing, extent_of(texture.layout, rows));
  if (!at) return at.why();
  const std::uint64_t cost =
      write_back_cost(rows.source_pitch_bytes, rows.row_size_bytes, rows.row_count);
  if (const auto affordable = check_budget(x, cost); !affordable) return affordable.why();
  return guest_rows{*at, rows.source_pitch_bytes, rows.row_size_bytes, rows.row_count};
}

/// Counts an accepted write-back.
template <backend B>
void spend(execution<B>& x, const guest_rows& rows) noexcept {
  ++x.write_backs.count;
  x.write_backs.bytes += write_back_cost(rows.pitch_bytes, rows.row_size_bytes, rows.row_count);
}

}  // namespace aerogpu::detail

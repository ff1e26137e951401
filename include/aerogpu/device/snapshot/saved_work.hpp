// SPDX-License-Identifier: MIT
/// \file Fences, completions and captured submissions as a snapshot holds them.
#pragma once

#include "aerogpu/core/checked.hpp"
#include "aerogpu/device/submission/capture_queue.hpp"
#include "aerogpu/device/submission/deferred_completion.hpp"
#include "aerogpu/device/submission/fence_store.hpp"
#include "aerogpu/hosted/limits.hpp"
#include "aerogpu/hosted/snapshot_io.hpp"

#include <cstdint>
#include <utility>

namespace aerogpu {

inline void save_fences(const fence_timeline& fences, snapshot_writer& out) noexcept {
  out.put(fences.completed());
  out.put(static_cast<std::uint32_t>(fences.pending_count()));
  for (std::size_t i = 0; i < fences.pending_count(); ++i) {
    const auto& entry = fences.pending(i);
    out.put(entry.value);
    out.put(entry.consumed_at_ns);
    out.put(entry.unfinished);
    out.put(entry.kind);
    out.put(entry.wants_irq);
  }
  out.put(static_cast<std::uint32_t>(fences.early_count()));
  for (std::size_t i = 0; i < fences.early_count(); ++i) out.put(fences.early(i));
}

/// Fences in a store of their own, so that the device's stay as they are until all is good.
struct loaded_fences {
  fence_store store;
  fence_timeline timeline;
};

inline void load_fences(loaded_fences& to, const limits& bounds, snapshot_reader& in) noexcept {
  constexpr std::uint64_t entry_bytes = 22;
  const auto completed = in.take<fence_value>();
  heap_array<pending_fence> pending;
  heap_array<fence_value> early;
  const auto exhausted = make_error(error_code::out_of_memory, "host memory is exhausted");
  if (!pending.resize(in.take_count(bounds.pending_fences, entry_bytes))) return in.fail(exhausted);
  for (auto& entry : pending.view()) {
    entry.value = in.take<fence_value>();
    entry.consumed_at_ns = in.take<std::uint64_t>();
    entry.unfinished = in.take<std::uint32_t>();
    entry.kind = in.take_enum(fence_kind::vsync_paced);
    entry.wants_irq = in.take<bool>();
  }
  if (!early.resize(in.take_count(bounds.early_completions, sizeof(fence_value)))) {
    return in.fail(exhausted);
  }
  for (auto& value : early.view()) value = in.take<fence_value>();
  if (!in.is_good()) return;
  if (!to.store.reserve(bounds)) return in.fail(exhausted);
  to.timeline = to.store.make_timeline();
  const auto restored = to.timeline.restore(completed, pending.view(), early.view());
  if (!restored) in.fail(restored.why());
}

inline void save_deferred(const deferred_completions& queue, snapshot_writer& out) noexcept {
  out.put(static_cast<std::uint32_t>(queue.size()));
  for (std::size_t i = 0; i < queue.size(); ++i) {
    const auto& done = queue[i];
    out.put(done.fence);
    out.put(done.awaited);
    out.put(done.why);
    out.put(done.is_external);
    out.put(done.has_present);
    out.put(static_cast<std::uint32_t>(done.write_backs.size()));
    for (std::size_t j = 0; j < done.write_backs.size(); ++j) {
      const auto& rows = done.write_backs[j];
      out.put(rows.to.first_row);
      out.put(rows.to.pitch_bytes);
      out.put(rows.to.row_size_bytes);
      out.put(rows.to.row_count);
      out.put_bytes(rows.rows.view());
    }
  }
}

namespace detail {

/// Bytes of all rows, tightly packed; 0 when there are none, or when an address wraps.
[[nodiscard]] constexpr auto rows_size(const guest_rows& to) noexcept -> std::uint64_t {
  const auto size = checked_mul(to.row_size_bytes, to.row_count);
  if (!size || *size == 0) return 0;
  const auto last_row = checked_mul(to.pitch_bytes, to.row_count - 1);
  if (!last_row || range_wraps(*last_row, to.row_size_bytes)) return 0;
  return range_wraps(raw(to.first_row), *last_row + to.row_size_bytes) ? 0 : *size;
}

/// Rows as the processor makes them.
[[nodiscard]] inline auto load_write_back(snapshot_reader& in) noexcept -> deferred_write_back {
  deferred_write_back rows;
  rows.to.first_row = in.take<gpa>();
  rows.to.pitch_bytes = in.take<std::uint64_t>();
  rows.to.row_size_bytes = in.take<std::uint64_t>();
  rows.to.row_count = in.take<std::uint32_t>();
  const auto size = rows_size(rows.to);
  if (!in.require(size != 0, "a write-back leaves the address space", rows.to.row_count)) return {};
  const auto bytes = in.take_bytes(size);
  if (!in.is_good()) return {};
  if (!rows.rows.resize(bytes.size())) {
    in.fail(make_error(error_code::out_of_memory, "host memory is exhausted", bytes.size()));
    return {};
  }
  copy_bytes(rows.rows.view(), bytes);
  return rows;
}

}  // namespace detail

inline void load_deferred(deferred_completions& queue, const limits& bounds,
                          snapshot_reader& in) noexcept {
  constexpr std::uint64_t entry_bytes = 26;
  constexpr std::uint64_t rows_bytes = 28;
  const auto exhausted = make_error(error_code::out_of_memory, "host memory is exhausted");
  const auto count = in.take_count(most_deferred(bounds), entry_bytes);
  for (std::uint32_t i = 0; i < count && in.is_good(); ++i) {
    deferred_completion done;
    done.fence = in.take<fence_value>();
    done.awaited = in.take<fence_value>();
    done.why = in.take_enum(error_code::internal);
    done.is_external = in.take<bool>();
    done.has_present = in.take<bool>();
    const auto rows = in.take_count(bounds.write_backs, rows_bytes);
    for (std::uint32_t j = 0; j < rows && in.is_good(); ++j) {
      if (!done.write_backs.push_back(detail::load_write_back(in))) in.fail(exhausted);
    }
    if (!queue.push_back(std::move(done))) in.fail(exhausted);
  }
}

inline void save_captured(const capture_queue& queue, snapshot_writer& out) noexcept {
  out.put(static_cast<std::uint32_t>(queue.size()));
  for (std::size_t i = 0; i < queue.size(); ++i) {
    const auto& item = queue[i];
    out.put(item.flags);
    out.put(item.context);
    out.put(item.engine);
    out.put(item.fence);
    out.put(item.generation);
    out.put(static_cast<std::uint32_t>(item.stream.size()));
    out.put(static_cast<std::uint32_t>(item.table.size()));
    out.put_bytes(item.stream.view());
    out.put_bytes(item.table.view());
  }
}

inline void load_captured(capture_queue& queue, const limits& bounds,
                          snapshot_reader& in) noexcept {
  constexpr std::uint64_t entry_bytes = 32;
  const auto count = in.take_count(bounds.captured_submissions, entry_bytes);
  for (std::uint32_t i = 0; i < count && in.is_good(); ++i) {
    captured_submission item;
    item.flags = in.take<std::uint32_t>();
    item.context = in.take<context_id>();
    item.engine = in.take<std::uint32_t>();
    item.fence = in.take<fence_value>();
    item.generation = in.take<std::uint32_t>();
    const auto stream_bytes = in.take<std::uint32_t>();
    const auto table_bytes = in.take<std::uint32_t>();
    in.require(stream_bytes <= bounds.stream_bytes, "a captured stream exceeds its limit",
               stream_bytes, bounds.stream_bytes);
    in.require(table_bytes <= bounds.alloc_table_bytes, "a captured table exceeds its limit",
               table_bytes, bounds.alloc_table_bytes);
    const auto stream = in.take_bytes(stream_bytes);
    const auto table = in.take_bytes(table_bytes);
    if (!in.is_good()) return;
    if (!in.require(queue.has_room(std::uint64_t{stream_bytes} + table_bytes),
                    "captured submissions exceed their limit", queue.payload_bytes())) {
      return;
    }
    if (!item.assign(stream, table) || !queue.push_back(std::move(item))) {
      in.fail(make_error(error_code::out_of_memory, "host memory is exhausted", stream_bytes));
    }
  }
}

}  // namespace aerogpu

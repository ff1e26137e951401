// SPDX-License-Identifier: MIT
#include "drivers/win7/umd/d3d9/trace/record_buffer.hpp"

#include <algorithm>

namespace aerogpu::umd::trace {

namespace {

constexpr auto relaxed = std::memory_order_relaxed;

}  // namespace

void record_buffer::wide_word::store(std::uint64_t value) noexcept {
  low.store(static_cast<std::uint32_t>(value), relaxed);
  high.store(static_cast<std::uint32_t>(value >> 32), relaxed);
}

auto record_buffer::wide_word::load() const noexcept -> std::uint64_t {
  return pack(low.load(relaxed), high.load(relaxed));
}

void record_buffer::clear(std::uint32_t limit) noexcept {
  limit_ = std::min(limit, trace_settings::most_records);
  taken_.store(0);
  for (slot& each : slots_) each.is_written.store(0);
}

auto record_buffer::add(const record& added) noexcept -> std::uint32_t {
  // Asked first, so that the count cannot run through 32 bits and begin anew.
  if (taken_.load(relaxed) >= limit_) return none;
  const std::uint32_t index = taken_.fetch_add(1, relaxed);
  if (index >= limit_) return none;
  slot& to = slots_[index];
  to.thread.store(added.thread, relaxed);
  to.entry.store(static_cast<std::uint32_t>(added.entry), relaxed);
  to.result.store(added.result, relaxed);
  to.time.store(added.time);
  for (std::size_t i = 0; i < to.arguments.size(); ++i) to.arguments[i].store(added.arguments[i]);
  to.is_written.store(1, std::memory_order_release);
  return index;
}

void record_buffer::set_result(std::uint32_t index, std::uint32_t result) noexcept {
  if (index < limit_) slots_[index].result.store(result, relaxed);
}

auto record_buffer::size() const noexcept -> std::uint32_t {
  return std::min(taken_.load(relaxed), limit_);
}

auto record_buffer::read(std::uint32_t index, record& out) const noexcept -> bool {
  const slot& from = slots_[index];
  if (from.is_written.load(std::memory_order_acquire) == 0) return false;
  out.thread = from.thread.load(relaxed);
  out.entry = entry_id{from.entry.load(relaxed)};
  out.result = from.result.load(relaxed);
  out.time = from.time.load();
  for (std::size_t i = 0; i < out.arguments.size(); ++i) {
    out.arguments[i] = from.arguments[i].load();
  }
  return true;
}

}  // namespace aerogpu::umd::trace

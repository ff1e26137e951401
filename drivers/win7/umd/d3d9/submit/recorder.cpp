// SPDX-License-Identifier: MIT
#include "drivers/win7/umd/d3d9/submit/recorder.hpp"

#include "drivers/win7/umd/d3d9/core/log.hpp"

#include <algorithm>
#include <limits>

namespace aerogpu::umd {

namespace {

constexpr std::uint32_t splits_before_wish = 3;

once list_too_small;
once id_collision;

auto to_hresult(track_outcome outcome) noexcept -> HRESULT {
  switch (outcome) {
    case track_outcome::listed: return S_OK;
    case track_outcome::invalid_handle: return E_INVALIDARG;
    case track_outcome::list_is_full:
    case track_outcome::out_of_memory: return E_OUTOFMEMORY;
    case track_outcome::id_collision:
    case track_outcome::id_mismatch: break;
  }
  if (id_collision.is_first()) log_line{"one alloc_id names two allocations"};
  return E_FAIL;
}

}  // namespace

auto recorder::start(const recording_space& space, alloc_ids& ids,
                     const recorder_limits& limits) noexcept -> HRESULT {
  limits_ = limits;
  const HRESULT started = completion_.start(ids);
  if (FAILED(started)) return started;
  space_ = space;
  begin_stream();
  return S_OK;
}

void recorder::stop() noexcept {
  space_ = {};
  begin_stream();
  completion_.stop();
}

void recorder::begin_stream() noexcept {
  const bool has_buffer = space_.commands != nullptr;
  if (has_buffer) known_bytes_ = space_.command_bytes;
  sink_ = span_sink{{space_.commands, has_buffer ? space_.command_bytes : 0}};
  if (!writer_.begin()) sink_ = span_sink{{}};  // Nothing is ever reserved.
  recorded_fence_ = fence_value{raw(completion_.submitted()) + 1};
  written_back_bytes_ = 0;
  const std::uint64_t slots = std::uint64_t{limits_.max_list_slot} + 1;
  const auto entries =
      static_cast<std::uint32_t>(std::min<std::uint64_t>(space_.list_entries, slots));
  tracker_.start(entries - std::min(entries, completion_.reserved_entries()));
}

auto recorder::largest_room_bytes() const noexcept -> std::uint32_t {
  return known_bytes_ - std::min(known_bytes_, header_bytes);
}

auto recorder::make_ready() noexcept -> HRESULT {
  return loss_->is_lost() ? loss_->code() : make_room(1);
}

auto recorder::split() noexcept -> HRESULT {
  if (loss_->is_lost()) return loss_->code();
  if (!is_empty()) {
    wish_after_split(space_splits_, space_.command_bytes, 0);
    if (const HRESULT submitted = submit(); FAILED(submitted)) return submitted;
  }
  return make_ready();
}

auto recorder::reserve_checked(std::uint64_t bytes, std::span<const allocation_use> uses) noexcept
    -> HRESULT {
  if (loss_->is_lost()) return loss_->code();
  if (const HRESULT made = make_room(bytes); FAILED(made)) return made;
  track_outcome outcome = tracker_.track_all(uses);
  if (outcome == track_outcome::list_is_full && !is_empty()) {
    wish_after_split(list_splits_, 0, space_.list_entries);
    if (const HRESULT submitted = submit(); FAILED(submitted)) return submitted;
    if (const HRESULT made = make_room(bytes); FAILED(made)) return made;
    outcome = tracker_.track_all(uses);
  }
  if (outcome == track_outcome::list_is_full && list_too_small.is_first()) {
    log_line{"draw requires "}
        .number(uses.size())
        .text(" allocations but allocation list capacity is ")
        .number(tracker_.capacity());
  }
  return to_hresult(outcome);
}

auto recorder::reserve_write_back(std::uint64_t bytes, std::span<const allocation_use> uses,
                                  std::uint64_t written_back) noexcept -> HRESULT {
  const std::uint64_t left =
      most_written_back_bytes - std::min(written_back_bytes_, most_written_back_bytes);
  if (written_back > left) {
    if (const HRESULT submitted = submit(); FAILED(submitted)) return submitted;
  }
  const HRESULT reserved = reserve(bytes, uses);
  if (SUCCEEDED(reserved)) written_back_bytes_ += written_back;
  return reserved;
}

/// Room for `bytes` in the stream; what was recorded is submitted when it is in the way.
auto recorder::make_room(std::uint64_t bytes) noexcept -> HRESULT {
  if (is_empty()) tracker_.start(tracker_.capacity());  // Of an operation that wrote nothing.
  if (bytes <= room_bytes()) return S_OK;
  if (!is_empty()) {
    wish_after_split(space_splits_, space_.command_bytes, 0);
    if (const HRESULT submitted = submit(); FAILED(submitted)) return submitted;
    if (bytes <= room_bytes()) return S_OK;
  }
  if (bytes > std::numeric_limits<std::uint32_t>::max() - header_bytes) return E_OUTOFMEMORY;
  const auto needed = static_cast<std::uint32_t>(bytes) + header_bytes;
  const HRESULT acquired = runtime_->acquire(needed, space_);
  begin_stream();  // What was there before may have gone back.
  if (FAILED(acquired)) return E_OUTOFMEMORY;
  return bytes <= room_bytes() ? S_OK : E_OUTOFMEMORY;
}

auto recorder::submit(submission_kind kind) noexcept -> HRESULT {
  if (loss_->is_lost()) return loss_->code();
  if (is_empty()) return S_OK;
  const kernel_allocation marker = completion_.take_marker();
  if (marker != kernel_allocation{} && !tracker_.add_marker(marker)) return E_OUTOFMEMORY;
  const submission work{.command_bytes = writer_.finish(),
                        .allocations = tracker_.listed(),
                        .kind = kind,
                        .fence = pending_fence()};
  const HRESULT submitted = runtime_->submit(work, space_);
  if (SUCCEEDED(submitted)) {
    completion_.note_submitted(work.fence);
    log_submitted(work);
  } else {
    note_failure(kind, submitted);
  }
  begin_stream();
  // Whoever makes something says that memory is full; after that the device is lost.
  return submitted == D3DERR_OUTOFVIDEOMEMORY ? submitted : loss_->code();
}

auto recorder::note_failure(submission_kind kind, HRESULT failure) noexcept -> HRESULT {
  if (loss_->note(failure)) {
    log_line{"device lost: "}
        .text(kind == submission_kind::render ? "render" : "present")
        .text(" submit via ")
        .text(runtime_->submit_callback(kind))
        .text(" failed hr=")
        .hex(static_cast<std::uint32_t>(failure), 8);
  }
  return loss_->code();
}

void recorder::log_submitted(const submission& work) const noexcept {
  if (!limits_.logs_submits) return;
  log_line{"submit cmd_bytes="}
      .number(work.command_bytes)
      .text(" fence=")
      .number(raw(work.fence))
      .text(" present=")
      .number(work.kind == submission_kind::present);
}

void recorder::discard() noexcept {
  begin_stream();
}

void recorder::end_frame() noexcept {
  space_splits_ = 0;
  list_splits_ = 0;
}

/// Wishes for twice as much when a frame was split three times for one reason.
void recorder::wish_after_split(std::uint32_t& splits, std::uint32_t bytes,
                                std::uint32_t entries) noexcept {
  if (++splits != splits_before_wish) return;
  const auto twice = [](std::uint32_t now, std::uint32_t most) {
    return now >= most ? 0 : std::min(now * 2, most);
  };
  const std::uint32_t more_bytes = twice(bytes, most_wished_bytes);
  const std::uint32_t more_entries = twice(entries, most_wished_entries);
  if (more_bytes != 0 || more_entries != 0) runtime_->wish_for(more_bytes, more_entries);
}

}  // namespace aerogpu::umd

// SPDX-License-Identifier: MIT
#include "drivers/win7/umd/d3d9/submit/completion.hpp"

#include "drivers/win7/umd/d3d9/core/log.hpp"
#include "drivers/win7/umd/d3d9/core/os.hpp"

#include <algorithm>

namespace aerogpu::umd {

namespace {

constexpr std::uint32_t failures_before_silence = 3;
constexpr std::uint32_t rounds_that_yield = 4;
constexpr std::uint64_t ns_per_ms = 1'000'000;
constexpr std::uint64_t most_slice_ms = 250;  // umd-d3d9.md 4.8.

}  // namespace

auto completion::start(alloc_ids& ids) noexcept -> HRESULT {
  if (runtime_->gives_fences()) return S_OK;
  const HRESULT started = markers_.start(*runtime_, ids);
  has_markers_ = SUCCEEDED(started);
  return started;
}

void completion::stop() noexcept {
  markers_.stop(*runtime_);
  has_markers_ = false;
}

auto completion::poll(std::uint64_t now_ns) noexcept -> fence_value {
  if (completed_.load() < submitted_.load() && now_ns >= next_poll_ns_) ask(now_ns);
  return completed();
}

void completion::ask(std::uint64_t now_ns) noexcept {
  if (now_ns < silent_until_ns_) return;
  next_poll_ns_ = now_ns + poll_interval_ns;
  fence_value done = completed();
  if (has_markers_) {
    HRESULT lost = S_OK;
    done = markers_.poll(*runtime_, done, submitted(), lost);
    if (FAILED(lost) && loss_->note(lost)) {
      log_line{"device lost: lock of a marker failed hr="}.hex(static_cast<std::uint32_t>(lost), 8);
    }
  } else if (runtime_->poll_completed(done)) {
    failures_ = 0;
  } else if (++failures_ >= failures_before_silence) {
    failures_ = 0;
    silent_until_ns_ = now_ns + silence_ns;
  }
  // What the kernel side says is no more to be trusted than anything else.
  const std::uint64_t believed = std::min(raw(done), submitted_.load());
  if (believed > completed_.load()) completed_.store(believed);
}

auto completion::wait(fence_value fence, std::uint64_t limit_ns) noexcept -> bool {
  if (is_complete(fence)) return true;
  if (raw(fence) > submitted_.load()) return false;
  const std::uint64_t deadline_ns = os::now_ns() + limit_ns;
  switch (wait_for_runtime(fence, deadline_ns)) {
    case wait_outcome::complete: note_completed(fence); return true;
    case wait_outcome::timed_out: return false;
    case wait_outcome::unavailable: break;
  }
  for (std::uint32_t round = 0;; ++round) {
    const std::uint64_t now_ns = os::now_ns();
    // Whoever sleeps between questions asks seldom enough.
    ask(now_ns);
    if (is_complete(fence)) return true;
    if (now_ns >= deadline_ns || loss_->is_lost()) return false;
    os::sleep_ms(round < rounds_that_yield ? 0 : 1);
  }
}

/// Sleeps in the kernel, where the runtime has something to sleep on, in short slices.
auto completion::wait_for_runtime(fence_value fence, std::uint64_t deadline_ns) noexcept
    -> wait_outcome {
  for (std::uint64_t now_ns = os::now_ns(); now_ns < deadline_ns; now_ns = os::now_ns()) {
    const std::uint64_t left_ms = (deadline_ns - now_ns + ns_per_ms - 1) / ns_per_ms;
    const auto slice_ms = static_cast<std::uint32_t>(std::min(left_ms, most_slice_ms));
    const wait_outcome waited = runtime_->wait_completed(fence, slice_ms);
    if (waited != wait_outcome::timed_out) return waited;
  }
  return wait_outcome::timed_out;
}

void completion::note_completed(fence_value fence) noexcept {
  if (raw(fence) > completed_.load()) completed_.store(raw(fence));
}

auto completion::take_marker() noexcept -> kernel_allocation {
  if (!has_markers_) return {};
  const fence_value next{submitted_.load() + 1};
  static_cast<void>(wait(marker_ring::blocked_by(next), idle_limit_ns));
  return markers_.marker_of(next);
}

void completion::note_submitted(fence_value fence) noexcept {
  submitted_.store(raw(fence));
}

}  // namespace aerogpu::umd

// SPDX-License-Identifier: MIT
/// \file The device's own work: creation, ticks, doorbells, completions and resets.
#pragma once

#include "aerogpu/device/device_model.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <utility>

namespace aerogpu {

template <device_host Host, device_backend Backend>
auto device<Host, Backend>::create(Host& host, Backend& on, const device_config& config) noexcept
    -> result<std::unique_ptr<device>> {
  if (const auto good = check_config(config); !good) return good.why();
  if (!has_processor && config.executor == executor_mode::in_process) {
    return make_error(error_code::invalid_parameter,
                      "executor is in_process, and the device has no command processor");
  }
  video_memory vram;
  if (!config.vram.empty()) {
    vram = video_memory::lend(config.bar1_bytes, config.vram);
  } else {
    auto own = video_memory::create(config.bar1_bytes, config.bar1_bytes);
    if (!own) return own.why();
    vram = *std::move(own);
  }
  std::unique_ptr<device> made{new (std::nothrow) device{host, on, config, std::move(vram)}};
  if (made == nullptr) {
    return make_error(error_code::out_of_memory, "host memory is exhausted", sizeof(device));
  }
  if (const auto reserved = made->state_.reserve(); !reserved) return reserved.why();
  if (const auto reserved = made->executor_.reserve(); !reserved) return reserved.why();
  return made;
}

template <device_host Host, device_backend Backend>
void device<Host, Backend>::tick() noexcept {
  const detail::device_entry entry{entry_};
  work();
}

/// A tick, which a doorbell or a wait may ask for inside another call.
template <device_host Host, device_backend Backend>
void device<Host, Backend>::work() noexcept {
  const auto now = state_.now_ns();
  collect();
  state_.release_fences();
  run_vblank(now);
  const bool is_answered = answer_doorbell();
  if (is_answered) {
    collect();
    state_.release_fences();
  }
  using refresh = typename device_state<Host>::page_refresh;
  state_.publish(is_answered ? refresh::always : refresh::if_advanced);
}

/// Applies what finished: first what waited for DMA, then what the backend reports now.
template <device_host Host, device_backend Backend>
void device<Host, Backend>::collect() noexcept {
  if (!state_.can_dma()) return;
  while (!deferred_.empty()) {
    auto done = deferred_.pop_front();
    if (done.is_external) {
      apply_report(done);
    } else {
      executor_.apply(std::move(done));
    }
  }
  executor_.collect();
}

template <device_host Host, device_backend Backend>
void device<Host, Backend>::ring_doorbell() noexcept {
  if (!state_.note_doorbell()) return;
  if (state_.config().doorbells == doorbell_timing::inside_write) work();
}

/// True when a doorbell was answered, in part or whole, also when its ring was refused.
template <device_host Host, device_backend Backend>
auto device<Host, Backend>::answer_doorbell() noexcept -> bool {
  if (!state_.begin_doorbell()) return false;
  state_.end_doorbell(consumer_.drain_ring() == ring_outcome::drained);
  return true;
}

/// The registers' side of a ring reset at once, memory when DMA allows (host.md 1.11).
template <device_host Host, device_backend Backend>
void device<Host, Backend>::ring_reset() noexcept {
  forget_work();
  state_.publish_scanout();  // A flip that waited is over.
  state_.reset_ring();
  apply_ring_reset();
  state_.update_line();
}

template <device_host Host, device_backend Backend>
void device<Host, Backend>::apply_ring_reset() noexcept {
  if (!state_.take_ring_reset()) return;
  const auto dropped = drop_pending(state_.memory(), gpa{state_.registers().ring_gpa});
  if (!dropped) state_.record_error(dropped.why(), fence_value{});
  state_.publish(device_state<Host>::page_refresh::always);
}

/// Everything that was submitted, and all that it made.
template <device_host Host, device_backend Backend>
void device<Host, Backend>::forget_work() noexcept {
  executor_.reset();
  consumer_.captured().clear();
  deferred_.clear();
  state_.forget_work();
}

template <device_host Host, device_backend Backend>
void device<Host, Backend>::device_reset() noexcept {
  const detail::device_entry entry{entry_};
  forget_work();
  state_.reset();
}

template <device_host Host, device_backend Backend>
void device<Host, Backend>::wait_idle() noexcept {
  const detail::device_entry entry{entry_};
  executor_.wait_idle();
  work();
  if (executor_.in_flight() == 0) return;
  executor_.wait_idle();  // For what a waiting doorbell brought in.
  work();
}

template <device_host Host, device_backend Backend>
auto device<Host, Backend>::is_idle() const noexcept -> bool {
  return executor_.in_flight() == 0 && deferred_.empty() && !state_.is_doorbell_pending() &&
         !state_.is_ring_reset_pending() && consumer_.captured().empty();
}

template <device_host Host, device_backend Backend>
auto device<Host, Backend>::next_deadline_ns() const noexcept -> std::uint64_t {
  const auto now = state_.clock().state().now_ns;
  std::uint64_t due = no_deadline;
  if (state_.clock().is_running()) due = state_.host_time_of(state_.clock().next_deadline_ns());
  if (!state_.can_dma()) return due;
  const bool is_blocked = executor_.is_full() || !state_.fences().can_submit();
  const bool is_doorbell_due = state_.is_doorbell_pending() && !is_blocked;
  // Finished without a tick: by a restore, another executor, or an end of vblank without DMA.
  const bool is_fence_due = state_.fences().can_retire(state_.clock().is_running());
  if (executor_.has_picture_to_store() || !deferred_.empty() || is_doorbell_due || is_fence_due) {
    return state_.host_time_of(now);
  }
  if (executor_.in_flight() != 0) {
    due = std::min(due, state_.host_time_of(now + state_.config().poll_interval_ns));
  }
  return due;
}

template <device_host Host, device_backend Backend>
void device<Host, Backend>::set_executor(executor_mode mode) noexcept {
  const detail::device_entry entry{entry_};
  if (mode == state_.config().executor) return;
  executor_.abandon();
  consumer_.captured().clear();
  deferred_.clear();
  state_.set_executor(mode);
  state_.release_fences();
  state_.publish();
}

template <device_host Host, device_backend Backend>
auto device<Host, Backend>::take_submission(captured_submission& out) noexcept -> bool {
  const detail::device_entry entry{entry_};
  if (consumer_.captured().empty()) return false;
  out = consumer_.captured().pop_front();
  return true;
}

template <device_host Host, device_backend Backend>
void device<Host, Backend>::complete(const external_completion& done) noexcept {
  const detail::device_entry entry{entry_};
  if (state_.config().executor != executor_mode::external_bridge) return;
  if (done.generation != state_.generation()) return;
  run_vblank(state_.now_ns());  // An edge of before this call cannot release the fence.
  if (state_.can_dma() || !defer(done)) {
    apply_external(done.fence, done.why);
    state_.release_fences();
  }
  state_.publish();
}

/// Keeps a report until DMA is back. For want of room the oldest ones are applied first: their
/// errors show, and no fence retires (host.md 1.4). False when there is no room without any.
template <device_host Host, device_backend Backend>
auto device<Host, Backend>::defer(const external_completion& done) noexcept -> bool {
  const auto keep = [&] {
    deferred_completion later;
    later.fence = done.fence;
    later.why = done.why.code;
    later.is_external = true;
    return deferred_.size() < state_.bounds().pending_fences &&
           deferred_.push_back(std::move(later));
  };
  while (!keep()) {
    if (!apply_oldest_report()) return false;
  }
  return true;
}

/// Of those that wait. Completions of a backend need DMA and stay. False when there is none.
template <device_host Host, device_backend Backend>
auto device<Host, Backend>::apply_oldest_report() noexcept -> bool {
  for (std::size_t i = 0; i < deferred_.size(); ++i) {
    if (!deferred_[i].is_external) continue;
    apply_report(deferred_.take(i));
    return true;
  }
  return false;
}

template <device_host Host, device_backend Backend>
void device<Host, Backend>::apply_report(const deferred_completion& done) noexcept {
  apply_external(done.fence, make_error(done.why, "external executor reported a failure"));
}

/// Of a completed fence nothing is heard; of work without a fence only its failure.
template <device_host Host, device_backend Backend>
void device<Host, Backend>::apply_external(fence_value fence, const error& why) noexcept {
  const bool has_fence = fence != fence_value{};
  if (has_fence && fence <= state_.fences().completed()) return;
  if (why.code != error_code::none) {
    state_.count(&device_statistics::failed_submissions);
    state_.record_error(why, fence);
  }
  if (has_fence) state_.complete_fence(fence);
}

template <device_host Host, device_backend Backend>
auto device<Host, Backend>::read_display(rgba8_image& image) noexcept -> result<void> {
  const detail::device_entry entry{entry_};
  const auto shown = aerogpu::read_scanout(state_, executor_.processor(), image);
  if (!shown) return shown.why();
  if (aerogpu::read_cursor(state_, cursor_image_)) {
    blend_cursor(image, cursor_image_, position_of(state_.registers().cursor));
  }
  return {};
}

}  // namespace aerogpu

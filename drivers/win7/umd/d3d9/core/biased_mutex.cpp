// SPDX-License-Identifier: MIT
#include "drivers/win7/umd/d3d9/core/biased_mutex.hpp"

namespace aerogpu::umd {

namespace {

/// An owner that is inside works, or waits for the device: sooner or later it is asked for less.
constexpr std::uint32_t yields_before_sleep = 64;

}  // namespace

void biased_mutex::lock_among_all() noexcept {
  among_all_.lock();
  if (is_plain_) return;
  revoke();
  for (std::uint32_t round = 0; !is_left(); ++round) {
    os::sleep_ms(round < yields_before_sleep ? 0 : 1);
  }
  note_holder();
}

auto biased_mutex::try_lock_among_all() noexcept -> bool {
  if (!among_all_.try_lock()) return false;
  if (is_plain_) return true;
  // An owner at work keeps its bias; one that is idle may be so for ever.
  const bool is_busy = current_bias().is_inside.load(std::memory_order_relaxed);
  if (!is_busy) {
    revoke();
    if (is_left()) {
      note_holder();
      return true;
    }
  }
  among_all_.unlock();
  return false;
}

void biased_mutex::revoke() noexcept {
  bias& held = current_bias();
  if (held.owner.load(std::memory_order_relaxed) == 0) return;
  held.owner.store(0, std::memory_order_relaxed);
  current_.store(&held + 1, std::memory_order_relaxed);
  os::process_barrier();
  leaving_ = &held;
}

auto biased_mutex::is_left() noexcept -> bool {
  if (leaving_ != nullptr && leaving_->is_inside.load(std::memory_order_acquire)) return false;
  leaving_ = nullptr;
  return true;
}

/// The caller holds the mutex; the bias is its own from the next call on, if it has earned it.
void biased_mutex::note_holder() noexcept {
  entered_by_ = nullptr;
  if (&current_bias() == &biases_.back()) {
    is_plain_ = true;
    return;
  }
  const std::uintptr_t self = os::this_thread();
  calls_in_a_row_ = last_holder_ == self ? calls_in_a_row_ + 1 : 1;
  last_holder_ = self;
  if (calls_in_a_row_ < calls_before_bias) return;
  calls_in_a_row_ = 0;
  if (os::has_process_barrier())
    current_bias().owner.store(self, std::memory_order_relaxed);
  else
    current_.store(&biases_.back(), std::memory_order_relaxed);
}

}  // namespace aerogpu::umd

// SPDX-License-Identifier: MIT
#include "drivers/wine/d3d9/window/picture_thread.hpp"

#include <chrono>
#include <system_error>

namespace aerogpu::d3d9 {

picture_thread::~picture_thread() {
  {
    const std::lock_guard hold{mutex_};
    is_over_ = true;
  }
  changed_.notify_one();
  if (thread_.joinable()) thread_.join();
}

auto picture_thread::expect() noexcept -> bool {
  try {
    if (!thread_.joinable()) thread_ = std::thread{[this] { run(); }};
  } catch (const std::system_error&) {
    return false;
  }
  {
    const std::lock_guard hold{mutex_};
    is_expecting_ = true;
  }
  changed_.notify_one();
  return true;
}

void picture_thread::run() noexcept {
  constexpr std::chrono::milliseconds interval{1};
  std::unique_lock hold{mutex_};
  while (true) {
    changed_.wait(hold, [this] { return is_over_ || is_expecting_; });
    if (changed_.wait_for(hold, interval, [this] { return is_over_; })) return;
    is_expecting_ = false;
    hold.unlock();
    const bool is_more_to_come = listener_.show_finished_pictures();
    hold.lock();
    is_expecting_ = is_expecting_ || is_more_to_come;
  }
}

}  // namespace aerogpu::d3d9

// SPDX-License-Identifier: MIT
/// \file The thread on which a device's pictures come into their windows when they are done.
#pragma once

#include "drivers/wine/d3d9/window/window_system.hpp"

#include <condition_variable>
#include <mutex>
#include <thread>

namespace aerogpu::d3d9 {

/// Its thread begins with the first picture, and asks once a millisecond while one is to come.
class picture_thread final : public picture_watch {
 public:
  explicit picture_thread(picture_listener& listener) : listener_(listener) {}
  ~picture_thread() override;

  auto expect() noexcept -> bool override;

 private:
  void run() noexcept;

  picture_listener& listener_;
  std::mutex mutex_;
  std::condition_variable changed_;
  bool is_expecting_ = false;
  bool is_over_ = false;
  std::thread thread_;
};

}  // namespace aerogpu::d3d9

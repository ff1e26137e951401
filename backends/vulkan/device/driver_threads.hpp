// SPDX-License-Identifier: MIT
/// \file The threads with which a driver draws on the host's own processors.
#pragma once

#include "aerogpu/hosted/heap_array.hpp"

#include <cstddef>

namespace aerogpu::vulkan {

/// The worker threads of Mesa's llvmpipe that began while a device was opened. Those of a device
/// that was given up go on for as long as its last command does, and nothing can stop them: they
/// take only what others leave, so that a hung device costs other devices of the process no time.
/// Empty where drivers draw on a GPU, and off Linux.
class driver_threads {
 public:
  driver_threads() noexcept = default;

  /// Runs `open()` and takes what threads it begins. One opening of the process at a time.
  template <class Open>
  auto watch(Open&& open) noexcept {
    const watch_scope scope{*this};
    return open();
  }

  /// Workers that run and have their name.
  [[nodiscard]] auto count() const noexcept -> std::size_t;
  /// Gives them the lowest priority, for good. How many still ran.
  auto lower_priority() const noexcept -> std::size_t;

 private:
  class watch_scope {
   public:
    explicit watch_scope(driver_threads& into) noexcept;
    ~watch_scope();
    watch_scope(const watch_scope&) = delete;
    auto operator=(const watch_scope&) -> watch_scope& = delete;

   private:
    driver_threads& into_;
    heap_array<int> before_;
  };

  heap_array<int> ids_;  ///< All that began: a worker names itself when it gets to run.
};

}  // namespace aerogpu::vulkan

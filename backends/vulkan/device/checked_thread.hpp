// SPDX-License-Identifier: MIT
/// \file A thread whose start can fail, where failing is a value.
#pragma once

#include "aerogpu/core/result.hpp"

#include <cstddef>
#include <memory>
#include <new>
#include <pthread.h>
#include <type_traits>
#include <utility>

namespace aerogpu::vulkan {

/// Owns a running thread, or none. std::thread throws when the system has no thread to give; this
/// reports it. Joins when it is destroyed.
class checked_thread {
 public:
  checked_thread() noexcept = default;
  checked_thread(checked_thread&& other) noexcept
      : handle_(other.handle_), is_running_(std::exchange(other.is_running_, false)) {}
  auto operator=(checked_thread&& other) noexcept -> checked_thread& {
    if (this != &other) {
      join();
      handle_ = other.handle_;
      is_running_ = std::exchange(other.is_running_, false);
    }
    return *this;
  }
  ~checked_thread() { join(); }

  /// Starts `body()` on a thread of its own; the body is moved there and destroyed when it returns.
  /// `stack_bytes` 0 = what the system gives. Error: out_of_memory (the heap, the stack, or the
  /// system's number of threads), and then the body did not run.
  template <class Body>
  requires std::is_nothrow_move_constructible_v<Body> && std::is_nothrow_invocable_r_v<void, Body&>
  [[nodiscard]] static auto create(Body body, std::size_t stack_bytes = 0) noexcept
      -> result<checked_thread> {
    std::unique_ptr<Body> moved{new (std::nothrow) Body(std::move(body))};
    if (moved == nullptr) return make_error(error_code::out_of_memory, "no memory for a thread");
    checked_thread made;
    if (auto started = made.start(run<Body>, moved.get(), stack_bytes); !started) {
      return started.why();
    }
    static_cast<void>(moved.release());
    return made;
  }

  [[nodiscard]] auto is_running() const noexcept -> bool { return is_running_; }

  /// Waits for the body to return. Does nothing without a thread.
  void join() noexcept;
  /// Leaves the thread to itself: its body must own all that it still touches, for as long as it
  /// runs (shared_state). Does nothing without a thread.
  void abandon() noexcept;

 private:
  template <class Body>
  static auto run(void* moved) noexcept -> void* {
    const std::unique_ptr<Body> body{static_cast<Body*>(moved)};
    (*body)();
    return nullptr;
  }
  [[nodiscard]] auto start(void* (*entry)(void*), void* argument, std::size_t stack_bytes) noexcept
      -> result<void>;

  pthread_t handle_{};
  bool is_running_ = false;
};

}  // namespace aerogpu::vulkan

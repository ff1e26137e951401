// SPDX-License-Identifier: MIT
/// \file The machine around a device that several threads use: memory, a clock that can stand
/// still, an interrupt line that a virtual CPU sleeps on.
#pragma once

#include "aerogpu/device/host.hpp"

#include <atomic>
#include <chrono>
#include <condition_variable>
#include <cstdio>
#include <cstring>
#include <mutex>
#include <random>
#include <vector>

using namespace aerogpu;

/// The guest's time: real time, less what the machine was paused. Under the device's lock.
class guest_clock {
 public:
  [[nodiscard]] auto now_ns() const noexcept -> std::uint64_t {
    return is_running_ ? stood_at_ + since(resumed_) : stood_at_;
  }
  void pause() noexcept {
    stood_at_ = now_ns();
    is_running_ = false;
  }
  void resume() noexcept {
    resumed_ = std::chrono::steady_clock::now();
    is_running_ = true;
  }
  /// Of a paused machine, before its devices are loaded.
  void set(std::uint64_t time_ns) noexcept { stood_at_ = time_ns; }

 private:
  static auto since(std::chrono::steady_clock::time_point then) noexcept -> std::uint64_t {
    return static_cast<std::uint64_t>(
        std::chrono::nanoseconds{std::chrono::steady_clock::now() - then}.count());
  }

  std::uint64_t stood_at_ = 0;
  std::chrono::steady_clock::time_point resumed_{};
  bool is_running_ = false;
};

/// A level, and who sleeps until it is high. The device calls `set` under its lock, so that this
/// must not ask for that one.
class interrupt_line {
 public:
  void set(bool level) noexcept {
    const std::lock_guard held{lock_};
    level_ = level;
    changed_.notify_all();
  }
  [[nodiscard]] auto is_high() -> bool {
    const std::lock_guard held{lock_};
    return level_;
  }
  [[nodiscard]] auto wait(std::chrono::seconds at_most) -> bool {
    std::unique_lock held{lock_};
    return changed_.wait_for(held, at_most, [&] { return level_; });
  }

 private:
  std::mutex lock_;
  std::condition_variable changed_;
  bool level_ = false;
};

/// What the device calls. All of it runs inside a call of the device, under its lock, and must not
/// call the device: what has to follow is noted, and done by whoever made the call.
struct machine {
  std::vector<std::byte> ram = std::vector<std::byte>(16u << 20);
  guest_clock clock;
  interrupt_line irq;
  static constexpr std::uint32_t most_logged_errors = 100;
  std::uint32_t logged_errors = 0;
  /// The window has to be painted again at once.
  std::atomic<bool> is_display_stale = false;

  auto read(gpa from, mutable_bytes out) noexcept -> bool {
    if (!range_fits(raw(from), out.size(), ram.size())) return false;
    std::memcpy(out.data(), ram.data() + raw(from), out.size());
    return true;
  }
  auto write(gpa to, const_bytes in) noexcept -> bool {
    if (!range_fits(raw(to), in.size(), ram.size())) return false;
    std::memcpy(ram.data() + raw(to), in.data(), in.size());
    return true;
  }
  auto now_ns() noexcept -> std::uint64_t { return clock.now_ns(); }
  auto elapsed_ns() noexcept -> std::uint64_t {
    return static_cast<std::uint64_t>(
        std::chrono::nanoseconds{std::chrono::steady_clock::now().time_since_epoch()}.count());
  }
  auto random_seed() noexcept -> std::uint64_t {
    std::random_device words;
    return std::uint64_t{words()} << 32 | words();
  }
  void set_irq_line(bool level) noexcept { irq.set(level); }
  void on_scanout(const scanout_descriptor&) noexcept { is_display_stale = true; }
  void on_present(const present_notice&) noexcept { is_display_stale = true; }
  void on_error(const error_record& error) noexcept {
    if (logged_errors == most_logged_errors) return;  // A guest can cause one for each entry.
    ++logged_errors;
    std::fprintf(stderr, "a submission failed: %s: %s\n", kind_name(error.why.code),
                 error.why.what);
  }
};

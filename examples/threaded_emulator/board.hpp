// SPDX-License-Identifier: MIT
/// \file A device among threads: virtual CPUs that access it, a thread that ticks it, a backend
/// that finishes work on a thread of its own, and somebody who saves, loads and looks.
#pragma once

#include "aerogpu/device/device.hpp"
#include "machine.hpp"
#include "opened_backend.hpp"

#include <algorithm>
#include <memory>
#include <mutex>
#include <thread>
#include <utility>

/// Wakes the thread that ticks. Its lock is not the device's: a backend's thread calls `ring` while
/// somebody waits for that backend inside the device.
class ticker_bell {
 public:
  void ring() {
    const std::lock_guard held{lock_};
    is_rung_ = true;
    changed_.notify_all();
  }
  /// Until somebody wakes it, or for so long.
  void sleep(std::chrono::nanoseconds at_most) {
    std::unique_lock held{lock_};
    changed_.wait_for(held, at_most, [&] { return is_rung_; });
    is_rung_ = false;
  }

 private:
  std::mutex lock_;
  std::condition_variable changed_;
  bool is_rung_ = false;
};

/// What of a machine is saved: its memory, its time, and what the device saves of itself.
struct saved_machine {
  std::vector<std::byte> ram;
  std::uint64_t time_ns = 0;
  snapshot_writer device;
};

class board {
 public:
  static constexpr std::chrono::milliseconds refresh_period{17};

 private:
  using gpu = device<machine, example_backend>;

  template <class Call>
  auto with_card(Call&& call) {
    const std::lock_guard held{lock_};
    return call(*card_);
  }

 public:
  [[nodiscard]] static auto create() -> result<std::unique_ptr<board>> {
    std::unique_ptr<board> made{new board};
    auto opened = open_backend([bell = &made->bell_] { bell->ring(); });
    if (!opened) return opened.why();
    made->backend_ = *std::move(opened);
    // A doorbell returns at once, and the thread below does the work.
    auto card = gpu::create(made->pc_, *made->backend_, {.doorbells = doorbell_timing::at_tick});
    if (!card) return card.why();
    made->card_ = *std::move(card);
    made->ticker_ = std::thread{[on = made.get()] { on->run(); }};
    return made;
  }
  ~board() {
    is_ending_ = true;
    bell_.ring();
    if (ticker_.joinable()) ticker_.join();
  }
  board(const board&) = delete;
  auto operator=(const board&) -> board& = delete;

  // What a virtual CPU's exits call: the device's lock around the call, and a look at the deadline
  // behind each that may change it.
  void bar0_write(std::uint64_t offset, std::uint64_t value, std::uint32_t size) {
    with_card([&](gpu& card) { card.bar0_write(offset, value, size); });
    bell_.ring();
  }
  void config_write(std::uint32_t offset, std::uint32_t value, std::uint32_t size) {
    with_card([&](gpu& card) { card.config_write(offset, value, size); });
    bell_.ring();
  }
  [[nodiscard]] auto bar0_read(std::uint64_t offset, std::uint32_t size) -> std::uint64_t {
    return with_card([&](gpu& card) { return card.bar0_read(offset, size); });
  }
  [[nodiscard]] auto ram() -> mutable_bytes { return pc_.ram; }
  [[nodiscard]] auto wait_for_interrupt() -> bool { return pc_.irq.wait(std::chrono::seconds{60}); }

  /// The guest's time goes on.
  void resume() {
    with_card([&](gpu&) { pc_.clock.resume(); });
    bell_.ring();
  }
  /// With the virtual CPUs stopped. The device waits for its backend and stores what that made in
  /// memory, which is copied behind it; work that waits for a vertical blank is saved as it is.
  [[nodiscard]] auto pause_and_save(saved_machine& out) -> result<void> {
    return with_card([&](gpu& card) {
      pc_.clock.pause();
      out.time_ns = pc_.clock.now_ns();
      const auto saved = card.save(out.device);
      out.ram = pc_.ram;
      return saved;
    });
  }
  /// Into a machine that has not run. The clock comes first, which the device reads in `load`; so
  /// does memory, which the ticking thread's next call may read.
  [[nodiscard]] auto load(const saved_machine& from) -> result<void> {
    return with_card([&](gpu& card) {
      pc_.ram = from.ram;
      pc_.clock.set(from.time_ns);
      return card.load(from.device.bytes());
    });
  }
  /// The window's thread calls it as often as it likes. The picture is read when a callback said
  /// that it is another one, and in each refresh period besides: a cursor that moves, and what the
  /// guest's processor draws, call nothing.
  [[nodiscard]] auto repaint(rgba8_image& window) -> result<void> {
    const auto now = std::chrono::steady_clock::now();
    const bool is_due = now - painted_ >= refresh_period;
    if (!pc_.is_display_stale.exchange(false) && !is_due) return {};
    painted_ = now;
    return with_card([&](gpu& card) { return card.read_display(window); });
  }
  [[nodiscard]] auto statistics() -> device_statistics {
    return with_card([](gpu& card) { return card.statistics(); });
  }

 private:
  board() = default;

  // [ticker]
  /// Ticks when the device asks for it, and when the backend finished something.
  void run() {
    while (!is_ending_) {
      const auto rest = with_card([&](gpu& card) {
        card.tick();  // One that was not due changes nothing.
        const std::uint64_t due = card.next_deadline_ns(), now = pc_.now_ns();
        return due <= now ? 0 : std::min<std::uint64_t>(due - now, longest_rest_ns);
      });
      // The lock is free now, for virtual CPUs that wait for it.
      bell_.sleep(std::chrono::nanoseconds{rest});
    }
  }
  // [/ticker]
  static constexpr std::uint64_t longest_rest_ns = 1'000'000'000;

  std::chrono::steady_clock::time_point painted_{};  ///< Of the window's thread.

  machine pc_;
  ticker_bell bell_;
  std::unique_ptr<example_backend> backend_;
  std::unique_ptr<gpu> card_;
  std::mutex lock_;
  std::atomic<bool> is_ending_ = false;
  std::thread ticker_;
};

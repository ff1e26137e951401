// SPDX-License-Identifier: MIT
/// \file A backend whose submissions finish on a thread of its own, for the thread sanitizer.
#pragma once

#include "aerogpu/backend/backend.hpp"
#include "tests/support/wrapped_calls.hpp"

#include <concepts>
#include <condition_variable>
#include <cstdint>
#include <deque>
#include <mutex>
#include <thread>
#include <utility>
#include <vector>

namespace aerogpu::test {

/// Runs calls on `B` under a lock; a worker collects what finished, and `poll` reports it later.
template <backend B>
requires std::default_initializable<B>
class threaded_backend : public wrapped_backend<threaded_backend<B>, B> {
  friend wrapped_backend<threaded_backend<B>, B>;

 public:
  threaded_backend() : worker_([this] { run(); }) {}
  ~threaded_backend() {
    {
      const std::lock_guard lock{mutex_};
      is_stopping_ = true;
    }
    changed_.notify_all();
    worker_.join();
  }
  threaded_backend(const threaded_backend&) = delete;
  auto operator=(const threaded_backend&) -> threaded_backend& = delete;

  [[nodiscard]] auto inner() noexcept -> B& { return inner_; }
  [[nodiscard]] auto inner() const noexcept -> const B& { return inner_; }

  auto begin_submission(const submission_info& info) noexcept -> result<void> {
    const std::lock_guard lock{mutex_};
    return inner_.begin_submission(info);
  }
  auto end_submission(submission_end end) noexcept -> result<void> {
    const std::lock_guard lock{mutex_};
    const auto ended = inner_.end_submission(end);
    if (!ended) return ended.why();
    ++running_;
    changed_.notify_all();
    return {};
  }

  template <completion_sink Sink>
  void poll(Sink& sink) noexcept {
    std::deque<report> reports;
    {
      const std::lock_guard lock{mutex_};
      reports.swap(finished_);
    }
    for (const report& r : reports) {
      for (const auto& [to, rows] : r.write_backs) sink.on_write_back(r.id, to, rows);
      sink.on_complete(r.id, r.why);
    }
  }
  void wait_idle() noexcept {
    std::unique_lock lock{mutex_};
    inner_.wait_idle();
    changed_.wait(lock, [this] { return running_ == 0; });
  }
  void reset() noexcept {
    const std::lock_guard lock{mutex_};
    inner_.reset();
    finished_.clear();
    collected_ = {};
    running_ = 0;
    changed_.notify_all();
  }

 private:
  struct report {
    submission_id id{};
    error why;
    std::vector<std::pair<guest_rows, std::vector<std::byte>>> write_backs;
  };

  /// Hears the inner backend on the worker; keeps copies for `poll`.
  struct collector {
    threaded_backend& of;

    void on_write_back(submission_id, const guest_rows& to, const_bytes rows) noexcept {
      of.collected_.write_backs.emplace_back(to, std::vector(rows.begin(), rows.end()));
    }
    void on_complete(submission_id id, const error& why) noexcept {
      of.collected_.id = id;
      of.collected_.why = why;
      of.finished_.push_back(std::exchange(of.collected_, report{}));
      --of.running_;
    }
  };

  template <call_kind, class Call>
  auto around(Call&& call) noexcept -> decltype(call()) {
    const std::lock_guard lock{mutex_};
    return call();
  }

  void run() {
    std::unique_lock lock{mutex_};
    while (!is_stopping_) {
      if (running_ != 0) {
        collector collect{*this};
        inner_.poll(collect);
        changed_.notify_all();
        // Lets the owner in between two polls of a backend that holds its completions.
        lock.unlock();
        std::this_thread::yield();
        lock.lock();
        continue;
      }
      changed_.wait(lock, [this] { return is_stopping_ || running_ != 0; });
    }
  }

  B inner_;
  std::mutex mutex_;
  std::condition_variable changed_;
  std::deque<report> finished_;
  report collected_;
  std::uint64_t running_ = 0;
  bool is_stopping_ = false;
  std::thread worker_;
};

}  // namespace aerogpu::test

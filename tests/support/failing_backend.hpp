// SPDX-License-Identifier: MIT
/// \file A backend that fails on purpose at one call, counts, and watches how it is used.
#pragma once

#include "aerogpu/backend/backend.hpp"
#include "tests/support/wrapped_calls.hpp"

#include <algorithm>
#include <cstdint>
#include <functional>
#include <utility>
#include <vector>

namespace aerogpu::test {

/// Which call fails, and how.
struct planned_failure {
  std::uint64_t at_call = 0;  ///< 1 = the next fallible call; 0 = none.
  error_code code = error_code::out_of_memory;
  bool lasts_until_reset = false;  ///< As a lost device does.
};

/// Hands every call on to `B`, except the one that was planned to fail. Counts objects, so that a
/// test can see that each one came back, and calls that break the concept's order.
template <backend B>
class failing_backend : public wrapped_backend<failing_backend<B>, B> {
  using wrapped = wrapped_backend<failing_backend<B>, B>;
  friend wrapped;

 public:
  explicit failing_backend(B& inner) noexcept : inner_(inner) {}

  /// Counts calls anew.
  void plan(const planned_failure& failure) noexcept {
    failure_ = failure;
    calls_ = 0;
    is_failing_ = false;
  }
  /// Fallible calls since the last plan.
  [[nodiscard]] auto calls() const noexcept -> std::uint64_t { return calls_; }
  /// Objects created and not destroyed.
  [[nodiscard]] auto live_objects() const noexcept -> std::int64_t { return live_; }
  /// Calls outside begin/end that belong inside, nested submissions, objects destroyed twice.
  [[nodiscard]] auto broken_rules() const noexcept -> std::uint32_t { return broken_rules_; }
  [[nodiscard]] auto inner() const noexcept -> B& { return inner_; }

  /// Who sees each draw, dispatch and clear before it is handed on; null = nobody.
  template <class Call>
  using observer = std::function<void(const Call&)>;
  void observe_draws(observer<draw_call<failing_backend>> see) { on_draw_ = std::move(see); }
  void observe_dispatches(observer<dispatch_call<failing_backend>> see) {
    on_dispatch_ = std::move(see);
  }
  void observe_clears(observer<clear_call<failing_backend>> see) { on_clear_ = std::move(see); }

  /// From now on everything takes so many times its memory.
  void scale_memory(std::uint64_t factor) noexcept { memory_factor_ = factor; }
  auto memory_bytes(const buffer_desc& d) const noexcept -> std::uint64_t {
    return inner_.memory_bytes(d) * memory_factor_;
  }
  auto memory_bytes(const texture_desc& d) const noexcept -> std::uint64_t {
    return inner_.memory_bytes(d) * memory_factor_;
  }

  auto clear(const clear_call<failing_backend>& call) noexcept -> result<void> {
    if (on_clear_) on_clear_(call);
    return wrapped::clear(call);
  }
  auto draw(const draw_call<failing_backend>& call) noexcept -> result<void> {
    if (on_draw_) on_draw_(call);
    return wrapped::draw(call);
  }
  auto dispatch(const dispatch_call<failing_backend>& call) noexcept -> result<void> {
    if (on_dispatch_) on_dispatch_(call);
    return wrapped::dispatch(call);
  }

  auto begin_submission(const submission_info& info) noexcept -> result<void> {
    if (is_open_) ++broken_rules_;
    if (fails()) return failure();
    const auto begun = inner_.begin_submission(info);
    if (!begun) return begun.why();
    is_open_ = true;
    open_ = info.id;
    return {};
  }
  /// A failure here ends the submission inside as aborted and swallows its report.
  auto end_submission(submission_end end) noexcept -> result<void> {
    if (!is_open_) ++broken_rules_;
    is_open_ = false;
    if (!fails()) return inner_.end_submission(end);
    if (inner_.end_submission(submission_end::abort)) swallowed_.push_back(open_);
    return failure();
  }

  template <completion_sink Sink>
  void poll(Sink& sink) noexcept {
    filter<Sink> filtered{sink, swallowed_};
    inner_.poll(filtered);
  }
  void wait_idle() noexcept { inner_.wait_idle(); }
  void reset() noexcept {
    is_open_ = false;
    is_failing_ = false;
    swallowed_.clear();
    inner_.reset();
  }

 private:
  /// Hands on the reports of submissions whose end did not fail here.
  template <class Sink>
  struct filter {
    Sink& sink;
    std::vector<submission_id>& swallowed;

    void on_write_back(submission_id id, const guest_rows& to, const_bytes rows) noexcept {
      if (!is_swallowed(id)) sink.on_write_back(id, to, rows);
    }
    void on_complete(submission_id id, const error& why) noexcept {
      if (!is_swallowed(id)) return sink.on_complete(id, why);
      swallowed.erase(std::find(swallowed.begin(), swallowed.end(), id));
    }
    [[nodiscard]] auto is_swallowed(submission_id id) const noexcept -> bool {
      return std::find(swallowed.begin(), swallowed.end(), id) != swallowed.end();
    }
  };

  [[nodiscard]] auto fails() noexcept -> bool {
    ++calls_;
    if (calls_ == failure_.at_call) is_failing_ = true;
    return calls_ == failure_.at_call || (is_failing_ && failure_.lasts_until_reset);
  }
  [[nodiscard]] auto failure() const noexcept -> error {
    return make_error(failure_.code, "backend fails on purpose", calls_, failure_.at_call);
  }

  template <call_kind Kind, class Call>
  auto around(Call&& call) noexcept -> decltype(call()) {
    if constexpr (Kind == call_kind::destroy) {
      if (--live_ < 0) ++broken_rules_;
      call();
    } else if constexpr (Kind == call_kind::remark) {
      call();
    } else {
      if (Kind == call_kind::command && !is_open_) ++broken_rules_;
      if (fails()) return failure();
      if constexpr (Kind == call_kind::create) {
        auto made = call();
        if (!made) return made.why();
        ++live_;
        return *std::move(made);
      } else {
        return call();
      }
    }
  }

  B& inner_;
  std::uint64_t memory_factor_ = 1;
  planned_failure failure_;
  std::uint64_t calls_ = 0;
  std::int64_t live_ = 0;
  std::uint32_t broken_rules_ = 0;
  bool is_failing_ = false;
  bool is_open_ = false;
  submission_id open_{};
  std::vector<submission_id> swallowed_;
  observer<draw_call<failing_backend>> on_draw_;
  observer<dispatch_call<failing_backend>> on_dispatch_;
  observer<clear_call<failing_backend>> on_clear_;
};

}  // namespace aerogpu::test

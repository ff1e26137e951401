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
class failing_backend {
 public:
  using buffer = typename B::buffer;
  using texture = typename B::texture;
  using texture_view = typename B::texture_view;
  using shader = typename B::shader;
  using input_layout = typename B::input_layout;
  using sampler = typename B::sampler;

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
  [[nodiscard]] auto inner() noexcept -> B& { return inner_; }

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
  auto create_buffer(const buffer_desc& d) noexcept -> result<buffer> {
    return create([&] { return inner_.create_buffer(d); });
  }
  auto create_texture(const texture_desc& d) noexcept -> result<texture> {
    return create([&] { return inner_.create_texture(d); });
  }
  auto create_texture_view(texture& of, const texture_view_desc& d) noexcept
      -> result<texture_view> {
    return create([&] { return inner_.create_texture_view(of, d); });
  }
  auto create_shader(const shader_desc& d) noexcept -> result<shader> {
    return create([&] { return inner_.create_shader(d); });
  }
  auto create_input_layout(const input_layout_desc& d) noexcept -> result<input_layout> {
    return create([&] { return inner_.create_input_layout(d); });
  }
  auto create_sampler(const sampler_desc& d) noexcept -> result<sampler> {
    return create([&] { return inner_.create_sampler(d); });
  }
  void destroy(buffer&& object) noexcept { destroy_object(std::move(object)); }
  void destroy(texture&& object) noexcept { destroy_object(std::move(object)); }
  void destroy(texture_view&& object) noexcept { destroy_object(std::move(object)); }
  void destroy(shader&& object) noexcept { destroy_object(std::move(object)); }
  void destroy(input_layout&& object) noexcept { destroy_object(std::move(object)); }
  void destroy(sampler&& object) noexcept { destroy_object(std::move(object)); }

  auto stage(std::size_t size) noexcept -> result<mutable_bytes> {
    return command([&] { return inner_.stage(size); });
  }
  auto upload_buffer(buffer& to, std::uint64_t offset, const_bytes bytes) noexcept -> result<void> {
    return command([&] { return inner_.upload_buffer(to, offset, bytes); });
  }
  auto upload_texture(texture& to, const texture_rows& rows, const_bytes bytes) noexcept
      -> result<void> {
    return command([&] { return inner_.upload_texture(to, rows, bytes); });
  }
  auto copy_buffer(buffer& to, std::uint64_t to_offset, buffer& from, std::uint64_t from_offset,
                   std::uint64_t size) noexcept -> result<void> {
    return command([&] { return inner_.copy_buffer(to, to_offset, from, from_offset, size); });
  }
  auto copy_texture(texture& to, texture& from, const texture_copy& copy) noexcept -> result<void> {
    return command([&] { return inner_.copy_texture(to, from, copy); });
  }
  auto read_back_buffer(buffer& from, std::uint64_t offset, const guest_rows& to) noexcept
      -> result<void> {
    return command([&] { return inner_.read_back_buffer(from, offset, to); });
  }
  auto read_back_texture(texture& from, const texture_rows& rows, const guest_rows& to) noexcept
      -> result<void> {
    return command([&] { return inner_.read_back_texture(from, rows, to); });
  }

  auto clear(const clear_call<failing_backend>& call) noexcept -> result<void> {
    if (on_clear_) on_clear_(call);
    return command([&] { return forward_clear(inner_, call); });
  }
  auto draw(const draw_call<failing_backend>& call) noexcept -> result<void> {
    if (on_draw_) on_draw_(call);
    return command([&] { return forward_draw(inner_, call); });
  }
  auto dispatch(const dispatch_call<failing_backend>& call) noexcept -> result<void> {
    if (on_dispatch_) on_dispatch_(call);
    return command([&] { return forward_dispatch(inner_, call); });
  }
  auto present(const present_call<failing_backend>& call) noexcept -> result<void> {
    return command([&] { return forward_present(inner_, call); });
  }
  auto flush() noexcept -> result<void> {
    return command([&] { return inner_.flush(); });
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

  auto read_buffer(buffer& from, std::uint64_t offset, mutable_bytes out) noexcept -> result<void> {
    return call([&] { return inner_.read_buffer(from, offset, out); });
  }
  auto write_buffer(buffer& to, std::uint64_t offset, const_bytes in) noexcept -> result<void> {
    return call([&] { return inner_.write_buffer(to, offset, in); });
  }
  auto read_texture(texture& from, subresource where, mutable_bytes out) noexcept -> result<void> {
    return call([&] { return inner_.read_texture(from, where, out); });
  }
  auto write_texture(texture& to, subresource where, const_bytes in) noexcept -> result<void> {
    return call([&] { return inner_.write_texture(to, where, in); });
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

  template <class Call>
  auto call(Call&& call) noexcept -> decltype(call()) {
    if (fails()) return failure();
    return call();
  }
  template <class Call>
  auto command(Call&& command) noexcept -> decltype(command()) {
    if (!is_open_) ++broken_rules_;
    return call(std::forward<Call>(command));
  }
  template <class Create>
  auto create(Create&& create) noexcept -> decltype(create()) {
    if (fails()) return failure();
    auto made = create();
    if (!made) return made.why();
    ++live_;
    return *std::move(made);
  }
  template <class Object>
  void destroy_object(Object&& object) noexcept {
    if (--live_ < 0) ++broken_rules_;
    inner_.destroy(std::move(object));
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

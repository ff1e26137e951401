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
class threaded_backend {
 public:
  using buffer = typename B::buffer;
  using texture = typename B::texture;
  using texture_view = typename B::texture_view;
  using shader = typename B::shader;
  using input_layout = typename B::input_layout;
  using sampler = typename B::sampler;

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

  auto memory_bytes(const buffer_desc& d) const noexcept -> std::uint64_t {
    return inner_.memory_bytes(d);
  }
  auto memory_bytes(const texture_desc& d) const noexcept -> std::uint64_t {
    return inner_.memory_bytes(d);
  }
  auto create_buffer(const buffer_desc& d) noexcept -> result<buffer> {
    return locked([&] { return inner_.create_buffer(d); });
  }
  auto create_texture(const texture_desc& d) noexcept -> result<texture> {
    return locked([&] { return inner_.create_texture(d); });
  }
  auto create_texture_view(texture& of, const texture_view_desc& d) noexcept
      -> result<texture_view> {
    return locked([&] { return inner_.create_texture_view(of, d); });
  }
  auto create_shader(const shader_desc& d) noexcept -> result<shader> {
    return locked([&] { return inner_.create_shader(d); });
  }
  auto create_input_layout(const input_layout_desc& d) noexcept -> result<input_layout> {
    return locked([&] { return inner_.create_input_layout(d); });
  }
  auto create_sampler(const sampler_desc& d) noexcept -> result<sampler> {
    return locked([&] { return inner_.create_sampler(d); });
  }
  void destroy(buffer&& object) noexcept { destroy_object(std::move(object)); }
  void destroy(texture&& object) noexcept { destroy_object(std::move(object)); }
  void destroy(texture_view&& object) noexcept { destroy_object(std::move(object)); }
  void destroy(shader&& object) noexcept { destroy_object(std::move(object)); }
  void destroy(input_layout&& object) noexcept { destroy_object(std::move(object)); }
  void destroy(sampler&& object) noexcept { destroy_object(std::move(object)); }

  auto stage(std::size_t size) noexcept -> result<mutable_bytes> {
    return locked([&] { return inner_.stage(size); });
  }
  auto upload_buffer(buffer& to, std::uint64_t offset, const_bytes bytes) noexcept -> result<void> {
    return locked([&] { return inner_.upload_buffer(to, offset, bytes); });
  }
  auto upload_texture(texture& to, const texture_rows& rows, const_bytes bytes) noexcept
      -> result<void> {
    return locked([&] { return inner_.upload_texture(to, rows, bytes); });
  }
  auto copy_buffer(buffer& to, std::uint64_t to_offset, buffer& from, std::uint64_t from_offset,
                   std::uint64_t size) noexcept -> result<void> {
    return locked([&] { return inner_.copy_buffer(to, to_offset, from, from_offset, size); });
  }
  auto copy_texture(texture& to, texture& from, const texture_copy& copy) noexcept -> result<void> {
    return locked([&] { return inner_.copy_texture(to, from, copy); });
  }
  auto read_back_buffer(buffer& from, std::uint64_t offset, const guest_rows& to) noexcept
      -> result<void> {
    return locked([&] { return inner_.read_back_buffer(from, offset, to); });
  }
  auto read_back_texture(texture& from, const texture_rows& rows, const guest_rows& to) noexcept
      -> result<void> {
    return locked([&] { return inner_.read_back_texture(from, rows, to); });
  }

  auto clear(const clear_call<threaded_backend>& call) noexcept -> result<void> {
    return locked([&] { return forward_clear(inner_, call); });
  }
  auto draw(const draw_call<threaded_backend>& call) noexcept -> result<void> {
    return locked([&] { return forward_draw(inner_, call); });
  }
  auto dispatch(const dispatch_call<threaded_backend>& call) noexcept -> result<void> {
    return locked([&] { return forward_dispatch(inner_, call); });
  }
  auto present(const present_call<threaded_backend>& call) noexcept -> result<void> {
    return locked([&] { return forward_present(inner_, call); });
  }
  auto flush() noexcept -> result<void> {
    return locked([&] { return inner_.flush(); });
  }

  auto begin_submission(const submission_info& info) noexcept -> result<void> {
    return locked([&] { return inner_.begin_submission(info); });
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

  auto read_buffer(buffer& from, std::uint64_t offset, mutable_bytes out) noexcept -> result<void> {
    return locked([&] { return inner_.read_buffer(from, offset, out); });
  }
  auto write_buffer(buffer& to, std::uint64_t offset, const_bytes in) noexcept -> result<void> {
    return locked([&] { return inner_.write_buffer(to, offset, in); });
  }
  auto read_texture(texture& from, subresource where, mutable_bytes out) noexcept -> result<void> {
    return locked([&] { return inner_.read_texture(from, where, out); });
  }
  auto write_texture(texture& to, subresource where, const_bytes in) noexcept -> result<void> {
    return locked([&] { return inner_.write_texture(to, where, in); });
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

  template <class Call>
  auto locked(Call&& call) noexcept -> decltype(call()) {
    const std::lock_guard lock{mutex_};
    return call();
  }
  template <class Object>
  void destroy_object(Object&& object) noexcept {
    const std::lock_guard lock{mutex_};
    inner_.destroy(std::move(object));
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

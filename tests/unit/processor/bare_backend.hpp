// SPDX-License-Identifier: MIT
/// \file A backend that accepts everything and does nothing, to see what the processor itself does.
#pragma once

#include "aerogpu/backend/backend.hpp"

#include <array>
#include <cstddef>
#include <cstdint>

namespace aerogpu::test {

/// Models `backend` without memory of its own; reports each ended submission at the next poll.
class bare_backend {
 public:
  struct buffer {};
  struct texture {};
  struct texture_view {};
  struct shader {};
  struct input_layout {};
  struct sampler {};

  auto memory_bytes(const buffer_desc& d) const noexcept -> std::uint64_t { return d.size_bytes; }
  auto memory_bytes(const texture_desc&) const noexcept -> std::uint64_t { return 0; }
  auto create_buffer(const buffer_desc&) noexcept -> result<buffer> { return buffer{}; }
  auto create_texture(const texture_desc&) noexcept -> result<texture> { return texture{}; }
  auto create_texture_view(texture&, const texture_view_desc&) noexcept -> result<texture_view> {
    return texture_view{};
  }
  auto create_shader(const shader_desc&) noexcept -> result<shader> { return shader{}; }
  auto create_input_layout(const input_layout_desc&) noexcept -> result<input_layout> {
    return input_layout{};
  }
  auto create_sampler(const sampler_desc&) noexcept -> result<sampler> { return sampler{}; }
  void destroy(buffer&&) noexcept {}
  void destroy(texture&&) noexcept {}
  void destroy(texture_view&&) noexcept {}
  void destroy(shader&&) noexcept {}
  void destroy(input_layout&&) noexcept {}
  void destroy(sampler&&) noexcept {}

  auto stage(std::size_t size) noexcept -> result<mutable_bytes> {
    if (size > scratch_.size()) return make_error(error_code::out_of_memory, "scratch is small");
    return mutable_bytes{scratch_}.first(size);
  }
  auto upload_buffer(buffer&, std::uint64_t, const_bytes) noexcept -> result<void> { return {}; }
  auto upload_texture(texture&, const texture_rows&, const_bytes) noexcept -> result<void> {
    return {};
  }
  auto copy_buffer(buffer&, std::uint64_t, buffer&, std::uint64_t, std::uint64_t) noexcept
      -> result<void> {
    return {};
  }
  auto copy_texture(texture&, texture&, const texture_copy&) noexcept -> result<void> { return {}; }
  auto read_back_buffer(buffer&, std::uint64_t, const guest_rows&) noexcept -> result<void> {
    return {};
  }
  auto read_back_texture(texture&, const texture_rows&, const guest_rows&) noexcept
      -> result<void> {
    return {};
  }

  auto clear(const clear_call<bare_backend>&) noexcept -> result<void> { return {}; }
  auto draw(const draw_call<bare_backend>&) noexcept -> result<void> {
    ++draws_;
    return {};
  }
  auto dispatch(const dispatch_call<bare_backend>&) noexcept -> result<void> { return {}; }
  auto present(const present_call<bare_backend>&) noexcept -> result<void> { return {}; }
  auto flush() noexcept -> result<void> { return {}; }

  auto begin_submission(const submission_info& info) noexcept -> result<void> {
    id_ = info.id;
    return {};
  }
  auto end_submission(submission_end) noexcept -> result<void> {
    ++ended_;
    return {};
  }
  template <completion_sink Sink>
  void poll(Sink& sink) noexcept {
    for (; ended_ != 0; --ended_) {
      sink.on_complete(static_cast<submission_id>(static_cast<std::uint64_t>(id_) + 1 - ended_),
                       error{});
    }
  }
  void wait_idle() noexcept {}
  void reset() noexcept { ended_ = 0; }

  auto read_buffer(buffer&, std::uint64_t, mutable_bytes) noexcept -> result<void> { return {}; }
  auto write_buffer(buffer&, std::uint64_t, const_bytes) noexcept -> result<void> { return {}; }
  auto read_texture(texture&, subresource, mutable_bytes) noexcept -> result<void> { return {}; }
  auto write_texture(texture&, subresource, const_bytes) noexcept -> result<void> { return {}; }

  [[nodiscard]] auto draws() const noexcept -> std::uint64_t { return draws_; }

 private:
  std::array<std::byte, 65'536> scratch_{};
  submission_id id_{};
  std::uint64_t ended_ = 0;
  std::uint64_t draws_ = 0;
};

static_assert(backend<bare_backend>);

}  // namespace aerogpu::test

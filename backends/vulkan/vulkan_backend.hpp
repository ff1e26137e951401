// SPDX-License-Identifier: MIT
/// \file The Vulkan backend: models the backend concept and renders everything (docs/vulkan.md).
#pragma once

#include "aerogpu/backend/backend.hpp"
#include "vulkan/backend_options.hpp"

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string_view>

namespace aerogpu::vulkan {

class engine;
struct buffer_record;
struct image_record;
struct view_record;
struct shader_record;
struct layout_record;
struct sampler_record;

/// Guest objects as the processor keeps them; what they point to belongs to the backend.
struct vulkan_buffer {
  buffer_record* record = nullptr;
};
struct vulkan_texture {
  image_record* record = nullptr;
};
struct vulkan_texture_view {
  view_record* record = nullptr;
};
struct vulkan_shader {
  shader_record* record = nullptr;
};
struct vulkan_input_layout {
  layout_record* record = nullptr;
};
struct vulkan_sampler {
  sampler_record* record = nullptr;
};

/// What a backend did since it was made.
struct vulkan_counters {
  std::uint64_t submissions = 0;
  std::uint64_t batches = 0;  ///< Submits to the device's queue.
  std::uint64_t draws = 0;
  std::uint64_t dispatches = 0;
  std::uint64_t clears = 0;
  std::uint64_t presents = 0;
  std::uint64_t render_passes = 0;
  std::uint64_t pipelines = 0;       ///< Created, not found.
  std::uint64_t shader_modules = 0;  ///< Translated, not found.
  std::uint64_t device_losses = 0;   ///< Each followed by a rebuild.
};

/// Models `backend` on a Vulkan 1.3 device. One thread at a time; the device's own work and, with
/// `backend_options::on_progress`, the wait for it happen elsewhere.
class vulkan_backend {
 public:
  using buffer = vulkan_buffer;
  using texture = vulkan_texture;
  using texture_view = vulkan_texture_view;
  using shader = vulkan_shader;
  using input_layout = vulkan_input_layout;
  using sampler = vulkan_sampler;

  /// Errors: invalid_parameter for limits that `check_limits` refuses; unsupported with a sentence
  /// that names what the machine lacks; out_of_memory.
  [[nodiscard]] static auto create(backend_options options = {}) noexcept
      -> result<std::unique_ptr<vulkan_backend>>;
  vulkan_backend(const vulkan_backend&) = delete;
  auto operator=(const vulkan_backend&) -> vulkan_backend& = delete;
  ~vulkan_backend();

  // Objects

  [[nodiscard]] auto memory_bytes(const buffer_desc& desc) const noexcept -> std::uint64_t;
  [[nodiscard]] auto memory_bytes(const texture_desc& desc) const noexcept -> std::uint64_t;
  [[nodiscard]] auto create_buffer(const buffer_desc& desc) noexcept -> result<buffer>;
  [[nodiscard]] auto create_texture(const texture_desc& desc) noexcept -> result<texture>;
  [[nodiscard]] auto create_texture_view(texture& of, const texture_view_desc& desc) noexcept
      -> result<texture_view>;
  [[nodiscard]] auto create_shader(const shader_desc& desc) noexcept -> result<shader>;
  [[nodiscard]] auto create_input_layout(const input_layout_desc& desc) noexcept
      -> result<input_layout>;
  [[nodiscard]] auto create_sampler(const sampler_desc& desc) noexcept -> result<sampler>;
  void destroy(buffer&& object) noexcept;
  void destroy(texture&& object) noexcept;
  void destroy(texture_view&& object) noexcept;
  void destroy(shader&& object) noexcept;
  void destroy(input_layout&& object) noexcept;
  void destroy(sampler&& object) noexcept;

  // Transfers

  [[nodiscard]] auto stage(std::size_t size) noexcept -> result<mutable_bytes>;
  [[nodiscard]] auto upload_buffer(buffer& to, std::uint64_t offset_bytes,
                                   const_bytes bytes) noexcept -> result<void>;
  [[nodiscard]] auto upload_texture(texture& to, const texture_rows& rows,
                                    const_bytes bytes) noexcept -> result<void>;
  [[nodiscard]] auto copy_buffer(buffer& to, std::uint64_t to_offset_bytes, buffer& from,
                                 std::uint64_t from_offset_bytes, std::uint64_t size_bytes) noexcept
      -> result<void>;
  [[nodiscard]] auto copy_texture(texture& to, texture& from, const texture_copy& copy) noexcept
      -> result<void>;
  [[nodiscard]] auto read_back_buffer(buffer& from, std::uint64_t offset_bytes,
                                      const guest_rows& to) noexcept -> result<void>;
  [[nodiscard]] auto read_back_texture(texture& from, const texture_rows& rows,
                                       const guest_rows& to) noexcept -> result<void>;

  // Commands

  [[nodiscard]] auto clear(const clear_call<vulkan_backend>& call) noexcept -> result<void>;
  [[nodiscard]] auto draw(const draw_call<vulkan_backend>& call) noexcept -> result<void>;
  [[nodiscard]] auto dispatch(const dispatch_call<vulkan_backend>& call) noexcept -> result<void>;
  [[nodiscard]] auto present(const present_call<vulkan_backend>& call) noexcept -> result<void>;
  [[nodiscard]] auto flush() noexcept -> result<void>;
  /// Begins a region of labels; the one before ends. Seen by RenderDoc and the validation layers.
  void annotate(std::string_view text) noexcept;

  // Submissions

  [[nodiscard]] auto begin_submission(const submission_info& info) noexcept -> result<void>;
  [[nodiscard]] auto end_submission(submission_end end) noexcept -> result<void>;
  template <completion_sink Sink>
  void poll(Sink& sink) noexcept {
    finish_what_is_done();
    while (const done_submission* const done = next_done()) {
      for (std::size_t i = 0; i < done->write_back_count; ++i) {
        const done_write_back rows = write_back(i);
        sink.on_write_back(done->id, rows.to, rows.bytes);
      }
      sink.on_complete(done->id, done->why);
      forget_done();
    }
  }
  void wait_idle() noexcept;
  void reset() noexcept;

  // Contents

  [[nodiscard]] auto read_buffer(buffer& from, std::uint64_t offset_bytes,
                                 mutable_bytes out) noexcept -> result<void>;
  [[nodiscard]] auto write_buffer(buffer& to, std::uint64_t offset_bytes, const_bytes in) noexcept
      -> result<void>;
  [[nodiscard]] auto read_texture(texture& from, subresource where, mutable_bytes out) noexcept
      -> result<void>;
  /// All subresources, with a wait for as many as fit one operation.
  [[nodiscard]] auto read_whole_texture(texture& from, mutable_bytes out) noexcept -> result<void>;
  [[nodiscard]] auto write_texture(texture& to, subresource where, const_bytes in) noexcept
      -> result<void>;

  // What a test or an embedder may ask

  [[nodiscard]] auto counters() const noexcept -> const vulkan_counters&;
  /// Objects created and not destroyed.
  [[nodiscard]] auto live_objects() const noexcept -> std::uint64_t;
  /// Ended submissions that `poll` did not report yet.
  [[nodiscard]] auto pending_submissions() const noexcept -> std::uint64_t;
  /// Errors that the validation layers reported since the backend was made.
  [[nodiscard]] auto validation_errors() const noexcept -> std::uint32_t;
  /// Name of the device, for people.
  [[nodiscard]] auto device_name() const noexcept -> std::string_view;
  /// For tests of this backend: what it consists of.
  [[nodiscard]] auto inside() noexcept -> engine& { return *engine_; }

 private:
  struct done_submission {
    submission_id id{};
    std::size_t write_back_count = 0;
    error why;
  };
  struct done_write_back {
    guest_rows to{};
    const_bytes bytes;
  };

  explicit vulkan_backend(std::unique_ptr<engine> made) noexcept;

  void finish_what_is_done() noexcept;
  /// The oldest submission that is done, or null.
  [[nodiscard]] auto next_done() noexcept -> const done_submission*;
  [[nodiscard]] auto write_back(std::size_t index) noexcept -> done_write_back;
  void forget_done() noexcept;

  std::unique_ptr<engine> engine_;
  done_submission done_;
};

}  // namespace aerogpu::vulkan

// SPDX-License-Identifier: MIT
/// \file The null backend: all of the concept with bytes in host memory, and no rasteriser.
#pragma once

#include "aerogpu/backend/backend.hpp"
#include "null/null_bytes.hpp"
#include "null/null_clear.hpp"
#include "null/null_contract.hpp"
#include "null/null_present.hpp"
#include "null/null_submissions.hpp"
#include "null/null_texture.hpp"

#include <cstddef>
#include <cstdint>
#include <utility>

namespace aerogpu {

struct null_buffer {
  null_bytes content;
};
struct null_texture_view {
  texture_view_desc desc;
};
struct null_shader {
  shader_stage stage;
};
struct null_input_layout {
  input_layout_handle name;
};
struct null_sampler {
  sampler_desc desc;
};

/// What a null backend was asked to do since it was made.
struct null_counters {
  std::uint64_t submissions = 0;  ///< Ended ones, aborted or not.
  std::uint64_t draws = 0;        ///< Indexed ones too.
  std::uint64_t dispatches = 0;
  std::uint64_t vertices = 0;  ///< Of draws: vertices or indices, times instances.
  std::uint64_t clears = 0;
  std::uint64_t presents = 0;
  std::uint64_t flushes = 0;
  std::uint64_t uploaded_bytes = 0;
  std::uint64_t read_back_bytes = 0;
};

/// Models `backend`. Transfers and clears are exact; draws and dispatches are checked against what
/// the processor promises, counted, and change nothing. Completes at once, or when a test says so.
class null_backend {
 public:
  using buffer = null_buffer;
  using texture = null_texture;
  using texture_view = null_texture_view;
  using shader = null_shader;
  using input_layout = null_input_layout;
  using sampler = null_sampler;

  explicit null_backend(null_completion completion = null_completion::immediate) noexcept {
    submissions_.set_mode(completion);
  }

  // Objects

  [[nodiscard]] auto create_buffer(const buffer_desc& desc) noexcept -> result<buffer> {
    auto content = null_bytes::create(desc.size_bytes);
    if (!content) return content.why();
    ++live_objects_;
    return null_buffer{*std::move(content)};
  }
  /// Content, tightly packed; the processor's minimum covers the rest.
  [[nodiscard]] auto memory_bytes(const buffer_desc& desc) const noexcept -> std::uint64_t {
    return desc.size_bytes;
  }
  [[nodiscard]] auto memory_bytes(const texture_desc& desc) const noexcept -> std::uint64_t {
    return null_texture::memory_bytes(desc);
  }

  [[nodiscard]] auto create_texture(const texture_desc& desc) noexcept -> result<texture> {
    auto created = null_texture::create(desc);
    if (!created) return created.why();
    ++live_objects_;
    ++texture_content_;
    return *std::move(created);
  }
  [[nodiscard]] auto create_texture_view(texture&, const texture_view_desc& desc) noexcept
      -> result<texture_view> {
    return count(null_texture_view{desc});
  }
  [[nodiscard]] auto create_shader(const shader_desc& desc) noexcept -> result<shader> {
    return count(null_shader{desc.stage});
  }
  [[nodiscard]] auto create_input_layout(const input_layout_desc& desc) noexcept
      -> result<input_layout> {
    return count(null_input_layout{desc.name});
  }
  [[nodiscard]] auto create_sampler(const sampler_desc& desc) noexcept -> result<sampler> {
    return count(null_sampler{desc});
  }
  void destroy(buffer&& object) noexcept { drop(std::move(object)); }
  void destroy(texture&& object) noexcept {
    ++texture_content_;
    drop(std::move(object));
  }
  void destroy(texture_view&& object) noexcept { drop(std::move(object)); }
  void destroy(shader&& object) noexcept { drop(std::move(object)); }
  void destroy(input_layout&& object) noexcept { drop(std::move(object)); }
  void destroy(sampler&& object) noexcept { drop(std::move(object)); }

  // Transfers

  [[nodiscard]] auto stage(std::size_t size) noexcept -> result<mutable_bytes> {
    if (staging_.size() < size) {
      auto grown = null_bytes::create(size);
      if (!grown) return grown.why();
      staging_ = *std::move(grown);
    }
    return staging_.view().first(size);
  }
  [[nodiscard]] auto upload_buffer(buffer& to, std::uint64_t offset_bytes,
                                   const_bytes bytes) noexcept -> result<void> {
    if (!range_fits(offset_bytes, bytes.size(), to.content.size())) return leaves_buffer();
    copy_bytes(to.content.view().subspan(static_cast<std::size_t>(offset_bytes), bytes.size()),
               bytes);
    counters_.uploaded_bytes += bytes.size();
    return {};
  }
  [[nodiscard]] auto upload_texture(texture& to, const texture_rows& rows,
                                    const_bytes bytes) noexcept -> result<void> {
    counters_.uploaded_bytes += std::uint64_t{rows.row_count} * rows.row_size_bytes;
    ++texture_content_;
    return to.upload(rows, bytes);
  }
  [[nodiscard]] auto copy_buffer(buffer& to, std::uint64_t to_offset_bytes, buffer& from,
                                 std::uint64_t from_offset_bytes, std::uint64_t size_bytes) noexcept
      -> result<void> {
    if (!range_fits(to_offset_bytes, size_bytes, to.content.size()) ||
        !range_fits(from_offset_bytes, size_bytes, from.content.size())) {
      return leaves_buffer();
    }
    const auto size = static_cast<std::size_t>(size_bytes);
    copy_bytes(to.content.view().subspan(static_cast<std::size_t>(to_offset_bytes), size),
               from.content.view().subspan(static_cast<std::size_t>(from_offset_bytes), size));
    return {};
  }
  [[nodiscard]] auto copy_texture(texture& to, texture& from, const texture_copy& copy) noexcept
      -> result<void> {
    ++texture_content_;
    return to.copy_from(from, copy);
  }
  [[nodiscard]] auto read_back_buffer(buffer& from, std::uint64_t offset_bytes,
                                      const guest_rows& to) noexcept -> result<void> {
    const auto size = checked_mul(to.row_size_bytes, to.row_count);
    if (!size) return size.why();
    if (!range_fits(offset_bytes, *size, from.content.size())) return leaves_buffer();
    auto rows = null_bytes::create(*size);
    if (!rows) return rows.why();
    copy_bytes(rows->view(),
               from.content.view().subspan(static_cast<std::size_t>(offset_bytes), rows->size()));
    return write_back(to, *std::move(rows));
  }
  [[nodiscard]] auto read_back_texture(texture& from, const texture_rows& rows,
                                       const guest_rows& to) noexcept -> result<void> {
    auto packed = from.download(rows);
    if (!packed) return packed.why();
    return write_back(to, *std::move(packed));
  }

  // Commands

  [[nodiscard]] auto clear(const clear_call<null_backend>& call) noexcept -> result<void> {
    if (auto ok = detail::check_targets(call.targets); !ok) return ok.why();
    ++texture_content_;
    detail::clear_targets(call);
    ++counters_.clears;
    return {};
  }
  [[nodiscard, gnu::always_inline]] inline auto draw(const draw_call<null_backend>& call) noexcept
      -> result<void> {
    ++counters_.draws;
    counters_.vertices += std::uint64_t{call.count} * call.instance_count;
    return detail::check_draw(call);
  }
  [[nodiscard]] auto dispatch(const dispatch_call<null_backend>& call) noexcept -> result<void> {
    if (auto ok = detail::check_dispatch(call); !ok) return ok.why();
    ++counters_.dispatches;
    return {};
  }
  [[nodiscard]] auto present(const present_call<null_backend>& call) noexcept -> result<void> {
    if (auto ok = presented_.record(call, texture_content_); !ok) return ok.why();
    ++counters_.presents;
    return {};
  }
  [[nodiscard]] auto flush() noexcept -> result<void> {
    ++counters_.flushes;
    return {};
  }

  // Submissions

  [[nodiscard]] auto begin_submission(const submission_info& info) noexcept -> result<void> {
    return submissions_.begin(info);
  }
  [[nodiscard]] auto end_submission(submission_end end) noexcept -> result<void> {
    if (auto ok = submissions_.end(end); !ok) return ok.why();
    ++counters_.submissions;
    return {};
  }
  template <completion_sink Sink>
  void poll(Sink& sink) noexcept {
    submissions_.poll(sink);
  }
  /// Held submissions are released: nobody could wait for them otherwise.
  void wait_idle() noexcept { submissions_.release_ended(); }
  void reset() noexcept {
    submissions_.reset();
    presented_ = {};
  }

  // Contents

  [[nodiscard]] auto read_buffer(buffer& from, std::uint64_t offset_bytes,
                                 mutable_bytes out) noexcept -> result<void> {
    if (!range_fits(offset_bytes, out.size(), from.content.size())) return leaves_buffer();
    copy_bytes(out,
               from.content.view().subspan(static_cast<std::size_t>(offset_bytes), out.size()));
    return {};
  }
  [[nodiscard]] auto write_buffer(buffer& to, std::uint64_t offset_bytes, const_bytes in) noexcept
      -> result<void> {
    return upload_buffer(to, offset_bytes, in);
  }
  [[nodiscard]] auto read_texture(texture& from, subresource where, mutable_bytes out) noexcept
      -> result<void> {
    return from.save(where, out);
  }
  [[nodiscard]] auto write_texture(texture& to, subresource where, const_bytes in) noexcept
      -> result<void> {
    ++texture_content_;
    return to.load(where, in);
  }

  // What a test or an embedder may ask

  [[nodiscard]] auto counters() const noexcept -> const null_counters& { return counters_; }
  /// Objects created and not destroyed.
  [[nodiscard]] auto live_objects() const noexcept -> std::uint64_t { return live_objects_; }
  /// The last present with its image; number 0 before the first and after a reset.
  [[nodiscard]] auto last_present() const noexcept -> const null_present& { return presented_; }
  /// Ended submissions that `poll` did not report yet.
  [[nodiscard]] auto pending_submissions() const noexcept -> std::uint64_t {
    return submissions_.pending();
  }
  void set_completion(null_completion completion) noexcept { submissions_.set_mode(completion); }
  /// Lets the next `count` held submissions be reported, also ones that did not end yet.
  void release(std::uint64_t count) noexcept { submissions_.release(count); }
  void release_all() noexcept { submissions_.release_ended(); }

 private:
  template <class Object>
  [[nodiscard]] auto count(Object object) noexcept -> Object {
    ++live_objects_;
    return object;
  }
  template <class Object>
  void drop(Object&& object) noexcept {
    --live_objects_;
    static_cast<void>(Object{std::forward<Object>(object)});
  }
  [[nodiscard]] auto write_back(const guest_rows& to, null_bytes rows) noexcept -> result<void> {
    counters_.read_back_bytes += rows.size();
    return submissions_.add_write_back(to, std::move(rows));
  }
  [[nodiscard]] static auto leaves_buffer() noexcept -> error {
    return detail::broken_promise("range leaves the buffer");
  }

  null_submissions submissions_;
  null_bytes staging_;
  null_present presented_;
  null_counters counters_;
  std::uint64_t live_objects_ = 0;
  std::uint64_t texture_content_ = 0;  ///< Rises with whatever may change what a texture holds.
};

static_assert(backend<null_backend>);

}  // namespace aerogpu

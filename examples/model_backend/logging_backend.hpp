// SPDX-License-Identifier: MIT
/// \file A backend from scratch, outside the library: bytes in host memory, and a log of its work.
#pragma once

#include "aerogpu/abi/cmd_draw.h"
#include "aerogpu/backend/backend.hpp"
#include "aerogpu/backend/clear_color.hpp"
#include "aerogpu/backend/render_area.hpp"
#include "aerogpu/memory/texture_rectangle.hpp"
#include "operation_log.hpp"
#include "stored_objects.hpp"

#include <cstring>
#include <utility>

namespace example {

/// Transfers, clears and contents are exact; draws and dispatches are only logged.
class logging_backend {
 public:
  using buffer = stored_buffer;
  using texture = stored_texture;
  using texture_view = no_view;
  using shader = no_shader;
  using input_layout = no_input_layout;
  using sampler = no_sampler;

  [[nodiscard]] auto log() const noexcept -> const operation_log& { return log_; }

  // Objects: new content is zero, and running out of memory is an error.

  // [sizes]
  /// What is charged to whoever creates it: here, the bytes that `create_*` allocates.
  auto memory_bytes(const buffer_desc& desc) const noexcept -> std::uint64_t {
    return desc.size_bytes;
  }
  auto memory_bytes(const texture_desc& desc) const noexcept -> std::uint64_t {
    const auto layout = layout_of(desc);
    return layout ? layout->total_bytes() : UINT64_MAX;
  }
  // [/sizes]

  auto create_buffer(const buffer_desc& desc) noexcept -> result<buffer> {
    stored_buffer made;
    if (!allocate(made.bytes, desc.size_bytes)) return out_of_memory();
    log_.add(operation::create, desc.size_bytes);
    return made;
  }
  auto create_texture(const texture_desc& desc) noexcept -> result<texture> {
    const auto layout = layout_of(desc);
    if (!layout) return layout.why();
    stored_texture made{*layout, {}};
    if (!allocate(made.bytes, layout->total_bytes())) return out_of_memory();
    log_.add(operation::create, layout->total_bytes());
    return made;
  }
  auto create_texture_view(texture&, const texture_view_desc&) noexcept -> result<texture_view> {
    return created<no_view>();
  }
  auto create_shader(const shader_desc&) noexcept -> result<shader> { return created<no_shader>(); }
  auto create_input_layout(const input_layout_desc&) noexcept -> result<input_layout> {
    return created<no_input_layout>();
  }
  auto create_sampler(const sampler_desc&) noexcept -> result<sampler> {
    return created<no_sampler>();
  }

  /// One for all: what was moved here dies here.
  void destroy(auto&& object) noexcept {
    [[maybe_unused]] const auto dying = std::move(object);
    log_.add(operation::destroy);
  }

  // Transfers: ranges were checked by the processor.

  auto stage(std::size_t size) noexcept -> result<mutable_bytes> {
    if (staging_.size() < size && !staging_.resize(size)) return out_of_memory();
    return staging_.view().first(size);
  }
  auto upload_buffer(buffer& to, std::uint64_t offset, const_bytes in) noexcept -> result<void> {
    copy_bytes(range(to, offset, in.size()), in);
    log_.add(operation::upload, in.size());
    return {};
  }
  auto upload_texture(texture& to, const texture_rows& rows, const_bytes in) noexcept
      -> result<void> {
    for (std::uint32_t y = 0; y < rows.row_count; ++y) {
      const auto at = static_cast<std::size_t>(y * rows.source_pitch_bytes);
      copy_bytes(row(to, rows, y), in.subspan(at, rows.row_size_bytes));
    }
    log_.add(operation::upload, size_of(rows));
    return {};
  }
  auto copy_buffer(buffer& to, std::uint64_t to_offset, buffer& from, std::uint64_t from_offset,
                   std::uint64_t size) noexcept -> result<void> {
    copy_bytes(range(to, to_offset, size), range(from, from_offset, size));
    log_.add(operation::copy, size);
    return {};
  }
  auto copy_texture(texture& to, texture& from, const texture_copy& c) noexcept -> result<void> {
    const auto out =
        rows_of(to.layout, c.destination, {c.destination_x, c.destination_y, c.width, c.height});
    const auto in = rows_of(from.layout, c.source, {c.source_x, c.source_y, c.width, c.height});
    for (std::uint32_t y = 0; y < out.row_count; ++y) {
      copy_bytes(row(to, out, y), row(from, in, y));
    }
    log_.add(operation::copy, size_of(out));
    return {};
  }

  // [read_back]
  /// The bytes are captured now: later packets of the stream may change or destroy the buffer.
  auto read_back_buffer(buffer& from, std::uint64_t offset, const guest_rows& to) noexcept
      -> result<void> {
    const std::uint64_t size = to.row_size_bytes * to.row_count;
    write_back captured{open_, to, {}};
    if (!allocate(captured.rows, size)) return out_of_memory();
    copy_bytes(captured.rows.view(), range(from, offset, size));
    return keep(std::move(captured));
  }
  // [/read_back]
  auto read_back_texture(texture& from, const texture_rows& rows, const guest_rows& to) noexcept
      -> result<void> {
    write_back captured{open_, to, {}};
    if (!allocate(captured.rows, size_of(rows))) return out_of_memory();
    for (std::uint32_t y = 0; y < rows.row_count; ++y) {
      const auto out =
          captured.rows.view().subspan(std::size_t{y} * rows.row_size_bytes, rows.row_size_bytes);
      copy_bytes(out, row(from, rows, y));
      make_opaque(from, out, rows.first_byte);
    }
    return keep(std::move(captured));
  }

  // Commands

  auto clear(const clear_call<logging_backend>& call) noexcept -> result<void> {
    const auto& targets = call.targets;
    for (std::uint32_t i = 0; i < targets.color_count; ++i) {
      const auto texel = pack_clear_color(targets.colors[i].format, call.color, call.srgb_write);
      if ((call.flags & AEROGPU_CLEAR_COLOR) != 0) fill(call, targets.colors[i], texel, UINT32_MAX);
    }
    const aerogpu_format format = targets.depth_stencil.format;
    fill(call, targets.depth_stencil, pack_clear_depth_stencil(format, call.depth, call.stencil),
         depth_stencil_clear_mask(format, (call.flags & AEROGPU_CLEAR_DEPTH) != 0,
                                  (call.flags & AEROGPU_CLEAR_STENCIL) != 0));
    return {};
  }
  auto draw(const draw_call<logging_backend>&) noexcept { return note(operation::draw); }
  auto dispatch(const dispatch_call<logging_backend>&) noexcept {
    return note(operation::dispatch);
  }
  auto present(const present_call<logging_backend>&) noexcept { return note(operation::present); }
  auto flush() noexcept { return note(operation::flush); }

  // [completion]
  // Submissions: everything ran when it was asked for, so that the next poll reports all.

  auto begin_submission(const submission_info& info) noexcept -> result<void> {
    open_ = info.id;
    first_write_back_ = write_backs_.size();
    return {};
  }
  auto end_submission(submission_end end) noexcept -> result<void> {
    if (end == submission_end::abort) write_backs_.truncate(first_write_back_);
    if (!ended_.push_back(open_)) return out_of_memory();
    log_.add(operation::submission);
    return {};
  }
  template <completion_sink Sink>
  void poll(Sink& sink) noexcept {
    std::size_t next = 0;
    for (const submission_id id : ended_) {
      for (; next < write_backs_.size() && write_backs_[next].by == id; ++next) {
        sink.on_write_back(id, write_backs_[next].to, write_backs_[next].rows.view());
      }
      sink.on_complete(id, error{});
    }
    forget();
  }
  void wait_idle() noexcept {}
  void reset() noexcept { forget(); }
  // [/completion]

  // Contents: whole subresources and buffer ranges, for snapshots and the display.

  auto read_buffer(buffer& from, std::uint64_t offset, mutable_bytes out) noexcept -> result<void> {
    copy_bytes(out, range(from, offset, out.size()));
    return {};
  }
  auto write_buffer(buffer& to, std::uint64_t offset, const_bytes in) noexcept -> result<void> {
    copy_bytes(range(to, offset, in.size()), in);
    return {};
  }
  auto read_texture(texture& from, subresource where, mutable_bytes out) noexcept -> result<void> {
    copy_bytes(out, all_of(from, where));
    make_opaque(from, out, 0);
    return {};
  }
  auto write_texture(texture& to, subresource where, const_bytes in) noexcept -> result<void> {
    copy_bytes(all_of(to, where), in);
    return {};
  }

 private:
  static auto out_of_memory() noexcept -> error {
    return make_error(error_code::out_of_memory, "host memory is exhausted");
  }
  static auto allocate(byte_array& bytes, std::uint64_t size) noexcept -> bool {
    return fits<std::size_t>(size) && bytes.resize(static_cast<std::size_t>(size));
  }
  template <class Object>
  auto created() noexcept -> Object {
    log_.add(operation::create);
    return {};
  }
  auto note(operation kind) noexcept -> result<void> {
    log_.add(kind);
    return {};
  }
  auto keep(write_back&& captured) noexcept -> result<void> {
    log_.add(operation::read_back, captured.rows.size());
    if (!write_backs_.push_back(std::move(captured))) return out_of_memory();
    return {};
  }
  void forget() noexcept {
    write_backs_.clear();
    ended_.clear();
  }

  void fill(const clear_call<logging_backend>& call, const target_ref<logging_backend>& target,
            const packed_texel& texel, std::uint32_t mask) noexcept {
    if (target.texture == nullptr) return;
    const target_extent extent{target.width, target.height};
    const pixel_rect area = call.has_scissor ? clip_scissor(call.scissor, extent)
                                             : pixel_rect{0, 0, extent.width, extent.height};
    if (is_empty(area)) return;
    const auto rows =
        rows_of(target.texture->layout, target.where, {area.x, area.y, area.width, area.height});
    for (std::uint32_t y = 0; y < rows.row_count; ++y) {
      const mutable_bytes out = row(*target.texture, rows, y);
      for (std::size_t at = 0; at < out.size(); at += texel.size_bytes) {
        std::uint32_t bits = 0;
        std::memcpy(&bits, out.data() + at, texel.size_bytes);
        bits = (bits & ~mask) | (texel.bits & mask);
        std::memcpy(out.data() + at, &bits, texel.size_bytes);
      }
    }
    log_.add(operation::clear, size_of(rows));
  }

  operation_log log_;
  byte_array staging_;
  heap_array<write_back> write_backs_;
  heap_array<submission_id> ended_;
  submission_id open_{};
  std::size_t first_write_back_ = 0;
};

static_assert(backend<logging_backend>);

}  // namespace example

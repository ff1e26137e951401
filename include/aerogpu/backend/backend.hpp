// SPDX-License-Identifier: MIT
/// \file The backend concept: what executes validated operations.
#pragma once

#include "aerogpu/backend/draw.hpp"
#include "aerogpu/backend/objects.hpp"
#include "aerogpu/core/bytes.hpp"
#include "aerogpu/core/named_member.hpp"
#include "aerogpu/core/result.hpp"

#include <concepts>
#include <cstdint>
#include <string_view>
#include <type_traits>

namespace aerogpu {

/// Who hears from a backend inside `poll`.
template <class S>
concept completion_sink = requires(S& sink, submission_id id, const guest_rows& to,
                                   const_bytes rows, const error& why) {
  /// One write-back: `rows` holds row_count * row_size_bytes bytes, tightly packed. All
  /// write-backs of a submission come in stream order before its `on_complete`.
  { sink.on_write_back(id, to, rows) }
  noexcept->std::same_as<void>;
  /// The submission is finished. `why.code` is none, or device_lost or another failure.
  { sink.on_complete(id, why) }
  noexcept->std::same_as<void>;
};

/// A sink for whoever asks nothing of the guest's memory and waits for nothing.
struct null_completion_sink {
  void on_write_back(submission_id, const guest_rows&, const_bytes) noexcept {}
  void on_complete(submission_id, const error&) noexcept {}
};

namespace detail {

/// No two of the types are the same.
template <class First, class... Rest>
inline constexpr bool are_distinct = (!std::same_as<First, Rest> && ...) && are_distinct<Rest...>;
template <class Only>
inline constexpr bool are_distinct<Only> = true;

template <class B>
concept backend_objects = requires {
  typename B::buffer;
  typename B::texture;
  typename B::texture_view;
  typename B::shader;
  typename B::input_layout;
  typename B::sampler;
  requires std::movable<typename B::buffer>;
  requires std::movable<typename B::texture>;
  requires std::movable<typename B::texture_view>;
  requires std::movable<typename B::shader>;
  requires std::movable<typename B::input_layout>;
  requires std::movable<typename B::sampler>;
  requires are_distinct<typename B::buffer, typename B::texture, typename B::texture_view,
                        typename B::shader, typename B::input_layout, typename B::sampler>;
};

template <class B>
concept backend_lifetime = requires(B& b, typename B::texture& texture, const buffer_desc& bd,
                                    const texture_desc& td, const texture_view_desc& vd,
                                    const shader_desc& sd, const input_layout_desc& ld,
                                    const sampler_desc& pd) {
  { b.create_buffer(bd) }
  noexcept->std::same_as<result<typename B::buffer>>;
  { b.create_texture(td) }
  noexcept->std::same_as<result<typename B::texture>>;
  { b.create_texture_view(texture, vd) }
  noexcept->std::same_as<result<typename B::texture_view>>;
  { b.create_shader(sd) }
  noexcept->std::same_as<result<typename B::shader>>;
  { b.create_input_layout(ld) }
  noexcept->std::same_as<result<typename B::input_layout>>;
  { b.create_sampler(pd) }
  noexcept->std::same_as<result<typename B::sampler>>;
}
&&requires(B& b, typename B::buffer&& buffer, typename B::texture&& texture,
           typename B::texture_view&& view, typename B::shader&& shader,
           typename B::input_layout&& layout, typename B::sampler&& sampler) {
  { b.destroy(std::move(buffer)) }
  noexcept->std::same_as<void>;
  { b.destroy(std::move(texture)) }
  noexcept->std::same_as<void>;
  { b.destroy(std::move(view)) }
  noexcept->std::same_as<void>;
  { b.destroy(std::move(shader)) }
  noexcept->std::same_as<void>;
  { b.destroy(std::move(layout)) }
  noexcept->std::same_as<void>;
  { b.destroy(std::move(sampler)) }
  noexcept->std::same_as<void>;
};

/// What objects take, before they are made.
template <class B>
concept backend_sizes = requires(const B& b, const buffer_desc& bd, const texture_desc& td) {
  { b.memory_bytes(bd) }
  noexcept->std::same_as<std::uint64_t>;
  { b.memory_bytes(td) }
  noexcept->std::same_as<std::uint64_t>;
};

template <class B>
concept backend_transfers = requires(B& b, typename B::buffer& buffer, typename B::texture& texture,
                                     std::uint64_t n, const_bytes in, const texture_rows& rows,
                                     const texture_copy& copy, const guest_rows& to,
                                     std::size_t size) {
  { b.stage(size) }
  noexcept->std::same_as<result<mutable_bytes>>;
  { b.upload_buffer(buffer, n, in) }
  noexcept->std::same_as<result<void>>;
  { b.upload_texture(texture, rows, in) }
  noexcept->std::same_as<result<void>>;
  { b.copy_buffer(buffer, n, buffer, n, n) }
  noexcept->std::same_as<result<void>>;
  { b.copy_texture(texture, texture, copy) }
  noexcept->std::same_as<result<void>>;
  { b.read_back_buffer(buffer, n, to) }
  noexcept->std::same_as<result<void>>;
  { b.read_back_texture(texture, rows, to) }
  noexcept->std::same_as<result<void>>;
};

template <class B>
concept backend_commands = requires(B& b, const clear_call<B>& clear, const draw_call<B>& draw,
                                    const dispatch_call<B>& dispatch,
                                    const present_call<B>& present) {
  { b.clear(clear) }
  noexcept->std::same_as<result<void>>;
  { b.draw(draw) }
  noexcept->std::same_as<result<void>>;
  { b.dispatch(dispatch) }
  noexcept->std::same_as<result<void>>;
  { b.present(present) }
  noexcept->std::same_as<result<void>>;
  { b.flush() }
  noexcept->std::same_as<result<void>>;
};

template <class B>
concept backend_submissions = requires(B& b, const submission_info& info, submission_end end,
                                       null_completion_sink& sink) {
  { b.begin_submission(info) }
  noexcept->std::same_as<result<void>>;
  { b.end_submission(end) }
  noexcept->std::same_as<result<void>>;
  { b.poll(sink) }
  noexcept->std::same_as<void>;
  { b.wait_idle() }
  noexcept->std::same_as<void>;
  { b.reset() }
  noexcept->std::same_as<void>;
};

template <class B>
concept backend_contents = requires(B& b, typename B::buffer& buffer, typename B::texture& texture,
                                    std::uint64_t n, subresource where, mutable_bytes out,
                                    const_bytes in) {
  { b.read_buffer(buffer, n, out) }
  noexcept->std::same_as<result<void>>;
  { b.write_buffer(buffer, n, in) }
  noexcept->std::same_as<result<void>>;
  { b.read_texture(texture, where, out) }
  noexcept->std::same_as<result<void>>;
  { b.write_texture(texture, where, in) }
  noexcept->std::same_as<result<void>>;
};

}  // namespace detail

/// Executes what the command processor validated.
///
/// Order: calls come from one thread, in stream order, between `begin_submission` and
/// `end_submission` for commands and transfers; `create_*`, `destroy`, contents and `reset` may
/// come outside. Later calls see the effects of earlier ones.
///
/// Lifetime: the processor owns the objects in its tables and hands them back with `destroy` in
/// stream order; a backend that still executes keeps what it needs until it is done. After
/// `reset` no submission of before reports completion.
///
/// Objects: a `create_*` that fails with `unsupported` for a shader leaves a poisoned handle; any
/// other failure fails the packet. `destroy` cannot fail.
///
/// Sizes: `memory_bytes` says what a buffer or texture will take of the backend's memory and the
/// host's, alignment, padding and copies included; the processor charges that, or its own minimum,
/// to the context that creates the object. It changes nothing, and the answer stays the same while
/// the backend uses the same device. Too much is better than too little.
///
/// Transfers: `stage(n)` lends scratch bytes that the next upload consumes (guest memory is read
/// straight into them); an upload also takes any other bytes, valid during the call. Copies name
/// the destination first, then its offset; source and destination never overlap. X8 texels store
/// alpha 0xFF. `read_back_*` captures the rows at that point of the stream and reports them
/// through `completion_sink::on_write_back`; the rows of a texture are in wire format (host.md
/// 2.10), `texture_rows::source_pitch_bytes` is then unused.
///
/// Completion: each begun submission that `end_submission` accepted is reported exactly once, in
/// order, from inside `poll`, possibly after work on another thread. When `begin_submission` or
/// `end_submission` fails, nothing is reported for it. `wait_idle` returns when all ended
/// submissions can be reported by the next `poll`.
///
/// Loss: a backend may lose its device, and all content with it. Its objects stay valid; on the
/// device that it uses next they are as new. Submissions that were pending complete with
/// device_lost. Each loss is told before anything runs on the next device: the call that meets it
/// fails with device_lost, and where no call did, the next one that can fail does. The processor
/// reads backed content again from then on, and its draws bind everything anew.
///
/// Contents: `read_*` and `write_*` are synchronous, after all earlier work, in the guest layout
/// with tight pitches; they serve snapshots and the display. Depth texels of D24S8 are depth in
/// bits 0..23 and stencil in 24..31.
template <class B>
concept backend = detail::backend_objects<B> && detail::backend_lifetime<B> &&
    detail::backend_sizes<B> && detail::backend_transfers<B> && detail::backend_commands<B> &&
    detail::backend_submissions<B> && detail::backend_contents<B>;

/// A backend that also hears the text of DEBUG_MARKER packets, in stream order, for captures and
/// logs. UTF-8 by convention and not checked; valid during the call. No backend has to.
template <class B>
concept annotated_backend = requires(B& b, std::string_view text) {
  { b.annotate(text) }
  noexcept->std::same_as<void>;
};

/// A backend that reads all subresources of a texture at once, where each one that is read by
/// itself would wait for the device: `out` has them one behind the other, as `read_texture` gives
/// them, all mips of a layer before the next layer. Snapshots ask for it. No backend has to.
template <class B>
concept whole_texture_backend = requires(B& b, typename B::texture& texture, mutable_bytes out) {
  { b.read_whole_texture(texture, out) }
  noexcept->std::same_as<result<void>>;
};

namespace detail {

struct annotate_name {
  int annotate;
};
struct whole_texture_name {
  int read_whole_texture;
};
template <class B>
inline constexpr bool names_annotate = has_member<B, annotate_name>([]<class X>() {
  return requires {
    &X::annotate;
  };
});
template <class B>
inline constexpr bool names_whole_texture = has_member<B, whole_texture_name>([]<class X>() {
  return requires {
    &X::read_whole_texture;
  };
});

}  // namespace detail

/// An optional member that is there and cannot be called as it should would never be called. Who
/// runs a backend derives from it.
template <class B>
struct check_optional_operations {
  static_assert(annotated_backend<B> || !detail::names_annotate<B>,
                "the backend's annotate is not: void annotate(std::string_view) noexcept");
  static_assert(whole_texture_backend<B> || !detail::names_whole_texture<B>,
                "the backend's read_whole_texture is not: "
                "result<void> read_whole_texture(texture&, mutable_bytes) noexcept");
};

}  // namespace aerogpu

// SPDX-License-Identifier: MIT
/// \file RESOURCE_DIRTY_RANGE and UPLOAD_RESOURCE (host.md 2.5, 2.10).
#pragma once

#include "aerogpu/memory/texture_range.hpp"
#include "aerogpu/memory/texture_rectangle.hpp"
#include "aerogpu/processor/execution.hpp"
#include "aerogpu/processor/resources/buffer_range.hpp"
#include "aerogpu/processor/resources/lookup.hpp"
#include "aerogpu/processor/resources/residency.hpp"
#include "aerogpu/processor/resources/transfer_budget.hpp"
#include "aerogpu/stream/checked_packet.hpp"

#include <cstdint>

namespace aerogpu {

namespace detail {

/// The buffer's dirty ranges grow by whole words. A set that would hold too many ranges is uploaded
/// first: merging ranges would read guest memory over bytes that the GPU wrote.
template <backend B>
auto mark_dirty(execution<B>& x, buffer_object<B>& buffer, const byte_range& range) noexcept
    -> error_code {
  const dirty_range words{range.offset_bytes & ~std::uint64_t{3},
                          align4(range.offset_bytes + range.size_bytes)};
  if (buffer.dirty.size_with(words) > x.limits.dirty_ranges_per_resource) {
    const error_code code = make_current(x, buffer);
    settle_uploads(x, code);
    if (code != error_code::none) return code;
  }
  if (!x.tables.resources.mark_dirty(buffer, words)) {
    return x.fail(error_code::out_of_memory, "host memory is exhausted");
  }
  return error_code::none;
}

/// Every subresource that the range touches is read again, whole.
template <backend B>
auto mark_dirty(execution<B>& x, texture_object<B>& texture, const byte_range& range) noexcept
    -> error_code {
  if (!has_defined_bytes(texture.layout.format())) return error_code::none;
  x.tables.resources.mark_dirty(texture, texture.layout.touched_by(range));
  return error_code::none;
}

template <backend B>
auto upload(execution<B>& x, buffer_object<B>& buffer, const byte_range& range,
            const_bytes bytes) noexcept -> error_code {
  if (const auto ok = check_buffer_range(range, buffer.desc.size_bytes); !ok) {
    return x.fail(ok.why());
  }
  if ((range.offset_bytes | range.size_bytes) % 4 != 0) {
    return x.fail(error_code::invalid_parameter,
                  "offset_bytes or size_bytes of a buffer upload is not a multiple of 4",
                  range.offset_bytes | range.size_bytes, 4);
  }
  const std::uint64_t cost = transfer_cost(range.size_bytes);
  if (const auto code = spend_transfer(x, cost); code != error_code::none) return code;
  const bool is_whole = range.size_bytes == buffer.desc.size_bytes;
  if (!is_whole &&
      buffer.dirty.overlaps({range.offset_bytes, range.offset_bytes + range.size_bytes})) {
    if (const auto code = make_current(x, buffer); code != error_code::none) return code;
  }
  const auto done = x.backend.upload_buffer(buffer.native, range.offset_bytes, bytes);
  if (!done) return x.fail(done.why());
  if (is_whole) mark_overwritten(buffer);
  return error_code::none;
}

/// Whether the range leaves texels of subresource `where` as they were.
[[nodiscard]] constexpr auto is_partial(const texture_layout& layout, subresource where,
                                        const byte_range& range) noexcept -> bool {
  const texture_pieces pieces = split_range(layout, where, range);
  return pieces.size() != 1 || !is_whole_subresource(layout, pieces[0].rows);
}

/// Whether the upload covers part of a dirty subresource: only its first and last can be cut.
template <backend B>
[[nodiscard]] auto cuts_dirty_subresource(const texture_object<B>& texture,
                                          const byte_range& range) noexcept -> bool {
  if (texture.dirty.empty()) return false;
  const subresource_range touched = texture.layout.touched_by(range);
  const auto cuts = [&](std::uint64_t index) {
    return texture.dirty.contains(index) &&
           is_partial(texture.layout, texture.layout.at_index(index), range);
  };
  return cuts(touched.first_index) || cuts(touched.first_index + touched.count - 1);
}

/// An upload that was accepted makes what was dirty of whole subresources irrelevant.
template <backend B>
void mark_uploaded(texture_object<B>& texture, const byte_range& range) noexcept {
  if (texture.dirty.empty()) return;
  const subresource_range touched = texture.layout.touched_by(range);
  for (std::uint64_t i = 0; i < touched.count; ++i) {
    const subresource where = texture.layout.at_index(touched.first_index + i);
    if (!is_partial(texture.layout, where, range)) mark_overwritten(texture, where);
  }
}

template <backend B>
auto upload(execution<B>& x, texture_object<B>& texture, const byte_range& range,
            const_bytes bytes) noexcept -> error_code {
  const texture_layout& layout = texture.layout;
  if (const auto ok = check_upload_range(layout, range); !ok) return x.fail(ok.why());
  if (!has_defined_bytes(layout.format())) return error_code::none;
  const std::uint64_t places = layout.touched_by(range).count;
  const std::uint64_t cost = places * transfer_cost(0) + range.size_bytes;  // Of the stream's size.
  if (const auto code = spend_transfer(x, cost); code != error_code::none) return code;
  if (cuts_dirty_subresource(texture, range)) {
    if (const auto code = make_current(x, texture); code != error_code::none) return code;
  }
  const auto uploaded =
      for_each_piece(layout, range, [&](const texture_piece& piece) noexcept -> result<void> {
        const const_bytes part = bytes.subspan(static_cast<std::size_t>(piece.offset_in_range),
                                               static_cast<std::size_t>(piece.size_in_range()));
        return x.backend.upload_texture(texture.native, piece.rows, part);
      });
  if (!uploaded) return x.fail(uploaded.why());
  mark_uploaded(texture, range);
  return error_code::none;
}

}  // namespace detail

template <backend B>
auto on_packet(execution<B>& x,
               const checked_packet<aerogpu_cmd_resource_dirty_range>& from_guest) noexcept
    -> error_code {
  const aerogpu_cmd_resource_dirty_range p = from_guest.fields();
  const auto named = require_buffer_or_texture(x, static_cast<resource_handle>(p.resource_handle));
  if (!named) return x.fail(named.why());
  const bool is_buffer = named->kind == resource_kind::buffer;
  const guest_backing& backing = is_buffer ? named->buffer->backing : named->texture->backing;
  if (!backing || p.size_bytes == 0) return error_code::none;

  const byte_range range{p.offset_bytes, p.size_bytes};
  const result<void> inside = is_buffer ? check_buffer_range(range, named->buffer->desc.size_bytes)
                                        : named->texture->layout.check_range(range);
  if (!inside) return x.fail(inside.why());
  const auto from = detail::locate_backing(x, backing, range.offset_bytes, range.size_bytes);
  if (!from) return x.fail(from.why());
  return is_buffer ? detail::mark_dirty(x, *named->buffer, range)
                   : detail::mark_dirty(x, *named->texture, range);
}

template <backend B>
auto on_packet(execution<B>& x,
               const checked_packet<aerogpu_cmd_upload_resource>& from_guest) noexcept
    -> error_code {
  const aerogpu_cmd_upload_resource p = from_guest.fields();
  const auto named = require_buffer_or_texture(x, static_cast<resource_handle>(p.resource_handle));
  if (!named) return x.fail(named.why());
  const byte_range range{p.offset_bytes, p.size_bytes};
  return named->kind == resource_kind::buffer
             ? detail::upload(x, *named->buffer, range, from_guest.payload())
             : detail::upload(x, *named->texture, range, from_guest.payload());
}

}  // namespace aerogpu

// SPDX-License-Identifier: MIT
/// \file Bringing guest-backed resources up to date before a use (host.md 2.5).
#pragma once

#include "aerogpu/core/checked.hpp"
#include "aerogpu/processor/execution.hpp"
#include "aerogpu/processor/resources/resource.hpp"
#include "aerogpu/processor/resources/transfer_budget.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <utility>

namespace aerogpu {

namespace detail {

/// Guest memory read between two uploads; bounds the scratch memory of one.
inline constexpr std::uint64_t transfer_chunk_bytes = 4u << 20;

/// Address of bytes of a resource, counted from its start.
template <backend B>
[[nodiscard]] auto locate_backing(const execution<B>& x, const guest_backing& backing,
                                  std::uint64_t offset_bytes, std::uint64_t size_bytes) noexcept
    -> result<gpa> {
  const auto from = checked_add(backing.offset_bytes, offset_bytes);
  if (!from) return from.why();
  return x.table.resolve(backing.id, *from, size_bytes);
}

template <backend B>
[[nodiscard]] auto upload_range(execution<B>& x, buffer_object<B>& buffer, gpa from,
                                std::uint64_t offset_bytes, std::uint64_t size_bytes) noexcept
    -> error_code {
  for (std::uint64_t done = 0; done < size_bytes;) {
    const std::uint64_t size = std::min(size_bytes - done, transfer_chunk_bytes);
    const auto staged = x.backend.stage(static_cast<std::size_t>(size));
    if (!staged) return x.fail(staged.why());
    if (!x.memory.read(advance(from, done), *staged)) {
      return x.fail(error_code::guest_memory_fault, "guest memory of a buffer cannot be read",
                    raw(from) + done);
    }
    if (const auto code = x.check(
            x.backend.upload_buffer(buffer.native, offset_bytes + done, const_bytes{*staged}));
        code != error_code::none) {
      return code;
    }
    done += size;
  }
  return error_code::none;
}

/// Reads rows of one subresource; the padding between them stays unread.
template <backend B>
[[nodiscard]] auto read_rows(execution<B>& x, gpa first_row, const subresource_layout& at,
                             std::uint32_t row_count, mutable_bytes out) noexcept -> bool {
  if (at.pitch_bytes == at.row_size_bytes) return x.memory.read(first_row, out);
  for (std::uint64_t row = 0; row < row_count; ++row) {
    const auto offset = static_cast<std::size_t>(row * at.row_size_bytes);
    if (!x.memory.read(advance(first_row, row * at.pitch_bytes),
                       out.subspan(offset, at.row_size_bytes))) {
      return false;
    }
  }
  return true;
}

template <backend B>
[[nodiscard]] auto upload_subresource(execution<B>& x, texture_object<B>& texture,
                                      subresource where, gpa from) noexcept -> error_code {
  const subresource_layout at = texture.layout.locate(where);
  const std::uint64_t rows_at_once =
      std::max<std::uint64_t>(1, transfer_chunk_bytes / at.row_size_bytes);
  for (std::uint32_t row = 0; row < at.row_count;) {
    const auto rows =
        static_cast<std::uint32_t>(std::min<std::uint64_t>(at.row_count - row, rows_at_once));
    const auto staged =
        x.backend.stage(static_cast<std::size_t>(std::uint64_t{rows} * at.row_size_bytes));
    if (!staged) return x.fail(staged.why());
    const gpa first = advance(from, std::uint64_t{row} * at.pitch_bytes);
    if (!read_rows(x, first, at, rows, *staged)) {
      return x.fail(error_code::guest_memory_fault, "guest memory of a texture cannot be read",
                    raw(first));
    }
    const texture_rows part{.where = where,
                            .first_row = row,
                            .row_count = rows,
                            .first_byte = 0,
                            .row_size_bytes = at.row_size_bytes,
                            .source_pitch_bytes = at.row_size_bytes};
    if (const auto code =
            x.check(x.backend.upload_texture(texture.native, part, const_bytes{*staged}));
        code != error_code::none) {
      return code;
    }
    row += rows;
  }
  return error_code::none;
}

/// All addresses resolve before the first byte is read, so that a bad table changes nothing.
template <backend B>
auto upload_dirty(execution<B>& x, buffer_object<B>& buffer) noexcept -> error_code {
  std::uint64_t cost = 0;
  for (const dirty_range& range : buffer.dirty.view()) {
    const std::uint64_t size = range.end - range.begin;
    const auto from = locate_backing(x, buffer.backing, range.begin, size);
    if (!from) return x.fail(from.why());
    cost += transfer_cost(size);
  }
  if (const auto code = spend_upload(x, cost); code != error_code::none) return code;
  for (const dirty_range& range : buffer.dirty.view()) {
    const std::uint64_t size = range.end - range.begin;
    const auto from = locate_backing(x, buffer.backing, range.begin, size);
    if (const auto code = upload_range(x, buffer, *from, range.begin, size);
        code != error_code::none) {
      return code;
    }
  }
  buffer.is_uploaded = true;
  buffer.next_uploaded = std::exchange(x.uploaded_buffers, &buffer);
  return error_code::none;
}

template <backend B>
[[nodiscard]] auto locate_dirty(execution<B>& x, const texture_object<B>& texture,
                                subresource where) noexcept -> result<gpa> {
  const subresource_layout at = texture.layout.locate(where);
  return locate_backing(x, texture.backing, at.offset_bytes, at.size_bytes());
}

template <backend B>
auto upload_dirty(execution<B>& x, texture_object<B>& texture) noexcept -> error_code {
  const dirty_subresources& dirty = texture.dirty;
  std::uint64_t cost = 0;
  for (auto i = dirty.next(0); i < dirty.size(); i = dirty.next(i + 1)) {
    const subresource_layout at = texture.layout.locate(texture.layout.at_index(i));
    const auto from = locate_backing(x, texture.backing, at.offset_bytes, at.size_bytes());
    if (!from) return x.fail(from.why());
    cost += transfer_cost(at.row_size_bytes, at.row_count);
  }
  if (const auto code = spend_upload(x, cost); code != error_code::none) return code;
  for (auto i = dirty.next(0); i < dirty.size(); i = dirty.next(i + 1)) {
    const subresource where = texture.layout.at_index(i);
    const auto from = locate_dirty(x, texture, where);
    if (const auto code = upload_subresource(x, texture, where, *from); code != error_code::none) {
      return code;
    }
  }
  texture.is_uploaded = true;
  texture.next_uploaded = std::exchange(x.uploaded_textures, &texture);
  return error_code::none;
}

/// Ends the doubt about uploaded objects: their dirty ranges go, or stay for a later packet.
template <class Object>
void settle_list(Object*& first, bool is_packet_done) noexcept {
  while (first != nullptr) {
    Object& object = *std::exchange(first, first->next_uploaded);
    object.is_uploaded = false;
    object.next_uploaded = nullptr;
    if (is_packet_done) object.dirty.clear();
  }
}

}  // namespace detail

/// Whether `make_current` has work. Dirty ranges of a resource that was rebound to the host wait.
template <backend B>
[[nodiscard]] inline auto is_dirty(const buffer_object<B>& buffer) noexcept -> bool {
  return !buffer.dirty.empty() && !buffer.is_uploaded && buffer.backing;
}
template <backend B>
[[nodiscard]] inline auto is_dirty(const texture_object<B>& texture) noexcept -> bool {
  return !texture.dirty.empty() && !texture.is_uploaded && texture.backing;
}

/// Reads what is dirty from guest memory, now. Call it before anything but a whole overwrite uses
/// the content. Cheap when nothing is dirty. When the packet fails, here or later, everything stays
/// dirty. Errors: missing_alloc_table, unknown_alloc_id, size_overflow, alloc_out_of_bounds,
/// guest_memory_fault, and those of the backend.
template <backend B>
[[nodiscard]] inline auto make_current(execution<B>& x, buffer_object<B>& buffer) noexcept
    -> error_code {
  return is_dirty(buffer) ? detail::upload_dirty(x, buffer) : error_code::none;
}
template <backend B>
[[nodiscard]] inline auto make_current(execution<B>& x, texture_object<B>& texture) noexcept
    -> error_code {
  return is_dirty(texture) ? detail::upload_dirty(x, texture) : error_code::none;
}

/// Called after a packet that uploaded: what it did is clean if it succeeded, and as dirty as
/// before if not, so that no error loses a dirty range (host.md 2.5). Returns `code`: a handler
/// that ends with this call keeps no registers for it, which the many packets without uploads would
/// pay for.
template <backend B>
[[gnu::noinline]] auto settle_uploads(execution<B>& x, error_code code) noexcept -> error_code {
  const bool is_packet_done = code == error_code::none;
  detail::settle_list(x.uploaded_buffers, is_packet_done);
  detail::settle_list(x.uploaded_textures, is_packet_done);
  return code;
}

/// Forgets dirty ranges that a whole overwrite made irrelevant. Call it after the backend accepted
/// that.
template <backend B>
inline void mark_overwritten(buffer_object<B>& buffer) noexcept {
  buffer.dirty.clear();
}
template <backend B>
inline void mark_overwritten(texture_object<B>& texture, subresource where) noexcept {
  texture.dirty.remove(texture.layout.index_of(where));
}

}  // namespace aerogpu

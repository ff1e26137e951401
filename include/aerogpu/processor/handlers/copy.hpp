// SPDX-License-Identifier: MIT
/// \file COPY_BUFFER and COPY_TEXTURE2D (host.md 2.10).
#pragma once

#include "aerogpu/memory/texture_rectangle.hpp"
#include "aerogpu/processor/execution.hpp"
#include "aerogpu/processor/resources/buffer_range.hpp"
#include "aerogpu/processor/resources/lookup.hpp"
#include "aerogpu/processor/resources/residency.hpp"
#include "aerogpu/processor/resources/transfer_budget.hpp"
#include "aerogpu/processor/resources/write_back.hpp"
#include "aerogpu/stream/checked_packet.hpp"

#include <cstdint>

namespace aerogpu {

namespace detail {

/// Ranges, alignment and overlap of a buffer copy. Errors: size_overflow, resource_out_of_bounds,
/// invalid_parameter.
template <backend B>
[[nodiscard]] auto check_copy(const aerogpu_cmd_copy_buffer& p, const buffer_object<B>& to,
                              const buffer_object<B>& from) noexcept -> result<void> {
  if (auto ok = check_buffer_range({p.dst_offset_bytes, p.size_bytes}, to.desc.size_bytes); !ok) {
    return ok.why();
  }
  if (auto ok = check_buffer_range({p.src_offset_bytes, p.size_bytes}, from.desc.size_bytes); !ok) {
    return ok.why();
  }
  if ((p.dst_offset_bytes | p.src_offset_bytes | p.size_bytes) % 4 != 0) {
    return make_error(error_code::invalid_parameter,
                      "an offset or size of the copy is not a multiple of 4",
                      p.dst_offset_bytes | p.src_offset_bytes | p.size_bytes, 4);
  }
  const bool is_apart = p.dst_offset_bytes + p.size_bytes <= p.src_offset_bytes ||
                        p.src_offset_bytes + p.size_bytes <= p.dst_offset_bytes;
  if (&to == &from && !is_apart) {
    return make_error(error_code::invalid_parameter, "a copy within one buffer overlaps",
                      p.dst_offset_bytes, p.src_offset_bytes);
  }
  return {};
}

/// A checked texture copy: the call, and what it covers of the destination.
struct planned_texture_copy {
  texture_copy call;
  texture_rows rows;  ///< Of the destination.
};

/// All checks that need no allocation table. Errors: invalid_parameter, resource_out_of_bounds.
template <backend B>
[[nodiscard]] auto plan_copy(const aerogpu_cmd_copy_texture2d& p, const texture_object<B>& to,
                             const texture_object<B>& from) noexcept
    -> result<planned_texture_copy> {
  const auto invalid = [](const char* what, std::uint64_t detail, std::uint64_t limit = 0) {
    return make_error(error_code::invalid_parameter, what, detail, limit);
  };
  const subresource to_where{p.dst_mip_level, p.dst_array_layer};
  const subresource from_where{p.src_mip_level, p.src_array_layer};
  const texel_rectangle to_area{p.dst_x, p.dst_y, p.width, p.height};
  const texel_rectangle from_area{p.src_x, p.src_y, p.width, p.height};
  if (to.desc.format != from.desc.format) {
    return invalid("the copied textures differ in format", from.desc.format, to.desc.format);
  }
  if (auto ok = check_subresource(to.layout, to_where); !ok) return ok.why();
  if (auto ok = check_subresource(from.layout, from_where); !ok) return ok.why();
  if (auto ok = check_rectangle(to.layout, to_where, to_area); !ok) return ok.why();
  if (auto ok = check_rectangle(from.layout, from_where, from_area); !ok) return ok.why();
  if (auto ok = check_block_alignment(to.layout, to_where, to_area); !ok) return ok.why();
  if (auto ok = check_block_alignment(from.layout, from_where, from_area); !ok) return ok.why();
  if (&to == &from && to.layout.index_of(to_where) == from.layout.index_of(from_where)) {
    return invalid("a copy within one subresource", p.dst_mip_level, p.src_mip_level);
  }
  const texture_rows rows = rows_of(to.layout, to_where, to_area);
  const bool is_whole =
      is_whole_subresource(to.layout, rows) &&
      is_whole_subresource(from.layout, rows_of(from.layout, from_where, from_area));
  if (to.layout.format().is_depth() && !is_whole) {
    return invalid("a depth copy covers part of a subresource", p.width);
  }
  return planned_texture_copy{
      {to_where, from_where, p.dst_x, p.dst_y, p.src_x, p.src_y, p.width, p.height}, rows};
}

}  // namespace detail

template <backend B>
auto on_packet(execution<B>& x, const checked_packet<aerogpu_cmd_copy_buffer>& from_guest) noexcept
    -> error_code {
  const aerogpu_cmd_copy_buffer p = from_guest.fields();
  const auto to_buffer = require_buffer(x, static_cast<resource_handle>(p.dst_buffer));
  if (!to_buffer) return x.fail(to_buffer.why());
  const auto from_buffer = require_buffer(x, static_cast<resource_handle>(p.src_buffer));
  if (!from_buffer) return x.fail(from_buffer.why());
  buffer_object<B>* const to = *to_buffer;
  buffer_object<B>* const from = *from_buffer;
  if (const auto ok = detail::check_copy(p, *to, *from); !ok) return x.fail(ok.why());

  const bool is_write_back = (p.flags & AEROGPU_COPY_FLAG_WRITEBACK_DST) != 0;
  guest_rows rows{};
  if (is_write_back) {
    const auto planned = detail::plan_write_back(x, *to, {p.dst_offset_bytes, p.size_bytes});
    if (!planned) return x.fail(planned.why());
    rows = *planned;
  }
  const std::uint64_t cost = detail::transfer_cost(p.size_bytes) * (is_write_back ? 2 : 1);
  if (const auto code = detail::spend_transfer(x, cost); code != error_code::none) return code;
  const bool is_whole = p.size_bytes == to->desc.size_bytes;
  if (const auto code = make_current(x, *from); code != error_code::none) return code;
  if (!is_whole) {
    if (const auto code = make_current(x, *to); code != error_code::none) return code;
  }
  const auto copied = x.backend.copy_buffer(to->native, p.dst_offset_bytes, from->native,
                                            p.src_offset_bytes, p.size_bytes);
  if (!copied) return x.fail(copied.why());
  if (is_write_back) {
    const auto read = x.backend.read_back_buffer(to->native, p.dst_offset_bytes, rows);
    if (!read) return x.fail(read.why());
    detail::spend(x, rows);
  }
  if (is_whole) mark_overwritten(*to);
  return error_code::none;
}

template <backend B>
auto on_packet(execution<B>& x,
               const checked_packet<aerogpu_cmd_copy_texture2d>& from_guest) noexcept
    -> error_code {
  const aerogpu_cmd_copy_texture2d p = from_guest.fields();
  const auto to_texture = require_texture(x, static_cast<resource_handle>(p.dst_texture));
  if (!to_texture) return x.fail(to_texture.why());
  const auto from_texture = require_texture(x, static_cast<resource_handle>(p.src_texture));
  if (!from_texture) return x.fail(from_texture.why());
  texture_object<B>* const to = *to_texture;
  texture_object<B>* const from = *from_texture;
  const auto copy = detail::plan_copy(p, *to, *from);
  if (!copy) return x.fail(copy.why());

  const bool is_write_back = (p.flags & AEROGPU_COPY_FLAG_WRITEBACK_DST) != 0;
  guest_rows rows{};
  if (is_write_back) {
    const auto planned = detail::plan_write_back(x, *to, copy->rows);
    if (!planned) return x.fail(planned.why());
    rows = *planned;
  }
  const std::uint64_t cost =
      detail::transfer_cost(copy->rows.row_size_bytes, copy->rows.row_count) *
      (is_write_back ? 2 : 1);
  if (const auto code = detail::spend_transfer(x, cost); code != error_code::none) return code;
  const bool is_whole = is_whole_subresource(to->layout, copy->rows);
  if (const auto code = make_current(x, *from); code != error_code::none) return code;
  if (!is_whole) {
    if (const auto code = make_current(x, *to); code != error_code::none) return code;
  }
  const auto copied = x.backend.copy_texture(to->native, from->native, copy->call);
  if (!copied) return x.fail(copied.why());
  if (is_write_back) {
    const auto read = x.backend.read_back_texture(to->native, copy->rows, rows);
    if (!read) return x.fail(read.why());
    detail::spend(x, rows);
  }
  if (is_whole) mark_overwritten(*to, copy->call.destination);
  return error_code::none;
}

}  // namespace aerogpu

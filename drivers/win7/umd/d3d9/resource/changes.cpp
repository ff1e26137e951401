// SPDX-License-Identifier: MIT
#include "drivers/win7/umd/d3d9/resource/changes.hpp"

#include "drivers/win7/umd/d3d9/device/device.hpp"
#include "drivers/win7/umd/d3d9/resource/texels/narrow_texels.hpp"
#include "drivers/win7/umd/d3d9/submit/emit.hpp"
#include "drivers/win7/umd/d3d9/submit/upload.hpp"

#include <algorithm>

namespace aerogpu::umd {

namespace {

/// Whole rows of one subresource that a part of `range` touches.
[[nodiscard]] auto rows_around(const subresource_layout& at, byte_range range) noexcept
    -> byte_range {
  const std::uint64_t pitch = at.pitch_bytes;
  const std::uint64_t begin = std::max(range.offset_bytes, at.offset_bytes) - at.offset_bytes;
  const std::uint64_t end =
      std::min(range.offset_bytes + range.size_bytes, at.offset_bytes + at.size_bytes()) -
      at.offset_bytes;
  const std::uint64_t first = begin / pitch * pitch;
  const std::uint64_t last = (end + pitch - 1) / pitch * pitch;
  return {at.offset_bytes + first, last - first};
}

/// What pieces of an upload are multiples of: rows, unless a submission holds no row.
[[nodiscard]] auto unit_of(const device& on, const format_info& format,
                           std::uint32_t row_bytes) noexcept -> std::uint32_t {
  const std::uint64_t row_packet = packet_bytes<aerogpu_cmd_upload_resource>(row_bytes);
  if (row_packet <= on.commands.largest_packet_bytes()) return row_bytes;
  return std::max<std::uint32_t>(format.bytes_per_block, 4);
}

[[nodiscard]] auto mark_dirty(device& on, resource& of, byte_range range) noexcept -> HRESULT {
  const allocation_use use{of.backing, false};
  const HRESULT reserved =
      on.commands.reserve(packet_bytes<aerogpu_cmd_resource_dirty_range>(), std::span{&use, 1});
  if (FAILED(reserved)) return reserved;
  const HRESULT sent = to_hresult(
      on.commands.packets().resource_dirty_range(of.handle, range.offset_bytes, range.size_bytes));
  of.last_use = on.commands.pending_fence();  // Not before: nothing pends in an empty stream.
  return sent;
}

/// Rows of narrow texels that are widened at a time, at least one.
constexpr std::uint32_t most_widened_bytes = 64 << 10;

/// `upload_texels` of narrow ones: what the host gets has its wider texels.
[[nodiscard]] auto upload_widened(device& on, resource& to, const upload_rows& rows,
                                  const std::byte* first, std::uint64_t pitch_bytes) noexcept
    -> HRESULT {
  const format_info& wide = to.wide_texels->format();
  const subresource_layout at = to.wide_texels->locate(rows.where);
  const std::uint32_t texel_bytes = to.layout()->format().bytes_per_block;
  const std::uint32_t texels = rows.row_size_bytes / texel_bytes;
  const std::uint32_t row_bytes = texels * wide.bytes_per_block;
  // Whole rows lie behind each other on the host.
  const std::uint32_t most_rows =
      texels == at.width ? std::max(most_widened_bytes / row_bytes, 1u) : 1;
  mutable_bytes room;
  const HRESULT made =
      on.scratch.make_room(std::uint64_t{std::min(most_rows, rows.row_count)} * row_bytes, room);
  if (FAILED(made)) return made;
  for (std::uint32_t row = 0; row < rows.row_count;) {
    const std::uint32_t count = std::min(most_rows, rows.row_count - row);
    for (std::uint32_t i = 0; i < count; ++i) {
      widen_texels(to.format, {first + (row + i) * pitch_bytes, rows.row_size_bytes},
                   room.subspan(std::size_t{i} * row_bytes, row_bytes));
    }
    const std::uint64_t offset = at.offset_bytes +
                                 std::uint64_t{rows.first_row + row} * at.pitch_bytes +
                                 rows.first_byte / texel_bytes * wide.bytes_per_block;
    const HRESULT sent =
        upload_bytes(on.commands, to.handle, offset, room.first(std::size_t{count} * row_bytes),
                     unit_of(on, wide, row_bytes));
    if (FAILED(sent)) return sent;
    row += count;
  }
  return S_OK;
}

/// Rows of the shadow, whole ones of one subresource.
[[nodiscard]] auto upload_rows_of(device& on, resource& of, subresource where,
                                  byte_range rows) noexcept -> HRESULT {
  const auto at = of.layout()->locate(where);
  const const_bytes bytes = of.shadow.view().subspan(static_cast<std::size_t>(rows.offset_bytes),
                                                     static_cast<std::size_t>(rows.size_bytes));
  if (!of.is_narrow()) {
    return upload_bytes(on.commands, of.handle, rows.offset_bytes, bytes,
                        unit_of(on, of.layout()->format(), at.pitch_bytes));
  }
  const std::uint64_t first = (rows.offset_bytes - at.offset_bytes) / at.pitch_bytes;
  return upload_widened(
      on, of,
      {where, static_cast<std::uint32_t>(first),
       static_cast<std::uint32_t>(rows.size_bytes / at.pitch_bytes), 0, at.row_size_bytes},
      bytes.data(), at.pitch_bytes);
}

[[nodiscard]] auto upload_shadow(device& on, resource& of, byte_range range) noexcept -> HRESULT {
  HRESULT sent = S_OK;
  if (of.layout() == nullptr) {
    const const_bytes changed = of.shadow.view().subspan(
        static_cast<std::size_t>(range.offset_bytes), static_cast<std::size_t>(range.size_bytes));
    sent = upload_bytes(on.commands, of.handle, range.offset_bytes, changed, 4);
  } else {
    const texture_layout& layout = *of.layout();
    const subresource_range touched = layout.touched_by(range);
    for (std::uint64_t i = 0; i < touched.count && SUCCEEDED(sent); ++i) {
      const subresource where = layout.at_index(touched.first_index + i);
      sent = upload_rows_of(on, of, where, rows_around(layout.locate(where), range));
    }
  }
  of.last_use = on.commands.pending_fence();
  return sent;
}

}  // namespace

auto widen_range(const resource& of, byte_range range) noexcept -> byte_range {
  if (range.size_bytes == 0) return range;
  if (of.layout() == nullptr) {
    const std::uint64_t first = range.offset_bytes / 4 * 4;
    const std::uint64_t end = (range.offset_bytes + range.size_bytes + 3) / 4 * 4;
    return {first, std::min(end, of.size_bytes) - first};
  }
  const texture_layout& layout = *of.layout();
  const subresource_range touched = layout.touched_by(range);
  const auto first = rows_around(layout.locate(layout.at_index(touched.first_index)), range);
  const auto last =
      rows_around(layout.locate(layout.at_index(touched.first_index + touched.count - 1)), range);
  return {first.offset_bytes, last.offset_bytes + last.size_bytes - first.offset_bytes};
}

auto send_changes(device& on, resource& of, byte_range changed) noexcept -> HRESULT {
  if (changed.size_bytes == 0 || of.handle == resource_handle{}) return S_OK;
  const byte_range range = widen_range(of, changed);
  if (of.contents == residence::guest) return mark_dirty(on, of, range);
  return of.contents == residence::shadow ? upload_shadow(on, of, range) : S_OK;
}

void make_opaque(const resource& of, mutable_bytes pixels) noexcept {
  if (!of.reads_opaque_alpha) return;
  for (std::size_t high = 1; high < pixels.size(); high += 2) pixels[high] |= std::byte{0x80};
}

void make_opaque(const resource& of, std::byte* bytes, byte_range range) noexcept {
  if (range.size_bytes == 0) return;
  const std::uint64_t first = range.offset_bytes / 2 * 2;
  const std::uint64_t end =
      std::min((range.offset_bytes + range.size_bytes + 1) / 2 * 2, of.size_bytes);
  make_opaque(of, {bytes + first, static_cast<std::size_t>(end - first)});
}

auto upload_texels(device& on, resource& to, const upload_rows& rows, const std::byte* first,
                   std::uint64_t pitch_bytes) noexcept -> HRESULT {
  const texture_layout& layout = *to.layout();
  const subresource_layout at = layout.locate(rows.where);
  const bool are_whole = rows.first_byte == 0 && rows.row_size_bytes == at.row_size_bytes;
  const bool are_dense = are_whole && pitch_bytes == at.pitch_bytes && !to.reads_opaque_alpha;
  const auto send = [&](std::uint32_t row, const_bytes bytes) {
    const std::uint64_t offset =
        at.offset_bytes + std::uint64_t{rows.first_row + row} * at.pitch_bytes + rows.first_byte;
    return upload_bytes(on.commands, to.handle, offset, bytes,
                        unit_of(on, layout.format(), rows.row_size_bytes));
  };
  HRESULT sent = S_OK;
  if (to.is_narrow()) {
    sent = upload_widened(on, to, rows, first, pitch_bytes);
  } else if (are_dense) {
    sent = send(0, {first, static_cast<std::size_t>(rows.row_count) * at.pitch_bytes});
  } else {
    mutable_bytes row_copy;
    const HRESULT made = on.scratch.make_room(rows.row_size_bytes, row_copy);
    if (FAILED(made)) return made;
    for (std::uint32_t row = 0; row < rows.row_count && SUCCEEDED(sent); ++row) {
      copy_bytes(row_copy, {first + row * pitch_bytes, rows.row_size_bytes});
      make_opaque(to, row_copy);
      sent = send(row, row_copy);
    }
  }
  to.last_use = on.commands.pending_fence();
  return sent;
}

}  // namespace aerogpu::umd

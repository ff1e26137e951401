// SPDX-License-Identifier: MIT
#include "drivers/win7/umd/d3d9/resource/copies/copies.hpp"

#include "aerogpu/core/checked.hpp"
#include "aerogpu/memory/texture_rectangle.hpp"
#include "drivers/win7/umd/d3d9/device/device.hpp"
#include "drivers/win7/umd/d3d9/resource/backing.hpp"
#include "drivers/win7/umd/d3d9/resource/changes.hpp"
#include "drivers/win7/umd/d3d9/resource/texels/cpu_bytes.hpp"
#include "drivers/win7/umd/d3d9/submit/emit.hpp"

#include <array>
#include <cstring>

namespace aerogpu::umd {

namespace {

/// A rectangle of one subresource that was checked.
struct place {
  resource* of;
  std::uint32_t index;
  subresource where;
  texture_rows rows;
  bool is_whole;

  [[nodiscard]] auto is_on_host() const noexcept -> bool { return of->handle != resource_handle{}; }
  /// The CPU's bytes are what it has: the host wrote none of it.
  [[nodiscard]] auto is_of_cpu() const noexcept -> bool { return !is_on_host() || of->is_narrow(); }
};

[[nodiscard]] auto locate(const surface_ref& surface, const texel_rectangle& area,
                          place& out) noexcept -> HRESULT {
  resource* const of = surface.resource;
  if (of == nullptr || of->layout() == nullptr) return E_INVALIDARG;
  const texture_layout& layout = *of->layout();
  if (surface.subresource >= layout.subresource_count()) return E_INVALIDARG;
  const subresource where = layout.at_index(surface.subresource);
  if (area.width == 0 || area.height == 0) return D3DERR_INVALIDCALL;
  if (!check_rectangle(layout, where, area)) return D3DERR_INVALIDCALL;
  if (!check_block_alignment(layout, where, area)) return D3DERR_INVALIDCALL;
  const texture_rows rows = rows_of(layout, where, area);
  const bool is_whole = is_whole_subresource(layout, rows);
  if (layout.format().is_depth() && !is_whole) return D3DERR_INVALIDCALL;
  if (of->is_mapped()) return D3DERR_INVALIDCALL;
  out = {of, surface.subresource, where, rows, is_whole};
  return S_OK;
}

/// The first byte of a place's rows.
[[nodiscard]] auto first_row(const row_target& all, const place& at) noexcept -> std::byte* {
  return all.first + at.rows.first_row * all.pitch_bytes + at.rows.first_byte;
}

void copy_rows(const row_target& to_all, const place& to, const row_target& from_all,
               const place& from) noexcept {
  std::byte* const out = first_row(to_all, to);
  const std::byte* const in = first_row(from_all, from);
  // Rows of one surface may lie over each other: from the end on, where they move down.
  const bool is_upwards = out > in;
  for (std::uint32_t i = 0; i < from.rows.row_count; ++i) {
    const std::uint32_t row = is_upwards ? from.rows.row_count - 1 - i : i;
    std::memmove(out + row * to_all.pitch_bytes, in + row * from_all.pitch_bytes,
                 from.rows.row_size_bytes);
  }
}

/// Lockable targets of one surface have guest memory, which such a copy brings up to date: a later
/// lock waits for it, and for nothing that was drawn since. What is too much for a submission that
/// other copies share is read back by that lock.
[[nodiscard]] auto returns_to_guest(const place& to) noexcept -> bool {
  const resource& of = *to.of;
  const bool is_ours = !of.flags.is_shared && !of.flags.is_standard;
  return of.contents == residence::guest && of.flags.is_lockable && is_ours && to.is_whole &&
         of.subresource_count() == 1 &&
         write_back_cost(to.rows) <= recorder::most_written_back_bytes;
}

[[nodiscard]] auto copy_on_host(device& on, const place& to, texel_point to_point,
                                const place& from, const texel_rectangle& area) noexcept
    -> HRESULT {
  if (to.of == from.of && to.index == from.index) return D3DERR_INVALIDCALL;
  const std::array<allocation_use, 2> uses{allocation_use{to.of->backing, true},
                                           allocation_use{from.of->backing, false}};
  const bool returns = returns_to_guest(to);
  const HRESULT reserved =
      on.commands.reserve_write_back(packet_bytes<aerogpu_cmd_copy_texture2d>(), std::span{uses},
                                     returns ? write_back_cost(to.rows) : 0);
  if (FAILED(reserved)) return reserved;
  const HRESULT copied = to_hresult(on.commands.packets().copy_texture2d(
      {.destination = {to.of->handle, to.where.mip_level, to.where.array_layer, to_point.x,
                       to_point.y},
       .source = {from.of->handle, from.where.mip_level, from.where.array_layer, area.x, area.y},
       .width = area.width,
       .height = area.height,
       .flags = returns ? AEROGPU_COPY_FLAG_WRITEBACK_DST : AEROGPU_COPY_FLAG_NONE}));
  to.of->last_use = on.commands.pending_fence();
  from.of->last_use = to.of->last_use;
  to.of->is_host_newer = !returns;
  return copied;
}

/// Rows of the CPU into a resource of the host.
[[nodiscard]] auto upload(device& on, const place& to, const row_target& from_all,
                          const place& from) noexcept -> HRESULT {
  resource& of = *to.of;
  if (of.contents != residence::guest) {
    const HRESULT sent = upload_texels(on, of,
                                       {to.where, to.rows.first_row, to.rows.row_count,
                                        to.rows.first_byte, to.rows.row_size_bytes},
                                       first_row(from_all, from), from_all.pitch_bytes);
    if (FAILED(sent)) return sent;
    if (of.contents == residence::host) of.is_host_newer = true;
    if (of.contents == residence::shadow) {
      copy_rows(rows_in(of, of.shadow.data(), to.index), to, from_all, from);
      make_opaque(of, of.shadow.data(), extent_of(*of.layout(), to.rows));
    }
    return S_OK;
  }
  const bool replaces_all = to.is_whole && of.subresource_count() == 1;
  if (!replaces_all) {
    if (const HRESULT read = read_from_host(on, of); FAILED(read)) return read;
  }
  const byte_range changed = extent_of(*of.layout(), to.rows);
  {
    cpu_bytes bytes{on};
    const HRESULT mapped = bytes.map(of, lock_access::write);
    if (FAILED(mapped)) return mapped;
    copy_rows(bytes.rows(to.index), to, from_all, from);
    make_opaque(of, bytes.at(0), changed);
  }
  of.is_host_newer = false;
  return send_changes(on, of, changed);
}

}  // namespace

auto copy_texels(device& on, const surface_ref& to, texel_point to_point, const surface_ref& from,
                 const texel_rectangle& area) noexcept -> HRESULT {
  place source, target;
  if (const HRESULT bad = locate(from, area, source); FAILED(bad)) return bad;
  const texel_rectangle to_area{to_point.x, to_point.y, area.width, area.height};
  if (const HRESULT bad = locate(to, to_area, target); FAILED(bad)) return bad;
  if (source.of->layout()->shape().format != target.of->layout()->shape().format) {
    return D3DERR_INVALIDCALL;
  }
  if (!source.is_of_cpu() && target.is_on_host()) {
    return copy_on_host(on, target, to_point, source, area);
  }
  if (source.of->layout()->format().is_depth()) return D3DERR_INVALIDCALL;
  cpu_bytes bytes{on};
  resource& in_memory = source.is_of_cpu() ? *source.of : *target.of;
  if (const HRESULT mapped = bytes.map(in_memory, lock_access::read_write); FAILED(mapped)) {
    return mapped;
  }
  if (target.is_on_host()) return upload(on, target, bytes.rows(source.index), source);
  const row_target out = rows_in(*target.of, target.of->shadow.data(), target.index);
  if (source.is_of_cpu()) {
    copy_rows(out, target, bytes.rows(source.index), source);
    return S_OK;
  }
  return on.resources.read_back.read(on, *source.of, source.where, area,
                                     {first_row(out, target), out.pitch_bytes});
}

auto copy_buffer_range(device& on, const buffer_copy_request& request) noexcept -> HRESULT {
  const auto is_buffer = [](const resource* of) {
    return of != nullptr && of->kind == resource_kind::buffer;
  };
  if (!is_buffer(request.to) || !is_buffer(request.from)) return E_INVALIDARG;
  resource& to = *request.to;
  resource& from = *request.from;
  const byte_range& range = request.range;
  if (!range_fits(range.offset_bytes, range.size_bytes, from.size_bytes)) return E_INVALIDARG;
  if (!range_fits(request.to_offset, range.size_bytes, to.size_bytes)) return E_INVALIDARG;
  if (to.is_mapped() || from.is_mapped()) return D3DERR_INVALIDCALL;
  {
    cpu_bytes out{on}, in{on};
    if (const HRESULT mapped = out.map(to, lock_access::read_write); FAILED(mapped)) return mapped;
    if (&to != &from) {
      if (const HRESULT mapped = in.map(from, lock_access::read); FAILED(mapped)) return mapped;
    }
    const std::byte* const source = &to != &from ? in.at(0) : out.at(0);
    std::memmove(out.at(request.to_offset), source + range.offset_bytes,
                 static_cast<std::size_t>(range.size_bytes));
  }
  return send_changes(on, to, {request.to_offset, range.size_bytes});
}

}  // namespace aerogpu::umd

// SPDX-License-Identifier: MIT
#include "drivers/win7/umd/d3d9/resource/lock.hpp"

#include "aerogpu/memory/texture_rectangle.hpp"
#include "drivers/win7/umd/d3d9/device/device.hpp"
#include "drivers/win7/umd/d3d9/resource/backing.hpp"
#include "drivers/win7/umd/d3d9/resource/changes.hpp"
#include "drivers/win7/umd/d3d9/resource/copies/read_back.hpp"
#include "drivers/win7/umd/d3d9/resource/creation.hpp"
#include "drivers/win7/umd/d3d9/resource/renaming.hpp"
#include "drivers/win7/umd/d3d9/resource/texels/cpu_bytes.hpp"

#include <algorithm>
#include <limits>

namespace aerogpu::umd {

namespace {

/// All of a subresource, as a texture or as the one of a buffer.
[[nodiscard]] auto bytes_of_subresource(const resource& of, std::uint32_t index) noexcept
    -> byte_range {
  if (of.layout() == nullptr) return {0, of.size_bytes};
  const subresource_layout at = of.layout()->locate(of.layout()->at_index(index));
  return {at.offset_bytes, at.size_bytes()};
}

/// Texels along one edge of a surface.
struct edge_part {
  std::uint32_t first;
  std::uint32_t count;
};

/// From `first` to `last` as whole blocks of an edge of `size` texels; to the end of the edge when
/// they name nothing there.
[[nodiscard]] auto cut_edge(std::int32_t first, std::int32_t last, std::uint32_t size,
                            std::uint32_t block) noexcept -> edge_part {
  const std::int64_t begin = std::clamp<std::int64_t>(first, 0, std::int64_t{size} - 1);
  const std::int64_t end = std::min<std::int64_t>(last, size);
  const auto from = static_cast<std::uint32_t>(begin) / block * block;
  if (end <= begin) return {from, size - from};
  const std::uint32_t to = (static_cast<std::uint32_t>(end) + block - 1) / block * block;
  return {from, std::min(to, size) - from};
}

/// From the first row of the area to its last, as far as the rows reach.
[[nodiscard]] auto locate_area(const resource& of, const lock_request& request,
                               located_range& out) noexcept -> HRESULT {
  if (of.layout() == nullptr) return E_INVALIDARG;
  const texture_layout& layout = *of.layout();
  const subresource where = layout.at_index(request.subresource);
  const std::uint32_t block = layout.format().block_dim;
  const rectangle& area = *request.area;
  const auto across = cut_edge(area.left, area.right, layout.width_of(where.mip_level), block);
  const auto down = cut_edge(area.top, area.bottom, layout.height_of(where.mip_level), block);
  const texture_rows rows =
      rows_of(layout, where, {across.first, down.first, across.count, down.count});
  out.bytes = extent_of(layout, rows);
  out.offset = std::uint64_t{rows.first_row} * out.row_pitch_bytes + rows.first_byte;
  return S_OK;
}

[[nodiscard]] auto find_lock(resource& of, std::uint32_t subresource) noexcept -> held_lock* {
  for (held_lock& each : of.locks) {
    if (each.subresource == subresource) return &each;
  }
  return nullptr;
}

/// Whether a lock replaces everything that the host has of the resource.
[[nodiscard]] auto replaces_all(const resource& of, const lock_request& request,
                                const located_range& where) noexcept -> bool {
  const bool may_lose = request.discards || request.is_write_only;
  return may_lose && !request.is_read_only && where.bytes.size_bytes == of.size_bytes;
}

/// Memory with the contents that the application expects, idle where the GPU shares it.
[[nodiscard]] auto prepare(device& on, resource& of, const lock_request& request,
                           const located_range& where, bool& is_renamed) noexcept -> HRESULT {
  if (replaces_all(of, request, where)) {
    if (const HRESULT made = require_shadow(of); FAILED(made)) return made;
    of.is_host_newer = of.flags.is_shared || of.flags.is_standard;
  } else if (of.is_host_newer || of.contents == residence::host) {
    if (!request.may_wait) {
      const HRESULT idle = finish_use(on, of, false);
      if (FAILED(idle)) return idle;
    }
    if (const HRESULT read = read_from_host(on, of); FAILED(read)) return read;
  }
  // Uploads are ordered with the draws: only memory that the host reads has to wait.
  if (of.contents != residence::guest) return S_OK;
  if (request.discards && renames_on_discard(of)) return rename_backing(on, of, is_renamed);
  return finish_use(on, of, request.may_wait);
}

[[nodiscard]] auto map_allocation(device& on, resource& of, const lock_request& request,
                                  std::byte*& out) noexcept -> HRESULT {
  if (of.is_mapped()) return E_FAIL;
  const bool only_writes = request.is_write_only || request.discards;
  const lock_access access = request.is_read_only ? lock_access::read
                             : only_writes        ? lock_access::write
                                                  : lock_access::read_write;
  return on.runtime.lock(of.backing.allocation, access, request.may_wait, out);
}

/// From the first to the last byte of both; nothing counts as none.
[[nodiscard]] auto unite(byte_range a, byte_range b) noexcept -> byte_range {
  if (a.size_bytes == 0 || b.size_bytes == 0) return a.size_bytes == 0 ? b : a;
  const std::uint64_t begin = std::min(a.offset_bytes, b.offset_bytes);
  const std::uint64_t end = std::max(a.offset_bytes + a.size_bytes, b.offset_bytes + b.size_bytes);
  return {begin, end - begin};
}

/// Locks a buffer once more: what the first lock mapped, whatever this one asks for.
[[nodiscard]] auto lock_again(held_lock& held, const lock_request& request,
                              const located_range& where, lock_answer& out) noexcept -> HRESULT {
  const bool is_known = request.only_notifies || held.first != nullptr;
  if (!is_known || held.count == std::numeric_limits<std::uint32_t>::max()) return E_FAIL;
  ++held.count;
  if (request.only_notifies) return S_OK;
  if (!request.is_read_only) held.changed = unite(held.changed, where.bytes);
  out = {held.first + where.offset, where.row_pitch_bytes, where.slice_pitch_bytes};
  return S_OK;
}

}  // namespace

auto locate_byte(const resource& of, std::uint64_t offset_bytes, std::uint32_t& subresource,
                 std::uint64_t& rest) noexcept -> HRESULT {
  if (offset_bytes > of.size_bytes) return E_INVALIDARG;
  subresource = 0;
  rest = offset_bytes;
  if (of.layout() == nullptr) return S_OK;
  const texture_layout& layout = *of.layout();
  // The end belongs to the last subresource, of which nothing is left.
  const bool is_end = offset_bytes == of.size_bytes;
  const auto where = layout.at_offset(is_end ? offset_bytes - 1 : offset_bytes);
  subresource = static_cast<std::uint32_t>(layout.index_of(where));
  rest = offset_bytes - layout.locate(where).offset_bytes;
  return S_OK;
}

auto locate_request(const resource& of, const lock_request& request, located_range& out) noexcept
    -> HRESULT {
  if (request.subresource >= of.subresource_count()) return E_INVALIDARG;
  const byte_range all = bytes_of_subresource(of, request.subresource);
  out.slice_pitch_bytes = static_cast<std::uint32_t>(all.size_bytes);
  out.row_pitch_bytes = out.slice_pitch_bytes;
  if (of.layout() != nullptr) {
    const auto where = of.layout()->at_index(request.subresource);
    out.row_pitch_bytes = of.contents == residence::caller
                              ? of.system_memory[request.subresource].row_pitch_bytes
                              : of.layout()->locate(where).pitch_bytes;
  }
  out.offset = 0;
  out.bytes = all;
  if (request.area) return locate_area(of, request, out);
  if (!request.range) return S_OK;
  const byte_range& range = *request.range;
  if (range.offset_bytes > all.size_bytes) return E_INVALIDARG;
  const std::uint64_t left = all.size_bytes - range.offset_bytes;
  if (range.size_bytes > left) return E_INVALIDARG;
  out.offset = range.offset_bytes;
  out.bytes = {all.offset_bytes + range.offset_bytes,
               range.size_bytes == 0 ? left : range.size_bytes};
  return S_OK;
}

auto lock_resource(device& on, resource& of, const lock_request& request, lock_answer& out) noexcept
    -> HRESULT {
  out = {};
  located_range where;
  if (const HRESULT bad = locate_request(of, request, where); FAILED(bad)) return bad;
  if (held_lock* const before = find_lock(of, request.subresource)) {
    const bool may_nest = request.may_nest && of.kind == resource_kind::buffer;
    return may_nest ? lock_again(*before, request, where, out) : E_FAIL;
  }
  if (!of.locks.reserve_more(1)) return E_OUTOFMEMORY;
  held_lock held{};
  held.subresource = request.subresource;
  if (request.only_notifies) {
    const HRESULT finished = finish_use(on, of, request.may_wait);
    if (SUCCEEDED(finished)) static_cast<void>(of.locks.push_back(held));  // Room was made.
    return finished;
  }
  // NotLockable is a hint: such a surface may still be locked. Depth has no image in memory.
  if (of.pool == memory_pool::video && of.flags.is_depth_stencil) return D3DERR_INVALIDCALL;
  const kernel_allocation before = of.backing.allocation;
  bool is_renamed = false;
  const HRESULT prepared = prepare(on, of, request, where, is_renamed);
  if (FAILED(prepared)) return prepared;
  if (is_renamed) held.renamed_from = before;
  std::byte* bytes = of.shadow.data();
  if (of.contents == residence::guest) {
    const HRESULT mapped = map_allocation(on, of, request, bytes);
    if (FAILED(mapped)) {
      if (is_renamed) undo_renaming(of, before);
      return mapped;
    }
    held.allocation = bytes;
  }
  if (!request.is_read_only) held.changed = where.bytes;
  held.first = rows_in(of, bytes, request.subresource).first;
  static_cast<void>(of.locks.push_back(held));  // Room was made.
  out = {held.first + where.offset, where.row_pitch_bytes, where.slice_pitch_bytes};
  return S_OK;
}

auto unlock_resource(device& on, resource& of, std::uint32_t subresource) noexcept -> HRESULT {
  held_lock* const found = find_lock(of, subresource);
  if (found == nullptr) return E_INVALIDARG;
  if (--found->count != 0) return S_OK;
  const held_lock held = *found;
  of.locks.erase(static_cast<std::size_t>(found - of.locks.begin()));
  if (held.allocation != nullptr) {
    make_opaque(of, held.allocation, held.changed);
    on.runtime.unlock(of.backing.allocation);
  } else if (of.contents == residence::shadow) {
    make_opaque(of, of.shadow.data(), held.changed);
  }
  if (held.renamed_from != kernel_allocation{}) {
    const HRESULT bound = send_creation(on, of, of.backing);
    if (FAILED(bound)) {
      undo_renaming(of, held.renamed_from);
      return bound;
    }
  }
  return send_changes(on, of, held.changed);
}

auto unlock_range(device& on, resource& of, byte_range changed) noexcept -> HRESULT {
  if (of.locks.empty()) return E_FAIL;
  std::uint32_t subresource = 0;
  std::uint64_t rest = 0;
  const HRESULT found = locate_byte(of, changed.offset_bytes, subresource, rest);
  if (FAILED(found) || changed.size_bytes > of.size_bytes - changed.offset_bytes) {
    return E_INVALIDARG;
  }
  held_lock* held = find_lock(of, subresource);
  const bool names_nothing = changed.offset_bytes == 0 && changed.size_bytes == 0;
  if (held == nullptr && names_nothing) held = &of.locks.back();
  if (held == nullptr) return E_FAIL;
  if (changed.size_bytes != 0 && held->changed.size_bytes != 0) held->changed = changed;
  return unlock_resource(on, of, held->subresource);
}

}  // namespace aerogpu::umd

// SPDX-License-Identifier: MIT
#include "drivers/win7/umd/d3d9/resource/copies/read_back.hpp"

#include "drivers/win7/umd/d3d9/device/device.hpp"
#include "drivers/win7/umd/d3d9/resource/backing.hpp"
#include "drivers/win7/umd/d3d9/resource/creation.hpp"
#include "drivers/win7/umd/d3d9/resource/destruction.hpp"
#include "drivers/win7/umd/d3d9/submit/emit.hpp"

#include <algorithm>
#include <array>
#include <cstring>

namespace aerogpu::umd {

namespace {

/// A block that one side's edge cuts must be at the other's edge too.
[[nodiscard]] auto needs_exact_size(const format_info& format) noexcept -> bool {
  return format.is_block_compressed();
}

/// Everything of a subresource.
[[nodiscard]] auto whole_of(const texture_layout& layout, subresource where) noexcept
    -> texel_rectangle {
  return {0, 0, layout.width_of(where.mip_level), layout.height_of(where.mip_level)};
}

/// Of an area, the height in texels that one submission writes back; whole blocks.
[[nodiscard]] auto strip_height(const texture_layout& layout, subresource where,
                                const texel_rectangle& area) noexcept -> std::uint32_t {
  const texture_rows rows = rows_of(layout, where, area);
  const std::uint64_t cost = write_back_cost(rows);
  const std::uint64_t row_cost = cost / rows.row_count;
  if (cost <= recorder::most_written_back_bytes) return area.height;
  const std::uint64_t most =
      std::max<std::uint64_t>(recorder::most_written_back_bytes / row_cost, 1);
  return static_cast<std::uint32_t>(most * layout.format().block_dim);
}

}  // namespace

auto read_back_texture::fit(device& on, const resource& from, const texel_rectangle& area) noexcept
    -> HRESULT {
  const texture_layout& wanted = *from.layout();
  std::uint32_t width = area.width, height = area.height;
  if (const texture_layout* const now = texture_.layout()) {
    const texture_shape& shape = now->shape();
    const bool is_same = shape.format == wanted.shape().format;
    const bool fits = needs_exact_size(wanted.format())
                          ? shape.width == width && shape.height == height
                          : shape.width >= width && shape.height >= height;
    if (is_same && fits) return S_OK;
    if (is_same && !needs_exact_size(wanted.format())) {
      width = std::max(width, shape.width);
      height = std::max(height, shape.height);
    }
    destroy(on);
  }
  const auto layout = texture_layout::create({wanted.shape().format, width, height, 1, 1, 0});
  if (!layout || layout->total_bytes() > most_resource_bytes) return E_OUTOFMEMORY;
  texture_.kind = resource_kind::texture;
  texture_.contents = residence::guest;
  texture_.texels = *layout;
  texture_.size_bytes = layout->total_bytes();
  texture_.handle = on.adapter.handles.next_resource();
  HRESULT made = allocate_backing(on, texture_, 0, texture_.backing);
  // What lies around a part that is copied is read with it: the host takes the texture as dirty.
  if (SUCCEEDED(made)) made = zero_backing(on, texture_);
  if (SUCCEEDED(made)) made = send_creation(on, texture_, texture_.backing);
  if (SUCCEEDED(made)) return S_OK;
  release_backing(on, texture_, texture_.backing);
  texture_.texels.reset();
  texture_.handle = {};
  return made;
}

auto read_back_texture::copy_in(device& on, resource& from, subresource where,
                                const texel_rectangle& area) noexcept -> HRESULT {
  const std::array<allocation_use, 2> uses{allocation_use{texture_.backing, true},
                                           allocation_use{from.backing, false}};
  const std::uint64_t written_back = write_back_cost(rows_of(*from.layout(), where, area));
  const HRESULT reserved = on.commands.reserve_write_back(
      packet_bytes<aerogpu_cmd_copy_texture2d>(), std::span{uses}, written_back);
  if (FAILED(reserved)) return reserved;
  const HRESULT copied = to_hresult(on.commands.packets().copy_texture2d(
      {.destination = {texture_.handle},
       .source = {from.handle, where.mip_level, where.array_layer, area.x, area.y},
       .width = area.width,
       .height = area.height,
       .flags = AEROGPU_COPY_FLAG_WRITEBACK_DST}));
  texture_.last_use = on.commands.pending_fence();
  from.last_use = texture_.last_use;
  return copied;
}

auto read_back_texture::copy_out(device& on, const texel_rectangle& area,
                                 const row_target& to) noexcept -> HRESULT {
  std::byte* bytes = nullptr;
  const kernel_allocation allocation = texture_.backing.allocation;
  const HRESULT locked = on.runtime.lock(allocation, lock_access::read, true, bytes);
  if (FAILED(locked)) return locked;
  const texture_rows rows = rows_of(*texture_.layout(), {0, 0}, {0, 0, area.width, area.height});
  for (std::uint32_t row = 0; row < rows.row_count; ++row) {
    std::memcpy(to.first + row * to.pitch_bytes, bytes + row * rows.source_pitch_bytes,
                rows.row_size_bytes);
  }
  on.runtime.unlock(allocation);
  return S_OK;
}

auto read_back_texture::read(device& on, resource& from, subresource where,
                             const texel_rectangle& area, const row_target& to) noexcept
    -> HRESULT {
  if (from.layout()->format().is_depth()) return D3DERR_INVALIDCALL;
  if (from.is_mapped()) return E_FAIL;
  const std::uint32_t block = from.layout()->format().block_dim;
  const std::uint32_t most = strip_height(*from.layout(), where, area);
  for (std::uint32_t done = 0; done < area.height;) {
    const std::uint32_t height = std::min(most, area.height - done);
    const HRESULT read = read_strip(on, from, where, {area.x, area.y + done, area.width, height},
                                    {to.first + done / block * to.pitch_bytes, to.pitch_bytes});
    if (FAILED(read)) return read;
    done += height;
  }
  return S_OK;
}

auto read_back_texture::read_strip(device& on, resource& from, subresource where,
                                   const texel_rectangle& area, const row_target& to) noexcept
    -> HRESULT {
  HRESULT result = fit(on, from, area);
  if (SUCCEEDED(result)) result = copy_in(on, from, where, area);
  if (SUCCEEDED(result)) result = finish_use(on, texture_, true);
  return SUCCEEDED(result) ? copy_out(on, area, to) : result;
}

void read_back_texture::destroy(device& on) noexcept {
  if (!texture_.backing) return;
  static_cast<void>(emit<aerogpu_cmd_destroy_resource>(
      on.commands, [&](auto& packets) { return packets.destroy_resource(texture_.handle); }));
  static_cast<void>(on.commands.submit());
  release_backing(on, texture_, texture_.backing);
  texture_.texels.reset();
  texture_.handle = {};
}

auto require_shadow(resource& of) noexcept -> HRESULT {
  if (of.contents != residence::host) return S_OK;
  if (!of.shadow.resize(static_cast<std::size_t>(of.size_bytes))) return E_OUTOFMEMORY;
  of.contents = residence::shadow;
  return S_OK;
}

auto read_from_host(device& on, resource& of) noexcept -> HRESULT {
  if (const HRESULT made = require_shadow(of); FAILED(made)) return made;
  if (!of.is_host_newer || of.layout() == nullptr) return S_OK;
  if (of.contents == residence::guest && of.is_mapped()) return E_FAIL;
  const texture_layout& layout = *of.layout();
  heap_array<std::byte> copy;  // A kernel lock must not be held while the host copies.
  const bool is_guest = of.contents == residence::guest;
  if (is_guest && !copy.resize(static_cast<std::size_t>(of.size_bytes))) return E_OUTOFMEMORY;
  std::byte* const bytes = is_guest ? copy.data() : of.shadow.data();
  for (std::uint64_t i = 0; i < layout.subresource_count(); ++i) {
    const subresource where = layout.at_index(i);
    const subresource_layout at = layout.locate(where);
    const HRESULT read = on.resources.read_back.read(on, of, where, whole_of(layout, where),
                                                     {bytes + at.offset_bytes, at.pitch_bytes});
    if (FAILED(read)) return read;
  }
  if (is_guest) {
    std::byte* mapped = nullptr;
    const HRESULT locked = on.runtime.lock(of.backing.allocation, lock_access::write, true, mapped);
    if (FAILED(locked)) return locked;
    std::memcpy(mapped, copy.data(), copy.size());
    on.runtime.unlock(of.backing.allocation);
  }
  of.is_host_newer = of.flags.is_shared || of.flags.is_standard;  // Others write it too.
  return S_OK;
}

}  // namespace aerogpu::umd

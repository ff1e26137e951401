// SPDX-License-Identifier: MIT
#include "drivers/win7/umd/d3d9/present/present_packets.hpp"

#include "drivers/win7/umd/d3d9/device/device.hpp"
#include "drivers/win7/umd/d3d9/resource/copies/read_back.hpp"
#include "drivers/win7/umd/d3d9/state/emission.hpp"
#include "drivers/win7/umd/d3d9/submit/emit.hpp"

#include <span>

namespace aerogpu::umd {

auto append_present(device& on, const surface_ref& source, std::uint32_t packet_flags,
                    std::uint32_t d3d9_flags) noexcept -> HRESULT {
  resource_handle shown{};
  bound_surfaces bound;
  HRESULT result = host_surface(on, source, shown);
  if (SUCCEEDED(result)) result = find_bound_surfaces(on, bound);
  if (FAILED(result)) return result;
  const bool is_bound = bound.colors[0] == shown;
  const std::uint64_t target_bytes = packet_bytes<aerogpu_cmd_set_render_targets>();
  const allocation_use use{source.resource->backing, false};
  result = on.commands.reserve(
      packet_bytes<aerogpu_cmd_present_ex>() + (is_bound ? 0 : 2 * target_bytes),
      std::span{&use, 1});
  if (FAILED(result)) return result;
  auto& packets = on.commands.packets();
  if (!is_bound) result = to_hresult(packets.set_render_targets(std::span{&shown, 1}, {}));
  if (SUCCEEDED(result)) result = to_hresult(packets.present_ex(0, packet_flags, d3d9_flags));
  if (SUCCEEDED(result) && !is_bound) {
    result = to_hresult(packets.set_render_targets(bound.colors, bound.depth_stencil));
  }
  source.resource->last_use = on.commands.pending_fence();
  return result;
}

auto append_write_back(device& on, const surface_ref& source) noexcept -> HRESULT {
  resource& of = *source.resource;
  const texture_layout& layout = *of.layout();
  const subresource where = layout.at_index(source.subresource);
  const subresource_layout at = layout.locate(where);
  const std::uint64_t bytes = packet_bytes<aerogpu_cmd_create_texture2d>() +
                              packet_bytes<aerogpu_cmd_copy_texture2d>() +
                              packet_bytes<aerogpu_cmd_destroy_resource>();
  const allocation_use use{of.backing, true};
  const HRESULT reserved = on.commands.reserve_write_back(bytes, std::span{&use, 1},
                                                          write_back_cost(rows_of(layout, where)));
  if (FAILED(reserved)) return reserved;
  auto& packets = on.commands.packets();
  const resource_handle copy = on.adapter.handles.next_resource();
  HRESULT result = to_hresult(packets.create_texture2d(
      {.texture = copy,
       .usage_flags = AEROGPU_RESOURCE_USAGE_TEXTURE,
       .format = static_cast<aerogpu_format>(layout.shape().format),
       .width = at.width,
       .height = at.height,
       .row_pitch_bytes = at.pitch_bytes,
       .backing = {of.backing.id, static_cast<std::uint32_t>(at.offset_bytes)}}));
  if (SUCCEEDED(result)) {
    result = to_hresult(
        packets.copy_texture2d({.destination = {copy},
                                .source = {of.handle, where.mip_level, where.array_layer},
                                .width = at.width,
                                .height = at.height,
                                .flags = AEROGPU_COPY_FLAG_WRITEBACK_DST}));
  }
  if (SUCCEEDED(result)) result = to_hresult(packets.destroy_resource(copy));
  of.last_use = on.commands.pending_fence();
  return result;
}

}  // namespace aerogpu::umd

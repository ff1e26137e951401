// SPDX-License-Identifier: MIT
#include "drivers/win7/umd/d3d9/state/emission.hpp"

#include "drivers/win7/umd/d3d9/device/device.hpp"
#include "drivers/win7/umd/d3d9/resource/resource.hpp"
#include "drivers/win7/umd/d3d9/submit/emit.hpp"

#include <algorithm>
#include <limits>

namespace aerogpu::umd {

namespace {

constexpr std::int32_t largest = std::numeric_limits<std::int32_t>::max();

/// How far `to` lies beyond `from`, at most what a scissor can say.
[[nodiscard]] constexpr auto extent(std::int32_t from, std::int32_t to) noexcept -> std::int32_t {
  const std::int64_t size = std::int64_t{to} - from;
  return static_cast<std::int32_t>(std::clamp<std::int64_t>(size, 0, largest));
}

/// The view of a subresource, created when it is first asked for.
[[nodiscard]] auto make_view(device& on, resource& of, std::uint32_t subresource,
                             resource_handle& out) noexcept -> HRESULT {
  const texture_layout& layout = *of.host_layout();
  const auto [mip, layer] = layout.at_index(subresource);
  const create_texture_view_args view{.view = on.adapter.handles.next_resource(),
                                      .texture = of.handle,
                                      .format = layout.format().value,
                                      .base_mip_level = mip,
                                      .base_array_layer = layer};
  if (!of.views.reserve_more(1)) return E_OUTOFMEMORY;
  const HRESULT sent = emit<aerogpu_cmd_create_texture_view>(
      on.commands, [&](auto& packets) { return packets.create_texture_view(view); });
  if (FAILED(sent)) return sent;
  static_cast<void>(of.views.push_back({subresource, view.view}));  // Room was made.
  out = view.view;
  return S_OK;
}

}  // namespace

auto emit_viewport(device& on, const viewport& view) noexcept -> HRESULT {
  return emit<aerogpu_cmd_set_viewport>(on.commands, [&](auto& packets) {
    return packets.set_viewport({view.x, view.y, view.width, view.height, view.min_z, view.max_z});
  });
}

auto emit_scissor(device& on, const rectangle* rect) noexcept -> HRESULT {
  const rectangle all{0, 0, largest, largest};
  const rectangle& to = rect != nullptr ? *rect : all;
  const std::int32_t width = extent(to.left, to.right), height = extent(to.top, to.bottom);
  // Four zeros would be no rectangle (host.md 3.9).
  const bool says_none = to.left == 0 && to.top == 0 && width == 0 && height == 0;
  return emit<aerogpu_cmd_set_scissor>(on.commands, [&](auto& packets) {
    return packets.set_scissor(says_none ? 1 : to.left, to.top, width, height);
  });
}

auto emit_render_targets(device& on, const std::array<resource_handle, render_target_count>& colors,
                         resource_handle depth_stencil) noexcept -> HRESULT {
  return emit<aerogpu_cmd_set_render_targets>(on.commands, [&](auto& packets) {
    return packets.set_render_targets(colors, depth_stencil);
  });
}

auto bind_input_layout(device& on, input_layout_handle layout) noexcept -> HRESULT {
  if (on.state.host.input_layout == layout) return S_OK;
  const HRESULT sent = emit<aerogpu_cmd_set_input_layout>(
      on.commands, [&](auto& packets) { return packets.set_input_layout(layout); });
  if (SUCCEEDED(sent)) on.state.host.input_layout = layout;
  return sent;
}

auto bind_shaders(device& on, shader_handle vertex, shader_handle pixel) noexcept -> HRESULT {
  host_bindings& host = on.state.host;
  if (host.vertex_shader == vertex && host.pixel_shader == pixel) return S_OK;
  const HRESULT sent = emit<aerogpu_cmd_bind_shaders>(on.commands, [&](auto& packets) {
    shader_handles handles{};
    handles[static_cast<std::size_t>(shader_stage::vertex)] = vertex;
    handles[static_cast<std::size_t>(shader_stage::pixel)] = pixel;
    return packets.bind_shaders(handles);
  });
  if (FAILED(sent)) return sent;
  host.vertex_shader = vertex;
  host.pixel_shader = pixel;
  ++host.shader_changes;
  return S_OK;
}

auto send_topology(device& on, std::uint32_t topology) noexcept -> HRESULT {
  const HRESULT sent = emit<aerogpu_cmd_set_primitive_topology>(on.commands, [&](auto& packets) {
    return packets.set_primitive_topology(static_cast<aerogpu_primitive_topology>(topology));
  });
  if (SUCCEEDED(sent)) on.state.host.topology = topology;
  return sent;
}

auto bind_private_state(device& on, private_state state, std::uint32_t value) noexcept -> HRESULT {
  const auto index = static_cast<std::uint32_t>(state);
  std::uint32_t& bound = on.state.host.private_states[index];
  if (bound == value) return S_OK;
  const HRESULT sent = emit_render_state(on, first_private_state + index, value);
  if (FAILED(sent)) return sent;
  bound = value;
  ++on.state.host.shader_changes;
  return S_OK;
}

auto effective_viewport(const device& on) noexcept -> viewport {
  const viewport& set = on.state.fixed.viewport;
  if (set.width > 0 && set.height > 0) return set;
  viewport all{};
  const surface_ref& target = on.state.render_targets[0];
  if (target.resource != nullptr && target.resource->layout() != nullptr) {
    const texture_layout& layout = *target.resource->layout();
    const auto mip = layout.at_index(target.subresource).mip_level;
    all.width = static_cast<float>(layout.width_of(mip));
    all.height = static_cast<float>(layout.height_of(mip));
    return all;
  }
  all.width = static_cast<float>(on.adapter.facts().primary_width);
  all.height = static_cast<float>(on.adapter.facts().primary_height);
  return all;
}

auto send_viewport(device& on) noexcept -> HRESULT {
  // Size 0 means all of the target to the host too, and stays true when the target changes.
  viewport sent = on.state.fixed.viewport;
  if (on.state.host.has_screen_depth) {
    sent.min_z = 0;
    sent.max_z = 1;
  }
  return emit_viewport(on, sent);
}

auto use_screen_depth(device& on, bool is_wanted) noexcept -> HRESULT {
  if (on.state.host.has_screen_depth == is_wanted) return S_OK;
  on.state.host.has_screen_depth = is_wanted;
  ++on.state.host.shader_changes;
  const viewport& set = on.state.fixed.viewport;
  const bool is_same = set.min_z == 0 && set.max_z == 1;
  return is_same ? S_OK : send_viewport(on);
}

auto send_scissor(device& on) noexcept -> HRESULT {
  if (on.state.render_states[D3DRS_SCISSORTESTENABLE] == 0) return emit_scissor(on, nullptr);
  if (on.state.has_scissor_rect) return emit_scissor(on, &on.state.scissor_rect);
  const viewport view = effective_viewport(on);
  const auto pixel = [](float at) { return static_cast<std::int32_t>(std::clamp(at, 0.0f, 1e9f)); };
  const rectangle visible{pixel(view.x), pixel(view.y), pixel(view.x + view.width),
                          pixel(view.y + view.height)};
  return emit_scissor(on, &visible);
}

auto send_render_targets(device& on) noexcept -> HRESULT {
  bound_surfaces bound;
  const HRESULT found = find_bound_surfaces(on, bound);
  return FAILED(found) ? found : emit_render_targets(on, bound.colors, bound.depth_stencil);
}

auto send_target_states(device& on) noexcept -> HRESULT {
  constexpr std::array<std::uint32_t, target_state_count> states{
      D3DRS_COLORWRITEENABLE, D3DRS_COLORWRITEENABLE1, D3DRS_COLORWRITEENABLE2,
      D3DRS_COLORWRITEENABLE3, D3DRS_STENCILENABLE};
  for (std::size_t i = 0; i < states.size(); ++i) {
    const bool is_told = on.state.host.target_states[i] == host_render_state(on.state, states[i]);
    const HRESULT sent = is_told ? S_OK : send_render_state(on, states[i]);
    if (FAILED(sent)) return sent;
  }
  return S_OK;
}

auto find_bound_surfaces(device& on, bound_surfaces& out) noexcept -> HRESULT {
  const device_state& state = on.state;
  for (std::size_t i = 0; i < render_target_count; ++i) {
    const HRESULT found = host_surface(on, state.render_targets[i], out.colors[i]);
    if (FAILED(found)) return found;
  }
  return host_surface(on, state.depth_stencil, out.depth_stencil);
}

auto host_surface(device& on, const surface_ref& surface, resource_handle& out) noexcept
    -> HRESULT {
  out = {};
  resource* const of = surface.resource;
  if (of == nullptr || of->handle == resource_handle{} || of->layout() == nullptr) return S_OK;
  if (surface.subresource >= of->layout()->subresource_count()) return D3DERR_INVALIDCALL;
  if (of->layout()->subresource_count() == 1) {
    out = of->handle;
    return S_OK;
  }
  for (const subresource_view& view : of->views) {
    if (view.subresource != surface.subresource) continue;
    out = view.handle;
    return S_OK;
  }
  return make_view(on, *of, surface.subresource, out);
}

}  // namespace aerogpu::umd

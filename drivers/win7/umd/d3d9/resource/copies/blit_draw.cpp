// SPDX-License-Identifier: MIT
#include "drivers/win7/umd/d3d9/resource/copies/blit_draw.hpp"

#include "drivers/win7/umd/d3d9/device/device.hpp"
#include "drivers/win7/umd/d3d9/draw/draw_bindings.hpp"
#include "drivers/win7/umd/d3d9/resource/copies/blit_program.hpp"
#include "drivers/win7/umd/d3d9/resource/copies/target_override.hpp"
#include "drivers/win7/umd/d3d9/resource/surfaces.hpp"
#include "drivers/win7/umd/d3d9/shader/declaration.hpp"
#include "drivers/win7/umd/d3d9/state/emission.hpp"
#include "drivers/win7/umd/d3d9/submit/emit.hpp"

#include <array>
#include <utility>

namespace aerogpu::umd {

namespace {

using quad = std::array<blit_program::vertex, 4>;

/// A strip: edges on edges of pixels, as the host rasterises (umd-d3d9.md 3.11).
[[nodiscard]] auto make_quad(const blit_request& request) noexcept -> quad {
  const rectangle to = bounds_of(request.to), from = bounds_of(request.from);
  const auto share = [](std::int32_t at, std::int32_t size) {
    return static_cast<float>(at) / static_cast<float>(size);
  };
  const auto clip_x = [&](std::int32_t at) { return 2 * share(at, to.right) - 1; };
  const auto clip_y = [&](std::int32_t at) { return 1 - 2 * share(at, to.bottom); };
  const float left = clip_x(request.to_area.left), right = clip_x(request.to_area.right);
  const float top = clip_y(request.to_area.top), bottom = clip_y(request.to_area.bottom);
  float u0 = share(request.from_area.left, from.right);
  float u1 = share(request.from_area.right, from.right);
  float v0 = share(request.from_area.top, from.bottom);
  float v1 = share(request.from_area.bottom, from.bottom);
  if (request.mirrors_x) std::swap(u0, u1);
  if (request.mirrors_y) std::swap(v0, v1);
  return {{{left, top, 0, 1, u0, v0},
           {right, top, 0, 1, u1, v0},
           {left, bottom, 0, 1, u0, v1},
           {right, bottom, 0, 1, u1, v1}}};
}

struct render_setting {
  D3DRENDERSTATETYPE state;
  std::uint32_t value;
};
constexpr std::array opaque_settings{
    render_setting{D3DRS_ZENABLE, 0},
    render_setting{D3DRS_ZWRITEENABLE, 0},
    render_setting{D3DRS_ALPHATESTENABLE, 0},
    render_setting{D3DRS_ALPHABLENDENABLE, 0},
    render_setting{D3DRS_CULLMODE, D3DCULL_NONE},
    render_setting{D3DRS_FILLMODE, D3DFILL_SOLID},
    render_setting{D3DRS_STENCILENABLE, 0},
    render_setting{D3DRS_SRGBWRITEENABLE, 0},
    render_setting{D3DRS_FOGENABLE, 0},
    render_setting{D3DRS_CLIPPLANEENABLE, 0},
};
constexpr std::array blend_settings{
    render_setting{D3DRS_ALPHABLENDENABLE, 1},
    render_setting{D3DRS_SRCBLEND, D3DBLEND_SRCALPHA},
    render_setting{D3DRS_DESTBLEND, D3DBLEND_INVSRCALPHA},
    render_setting{D3DRS_BLENDOP, D3DBLENDOP_ADD},
    render_setting{D3DRS_SEPARATEALPHABLENDENABLE, 0},
};

[[nodiscard]] auto use_states(target_override& state, const blit_request& request) noexcept
    -> HRESULT {
  HRESULT sent = S_OK;
  const auto use_all = [&](std::span<const render_setting> settings) {
    for (const render_setting& each : settings) {
      if (SUCCEEDED(sent)) sent = state.use_render_state(each.state, each.value);
    }
  };
  use_all(opaque_settings);
  const std::uint32_t written = request.to.resource->reads_opaque_alpha ? color_channels : 0xF;
  if (SUCCEEDED(sent)) sent = state.use_render_state(D3DRS_COLORWRITEENABLE, written);
  if (request.blends) use_all(blend_settings);
  const std::uint32_t filter = request.is_linear ? D3DTEXF_LINEAR : D3DTEXF_POINT;
  const std::array<std::pair<D3DSAMPLERSTATETYPE, std::uint32_t>, 8> sampler{{
      {D3DSAMP_ADDRESSU, D3DTADDRESS_CLAMP},
      {D3DSAMP_ADDRESSV, D3DTADDRESS_CLAMP},
      {D3DSAMP_MAGFILTER, filter},
      {D3DSAMP_MINFILTER, filter},
      {D3DSAMP_MIPFILTER, D3DTEXF_NONE},
      {D3DSAMP_MIPMAPLODBIAS, 0},
      {D3DSAMP_MAXMIPLEVEL, 0},
      {D3DSAMP_SRGBTEXTURE, 0},
  }};
  for (const auto& [which, value] : sampler) {
    if (SUCCEEDED(sent)) sent = state.use_sampler_state(which, value);
  }
  return sent;
}

/// The packet, with everything that the host may look at while it draws.
[[nodiscard]] auto send_quad(device& on, const blit_request& request) noexcept -> HRESULT {
  draw_uses& bound = on.scratch.uses;
  bound.gather(on.state);
  std::array<allocation_use, 64> uses{};
  std::size_t count = 0;
  for (const allocation_use& each : bound.memory()) uses[count++] = each;
  uses[count++] = {request.to.resource->backing, true};
  uses[count++] = {request.from.resource->backing, false};
  const HRESULT reserved =
      on.commands.reserve(packet_bytes<aerogpu_cmd_draw>(), std::span{uses}.first(count));
  if (FAILED(reserved)) return reserved;
  const HRESULT drawn = to_hresult(on.commands.packets().draw(4));
  request.to.resource->last_use = on.commands.pending_fence();
  request.from.resource->last_use = request.to.resource->last_use;
  request.to.resource->is_host_newer = true;
  return drawn;
}

/// The layout of the application again; its shaders the next draw binds.
class layout_override {
 public:
  explicit layout_override(device& on) noexcept : on_(on) {}
  layout_override(const layout_override&) = delete;
  auto operator=(const layout_override&) -> layout_override& = delete;
  ~layout_override() {
    const vertex_declaration* const set = on_.state.declaration;
    static_cast<void>(bind_input_layout(on_, set != nullptr ? set->handle : input_layout_handle{}));
  }

 private:
  device& on_;
};

}  // namespace

auto draw_blit(device& on, const blit_request& request) noexcept -> HRESULT {
  resource_handle source{};
  HRESULT sent = host_surface(on, request.from, source);
  if (FAILED(sent)) return sent;
  const rectangle size = bounds_of(request.to);
  target_override state{on};
  binding_override vertices{on};
  const layout_override layout{on};
  const quad corners = make_quad(request);
  sent = state.use_color(request.to);
  if (SUCCEEDED(sent)) {
    sent = state.use_viewport(
        {0, 0, static_cast<float>(size.right), static_cast<float>(size.bottom), 0, 1});
  }
  if (SUCCEEDED(sent)) sent = state.use_scissor(request.to_area);
  if (SUCCEEDED(sent)) sent = use_states(state, request);
  if (SUCCEEDED(sent)) sent = state.use_texture(source);
  if (SUCCEEDED(sent)) sent = on.resources.blits.bind(on);
  if (SUCCEEDED(sent)) {
    sent =
        vertices.use_vertices(0, std::as_bytes(std::span{corners}), sizeof(blit_program::vertex));
  }
  if (SUCCEEDED(sent)) sent = bind_topology(on, AEROGPU_TOPOLOGY_TRIANGLESTRIP);
  return SUCCEEDED(sent) ? send_quad(on, request) : sent;
}

}  // namespace aerogpu::umd

/// \file Creation, reset and end of a device, with its swap chain.
#include "drivers/sim/runtime/d3d9_device.hpp"

#include "drivers/sim/kernel/thunks.hpp"
#include "drivers/sim/runtime/default_states.hpp"
#include "drivers/sim/runtime/results.hpp"

#include <algorithm>

namespace aerogpu::sim {
namespace {

using table = D3DDDI_DEVICEFUNCS;

[[nodiscard]] auto own_source(const ddi_device& device, D3DKMT_VIDPNSOURCEOWNER_TYPE type)
    -> HRESULT {
  const D3DDDI_VIDEO_PRESENT_SOURCE_ID source = 0;
  const bool is_given_back = type == D3DKMT_VIDPNSOURCEOWNER_UNOWNED;
  const D3DKMT_SETVIDPNSOURCEOWNER wanted{device.kernel_device(), &type, &source,
                                          is_given_back ? 0u : 1u};
  return to_hresult(D3DKMTSetVidPnSourceOwner(&wanted));
}

}  // namespace

d3d9_device::d3d9_device(d3d9_adapter& of) : adapter(of), ddi(of.ddi) {}

d3d9_device::~d3d9_device() {
  if (ddi.is_created()) destroy();
}

/// umd-d3d9.md 6.5, and what the API fills in.
auto d3d9_device::check_parameters(D3DPRESENT_PARAMETERS& wanted) -> HRESULT {
  constexpr UINT most_buffers = 30;
  const auto mode = adapter.display_mode();
  if (!mode || wanted.SwapEffect < D3DSWAPEFFECT_DISCARD ||
      wanted.SwapEffect > D3DSWAPEFFECT_FLIPEX || wanted.SwapEffect == D3DSWAPEFFECT_OVERLAY) {
    return D3DERR_INVALIDCALL;
  }
  const bool is_windowed = wanted.Windowed != 0;
  if (is_windowed && wanted.FullScreen_RefreshRateInHz != 0) return D3DERR_INVALIDCALL;
  if (wanted.BackBufferCount == 0) wanted.BackBufferCount = 1;
  const bool is_copy = wanted.SwapEffect == D3DSWAPEFFECT_COPY;
  if (wanted.BackBufferCount > (is_copy ? 1 : most_buffers)) return D3DERR_INVALIDCALL;
  if (wanted.BackBufferFormat == D3DFMT_UNKNOWN) wanted.BackBufferFormat = mode->Format;
  const bool has_size = wanted.BackBufferWidth != 0 && wanted.BackBufferHeight != 0;
  if (!has_size && !is_windowed) return D3DERR_INVALIDCALL;
  if (!has_size) {
    const auto& client = window.client;
    const bool has_place = client.left < client.right;
    wanted.BackBufferWidth =
        has_place ? static_cast<UINT>(client.right - client.left) : mode->Width;
    wanted.BackBufferHeight =
        has_place ? static_cast<UINT>(client.bottom - client.top) : mode->Height;
  }
  desktop_width_ = mode->Width;
  desktop_height_ = mode->Height;
  return S_OK;
}

auto d3d9_device::create(const D3DPRESENT_PARAMETERS& wanted) -> HRESULT {
  wanted_ = wanted;
  auto result = check_parameters(wanted_);
  if (FAILED(result)) return result;
  result = ddi.create();
  if (FAILED(result)) return result;
  result = create_chain();
  if (FAILED(result)) {
    destroy();
    return result;
  }
  send_default_states();
  bind_chain();
  return S_OK;
}

auto d3d9_device::create_chain() -> HRESULT {
  const bool is_full_screen = wanted_.Windowed == 0;
  resource_description buffer;
  buffer.format = wanted_.BackBufferFormat;
  buffer.usage = D3DUSAGE_RENDERTARGET;
  buffer.width = wanted_.BackBufferWidth;
  buffer.height = wanted_.BackBufferHeight;
  buffer.is_lockable = (wanted_.Flags & D3DPRESENTFLAG_LOCKABLE_BACKBUFFER) != 0 ? 1 : 0;
  buffer.is_primary = is_full_screen ? 1 : 0;
  const auto count = wanted_.BackBufferCount + (is_full_screen ? 1 : 0);
  for (UINT i = 0; i < count; ++i) {
    d3d9_resource* made = nullptr;
    const auto result = create_resource(buffer, made);
    if (FAILED(result)) return result;
    chain_.push_back(made);
  }
  if (is_full_screen) {
    if (const auto result = enter_full_screen(); FAILED(result)) return result;
  }
  if (wanted_.EnableAutoDepthStencil == 0) return S_OK;
  return create_depth_stencil_surface(buffer.width, buffer.height, wanted_.AutoDepthStencilFormat,
                                      depth_);
}

/// The front buffer is shown first.
auto d3d9_device::enter_full_screen() -> HRESULT {
  {
    const process_scope here{ddi.process().id};
    const auto owned = own_source(ddi, D3DKMT_VIDPNSOURCEOWNER_EXCLUSIVE);
    if (FAILED(owned)) return owned;
  }
  const D3DDDIARG_SETDISPLAYMODE mode{chain_.back()->names.driver, 0};
  const auto result = ddi.send<&table::pfnSetDisplayMode>(mode);
  desktop_width_ = wanted_.BackBufferWidth;
  desktop_height_ = wanted_.BackBufferHeight;
  return result;
}

void d3d9_device::leave_full_screen() {
  const process_scope here{ddi.process().id};
  static_cast<void>(own_source(ddi, D3DKMT_VIDPNSOURCEOWNER_UNOWNED));
}

void d3d9_device::destroy_chain() {
  if (wanted_.Windowed == 0) leave_full_screen();
  for (auto* one : chain_) static_cast<void>(release(one));
  chain_.clear();
  if (depth_ != nullptr) static_cast<void>(release(depth_));
}

auto d3d9_device::destroy() -> HRESULT {
  destroy_chain();
  while (!resources_.empty()) {
    auto* one = resources_.back().get();
    static_cast<void>(release(one));
  }
  for (const auto& [format, declaration] : formats_)
    static_cast<void>(delete_vertex_declaration(declaration));
  formats_.clear();
  lights_.clear();
  targets_ = {};
  is_in_scene_ = false;
  presents_ = 0;
  return ddi.destroy();
}

auto d3d9_device::reset_ex(const D3DPRESENT_PARAMETERS& wanted) -> HRESULT {
  auto next = wanted;
  auto result = check_parameters(next);
  if (FAILED(result)) return result;
  result = flush();
  if (FAILED(result)) return result;
  is_in_scene_ = false;
  destroy_chain();
  wanted_ = next;
  result = create_chain();
  if (FAILED(result)) return result;
  bind_chain();
  return S_OK;
}

auto d3d9_device::get_back_buffer(UINT index) -> d3d9_surface {
  return index < wanted_.BackBufferCount && index < chain_.size() ? d3d9_surface{chain_[index], 0}
                                                                  : d3d9_surface{};
}

void d3d9_device::bind_chain() {
  static_cast<void>(set_render_target(0, get_back_buffer(0)));
  if (depth_ != nullptr) static_cast<void>(set_depth_stencil_surface({depth_, 0}));
}

void d3d9_device::send_default_states() {
  constexpr DWORD stages = 8;
  constexpr DWORD samplers = 16;
  constexpr float largest_point = 64;
  for (const auto& one : default_render_states()) set_render_state(one.state, one.value);
  set_render_state(D3DRS_ZENABLE, depth_ != nullptr ? D3DZB_TRUE : D3DZB_FALSE);
  D3DCAPS9 caps{};
  const bool has_caps = SUCCEEDED(adapter.get_device_caps(caps)) && caps.MaxPointSize > 0;
  set_render_state(D3DRS_POINTSIZE_MAX, float_bits(has_caps ? caps.MaxPointSize : largest_point));
  for (DWORD stage = 0; stage < stages; ++stage) {
    for (const auto& one : default_stage_states())
      set_texture_stage_state(stage, one.state, stage == 0 ? one.first_stage : one.other_stages);
    set_texture_stage_state(stage, D3DTSS_TEXCOORDINDEX, stage);
  }
  const auto send_sampler = [&](DWORD sampler) {
    for (const auto& one : default_sampler_states())
      set_sampler_state(sampler, one.state, one.value);
  };
  for (DWORD sampler = 0; sampler < samplers; ++sampler) send_sampler(sampler);
  for (DWORD sampler = D3DDMAPSAMPLER; sampler <= D3DVERTEXTEXTURESAMPLER3; ++sampler)
    send_sampler(sampler);
}

}  // namespace aerogpu::sim

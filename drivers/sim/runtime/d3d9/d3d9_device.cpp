// SPDX-License-Identifier: MIT
/// \file Creation, reset and end of a device, with its swap chain.
#include "drivers/sim/runtime/d3d9/d3d9_device.hpp"

#include "drivers/sim/runtime/d3d9/default_states.hpp"

#include <vector>

namespace aerogpu::sim {

d3d9_device::d3d9_device(d3d9_adapter& of)
    : adapter(of), ddi(of.ddi), implicit(*this), window(implicit.window) {}

d3d9_device::~d3d9_device() {
  if (ddi.is_created()) destroy();
}

auto d3d9_device::create(const D3DPRESENT_PARAMETERS& wanted) -> HRESULT {
  auto chosen = wanted;
  auto result = implicit.check_parameters(chosen);
  if (FAILED(result)) return result;
  result = ddi.create();
  if (FAILED(result)) return result;
  result = create_chain(chosen);
  if (FAILED(result)) {
    destroy();
    return result;
  }
  send_default_states();
  bind_chain();
  return S_OK;
}

auto d3d9_device::create_chain(const D3DPRESENT_PARAMETERS& wanted) -> HRESULT {
  if (const auto mode = adapter.display_mode()) {
    desktop_width_ = mode->Width;
    desktop_height_ = mode->Height;
  }
  const auto result = implicit.create(wanted);
  if (FAILED(result)) return result;
  if (wanted.Windowed == 0) {
    desktop_width_ = wanted.BackBufferWidth;
    desktop_height_ = wanted.BackBufferHeight;
  }
  if (wanted.EnableAutoDepthStencil == 0) return S_OK;
  return create_depth_stencil_surface(wanted.BackBufferWidth, wanted.BackBufferHeight,
                                      wanted.AutoDepthStencilFormat, depth_);
}

void d3d9_device::destroy_chain() {
  implicit.destroy();
  if (depth_ != nullptr) static_cast<void>(release(depth_));
}

auto d3d9_device::video_memory_bytes() const -> std::uint64_t {
  std::uint64_t sum = 0;
  for (const auto& one : resources_) {
    if (one->description.pool != D3DPOOL_DEFAULT) continue;
    for (const auto& part : one->subresources)
      sum += std::uint64_t{part.slice_pitch_bytes} * part.depth;
  }
  return sum;
}

auto d3d9_device::destroy() -> HRESULT {
  const auto result = leave_driver();
  resources_.clear();
  return result;
}

auto d3d9_device::reset_ex(const D3DPRESENT_PARAMETERS& wanted) -> HRESULT {
  auto next = wanted;
  auto result = implicit.check_parameters(next);
  if (FAILED(result)) return result;
  result = flush();
  if (FAILED(result)) return result;
  is_in_scene_ = false;
  destroy_chain();
  result = create_chain(next);
  if (FAILED(result)) return result;
  bind_chain();
  return S_OK;
}

/// The driver's device and all that it holds; what is in system memory stays the runtime's.
auto d3d9_device::leave_driver() -> HRESULT {
  destroy_chain();
  for (const auto& one : resources_) {
    static_cast<void>(ddi.destroy_resource(one->names));
    one->names = {};
  }
  std::erase_if(resources_, [](const auto& one) { return !one->is_in_system_memory(); });
  for (const auto& [format, declaration] : formats_)
    static_cast<void>(delete_vertex_declaration(declaration));
  formats_.clear();
  lights_.clear();
  targets_ = {};
  is_in_scene_ = false;
  return ddi.is_created() ? ddi.destroy() : S_OK;
}

auto d3d9_device::recreate(const D3DPRESENT_PARAMETERS& wanted) -> HRESULT {
  auto next = wanted;
  auto result = implicit.check_parameters(next);
  if (FAILED(result)) return result;
  static_cast<void>(leave_driver());
  result = ddi.create();
  for (std::size_t i = 0; SUCCEEDED(result) && i < resources_.size(); ++i)
    result = make_resource(*resources_[i]);
  if (SUCCEEDED(result)) result = create_chain(next);
  if (FAILED(result)) {
    static_cast<void>(leave_driver());
    return result;
  }
  send_default_states();
  bind_chain();
  return S_OK;
}

void d3d9_device::bind_chain() {
  static_cast<void>(set_render_target(0, implicit.back_buffer(0)));
  if (depth_ != nullptr) static_cast<void>(set_depth_stencil_surface({depth_, 0}));
}

void d3d9_device::send_default_states() {
  D3DCAPS9 caps{};
  const bool has_caps = SUCCEEDED(adapter.get_device_caps(caps));
  set_default_states(*this, {depth_ != nullptr, has_caps ? caps.MaxPointSize : 0});
}

}  // namespace aerogpu::sim

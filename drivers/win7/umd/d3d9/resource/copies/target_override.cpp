// SPDX-License-Identifier: MIT
#include "drivers/win7/umd/d3d9/resource/copies/target_override.hpp"

#include "aerogpu/core/check.hpp"
#include "drivers/win7/umd/d3d9/device/device.hpp"
#include "drivers/win7/umd/d3d9/resource/resource.hpp"
#include "drivers/win7/umd/d3d9/state/emission.hpp"

namespace aerogpu::umd {

// What cannot be sent any more was lost with the device.
target_override::~target_override() {
  device& on = device_;
  if (has_targets_) static_cast<void>(send_render_targets(on));
  if (has_viewport_) static_cast<void>(send_viewport(on));
  restore_states();
  if (has_texture_) {
    const resource* const bound = on.state.textures[0];
    static_cast<void>(emit_texture(on, 0, bound != nullptr ? bound->handle : resource_handle{}));
  }
  if (!has_scissor_) return;
  static_cast<void>(send_render_state(on, D3DRS_SCISSORTESTENABLE));
  static_cast<void>(send_scissor(on));
}

void target_override::restore_states() noexcept {
  const device_state& state = device_.state;
  for (std::size_t i = 0; i < render_state_count_; ++i) {
    static_cast<void>(send_render_state(device_, render_states_[i]));
  }
  for (std::uint32_t each = 0; each < sampler_state_count; ++each) {
    if ((sampler_states_ >> each & 1) == 0) continue;
    static_cast<void>(emit_sampler_state(device_, 0, each, host_sampler_state(state, 0, each)));
  }
}

auto target_override::use_color(const surface_ref& target) noexcept -> HRESULT {
  resource_handle handle{};
  if (const HRESULT found = host_surface(device_, target, handle); FAILED(found)) return found;
  has_targets_ = true;
  return emit_render_targets(device_, {handle}, {});
}

auto target_override::use_depth(const surface_ref& target) noexcept -> HRESULT {
  resource_handle handle{};
  if (const HRESULT found = host_surface(device_, target, handle); FAILED(found)) return found;
  has_targets_ = true;
  return emit_render_targets(device_, {}, handle);
}

auto target_override::use_scissor(const rectangle& area) noexcept -> HRESULT {
  has_scissor_ = true;
  const HRESULT enabled = emit_render_state(device_, D3DRS_SCISSORTESTENABLE, 1);
  return FAILED(enabled) ? enabled : emit_scissor(device_, &area);
}

auto target_override::use_viewport(const viewport& view) noexcept -> HRESULT {
  has_viewport_ = true;
  return emit_viewport(device_, view);
}

auto target_override::use_render_state(D3DRENDERSTATETYPE state, std::uint32_t value) noexcept
    -> HRESULT {
  AEROGPU_CHECK(render_state_count_ < render_states_.size());
  render_states_[render_state_count_++] = static_cast<std::uint32_t>(state);
  return emit_render_state(device_, static_cast<std::uint32_t>(state), value);
}

auto target_override::use_texture(resource_handle texture) noexcept -> HRESULT {
  has_texture_ = true;
  return emit_texture(device_, 0, texture);
}

auto target_override::use_sampler_state(D3DSAMPLERSTATETYPE state, std::uint32_t value) noexcept
    -> HRESULT {
  sampler_states_ |= 1u << static_cast<std::uint32_t>(state);
  return emit_sampler_state(device_, 0, static_cast<std::uint32_t>(state), value);
}

}  // namespace aerogpu::umd

// SPDX-License-Identifier: MIT
/// \file Setters of the fixed-function pipeline: nothing of it is sent before a draw.
#include "drivers/win7/umd/d3d9/device/device.hpp"
#include "drivers/win7/umd/d3d9/state/setters.hpp"

namespace aerogpu::umd {

namespace {

[[nodiscard]] auto product(const D3DMATRIX& a, const D3DMATRIX& b) noexcept -> D3DMATRIX {
  D3DMATRIX c{};
  for (std::size_t row = 0; row < 4; ++row) {
    for (std::size_t column = 0; column < 4; ++column) {
      for (std::size_t k = 0; k < 4; ++k) c.m[row][column] += a.m[row][k] * b.m[k][column];
    }
  }
  return c;
}

/// What LightEnable enables when no light was set (the API's documented default).
[[nodiscard]] auto default_light() noexcept -> D3DLIGHT9 {
  D3DLIGHT9 white{};
  white.Type = D3DLIGHT_DIRECTIONAL;
  white.Diffuse = {1, 1, 1, 0};
  white.Direction = {0, 0, 1};
  return white;
}

/// The newest of PROJECTION and the range of w counts: a runtime makes one from the other.
void note_transform(device& on, std::uint32_t transform) noexcept {
  if (transform == D3DTS_PROJECTION) on.state.fixed.has_w_fog.reset();
  ++on.state.fixed_changes;
}

/// The light of an index, made when it is new; null without memory.
[[nodiscard]] auto light_at(device& on, std::uint32_t index) noexcept -> light* {
  if (index == 0xFFFFFFFF) return nullptr;  // No key.
  const auto key = static_cast<light_key>(index + 1);
  if (light* const known = on.state.fixed.lights.find(key)) return known;
  return on.state.fixed.lights.insert(key, {default_light(), false}).first;
}

}  // namespace

auto set_transform(device& on, std::uint32_t transform, const D3DMATRIX& matrix) noexcept
    -> HRESULT {
  if (transform >= transform_count) return E_INVALIDARG;
  if (on.blocks.is_recording()) {
    return on.blocks.record_value({state_group::transform, 0, transform}, matrix);
  }
  on.state.fixed.transforms[transform] = matrix;
  note_transform(on, transform);
  return S_OK;
}

auto multiply_transform(device& on, std::uint32_t transform, const D3DMATRIX& matrix) noexcept
    -> HRESULT {
  if (transform >= transform_count) return E_INVALIDARG;
  // The API records no MultiplyTransform: it acts at once.
  D3DMATRIX& now = on.state.fixed.transforms[transform];
  now = product(matrix, now);
  note_transform(on, transform);
  return S_OK;
}

auto set_w_range(device& on, float nearest, float farthest) noexcept -> HRESULT {
  on.state.fixed.has_w_fog = nearest != 1 || farthest != 1;
  ++on.state.fixed_changes;
  return S_OK;
}

auto set_material(device& on, const D3DMATERIAL9& material) noexcept -> HRESULT {
  if (on.blocks.is_recording()) return on.blocks.record_value({state_group::material}, material);
  on.state.fixed.material = material;
  ++on.state.fixed_changes;
  return S_OK;
}

auto set_light(device& on, std::uint32_t index, const D3DLIGHT9& values) noexcept -> HRESULT {
  if (on.blocks.is_recording())
    return on.blocks.record_value({state_group::light, 0, index}, values);
  light* const set = light_at(on, index);
  if (set == nullptr) return E_OUTOFMEMORY;
  set->values = values;
  ++on.state.fixed_changes;
  return S_OK;
}

auto enable_light(device& on, std::uint32_t index, bool is_enabled) noexcept -> HRESULT {
  const std::uint32_t value = is_enabled ? 1 : 0;
  if (on.blocks.is_recording())
    return on.blocks.record_value({state_group::light_enable, 0, index}, value);
  light* const set = light_at(on, index);
  if (set == nullptr) return E_OUTOFMEMORY;
  set->is_enabled = is_enabled;
  ++on.state.fixed_changes;
  return S_OK;
}

auto destroy_light(device& on, std::uint32_t index) noexcept -> HRESULT {
  if (index != 0xFFFFFFFF) on.state.fixed.lights.erase(static_cast<light_key>(index + 1));
  ++on.state.fixed_changes;
  return S_OK;
}

auto set_clip_plane(device& on, std::uint32_t index, const float_register& plane) noexcept
    -> HRESULT {
  if (index >= clip_plane_count) return E_INVALIDARG;
  if (on.blocks.is_recording()) {
    return on.blocks.record_value({state_group::clip_plane, static_cast<std::uint8_t>(index)},
                                  plane);
  }
  on.state.fixed.clip_planes[index] = plane;
  ++on.state.fixed_changes;
  return S_OK;
}

}  // namespace aerogpu::umd

// SPDX-License-Identifier: MIT
/// \file States that are numbers.
#include "drivers/sim/runtime/d3d9/default_states.hpp"
#include "drivers/wine/d3d9/root/device.hpp"
#include "drivers/wine/d3d9/state/keep.hpp"
#include "drivers/wine/d3d9/state/matrix.hpp"

namespace aerogpu::d3d9 {
namespace {

[[nodiscard]] auto has_meaning(DWORD transform) -> bool {
  return transform == D3DTS_VIEW || transform == D3DTS_PROJECTION || transform >= D3DTS_WORLD ||
         (transform >= D3DTS_TEXTURE0 && transform <= D3DTS_TEXTURE7);
}

}  // namespace

void device_states::set_render_state(DWORD state, DWORD value) {
  const bool is_new = keep([=](state_values& in) -> DWORD& { return in.render[state]; },
                           [=](state_mask& in) { return in.render[state]; }, value);
  if (is_new)
    static_cast<void>(
        device_.below.set_render_state(static_cast<D3DRENDERSTATETYPE>(state), value));
}

void device_states::set_sampler_state(std::size_t place, DWORD state, DWORD value) {
  const bool is_new = keep([=](state_values& in) -> DWORD& { return in.samplers[place][state]; },
                           [=](state_mask& in) { return in.samplers[place][state]; }, value);
  if (!is_new) return;
  static_cast<void>(device_.below.set_sampler_state(
      sampler_at(place), static_cast<D3DSAMPLERSTATETYPE>(state), value));
}

void device_states::set_stage_state(DWORD stage, DWORD state, DWORD value) {
  const bool is_new = keep([=](state_values& in) -> DWORD& { return in.stages[stage][state]; },
                           [=](state_mask& in) { return in.stages[stage][state]; }, value);
  if (!is_new) return;
  static_cast<void>(device_.below.set_texture_stage_state(
      stage, static_cast<D3DTEXTURESTAGESTATETYPE>(state), value));
}

void device_states::set_transform(DWORD which, const D3DMATRIX& matrix) {
  const bool is_new = keep([=](state_values& in) -> D3DMATRIX& { return in.transforms[which]; },
                           [=](state_mask& in) { return in.transforms[which]; }, matrix);
  if (!is_new || !has_meaning(which)) return;
  static_cast<void>(device_.below.set_transform(static_cast<D3DTRANSFORMSTATETYPE>(which), matrix));
}

void device_states::multiply_transform(DWORD which, const D3DMATRIX& matrix) {
  const bool was_known = known_.transforms[which];
  auto& kept = now_.transforms[which];
  kept = product_of(matrix, kept);
  known_.transforms.set(which);
  if (!has_meaning(which)) return;
  const auto type = static_cast<D3DTRANSFORMSTATETYPE>(which);
  static_cast<void>(was_known ? device_.below.multiply_transform(type, matrix)
                              : device_.below.set_transform(type, kept));
}

void device_states::set_clip_plane(DWORD index, const float_register& plane) {
  const bool is_new =
      keep([=](state_values& in) -> float_register& { return in.clip_planes[index]; },
           [=](state_mask& in) { return in.clip_planes[index]; }, plane);
  if (is_new) static_cast<void>(device_.below.set_clip_plane(index, plane));
}

void device_states::set_light(DWORD index, const D3DLIGHT9& light) {
  if (recorded_ != nullptr) {
    recorded_->values.lights[index] = light;
    return;
  }
  const auto [kept, is_new] = now_.lights.try_emplace(index, light);
  if (!is_new && is_same_value(kept->second, light)) return;
  kept->second = light;
  now_.lit.try_emplace(index, false);
  static_cast<void>(device_.below.set_light(index, light));
}

void device_states::enable_light(DWORD index, bool is_enabled) {
  if (recorded_ != nullptr) {
    recorded_->values.lit[index] = is_enabled;
    return;
  }
  if (!now_.lights.contains(index)) set_light(index, sim::default_light());
  const auto [kept, is_new] = now_.lit.try_emplace(index, is_enabled);
  if (!is_new && kept->second == is_enabled) return;
  kept->second = is_enabled;
  static_cast<void>(device_.below.light_enable(index, is_enabled));
}

void device_states::set_viewport(const D3DVIEWPORT9& viewport) {
  const bool is_new = keep([](state_values& in) -> D3DVIEWPORT9& { return in.viewport; },
                           [](state_mask& in) -> bool& { return in.viewport; }, viewport);
  if (is_new) static_cast<void>(device_.below.set_viewport(viewport));
}

void device_states::set_scissor(const RECT& area) {
  const bool is_new = keep([](state_values& in) -> RECT& { return in.scissor; },
                           [](state_mask& in) -> bool& { return in.scissor; }, area);
  if (is_new) static_cast<void>(device_.below.set_scissor_rect(area));
}

void device_states::set_material(const D3DMATERIAL9& material) {
  const bool is_new = keep([](state_values& in) -> D3DMATERIAL9& { return in.material; },
                           [](state_mask& in) -> bool& { return in.material; }, material);
  if (is_new) static_cast<void>(device_.below.set_material(material));
}

void device_states::set_npatch_segments(float segments) {
  const bool is_new = keep([](state_values& in) -> float& { return in.npatch_segments; },
                           [](state_mask& in) -> bool& { return in.npatch_segments; }, segments);
  if (is_new) static_cast<void>(device_.below.set_npatch_mode(segments));
}

void device_states::set_palette(UINT palette) {
  static_cast<void>(keep([](state_values& in) -> UINT& { return in.palette; },
                         [](state_mask& in) -> bool& { return in.palette; }, palette));
}

}  // namespace aerogpu::d3d9

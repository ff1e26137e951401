// SPDX-License-Identifier: MIT
/// \file Recording, capturing and applying.
#include "drivers/wine/d3d9/root/device.hpp"
#include "drivers/wine/d3d9/state/device_states.hpp"

namespace aerogpu::d3d9 {
namespace {

template <std::size_t N, class Work>
void for_each(const std::bitset<N>& set, Work work) {
  for (std::size_t i = 0; i < N; ++i)
    if (set[i]) work(i);
}

/// Runs of neighbours: constants are sent by the run.
template <std::size_t N, class Work>
void for_each_run(const std::bitset<N>& set, std::size_t end, Work work) {
  for (std::size_t i = 0; i < end; ++i) {
    if (!set[i]) continue;
    const auto first = i;
    while (i < end && set[i]) ++i;
    work(first, i - first);
  }
}

template <std::size_t N, class List>
void copy_chosen(const std::bitset<N>& chosen, const List& from, List& to) {
  for_each(chosen, [&](std::size_t i) { to[i] = from[i]; });
}

void copy_constants(const constant_mask& chosen, const constant_values& from, constant_values& to) {
  copy_chosen(chosen.floats, from.floats, to.floats);
  copy_chosen(chosen.integers, from.integers, to.integers);
  copy_chosen(chosen.booleans, from.booleans, to.booleans);
}

void copy_lights(const state_values& from, state_values& to, bool takes_all) {
  if (takes_all) {
    to.lights = from.lights;
    to.lit = from.lit;
    return;
  }
  for (auto& [index, light] : to.lights)
    if (const auto found = from.lights.find(index); found != from.lights.end())
      light = found->second;
  for (auto& [index, is_lit] : to.lit)
    if (const auto found = from.lit.find(index); found != from.lit.end()) is_lit = found->second;
}

template <class T>
[[nodiscard]] auto run_of(const std::vector<T>& registers, std::size_t first, std::size_t count)
    -> std::span<const T> {
  return std::span{registers}.subspan(first, count);
}

}  // namespace

void device_states::start_recording() {
  recorded_ = std::make_unique<recorded_states>();
  recorded_->values = empty_values();
}

auto device_states::finish_recording() -> std::unique_ptr<recorded_states> {
  return std::move(recorded_);
}

void device_states::capture(recorded_states& to, bool keeps_offsets) const {
  auto& [values, mask] = to;
  copy_chosen(mask.render, now_.render, values.render);
  for (std::size_t i = 0; i < sampler_count; ++i)
    copy_chosen(mask.samplers[i], now_.samplers[i], values.samplers[i]);
  for (std::size_t i = 0; i < texture_stage_count; ++i)
    copy_chosen(mask.stages[i], now_.stages[i], values.stages[i]);
  copy_chosen(mask.textures, now_.textures, values.textures);
  copy_chosen(mask.transforms, now_.transforms, values.transforms);
  copy_chosen(mask.clip_planes, now_.clip_planes, values.clip_planes);
  for_each(mask.streams, [&, &kept = values](std::size_t i) {
    const auto offset = kept.streams[i].offset_bytes;
    kept.streams[i] = now_.streams[i];
    if (keeps_offsets) kept.streams[i].offset_bytes = offset;
  });
  copy_chosen(mask.frequencies, now_.frequencies, values.frequencies);
  if (mask.viewport) values.viewport = now_.viewport;
  if (mask.scissor) values.scissor = now_.scissor;
  if (mask.material) values.material = now_.material;
  if (mask.npatch_segments) values.npatch_segments = now_.npatch_segments;
  if (mask.palette) values.palette = now_.palette;
  if (mask.indices) values.indices = now_.indices;
  if (mask.declaration) values.declaration = now_.declaration;
  if (mask.vertex) values.vertex = now_.vertex;
  if (mask.pixel) values.pixel = now_.pixel;
  copy_constants(mask.vertex_constants, now_.vertex_constants, values.vertex_constants);
  copy_constants(mask.pixel_constants, now_.pixel_constants, values.pixel_constants);
  copy_lights(now_, values, mask.all_lights);
}

void device_states::apply(const recorded_states& from) {
  apply_fixed(from);
  apply_bindings(from);
  apply_constants(shader_kind::vertex, from.values.vertex_constants, from.mask.vertex_constants);
  apply_constants(shader_kind::pixel, from.values.pixel_constants, from.mask.pixel_constants);
}

void device_states::apply_fixed(const recorded_states& from) {
  const auto& [values, mask] = from;
  if (mask.viewport) set_viewport(values.viewport);
  if (mask.scissor) set_scissor(values.scissor);
  const auto number = [](std::size_t i) { return static_cast<DWORD>(i); };
  for_each(mask.render,
           [&, &v = values](std::size_t i) { set_render_state(number(i), v.render[i]); });
  for_each(mask.transforms,
           [&, &v = values](std::size_t i) { set_transform(number(i), v.transforms[i]); });
  for_each(mask.clip_planes,
           [&, &v = values](std::size_t i) { set_clip_plane(number(i), v.clip_planes[i]); });
  if (mask.material) set_material(values.material);
  for (const auto& [index, light] : values.lights) set_light(index, light);
  for (const auto& [index, is_lit] : values.lit) enable_light(index, is_lit);
  if (mask.npatch_segments) set_npatch_segments(values.npatch_segments);
  if (mask.palette) set_palette(values.palette);
}

void device_states::apply_bindings(const recorded_states& from) {
  const auto& [values, mask] = from;
  const auto number = [](std::size_t i) { return static_cast<DWORD>(i); };
  for_each(mask.textures, [&, &v = values](std::size_t i) { set_texture(i, v.textures[i].get()); });
  for (std::size_t at = 0; at < sampler_count; ++at) {
    for_each(mask.samplers[at], [&, &v = values](std::size_t i) {
      set_sampler_state(at, number(i), v.samplers[at][i]);
    });
  }
  for (std::size_t at = 0; at < texture_stage_count; ++at) {
    for_each(mask.stages[at], [&, &v = values](std::size_t i) {
      set_stage_state(number(at), number(i), v.stages[at][i]);
    });
  }
  // One that was captured while there was none is not taken away again.
  if (mask.declaration && values.declaration) set_declaration(values.declaration.get());
  for_each(mask.frequencies,
           [&, &v = values](std::size_t i) { set_frequency(number(i), v.frequencies[i]); });
  for_each(mask.streams, [&, &v = values](std::size_t i) {
    const auto& one = v.streams[i];
    set_stream(number(i), one.buffer.get(), one.offset_bytes, one.stride_bytes);
  });
  if (mask.indices) set_indices(values.indices.get());
  if (mask.vertex) set_vertex_shader(values.vertex.get());
  if (mask.pixel) set_pixel_shader(values.pixel.get());
}

void device_states::apply_constants(shader_kind of, const constant_values& values,
                                    const constant_mask& mask) {
  const auto number = [](std::size_t i) { return static_cast<UINT>(i); };
  for_each_run(mask.floats, values.floats.size(), [&](std::size_t first, std::size_t count) {
    set_floats(of, number(first), run_of(values.floats, first, count));
  });
  for_each_run(mask.integers, values.integers.size(), [&](std::size_t first, std::size_t count) {
    set_integers(of, number(first), run_of(values.integers, first, count));
  });
  for_each_run(mask.booleans, values.booleans.size(), [&](std::size_t first, std::size_t count) {
    set_booleans(of, number(first), run_of(values.booleans, first, count));
  });
}

}  // namespace aerogpu::d3d9

// SPDX-License-Identifier: MIT
#include "drivers/win7/umd/d3d9/state/setters.hpp"

#include "drivers/win7/umd/d3d9/device/device.hpp"
#include "drivers/win7/umd/d3d9/resource/resource.hpp"
#include "drivers/win7/umd/d3d9/shader/declaration.hpp"
#include "drivers/win7/umd/d3d9/shader/shader.hpp"
#include "drivers/win7/umd/d3d9/state/binding_rules.hpp"
#include "drivers/win7/umd/d3d9/state/emission.hpp"
#include "drivers/win7/umd/d3d9/state/targets.hpp"

#include <algorithm>
#include <cmath>

namespace aerogpu::umd {

namespace {

[[nodiscard]] auto finite_or(float value, float otherwise) noexcept -> float {
  return std::isfinite(value) ? value : otherwise;
}

[[nodiscard]] auto send_sampler_state(device& on, std::uint32_t sampler,
                                      std::uint32_t state) noexcept -> HRESULT {
  auto sent = on.state.sent_sampler_states[sampler][state];
  sent = false;
  const HRESULT emitted =
      emit_sampler_state(on, sampler, state, host_sampler_state(on.state, sampler, state));
  if (SUCCEEDED(emitted)) sent = true;
  return emitted;
}

}  // namespace

auto set_render_state(device& on, std::uint32_t state, std::uint32_t value) noexcept -> HRESULT {
  if (on.blocks.is_recording()) {
    if (state >= render_state_count) return S_OK;
    return on.blocks.record_value({state_group::render_state, 0, state}, value);
  }
  if (state >= first_private_state) return S_OK;  // Not for programs to set.
  if (state >= render_state_count) return emit_render_state(on, state, value);
  device_state& now = on.state;
  const bool is_sent = now.sent_render_states[state];
  if (is_sent && now.render_states[state] == value) return S_OK;
  now.render_states[state] = value;
  now.sent_render_states[state] = false;
  ++now.fixed_changes;
  const HRESULT sent = send_render_state(on, state);
  if (FAILED(sent)) return sent;
  now.sent_render_states[state] = true;
  return state == D3DRS_SCISSORTESTENABLE ? send_scissor(on) : S_OK;
}

auto set_stage_state(device& on, std::uint32_t stage, std::uint32_t state,
                     std::uint32_t value) noexcept -> HRESULT {
  if (stage >= texture_stage_count || state >= stage_state_count) return S_OK;
  if (on.blocks.is_recording()) {
    const auto slot = static_cast<std::uint8_t>(stage);
    return on.blocks.record_value({state_group::stage_state, slot, state}, value);
  }
  std::uint32_t& now = on.state.stage_states[stage][state];
  if (now != value) ++on.state.fixed_changes;
  now = value;
  return S_OK;
}

auto set_sampler_state(device& on, std::uint32_t sampler, std::uint32_t state,
                       std::uint32_t value) noexcept -> HRESULT {
  if (sampler >= sampler_count) return E_INVALIDARG;
  if (state >= sampler_state_count) return S_OK;
  if (on.blocks.is_recording()) {
    const auto slot = static_cast<std::uint8_t>(sampler);
    return on.blocks.record_value({state_group::sampler_state, slot, state}, value);
  }
  auto& states = on.state.sampler_states[sampler];
  const std::uint32_t before = states[state];
  if (on.state.sent_sampler_states[sampler][state] && before == value) return S_OK;
  states[state] = value;
  const HRESULT emitted = send_sampler_state(on, sampler, state);
  if (FAILED(emitted) || state != D3DSAMP_MIPFILTER) return emitted;
  const bool had_levels = before != D3DTEXF_NONE, has_levels = value != D3DTEXF_NONE;
  if (had_levels == has_levels || states[D3DSAMP_MAXMIPLEVEL] == 0) return S_OK;
  return send_sampler_state(on, sampler, D3DSAMP_MAXMIPLEVEL);
}

auto set_texture(device& on, std::uint32_t sampler, resource* texture) noexcept -> HRESULT {
  if (sampler >= sampler_count) return E_INVALIDARG;
  if (texture != nullptr && !can_be_sampled(*texture)) return D3DERR_INVALIDCALL;
  if (on.blocks.is_recording()) {
    return on.blocks.record_value({state_group::texture, static_cast<std::uint8_t>(sampler)},
                                  texture);
  }
  resource*& now = on.state.textures[sampler];
  if (now == texture) return S_OK;
  const bool changes_code = handle_of(now) == resource_handle{} ||
                            handle_of(texture) == resource_handle{} || now->kind != texture->kind;
  if (changes_code) ++on.state.fixed_changes;
  now = texture;
  keep_bit(on.state.bound_textures, sampler, texture != nullptr);
  return emit_texture(on, sampler, handle_of(texture));
}

auto set_viewport(device& on, const viewport_rect& rect) noexcept -> HRESULT {
  if (on.blocks.is_recording()) return on.blocks.record_value({state_group::viewport}, rect);
  viewport& now = on.state.fixed.viewport;
  now.x = finite_or(rect.x, 0);
  now.y = finite_or(rect.y, 0);
  now.width = std::max(finite_or(rect.width, 0), 0.0f);
  now.height = std::max(finite_or(rect.height, 0), 0.0f);
  ++on.state.fixed_changes;
  return send_viewport(on);
}

auto set_depth_range(device& on, const depth_range& range) noexcept -> HRESULT {
  if (on.blocks.is_recording()) return on.blocks.record_value({state_group::depth_range}, range);
  on.state.fixed.viewport.min_z = finite_or(range.min_z, 0);
  on.state.fixed.viewport.max_z = finite_or(range.max_z, 1);
  return send_viewport(on);
}

auto set_scissor_rect(device& on, const rectangle& rect) noexcept -> HRESULT {
  if (on.blocks.is_recording()) return on.blocks.record_value({state_group::scissor_rect}, rect);
  on.state.scissor_rect = rect;
  on.state.has_scissor_rect = true;
  const bool is_enabled = on.state.render_states[D3DRS_SCISSORTESTENABLE] != 0;
  return is_enabled ? send_scissor(on) : S_OK;
}

auto set_stream(device& on, std::uint32_t stream, const stream_source& source) noexcept -> HRESULT {
  if (stream >= stream_count) return E_INVALIDARG;
  if (source.buffer != nullptr && !can_be_read_by_draws(*source.buffer)) return D3DERR_INVALIDCALL;
  if (on.blocks.is_recording()) {
    return on.blocks.record_value({state_group::stream, static_cast<std::uint8_t>(stream)}, source);
  }
  if (on.state.streams[stream] == source) return S_OK;
  on.state.streams.set(stream, source, can_be_drawn_from(source));
  return emit_stream(on, stream, handle_of(source.buffer), source.offset_bytes,
                     source.stride_bytes);
}

auto set_stream_frequency(device& on, std::uint32_t stream, std::uint32_t frequency) noexcept
    -> HRESULT {
  if (stream >= stream_count) return E_INVALIDARG;
  if (on.blocks.is_recording()) {
    return on.blocks.record_value(
        {state_group::stream_frequency, static_cast<std::uint8_t>(stream)}, frequency);
  }
  on.state.streams.set_frequency(stream, frequency);
  return S_OK;
}

auto set_indices(device& on, const index_source& source) noexcept -> HRESULT {
  if (source.buffer != nullptr && source.index_bytes != 2 && source.index_bytes != 4) {
    return E_INVALIDARG;
  }
  if (source.buffer != nullptr && !can_be_read_by_draws(*source.buffer)) return D3DERR_INVALIDCALL;
  if (on.blocks.is_recording()) return on.blocks.record_value({state_group::indices}, source);
  if (on.state.indices == source) return S_OK;
  on.state.indices = source;
  return emit_indices(on, handle_of(source.buffer), source.index_bytes, source.offset_bytes);
}

auto set_declaration(device& on, vertex_declaration* declaration) noexcept -> HRESULT {
  if (on.blocks.is_recording())
    return on.blocks.record_value({state_group::declaration}, declaration);
  if (on.state.declaration != declaration) ++on.state.fixed_changes;
  on.state.declaration = declaration;
  return bind_input_layout(on,
                           declaration != nullptr ? declaration->handle : input_layout_handle{});
}

auto set_shader(device& on, stage which, shader* code) noexcept -> HRESULT {
  const bool is_vertex = which == stage::vertex;
  if (on.blocks.is_recording()) {
    return on.blocks.record_value(
        {is_vertex ? state_group::vertex_shader : state_group::pixel_shader}, code);
  }
  shader*& now = is_vertex ? on.state.vertex_shader : on.state.pixel_shader;
  if (now != code) ++on.state.fixed_changes;
  now = code;
  return S_OK;
}

void forget_shader(device_state& state, const shader& gone) noexcept {
  if (state.vertex_shader == &gone) state.vertex_shader = nullptr;
  if (state.pixel_shader == &gone) state.pixel_shader = nullptr;
  ++state.fixed_changes;
}

void unbind_declaration(device& on, const vertex_declaration& gone) noexcept {
  if (on.state.declaration == &gone) {
    on.state.declaration = nullptr;
    ++on.state.fixed_changes;
  }
  if (on.state.host.input_layout != gone.handle) return;
  static_cast<void>(bind_input_layout(on, {}));
}

void unbind_resource(device& on, const resource& gone) noexcept {
  device_state& now = on.state;
  on.blocks.forget(&gone);
  for (std::uint32_t i = 0; i < sampler_count; ++i) {
    if (now.textures[i] != &gone) continue;
    now.textures[i] = nullptr;
    keep_bit(now.bound_textures, i, false);
    ++now.fixed_changes;
    static_cast<void>(emit_texture(on, i, {}));
  }
  for (std::uint32_t i = 0; i < stream_count; ++i) {
    if (now.streams[i].buffer != &gone) continue;
    now.streams.set(i, {}, true);
    static_cast<void>(emit_stream(on, i, {}, 0, 0));
  }
  if (now.indices.buffer == &gone) {
    now.indices = {};
    static_cast<void>(emit_indices(on, {}, now.indices.index_bytes, 0));
  }
  bool was_target = now.depth_stencil.resource == &gone;
  if (was_target) now.depth_stencil = {};
  for (surface_ref& target : now.render_targets) {
    if (target.resource != &gone) continue;
    target = {};
    was_target = true;
    ++now.fixed_changes;
  }
  if (was_target) static_cast<void>(send_targets(on));
}

}  // namespace aerogpu::umd

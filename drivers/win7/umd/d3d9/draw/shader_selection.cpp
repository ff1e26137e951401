// SPDX-License-Identifier: MIT
#include "drivers/win7/umd/d3d9/draw/shader_selection.hpp"

#include "drivers/win7/umd/d3d9/device/device.hpp"
#include "drivers/win7/umd/d3d9/resource/resource.hpp"
#include "drivers/win7/umd/d3d9/shader/declaration.hpp"
#include "drivers/win7/umd/d3d9/shader/shader.hpp"
#include "drivers/win7/umd/d3d9/state/emission.hpp"
#include "drivers/win7/umd/d3d9/submit/emit.hpp"

#include <algorithm>

namespace aerogpu::umd {

namespace {

[[nodiscard]] auto shape_of(const resource* texture) noexcept -> fixed::texture_shape {
  if (texture == nullptr || texture->handle == resource_handle{}) {
    return fixed::texture_shape::none;
  }
  const bool is_cube = texture->kind == resource_kind::cube_texture;
  return is_cube ? fixed::texture_shape::cube : fixed::texture_shape::image_2d;
}

/// The application's vertex shader runs; vertices in screen space have none.
[[nodiscard]] auto runs_vertex_shader(const device_state& state) noexcept -> bool {
  const bool is_on_screen =
      state.declaration != nullptr && state.declaration->format().is_in_screen_space;
  return state.vertex_shader != nullptr && !is_on_screen;
}

[[nodiscard]] auto has_sprites(const device_state& state) noexcept -> bool {
  return state.render_states[D3DRS_POINTSPRITEENABLE] != 0;
}

[[nodiscard]] auto tests_depth(const device_state& state) noexcept -> bool {
  return state.render_states[D3DRS_ZENABLE] != D3DZB_FALSE &&
         state.depth_stencil.resource != nullptr;
}

/// Whether the viewport in effect is that of the state alone; the screen's changes unseen.
[[nodiscard]] auto has_own_viewport(const device_state& state) noexcept -> bool {
  const viewport& set = state.fixed.viewport;
  const resource* const target = state.render_targets[0].resource;
  return (set.width > 0 && set.height > 0) || (target != nullptr && target->layout() != nullptr);
}

}  // namespace

auto shader_selection::describe_draw() const noexcept -> fixed::draw_inputs {
  const device_state& state = device_->state;
  fixed::draw_inputs draw;
  draw.state = &state;
  if (state.declaration != nullptr) draw.format = state.declaration->format();
  for (std::size_t i = 0; i < draw.textures.size(); ++i) {
    draw.textures[i] = shape_of(state.textures[i]);
  }
  draw.has_vertex_shader = runs_vertex_shader(state);
  draw.has_pixel_shader = state.pixel_shader != nullptr;
  draw.has_unclamped_colors = draw.has_vertex_shader && state.vertex_shader->model >= 3;
  draw.has_fog_behind = state.pixel_shader == nullptr || state.pixel_shader->model < 3;
  draw.viewport = effective_viewport(*device_);
  return draw;
}

auto shader_selection::prepare(D3DPRIMITIVETYPE type, bool& is_pretransformed) noexcept -> HRESULT {
  is_pretransformed = false;
  const device_state& state = device_->state;
  const bool is_fixed_vertex = !runs_vertex_shader(state);
  const bool is_fixed_pixel = state.pixel_shader == nullptr;
  if (is_fixed_vertex || is_fixed_pixel) {
    if (seen_changes_ != state.fixed_changes) fixed_.invalidate();
    seen_changes_ = state.fixed_changes;
    const auto& files = device_->host_floats;
    fixed::draw_inputs draw = describe_draw();
    draw.draws_sprites = type == D3DPT_POINTLIST && has_sprites(state);
    const HRESULT planned = fixed_.prepare(draw, files[0], files[1], plan_);
    if (FAILED(planned)) return planned;
  }
  HRESULT result =
      bind_shaders(*device_, is_fixed_vertex ? plan_.vertex_shader : state.vertex_shader->handle,
                   is_fixed_pixel ? plan_.pixel_shader : state.pixel_shader->handle);
  if (SUCCEEDED(result)) {
    result = is_fixed_vertex ? send(stage::vertex, plan_.vertex_uploads.view())
                             : restore_constants(stage::vertex);
  }
  if (SUCCEEDED(result)) {
    result = is_fixed_pixel ? send(stage::pixel, plan_.pixel_uploads.view())
                            : restore_constants(stage::pixel);
  }
  const bool has_planes = state.render_states[D3DRS_CLIPPLANEENABLE] != 0;
  if (SUCCEEDED(result) && has_planes) result = planes_.send(*device_, describe_draw());
  if (FAILED(result)) return result;
  if (!is_fixed_pixel) result = bind_private_state(*device_, private_state::unbound_textures, 1);
  if (FAILED(result)) return result;
  if (!is_fixed_vertex) result = bind_private_state(*device_, private_state::unwritten_varyings, 1);
  if (SUCCEEDED(result)) result = bind_host_fog();
  if (FAILED(result)) return result;
  is_pretransformed = is_fixed_vertex && plan_.is_pretransformed;
  result = use_screen_depth(*device_, is_pretransformed);
  if (SUCCEEDED(result) && is_pretransformed) {
    result = bind_private_state(*device_, private_state::transformed_clip, tests_depth(state));
  }
  if (SUCCEEDED(result) && !is_pretransformed) settle(is_fixed_vertex, is_fixed_pixel);
  return result;
}

void shader_selection::settle(bool is_fixed_vertex, bool is_fixed_pixel) noexcept {
  const device_state& state = device_->state;
  if (is_fixed_pixel && has_sprites(state)) return;  // Points and others have their shaders.
  const bool reads_viewport = is_fixed_vertex || is_fixed_pixel ||
                              state.render_states[D3DRS_CLIPPLANEENABLE] != 0 ||
                              state.render_states[D3DRS_FOGENABLE] != 0;
  if (reads_viewport && !has_own_viewport(state)) return;
  const auto& files = device_->host_floats;
  settled_ = {state.fixed_changes,
              state.host.shader_changes,
              {is_fixed_vertex ? files[0].generation() : any_generation,
               is_fixed_pixel ? files[1].generation() : any_generation}};
}

auto shader_selection::bind_host_fog() noexcept -> HRESULT {
  const bool has_fog = device_->state.render_states[D3DRS_FOGENABLE] != 0;
  const fixed::host_fog fog = has_fog ? fixed::host_fog_of(describe_draw()) : fixed::host_fog::none;
  return bind_private_state(*device_, private_state::host_fog, static_cast<std::uint32_t>(fog));
}

auto shader_selection::send(stage which, std::span<const fixed::constant_upload> uploads) noexcept
    -> HRESULT {
  overwritten& marked = overwritten_[static_cast<std::size_t>(which)];
  for (const fixed::constant_upload& upload : uploads) {
    const HRESULT sent = send_floats(*device_, which, upload.first, upload.values);
    if (FAILED(sent)) return sent;
    const std::size_t end = upload.first + upload.values.size();
    const bool is_first = marked.first == marked.end;
    marked.first = is_first ? upload.first : std::min<std::size_t>(marked.first, upload.first);
    marked.end = std::max(marked.end, end);
  }
  return S_OK;
}

auto shader_selection::restore_constants(stage which) noexcept -> HRESULT {
  overwritten& marked = overwritten_[static_cast<std::size_t>(which)];
  if (marked.first == marked.end) return S_OK;
  const auto& floats = device_->state.constants_of(which).floats;
  const fixed::register_block block{static_cast<std::uint16_t>(marked.first),
                                    static_cast<std::uint16_t>(marked.end - marked.first)};
  const auto wanted = std::span{floats}.subspan(block.first, block.count);
  const auto& file = device_->host_floats[static_cast<std::size_t>(which)];
  const fixed::register_block missing = file.missing(block, wanted);
  if (missing.count != 0) {
    const HRESULT sent = send_floats(*device_, which, missing.first,
                                     std::span{floats}.subspan(missing.first, missing.count));
    if (FAILED(sent)) return sent;
  }
  marked = {};
  return S_OK;
}

auto shader_selection::create(fixed::shader_stage which, std::span<const std::uint32_t> tokens,
                              shader_handle& out) noexcept -> HRESULT {
  const bool is_vertex = which == fixed::shader_stage::vertex;
  return create_host_shader(*device_, is_vertex ? stage::vertex : stage::pixel,
                            std::as_bytes(tokens), out);
}

void shader_selection::destroy(fixed::shader_stage, shader_handle gone) noexcept {
  destroy_host_shader(*device_, gone);
}

}  // namespace aerogpu::umd

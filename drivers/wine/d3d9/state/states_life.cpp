// SPDX-License-Identifier: MIT
/// \file The states of a new device, its targets and scenes, and their end.
#include "drivers/sim/runtime/d3d9/default_states.hpp"
#include "drivers/sim/runtime/d3d9/vertex_format.hpp"
#include "drivers/wine/d3d9/root/device.hpp"
#include "drivers/wine/d3d9/root/direct3d.hpp"
#include "drivers/wine/d3d9/state/keep.hpp"

namespace aerogpu::d3d9 {
namespace {

constexpr D3DMATRIX identity{{{1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1}}};
constexpr DWORD processing_on_the_cpu =
    create_software_vertex_processing | create_mixed_vertex_processing;

/// What the driver draws to; empty without a surface, and for one that lost its place.
[[nodiscard]] auto place_of(const bound<surface>& one) -> sim::d3d9_surface {
  return one ? one->place() : sim::d3d9_surface{};
}

[[nodiscard]] auto new_constants(std::size_t floats, std::size_t flow_registers)
    -> constant_values {
  constant_values made;
  made.floats.resize(floats);
  made.integers.resize(flow_registers);
  made.booleans.resize(flow_registers);
  return made;
}

/// States by the API's numbers, as the defaults name them.
struct default_keeper {
  device_states& of;
  void set_render_state(D3DRENDERSTATETYPE state, DWORD value) const {
    of.set_render_state(static_cast<DWORD>(state), value);
  }
  void set_texture_stage_state(DWORD stage, D3DTEXTURESTAGESTATETYPE state, DWORD value) const {
    of.set_stage_state(stage, static_cast<DWORD>(state), value);
  }
  void set_sampler_state(DWORD sampler, D3DSAMPLERSTATETYPE state, DWORD value) const {
    of.set_sampler_state(sampler_place(sampler), static_cast<DWORD>(state), value);
  }
};

[[nodiscard]] auto last_plane_of(const D3DCAPS9& caps) -> DWORD {
  return std::clamp(caps.MaxUserClipPlanes, DWORD{1}, DWORD{clip_plane_count}) - 1;
}

}  // namespace

device_states::device_states(device& of)
    : device_(of), last_clip_plane_(last_plane_of(of.parent->caps())), now_(empty_values()) {}

device_states::~device_states() = default;

auto device_states::is_write_only() const noexcept -> bool {
  return (device_.request.flags & create_pure_device) != 0;
}

auto device_states::empty_values() const -> state_values {
  state_values made;
  const bool has_more = (device_.request.flags & processing_on_the_cpu) != 0;
  made.vertex_constants = has_more
                              ? new_constants(software_float_count, software_flow_register_count)
                              : new_constants(vertex_float_count, flow_register_count);
  made.pixel_constants = new_constants(pixel_float_count, flow_register_count);
  return made;
}

auto device_states::default_values() const -> state_values {
  auto made = empty_values();
  made.transforms.fill(identity);
  made.frequencies.fill(1);
  return made;
}

auto device_states::begins_with_software() const noexcept -> bool {
  return (device_.request.flags & create_software_vertex_processing) != 0;
}

void device_states::set_defaults() {
  recorded_.reset();
  now_ = default_values();
  known_ = {};
  is_in_scene_ = false;
  const bool has_depth = device_.below.auto_depth_stencil().resource != nullptr;
  sim::set_default_states(default_keeper{*this}, {has_depth, device_.parent->caps().MaxPointSize});
  for (const auto which : {D3DTS_VIEW, D3DTS_PROJECTION, D3DTS_WORLD})
    set_transform(static_cast<DWORD>(which), identity);
  D3DMATERIAL9 material{};
  material.Diffuse = {1, 1, 1, 1};
  set_material(material);
  is_software_ = begins_with_software();
  clip_status = {};
  known_ = {};
}

void device_states::bind_chain(surface* back_buffer, surface* depth) {
  for (DWORD i = static_cast<DWORD>(render_target_count); i-- > 1;)
    static_cast<void>(set_target(i, nullptr));
  depth_ = bound<surface>{depth};
  if (back_buffer != nullptr) {
    // The surface may be the one that was bound, in another place.
    targets_[0] = {};
    static_cast<void>(set_target(0, back_buffer));
  }
  changed_ |= change_targets;
}

void device_states::rebind_chain(surface* back_buffer, surface* depth) {
  const auto before = now_.viewport;
  bind_chain(back_buffer, depth);
  now_.viewport.MinZ = before.MinZ;
  now_.viewport.MaxZ = before.MaxZ;
  static_cast<void>(device_.below.set_viewport(now_.viewport));
}

void device_states::unset_all() {
  recorded_states unset{default_values(), known_};
  auto& mask = unset.mask;
  // Their defaults are sent after each reset, with the size of the new targets.
  mask.render.reset();
  mask.samplers = {};
  mask.stages = {};
  mask.viewport = mask.scissor = mask.material = false;
  apply(unset);
  if (mask.declaration) set_declaration(nullptr);
  for (const auto& [index, is_lit] : now_.lit)
    if (is_lit) enable_light(index, false);
  set_software_processing(begins_with_software());
}

void device_states::release_all() {
  recorded_.reset();
  now_ = empty_values();
  known_ = {};
  targets_ = {};
  depth_ = {};
  formats_.clear();
  changed_ = 0;
  changed_textures_.reset();
  changed_streams_.reset();
  has_changed_indices_ = false;
  sent_textures_ = {};
  sent_streams_ = {};
  sent_indices_ = nullptr;
}

auto device_states::set_target(DWORD index, surface* target) -> HRESULT {
  // What was drawn to it is news to a texture that makes its levels of the first.
  if (targets_[index]) targets_[index]->note_written();
  targets_[index] = bound<surface>{target};
  changed_ |= change_targets;
  if (const auto result = send_targets(); FAILED(result)) return result;
  if (index != 0 || target == nullptr) return S_OK;
  // Whatever is recorded: this is the device's own doing.
  const auto& description = target->description();
  now_.viewport = {0, 0, description.Width, description.Height, 0, 1};
  now_.scissor = {0, 0, static_cast<LONG>(description.Width),
                  static_cast<LONG>(description.Height)};
  known_.viewport = known_.scissor = true;
  static_cast<void>(device_.below.set_viewport(now_.viewport));
  static_cast<void>(device_.below.set_scissor_rect(now_.scissor));
  return S_OK;
}

auto device_states::is_target(const surface& asked) const noexcept -> bool {
  return std::any_of(targets_.begin(), targets_.end(),
                     [&](const auto& bound) { return bound.get() == &asked; });
}

void device_states::set_depth(surface* depth) {
  depth_ = bound<surface>{depth};
  static_cast<void>(device_.below.set_depth_stencil_surface(place_of(depth_)));
}

auto device_states::send_targets() -> HRESULT {
  if ((changed_ & change_targets) == 0) return S_OK;
  for (DWORD i = 0; i < render_target_count; ++i) {
    const auto place = place_of(targets_[i]);
    const bool is_first_gone = i == 0 && place.resource == nullptr;
    if (!is_first_gone) static_cast<void>(device_.below.bind_render_target(i, place));
  }
  static_cast<void>(device_.below.set_depth_stencil_surface(place_of(depth_)));
  changed_ &= ~change_targets;
  return S_OK;
}

auto device_states::begin_scene() -> HRESULT {
  if (is_in_scene_) return D3DERR_INVALIDCALL;
  is_in_scene_ = true;
  static_cast<void>(device_.below.begin_scene());
  return S_OK;
}

auto device_states::end_scene() -> HRESULT {
  if (!is_in_scene_) return D3DERR_INVALIDCALL;
  end_scene_for_reset();
  return S_OK;
}

void device_states::end_scene_for_reset() {
  if (!is_in_scene_) return;
  is_in_scene_ = false;
  static_cast<void>(device_.below.end_scene());
}

void device_states::set_software_processing(bool is_software) {
  if (is_software_ == is_software) return;
  is_software_ = is_software;
  static_cast<void>(device_.below.set_software_vertex_processing(is_software));
}

auto device_states::declaration_of(DWORD format, vertex_declaration*& found) -> HRESULT {
  if (!sim::is_vertex_format(format)) return D3DERR_INVALIDCALL;
  auto& kept = formats_[format];
  if (!kept)
    kept = bound<vertex_declaration>{
        new vertex_declaration{device_, sim::api_elements_of(format), format}};
  found = kept.get();
  return S_OK;
}

}  // namespace aerogpu::d3d9

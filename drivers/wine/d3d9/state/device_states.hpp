// SPDX-License-Identifier: MIT
/// \file The state of a device: kept for its getters, sent to the driver, recorded into blocks.
#pragma once

#include "drivers/wine/d3d9/resource/surface.hpp"
#include "drivers/wine/d3d9/state/values.hpp"

#include <array>
#include <cstdint>
#include <map>
#include <memory>
#include <span>
#include <unordered_map>

namespace aerogpu::d3d9 {

class device;

inline constexpr std::size_t palette_entries = 256;

enum class shader_kind : std::uint8_t { vertex, pixel };

/// A block's content: which states, and their values.
struct recorded_states {
  state_values values;
  state_mask mask;
};

class device_states {
 public:
  explicit device_states(device& of);
  ~device_states();
  device_states(const device_states&) = delete;
  auto operator=(const device_states&) -> device_states& = delete;

  // --- life (states_life.cpp) ---
  /// After creation and Reset: all states as they are then, sent to the driver. Ends a recording.
  void set_defaults();
  /// The targets of a new chain, the viewport and the scissor rectangle of its size.
  void bind_chain(surface* back_buffer, surface* depth);
  /// After ResetEx: as `bind_chain`, but the depth range stays.
  void rebind_chain(surface* back_buffer, surface* depth);
  /// Before a Reset: whatever was sent is as on a new device, but what `set_defaults` sends anyway.
  void unset_all();
  /// Drops each binding. Nothing is sent.
  void release_all();
  [[nodiscard]] auto is_in_scene() const noexcept -> bool { return is_in_scene_; }
  void end_scene_for_reset();
  [[nodiscard]] auto is_recording() const noexcept -> bool { return recorded_ != nullptr; }
  /// The surfaces that are bound may have got other places: a chain was rotated or made anew.
  void flush_targets() noexcept { changed_ |= change_targets; }

  // --- single states (states_fixed.cpp, states_bindings.cpp): to the driver, or recorded ---
  void set_render_state(DWORD state, DWORD value);
  void set_sampler_state(std::size_t place, DWORD state, DWORD value);
  void set_stage_state(DWORD stage, DWORD state, DWORD value);
  void set_texture(std::size_t place, any_texture* texture);
  void set_transform(DWORD which, const D3DMATRIX& matrix);
  /// On the device at once, whatever is recorded.
  void multiply_transform(DWORD which, const D3DMATRIX& matrix);
  void set_clip_plane(DWORD index, const float_register& plane);
  void set_light(DWORD index, const D3DLIGHT9& light);
  void enable_light(DWORD index, bool is_enabled);
  void set_viewport(const D3DVIEWPORT9& viewport);
  void set_scissor(const RECT& area);
  void set_material(const D3DMATERIAL9& material);
  void set_npatch_segments(float segments);
  void set_palette(UINT palette);
  /// A stream without a buffer keeps its offset and stride.
  void set_stream(UINT stream, vertex_buffer* buffer, UINT offset_bytes, UINT stride_bytes);
  void set_frequency(UINT stream, UINT setting);
  void set_indices(index_buffer* buffer);
  void set_declaration(vertex_declaration* declaration);
  void set_vertex_shader(vertex_shader* shader);
  void set_pixel_shader(pixel_shader* shader);
  /// Precondition: the registers exist.
  void set_floats(shader_kind of, UINT first, std::span<const float_register> values);
  void set_integers(shader_kind of, UINT first, std::span<const integer_register> values);
  void set_booleans(shader_kind of, UINT first, std::span<const boolean_register> values);

  /// D3DCREATE_PUREDEVICE: what only the driver has to know is not given back.
  [[nodiscard]] auto is_write_only() const noexcept -> bool;
  [[nodiscard]] auto last_clip_plane() const noexcept -> DWORD { return last_clip_plane_; }
  [[nodiscard]] auto now() const noexcept -> const state_values& { return now_; }
  [[nodiscard]] auto constants(shader_kind of) const noexcept -> const constant_values& {
    return of == shader_kind::vertex ? now_.vertex_constants : now_.pixel_constants;
  }

  // --- what no block holds ---
  [[nodiscard]] auto set_target(DWORD index, surface* target) -> HRESULT;
  [[nodiscard]] auto target(DWORD index) const noexcept -> surface* {
    return targets_[index].get();
  }
  [[nodiscard]] auto is_target(const surface& asked) const noexcept -> bool;
  void set_depth(surface* depth);
  [[nodiscard]] auto depth() const noexcept -> surface* { return depth_.get(); }
  [[nodiscard]] auto begin_scene() -> HRESULT;
  [[nodiscard]] auto end_scene() -> HRESULT;
  void set_software_processing(bool is_software);
  [[nodiscard]] auto is_software_processing() const noexcept -> bool { return is_software_; }
  D3DCLIPSTATUS9 clip_status{};
  std::unordered_map<UINT, std::array<PALETTEENTRY, palette_entries>> palettes;

  /// Before a draw or a clear: targets, and what changed of what the draw reads.
  [[nodiscard]] auto prepare_draw() -> HRESULT;
  [[nodiscard]] auto prepare_clear() -> HRESULT {
    return (changed_ & change_targets) == 0 ? S_OK : send_targets();
  }
  /// A draw from the program's memory leaves stream 0 and the indices empty.
  void forget_stream_zero();
  void forget_indices();
  /// The declaration of a flexible vertex format: made once, then always the same.
  [[nodiscard]] auto declaration_of(DWORD format, vertex_declaration*& found) -> HRESULT;

  // --- blocks (states_blocks.cpp) ---
  void start_recording();
  [[nodiscard]] auto finish_recording() -> std::unique_ptr<recorded_states>;
  /// Values for what the mask names. `keeps_offsets`: of streams, Capture takes all but the offset.
  void capture(recorded_states& to, bool keeps_offsets) const;
  void apply(const recorded_states& from);
  /// Values with as many registers as the device has.
  [[nodiscard]] auto empty_values() const -> state_values;

 private:
  [[nodiscard]] auto default_values() const -> state_values;
  [[nodiscard]] auto begins_with_software() const noexcept -> bool;

  static constexpr unsigned change_targets = 1;
  static constexpr unsigned change_bindings = 2;  ///< Of those that are marked.

  template <class Place, class Flag, class T>
  auto keep(Place place, Flag flag, const T& value) -> bool;
  template <class Place, class Flag, class T>
  auto keep_range(Place place, Flag flag, UINT first, std::span<const T> values) -> bool;
  [[nodiscard]] auto send_changes() -> HRESULT;
  [[nodiscard]] auto send_targets() -> HRESULT;
  void send_texture(std::size_t place);
  void send_stream(UINT stream);
  void send_indices();
  void mark_all_bindings();
  void mark_locked_buffers();
  void apply_fixed(const recorded_states& from);
  void apply_bindings(const recorded_states& from);
  void apply_constants(shader_kind of, const constant_values& values, const constant_mask& mask);

  device& device_;
  const DWORD last_clip_plane_;
  state_values now_;
  state_mask known_;  ///< What was sent since the device was made or reset.
  std::unique_ptr<recorded_states> recorded_;
  std::array<bound<surface>, render_target_count> targets_;
  bound<surface> depth_;
  unsigned changed_ = 0;
  std::uint64_t seen_changes_ = 0;  ///< Of contents of resources.
  std::bitset<sampler_count> changed_textures_;
  std::bitset<stream_count> changed_streams_;
  bool has_changed_indices_ = false;
  std::array<const sim::d3d9_resource*, sampler_count> sent_textures_{};
  std::array<const sim::d3d9_resource*, stream_count> sent_streams_{};
  const sim::d3d9_resource* sent_indices_ = nullptr;
  bool is_in_scene_ = false;
  bool is_software_ = false;
  std::map<DWORD, bound<vertex_declaration>> formats_;
};

}  // namespace aerogpu::d3d9

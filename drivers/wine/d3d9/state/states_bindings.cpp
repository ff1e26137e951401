// SPDX-License-Identifier: MIT
/// \file States that are objects, and constants; what of them the driver gets before a draw.
#include "drivers/wine/d3d9/resource/device_resources.hpp"
#include "drivers/wine/d3d9/root/device.hpp"
#include "drivers/wine/d3d9/state/keep.hpp"

namespace aerogpu::d3d9 {
namespace {

constexpr sim::driver_object no_object{};

/// Those registers that the hardware has.
template <class T>
[[nodiscard]] auto within(std::span<const T> values, UINT first, std::size_t most)
    -> std::span<const T> {
  return first >= most ? std::span<const T>{} : values.first(std::min(values.size(), most - first));
}

template <class T, std::size_t N>
[[nodiscard]] auto components_of(std::span<const std::array<T, N>> registers)
    -> std::span<const T> {
  return {registers.empty() ? nullptr : registers.front().data(), registers.size() * N};
}

}  // namespace

void device_states::set_texture(std::size_t place, any_texture* texture) {
  const bool is_new =
      keep([=](state_values& in) -> bound<any_texture>& { return in.textures[place]; },
           [=](state_mask& in) { return in.textures[place]; }, bound<any_texture>{texture});
  if (!is_new) return;
  send_texture(place);
  changed_textures_[place] = texture != nullptr;
  if (texture != nullptr) changed_ |= change_bindings;
}

void device_states::set_stream(UINT stream, vertex_buffer* buffer, UINT offset_bytes,
                               UINT stride_bytes) {
  stream_binding wanted{bound<vertex_buffer>{buffer}, offset_bytes, stride_bytes};
  if (buffer == nullptr) {
    const auto& old = (recorded_ != nullptr ? recorded_->values : now_).streams[stream];
    wanted.offset_bytes = old.offset_bytes;
    wanted.stride_bytes = old.stride_bytes;
  }
  const bool is_new = keep([=](state_values& in) -> stream_binding& { return in.streams[stream]; },
                           [=](state_mask& in) { return in.streams[stream]; }, wanted);
  if (!is_new) return;
  send_stream(stream);
  changed_streams_[stream] = buffer != nullptr;
  if (buffer != nullptr) changed_ |= change_bindings;
}

void device_states::set_frequency(UINT stream, UINT setting) {
  const bool is_new = keep([=](state_values& in) -> UINT& { return in.frequencies[stream]; },
                           [=](state_mask& in) { return in.frequencies[stream]; }, setting);
  if (is_new) static_cast<void>(device_.below.set_stream_source_freq(stream, setting));
}

void device_states::set_indices(index_buffer* buffer) {
  const bool is_new =
      keep([](state_values& in) -> bound<index_buffer>& { return in.indices; },
           [](state_mask& in) -> bool& { return in.indices; }, bound<index_buffer>{buffer});
  if (!is_new) return;
  send_indices();
  has_changed_indices_ = buffer != nullptr;
  if (buffer != nullptr) changed_ |= change_bindings;
}

void device_states::set_declaration(vertex_declaration* declaration) {
  const bool is_new =
      keep([](state_values& in) -> bound<vertex_declaration>& { return in.declaration; },
           [](state_mask& in) -> bool& { return in.declaration; },
           bound<vertex_declaration>{declaration});
  if (!is_new) return;
  // Draws of what the driver cannot have are refused: the one before describes other vertices.
  auto driver = no_object;
  if (declaration != nullptr && FAILED(declaration->driver(driver))) driver = no_object;
  static_cast<void>(device_.below.set_vertex_declaration(driver));
}

void device_states::set_vertex_shader(vertex_shader* shader) {
  const bool is_new =
      keep([](state_values& in) -> bound<vertex_shader>& { return in.vertex; },
           [](state_mask& in) -> bool& { return in.vertex; }, bound<vertex_shader>{shader});
  if (!is_new) return;
  static_cast<void>(
      device_.below.set_vertex_shader(shader != nullptr ? shader->driver() : no_object));
}

void device_states::set_pixel_shader(pixel_shader* shader) {
  const bool is_new =
      keep([](state_values& in) -> bound<pixel_shader>& { return in.pixel; },
           [](state_mask& in) -> bool& { return in.pixel; }, bound<pixel_shader>{shader});
  if (!is_new) return;
  static_cast<void>(
      device_.below.set_pixel_shader(shader != nullptr ? shader->driver() : no_object));
}

void device_states::set_floats(shader_kind of, UINT first, std::span<const float_register> values) {
  const bool is_vertex = of == shader_kind::vertex;
  const bool is_new = keep_range(
      [=](state_values & in) -> auto& {
        return is_vertex ? in.vertex_constants.floats : in.pixel_constants.floats;
      },
      [=](state_mask & in) -> auto& {
        return is_vertex ? in.vertex_constants.floats : in.pixel_constants.floats;
      },
      first, values);
  const auto sent = within(values, first, is_vertex ? vertex_float_count : pixel_float_count);
  if (!is_new || sent.empty()) return;
  const auto numbers = components_of(sent);
  static_cast<void>(is_vertex ? device_.below.set_vertex_shader_constants(first, numbers)
                              : device_.below.set_pixel_shader_constants(first, numbers));
}

void device_states::set_integers(shader_kind of, UINT first,
                                 std::span<const integer_register> values) {
  const bool is_vertex = of == shader_kind::vertex;
  const bool is_new = keep_range(
      [=](state_values & in) -> auto& {
        return is_vertex ? in.vertex_constants.integers : in.pixel_constants.integers;
      },
      [=](state_mask & in) -> auto& {
        return is_vertex ? in.vertex_constants.integers : in.pixel_constants.integers;
      },
      first, values);
  const auto sent = within(values, first, flow_register_count);
  if (!is_new || sent.empty()) return;
  const auto numbers = components_of(sent);
  static_cast<void>(is_vertex ? device_.below.set_vertex_shader_constants(first, numbers)
                              : device_.below.set_pixel_shader_constants(first, numbers));
}

void device_states::set_booleans(shader_kind of, UINT first,
                                 std::span<const boolean_register> values) {
  const bool is_vertex = of == shader_kind::vertex;
  const bool is_new = keep_range(
      [=](state_values & in) -> auto& {
        return is_vertex ? in.vertex_constants.booleans : in.pixel_constants.booleans;
      },
      [=](state_mask & in) -> auto& {
        return is_vertex ? in.vertex_constants.booleans : in.pixel_constants.booleans;
      },
      first, values);
  const auto sent = within(values, first, flow_register_count);
  if (!is_new || sent.empty()) return;
  const auto numbers = components_of(sent);
  static_cast<void>(is_vertex ? device_.below.set_vertex_shader_booleans(first, numbers)
                              : device_.below.set_pixel_shader_booleans(first, numbers));
}

void device_states::send_texture(std::size_t place) {
  const auto& texture = now_.textures[place];
  sent_textures_[place] = texture ? texture->driver() : nullptr;
  static_cast<void>(device_.below.set_texture(sampler_at(place), sent_textures_[place]));
}

void device_states::send_stream(UINT stream) {
  const auto& [buffer, offset, stride] = now_.streams[stream];
  const auto* const driver = buffer ? buffer->driver() : nullptr;
  sent_streams_[stream] = driver;
  static_cast<void>(driver != nullptr
                        ? device_.below.set_stream_source(stream, driver, offset, stride)
                        : device_.below.set_stream_source(stream, nullptr, 0, 0));
}

void device_states::send_indices() {
  sent_indices_ = now_.indices ? now_.indices->driver() : nullptr;
  static_cast<void>(device_.below.set_indices(sent_indices_));
}

/// A copy that is made may have cost others theirs, which are then made once more. What costs them
/// again does not fit.
auto device_states::prepare_draw() -> HRESULT {
  if (device_.has_lost_driver()) return D3DERR_DEVICELOST;
  const auto& resources = *device_.resources;
  constexpr int most_rounds = 2;
  for (int round = 0; round < most_rounds; ++round) {
    if (resources.changes() != seen_changes_) {
      mark_all_bindings();
      changed_ |= change_bindings;
    } else if (resources.has_locked_buffers()) {
      mark_locked_buffers();
    }
    if (changed_ == 0) return S_OK;
    const auto before = resources.evictions();
    if (const auto result = send_changes(); FAILED(result)) return result;
    if (resources.evictions() != before) continue;
    // What `prepare` itself did is not news.
    seen_changes_ = resources.changes();
    return S_OK;
  }
  return E_OUTOFMEMORY;
}

auto device_states::send_changes() -> HRESULT {
  if (const auto result = send_targets(); FAILED(result)) return result;
  for (std::size_t i = 0; changed_textures_.any(); ++i) {
    if (!changed_textures_[i]) continue;
    auto& texture = *now_.textures[i];
    if (const auto result = texture.prepare(); FAILED(result)) return result;
    if (texture.driver() != sent_textures_[i]) send_texture(i);
    changed_textures_.reset(i);
  }
  for (UINT i = 0; changed_streams_.any(); ++i) {
    if (!changed_streams_[i]) continue;
    auto& buffer = *now_.streams[i].buffer;
    if (const auto result = buffer.prepare(); FAILED(result)) return result;
    if (buffer.driver() != sent_streams_[i]) send_stream(i);
    changed_streams_.reset(i);
  }
  if (has_changed_indices_) {
    if (const auto result = now_.indices->prepare(); FAILED(result)) return result;
    if (now_.indices->driver() != sent_indices_) send_indices();
    has_changed_indices_ = false;
  }
  changed_ = 0;
  return S_OK;
}

/// What changed inside of a resource is asked of each that is bound. Its copy in video memory may
/// be another one at the same address, so that it is sent again.
void device_states::mark_all_bindings() {
  for (std::size_t i = 0; i < sampler_count; ++i)
    changed_textures_[i] = now_.textures[i].get() != nullptr;
  for (std::size_t i = 0; i < stream_count; ++i)
    changed_streams_[i] = now_.streams[i].buffer.get() != nullptr;
  has_changed_indices_ = now_.indices.get() != nullptr;
  sent_textures_ = {};
  sent_streams_ = {};
  sent_indices_ = nullptr;
}

/// Each draw reads what their programs have written until then.
void device_states::mark_locked_buffers() {
  for (std::size_t i = 0; i < stream_count; ++i) {
    const auto& buffer = now_.streams[i].buffer;
    if (buffer && buffer->is_locked()) changed_streams_.set(i);
  }
  if (now_.indices && now_.indices->is_locked()) has_changed_indices_ = true;
  if (changed_streams_.any() || has_changed_indices_) changed_ |= change_bindings;
}

void device_states::forget_stream_zero() {
  now_.streams[0] = {};
  changed_streams_.reset(0);
}

void device_states::forget_indices() {
  now_.indices = {};
  has_changed_indices_ = false;
}

}  // namespace aerogpu::d3d9

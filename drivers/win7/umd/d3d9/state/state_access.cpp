// SPDX-License-Identifier: MIT
/// \file States by key: how a state block reads and sets each group.
#include "aerogpu/core/check.hpp"
#include "drivers/win7/umd/d3d9/device/device.hpp"
#include "drivers/win7/umd/d3d9/state/setters.hpp"

#include <algorithm>
#include <array>
#include <cstring>
#include <type_traits>

namespace aerogpu::umd {

namespace {

/// One row for each group: bytes of a value, how to read it, how to set a run of it.
struct group_row {
  std::size_t bytes;
  void (*read)(const device_state& state, state_key key, std::byte* out) noexcept;
  auto(*set)(device& on, state_key key, const_bytes values) noexcept -> HRESULT;
};

template <class T>
void put(std::byte* out, const T& value) noexcept {
  store(out, value);
}

[[nodiscard]] auto find_light(const device_state& state, state_key key) noexcept -> const light* {
  return state.fixed.lights.find(static_cast<light_key>(key.index + 1));
}

/// A row whose `Read` gives the value and whose `Set` takes (device, key, value).
template <auto Read, auto Set>
[[nodiscard]] constexpr auto row() noexcept -> group_row {
  using value = std::remove_cvref_t<decltype(Read(std::declval<const device_state&>(),
                                                  std::declval<state_key>()))>;
  return {sizeof(value),
          [](const device_state& state, state_key key, std::byte* out) noexcept {
            put(out, Read(state, key));
          },
          [](device& on, state_key key, const_bytes bytes) noexcept {
            return Set(on, key, load<value>(bytes.data()));
          }};
}

/// Of a run of constant registers, at once: they are copied to the stack.
constexpr std::size_t most_registers_set = 128;

/// A row of constant registers, which are set in runs.
template <class Value, stage Stage, auto Member, auto Set>
[[nodiscard]] constexpr auto registers() noexcept -> group_row {
  return {sizeof(Value),
          [](const device_state& state, state_key key, std::byte* out) noexcept {
            put(out, (state.constants[static_cast<std::size_t>(Stage)].*Member)[key.index]);
          },
          [](device& on, state_key key, const_bytes bytes) noexcept {
            std::array<Value, most_registers_set> values{};
            HRESULT set = S_OK;
            for (std::uint32_t first = key.index;
                 bytes.size() >= sizeof(Value) && SUCCEEDED(set);) {
              const std::size_t count = std::min(bytes.size() / sizeof(Value), values.size());
              std::memcpy(values.data(), bytes.data(), count * sizeof(Value));
              set = Set(on, Stage, first, std::span<const Value>{values.data(), count});
              bytes = bytes.subspan(count * sizeof(Value));
              first += static_cast<std::uint32_t>(count);
            }
            return set;
          }};
}

using state_ref = const device_state&;

// clang-format off
/// By state_group.
constexpr group_row group_rows[] = {
    row<[](state_ref s, state_key) { const viewport& v = s.fixed.viewport; return viewport_rect{v.x, v.y, v.width, v.height}; },
        [](device& on, state_key, const viewport_rect& v) { return set_viewport(on, v); }>(),
    row<[](state_ref s, state_key) { return depth_range{s.fixed.viewport.min_z, s.fixed.viewport.max_z}; },
        [](device& on, state_key, const depth_range& v) { return set_depth_range(on, v); }>(),
    row<[](state_ref s, state_key) { return s.scissor_rect; },
        [](device& on, state_key, const rectangle& v) { return set_scissor_rect(on, v); }>(),
    row<[](state_ref s, state_key k) { return s.render_states[k.index]; },
        [](device& on, state_key k, std::uint32_t v) { return set_render_state(on, k.index, v); }>(),
    row<[](state_ref s, state_key k) { return s.fixed.transforms[k.index]; },
        [](device& on, state_key k, const D3DMATRIX& v) { return set_transform(on, k.index, v); }>(),
    row<[](state_ref s, state_key k) { return s.fixed.clip_planes[k.slot]; },
        [](device& on, state_key k, const float_register& v) { return set_clip_plane(on, k.slot, v); }>(),
    row<[](state_ref s, state_key) { return s.fixed.material; },
        [](device& on, state_key, const D3DMATERIAL9& v) { return set_material(on, v); }>(),
    row<[](state_ref s, state_key k) { const light* l = find_light(s, k); return l != nullptr ? l->values : D3DLIGHT9{}; },
        [](device& on, state_key k, const D3DLIGHT9& v) { return set_light(on, k.index, v); }>(),
    row<[](state_ref s, state_key k) { const light* l = find_light(s, k); return std::uint32_t{l != nullptr && l->is_enabled}; },
        [](device& on, state_key k, std::uint32_t v) { return enable_light(on, k.index, v != 0); }>(),
    row<[](state_ref s, state_key k) { return s.textures[k.slot]; },
        [](device& on, state_key k, resource* v) { return set_texture(on, k.slot, v); }>(),
    row<[](state_ref s, state_key k) { return s.sampler_states[k.slot][k.index]; },
        [](device& on, state_key k, std::uint32_t v) { return set_sampler_state(on, k.slot, k.index, v); }>(),
    row<[](state_ref s, state_key k) { return s.stage_states[k.slot][k.index]; },
        [](device& on, state_key k, std::uint32_t v) { return set_stage_state(on, k.slot, k.index, v); }>(),
    row<[](state_ref s, state_key) { return s.declaration; },
        [](device& on, state_key, vertex_declaration* v) { return set_declaration(on, v); }>(),
    row<[](state_ref s, state_key k) { return s.streams.frequency(k.slot); },
        [](device& on, state_key k, std::uint32_t v) { return set_stream_frequency(on, k.slot, v); }>(),
    row<[](state_ref s, state_key k) { return s.streams[k.slot]; },
        [](device& on, state_key k, const stream_source& v) { return set_stream(on, k.slot, v); }>(),
    row<[](state_ref s, state_key) { return s.indices; },
        [](device& on, state_key, const index_source& v) { return set_indices(on, v); }>(),
    row<[](state_ref s, state_key) { return s.vertex_shader; },
        [](device& on, state_key, shader* v) { return set_shader(on, stage::vertex, v); }>(),
    row<[](state_ref s, state_key) { return s.pixel_shader; },
        [](device& on, state_key, shader* v) { return set_shader(on, stage::pixel, v); }>(),
    registers<float_register, stage::vertex, &constant_registers::floats, set_constants_f>(),
    registers<float_register, stage::pixel, &constant_registers::floats, set_constants_f>(),
    registers<int_register, stage::vertex, &constant_registers::ints, set_constants_i>(),
    registers<int_register, stage::pixel, &constant_registers::ints, set_constants_i>(),
    registers<std::uint32_t, stage::vertex, &constant_registers::bools, set_constants_b>(),
    registers<std::uint32_t, stage::pixel, &constant_registers::bools, set_constants_b>(),
};
// clang-format on
static_assert(std::size(group_rows) == static_cast<std::size_t>(state_group::pixel_bool) + 1);

[[nodiscard]] auto row_of(state_group group) noexcept -> const group_row& {
  return group_rows[static_cast<std::size_t>(group)];
}

}  // namespace

auto state_bytes(state_group group) noexcept -> std::size_t {
  return row_of(group).bytes;
}

void read_state(const device_state& state, state_key key, mutable_bytes out) noexcept {
  AEROGPU_CHECK(out.size() == state_bytes(key.group));
  row_of(key.group).read(state, key, out.data());
}

auto set_states(device& on, state_key key, const_bytes values) noexcept -> HRESULT {
  return row_of(key.group).set(on, key, values);
}

}  // namespace aerogpu::umd

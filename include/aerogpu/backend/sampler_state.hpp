// SPDX-License-Identifier: MIT
/// \file Direct3D 9 sampler states: raw values as written, and what they mean (host.md 3.12).
#pragma once

#include "aerogpu/backend/d3d9_values.hpp"
#include "aerogpu/backend/pipeline_state.hpp"
#include "aerogpu/stream/d3d9_state_ids.hpp"
#include "aerogpu/stream/stage.hpp"

#include <algorithm>
#include <array>
#include <cstdint>

namespace aerogpu {

enum class texture_address : std::uint8_t { wrap, mirror, clamp, border, mirror_once };
enum class texture_filter : std::uint8_t { point, linear, anisotropic };
enum class mip_filter : std::uint8_t { none, point, linear };

/// A slot's sampler states, decoded; every raw value has a meaning.
struct d3d9_sampler {
  std::array<texture_address, 3> address{};
  texture_filter mag = texture_filter::point;
  texture_filter min = texture_filter::point;
  mip_filter mip = mip_filter::none;
  std::uint8_t max_mip_level = 0;   ///< Finest level that is used, 0..32.
  std::uint8_t max_anisotropy = 1;  ///< 1..16; only with an anisotropic filter.
  bool srgb = false;
  vec4f border{};
};

using sampler_state_values = std::array<std::uint32_t, sampler_state_count>;

/// Addresses WRAP, filters POINT, anisotropy 1, all else 0.
inline constexpr sampler_state_values sampler_state_defaults{0, 1, 1, 1, 0, 1, 1,
                                                             0, 0, 0, 1, 0, 0, 0};

/// Whether the stage has sampler states, as VS and PS do; its number is then the index in
/// `d3d9_state::sampler_states`.
[[nodiscard]] constexpr auto has_sampler_states(std::uint32_t base_stage) noexcept -> bool {
  return base_stage == AEROGPU_SHADER_STAGE_VERTEX || base_stage == AEROGPU_SHADER_STAGE_PIXEL;
}

constexpr void reset_sampler_states(d3d9_state& d3d9) noexcept {
  for (auto& stage : d3d9.sampler_states) stage.fill(sampler_state_defaults);
}

/// SET_SAMPLER_STATE. Other slots, stages and ids are ignored. True when a value was stored.
constexpr auto set_sampler_state(d3d9_state& d3d9, std::uint32_t base_stage, std::uint32_t slot,
                                 std::uint32_t id, std::uint32_t value) noexcept -> bool {
  if (!has_sampler_states(base_stage) || slot >= d3d9_sampler_slots) return false;
  if (id == 0 || id >= sampler_state_count) return false;
  d3d9.sampler_states[base_stage][slot][id] = value;
  return true;
}

[[nodiscard]] constexpr auto decode_sampler(const sampler_state_values& raw) noexcept
    -> d3d9_sampler {
  using detail::value_at;
  constexpr std::array addresses{texture_address::wrap, texture_address::mirror,
                                 texture_address::clamp, texture_address::border,
                                 texture_address::mirror_once};
  constexpr std::array filters{texture_filter::point, texture_filter::linear,
                               texture_filter::anisotropic};
  constexpr std::array mips{mip_filter::none, mip_filter::point, mip_filter::linear};
  const auto address = [&](std::uint32_t id) {
    return value_at(addresses, 1, raw[id]).value_or(texture_address::wrap);
  };
  const auto filter = [&](std::uint32_t id) {
    return value_at(filters, 1, raw[id]).value_or(texture_filter::point);
  };
  const auto clamped = [&](std::uint32_t id, std::uint32_t low, std::uint32_t high) {
    return static_cast<std::uint8_t>(std::clamp(raw[id], low, high));
  };
  return {
      .address = {address(d3dsamp_addressu), address(d3dsamp_addressv), address(d3dsamp_addressw)},
      .mag = filter(d3dsamp_magfilter),
      .min = filter(d3dsamp_minfilter),
      .mip = value_at(mips, 0, raw[d3dsamp_mipfilter]).value_or(mip_filter::none),
      .max_mip_level = clamped(d3dsamp_maxmiplevel, 0, 32),
      .max_anisotropy = clamped(d3dsamp_maxanisotropy, 1, 16),
      .srgb = raw[d3dsamp_srgbtexture] != 0,
      .border = color_of(raw[d3dsamp_bordercolor])};
}

}  // namespace aerogpu

// SPDX-License-Identifier: MIT
/// \file Direct3D 9 shader tokens as values: registers, operands and opcodes (umd-d3d9.md 3.2).
#pragma once

#include "aerogpu/shader/d3d9_opcodes.hpp"
#include "aerogpu/shader/d3d9_tokens.hpp"

#include <cstdint>

namespace aerogpu::umd::fixed {

using d3d9::opcode;

inline constexpr std::uint32_t vs_3_0 = d3d9::token_of_version({false, 3, 0});
inline constexpr std::uint32_t ps_3_0 = d3d9::token_of_version({true, 3, 0});

/// Those of the model 3 shaders that the driver writes, by what they are there.
enum class register_file : std::uint8_t {
  temp = static_cast<std::uint8_t>(d3d9::register_type::temp),
  input = static_cast<std::uint8_t>(d3d9::register_type::input),
  constant = static_cast<std::uint8_t>(d3d9::register_type::constant),
  address = static_cast<std::uint8_t>(d3d9::register_type::address_or_texture),
  output = static_cast<std::uint8_t>(d3d9::register_type::texcoord_out_or_output),
  color_out = static_cast<std::uint8_t>(d3d9::register_type::color_out),
  sampler = static_cast<std::uint8_t>(d3d9::register_type::sampler),
};

/// Of a declared input or output: D3DDECLUSAGE.
enum class usage : std::uint8_t {
  position = 0,
  blend_weight = 1,
  blend_indices = 2,
  normal = 3,
  point_size = 4,
  texcoord = 5,
  position_t = 9,
  color = 10,
  fog = 11,
  depth = 12,
  last = 13,
};

enum write_mask : std::uint8_t {
  mask_x = 1,
  mask_y = 2,
  mask_z = 4,
  mask_w = 8,
  mask_xy = 3,
  mask_xyz = 7,
  mask_zw = 12,
  mask_yzw = 14,
  mask_xyzw = 15,
};

/// What each component of an operand reads, x first.
[[nodiscard]] constexpr auto swizzle(unsigned x, unsigned y, unsigned z, unsigned w) noexcept
    -> std::uint8_t {
  return static_cast<std::uint8_t>(x | y << 2 | z << 4 | w << 6);
}
[[nodiscard]] constexpr auto replicate(unsigned component) noexcept -> std::uint8_t {
  return swizzle(component, component, component, component);
}
inline constexpr std::uint8_t identity_swizzle = swizzle(0, 1, 2, 3);

inline constexpr std::uint8_t not_relative = 0xFF;

struct source {
  register_file file = register_file::temp;
  std::uint16_t number = 0;
  std::uint8_t swizzle = identity_swizzle;
  bool is_negated = false;
  std::uint8_t address_component = not_relative;  ///< Of a0, added to the number.

  [[nodiscard]] constexpr auto with(std::uint8_t read) const noexcept -> source {
    source s = *this;
    s.swizzle = read;
    return s;
  }
  [[nodiscard]] constexpr auto x() const noexcept -> source { return with(replicate(0)); }
  [[nodiscard]] constexpr auto y() const noexcept -> source { return with(replicate(1)); }
  [[nodiscard]] constexpr auto z() const noexcept -> source { return with(replicate(2)); }
  [[nodiscard]] constexpr auto w() const noexcept -> source { return with(replicate(3)); }
  [[nodiscard]] constexpr auto at(unsigned component) const noexcept -> source {
    return with(replicate(component));
  }
  /// The register `offset` further, as rows of a matrix are read.
  [[nodiscard]] constexpr auto next(unsigned offset) const noexcept -> source {
    source s = *this;
    s.number = static_cast<std::uint16_t>(number + offset);
    return s;
  }
  [[nodiscard]] constexpr auto by_address(std::uint8_t component) const noexcept -> source {
    source s = *this;
    s.address_component = component;
    return s;
  }

  friend constexpr auto operator-(source s) noexcept -> source {
    s.is_negated = !s.is_negated;
    return s;
  }
  friend constexpr auto operator==(const source&, const source&) noexcept -> bool = default;
};

struct destination {
  register_file file = register_file::temp;
  std::uint16_t number = 0;
  std::uint8_t mask = mask_xyzw;
  bool is_saturated = false;

  [[nodiscard]] constexpr auto only(std::uint8_t components) const noexcept -> destination {
    destination d = *this;
    d.mask = components;
    return d;
  }
  [[nodiscard]] constexpr auto component(unsigned i) const noexcept -> destination {
    return only(static_cast<std::uint8_t>(1u << i));
  }
  [[nodiscard]] constexpr auto saturated() const noexcept -> destination {
    destination d = *this;
    d.is_saturated = true;
    return d;
  }
};

/// A temporary: both operand of either side.
struct temp {
  std::uint16_t number;

  constexpr operator source() const noexcept { return {register_file::temp, number}; }
  constexpr operator destination() const noexcept { return {register_file::temp, number}; }
  [[nodiscard]] constexpr auto from() const noexcept -> source { return *this; }
  [[nodiscard]] constexpr auto to(std::uint8_t mask = mask_xyzw) const noexcept -> destination {
    return destination{register_file::temp, number, mask};
  }
};

[[nodiscard]] constexpr auto constant(unsigned number) noexcept -> source {
  return {register_file::constant, static_cast<std::uint16_t>(number)};
}
[[nodiscard]] constexpr auto input(unsigned number) noexcept -> source {
  return {register_file::input, static_cast<std::uint16_t>(number)};
}
[[nodiscard]] constexpr auto sampler(unsigned number) noexcept -> source {
  return {register_file::sampler, static_cast<std::uint16_t>(number)};
}
[[nodiscard]] constexpr auto output(unsigned number, std::uint8_t mask = mask_xyzw) noexcept
    -> destination {
  return {register_file::output, static_cast<std::uint16_t>(number), mask};
}

}  // namespace aerogpu::umd::fixed

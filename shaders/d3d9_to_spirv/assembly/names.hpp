// SPDX-License-Identifier: MIT
/// \file Assembly spelling of registers, usages and modifiers, shared by disassembler and
/// assembler.
#pragma once

#include "aerogpu/shader/shader_inputs.hpp"
#include "d3d9_to_spirv/token.hpp"

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <string_view>

namespace aerogpu::d3d9 {

namespace detail {

/// The processor's names of D3DDECLUSAGE in small letters, as assembly has them.
[[nodiscard]] consteval auto make_usage_letters() noexcept {
  std::array<std::array<char, 16>, usage_count> letters{};
  for (std::size_t i = 0; i < usage_count; ++i) {
    std::ranges::transform(d3d9_usage_names[i], letters[i].begin(),
                           [](char c) { return static_cast<char>(c - 'A' + 'a'); });
  }
  return letters;
}
inline constexpr auto usage_letters = make_usage_letters();

[[nodiscard]] consteval auto make_usage_names() noexcept {
  std::array<std::string_view, usage_count> names;
  for (std::size_t i = 0; i < usage_count; ++i) {
    names[i] = {usage_letters[i].data(), d3d9_usage_names[i].size()};
  }
  return names;
}

}  // namespace detail

inline constexpr std::array<std::string_view, usage_count> usage_names = detail::make_usage_names();

inline constexpr std::array<std::string_view, texture_type_count> texture_type_names{
    "", "1d", "2d", "cube", "volume"};

inline constexpr std::array<std::string_view, 8> comparison_names{"never", "gt", "eq", "ge",
                                                                  "lt",    "ne", "le", "always"};

inline constexpr std::array<std::string_view, 3> rast_out_names{"oPos", "oFog", "oPts"};
inline constexpr std::array<std::string_view, 2> misc_names{"vPos", "vFace"};
inline constexpr std::string_view depth_out_name = "oDepth";
inline constexpr std::string_view loop_name = "aL";

/// By component; a mask or swizzle may say rgba as well.
inline constexpr std::string_view component_letters = "xyzw";
inline constexpr std::string_view color_letters = "rgba";
inline constexpr char empty_mask = '_';

/// Minor versions that are no number: vs_2_sw, ps_2_x.
inline constexpr std::string_view software_name = "sw";
inline constexpr std::string_view extended_name = "x";

/// Prefix before and suffix after the register, by modifier.
struct modifier_spelling {
  std::string_view before;
  std::string_view after;
};

inline constexpr std::array<modifier_spelling, source_modifier_count> modifier_spellings{{
    {"", ""},
    {"-", ""},
    {"", "_bias"},
    {"-", "_bias"},
    {"", "_bx2"},
    {"-", "_bx2"},
    {"1-", ""},
    {"", "_x2"},
    {"-", "_x2"},
    {"", "_dz"},
    {"", "_dw"},
    {"", "_abs"},
    {"-", "_abs"},
    {"!", ""},
}};

/// A bit of a destination token and the suffix of the mnemonic that stands for it.
struct result_suffix {
  std::uint32_t bit;
  std::string_view name;
};

inline constexpr result_suffix saturate_suffix{0x00100000, "_sat"};
inline constexpr result_suffix partial_precision_suffix{0x00200000, "_pp"};
inline constexpr result_suffix centroid_suffix{0x00400000, "_centroid"};
inline constexpr std::array result_suffixes{saturate_suffix, partial_precision_suffix,
                                            centroid_suffix};

/// Suffixes of result shifts -3..3, at index shift + 3.
inline constexpr std::array<std::string_view, 7> shift_names{"_d8", "_d4", "_d2", "",
                                                             "_x2", "_x4", "_x8"};

/// Register prefix by type; empty where a whole name stands instead (oPos, vFace, oDepth, aL).
[[nodiscard]] constexpr auto register_prefix(register_type type, shader_version version) noexcept
    -> std::string_view {
  switch (type) {
    case register_type::temp: return "r";
    case register_type::input: return "v";
    case register_type::constant:
    case register_type::constant2:
    case register_type::constant3:
    case register_type::constant4: return "c";
    case register_type::address_or_texture: return version.is_pixel ? "t" : "a";
    case register_type::attribute_out: return "oD";
    case register_type::texcoord_out_or_output: return version.major >= 3 ? "o" : "oT";
    case register_type::constant_int: return "i";
    case register_type::color_out: return "oC";
    case register_type::sampler: return "s";
    case register_type::constant_bool: return "b";
    case register_type::label: return "l";
    case register_type::predicate: return "p";
    default: return "";
  }
}

inline constexpr std::uint32_t registers_per_file = 2048;

/// First register number of the upper constant files of software vertex processing.
[[nodiscard]] constexpr auto constant_base(register_type type) noexcept -> std::uint32_t {
  switch (type) {
    case register_type::constant2: return registers_per_file;
    case register_type::constant3: return 2 * registers_per_file;
    case register_type::constant4: return 3 * registers_per_file;
    default: return 0;
  }
}

}  // namespace aerogpu::d3d9

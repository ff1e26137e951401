// SPDX-License-Identifier: MIT
/// \file Vertex element formats: what DXGI and D3DDECLTYPE numbers mean, in one vocabulary.
#pragma once

#include "aerogpu/core/language.hpp"

#include <algorithm>
#include <array>
#include <cstdint>

namespace aerogpu {

/// How components lie in memory and what they become; missing ones read 0, 0, 0, 1.
enum class vertex_type : std::uint8_t {
  none,  ///< Not readable: the input reads zero.
  f16,
  f32,
  u8,
  u16,
  u32,
  i8,
  i16,
  i32,
  unorm8,
  unorm8_bgra,  ///< Bytes B, G, R, A arrive as r, g, b, a.
  unorm16,
  snorm8,
  snorm16,
  uscaled8,  ///< Integers that arrive as floats.
  sscaled16,
  unorm10_10_10_2,
  uscaled10_10_10,  ///< The fourth component is 1, not the two bits that are left.
  snorm10_10_10,
};

struct vertex_format {
  vertex_type type = vertex_type::none;
  std::uint8_t components = 0;
  std::uint8_t size_bytes = 0;

  [[nodiscard]] explicit constexpr operator bool() const noexcept { return size_bytes != 0; }
  friend constexpr auto operator==(const vertex_format&, const vertex_format&) -> bool = default;
};

namespace detail {

struct dxgi_vertex_row {
  std::uint32_t dxgi_format;
  vertex_format format;
};

/// The formats of host.md 3.4, by rising DXGI number.
inline constexpr std::array<dxgi_vertex_row, 35> dxgi_vertex_rows{{
    {2, {vertex_type::f32, 4, 16}},
    {3, {vertex_type::u32, 4, 16}},
    {4, {vertex_type::i32, 4, 16}},
    {6, {vertex_type::f32, 3, 12}},
    {7, {vertex_type::u32, 3, 12}},
    {8, {vertex_type::i32, 3, 12}},
    {10, {vertex_type::f16, 4, 8}},
    {11, {vertex_type::unorm16, 4, 8}},
    {12, {vertex_type::u16, 4, 8}},
    {13, {vertex_type::snorm16, 4, 8}},
    {14, {vertex_type::i16, 4, 8}},
    {16, {vertex_type::f32, 2, 8}},
    {17, {vertex_type::u32, 2, 8}},
    {18, {vertex_type::i32, 2, 8}},
    {24, {vertex_type::unorm10_10_10_2, 4, 4}},
    {28, {vertex_type::unorm8, 4, 4}},
    {29, {vertex_type::unorm8, 4, 4}},  // sRGB is read as plain UNORM
    {30, {vertex_type::u8, 4, 4}},
    {31, {vertex_type::snorm8, 4, 4}},
    {32, {vertex_type::i8, 4, 4}},
    {34, {vertex_type::f16, 2, 4}},
    {35, {vertex_type::unorm16, 2, 4}},
    {36, {vertex_type::u16, 2, 4}},
    {37, {vertex_type::snorm16, 2, 4}},
    {38, {vertex_type::i16, 2, 4}},
    {41, {vertex_type::f32, 1, 4}},
    {42, {vertex_type::u32, 1, 4}},
    {43, {vertex_type::i32, 1, 4}},
    {49, {vertex_type::unorm8, 2, 2}},
    {50, {vertex_type::u8, 2, 2}},
    {51, {vertex_type::snorm8, 2, 2}},
    {52, {vertex_type::i8, 2, 2}},
    {54, {vertex_type::f16, 1, 2}},
    {87, {vertex_type::unorm8_bgra, 4, 4}},
    {91, {vertex_type::unorm8_bgra, 4, 4}},
}};

/// By D3DDECLTYPE, 0 FLOAT1 to 16 FLOAT16_4.
inline constexpr std::array<vertex_format, 17> d3d9_vertex_formats{{
    {vertex_type::f32, 1, 4},
    {vertex_type::f32, 2, 8},
    {vertex_type::f32, 3, 12},
    {vertex_type::f32, 4, 16},
    {vertex_type::unorm8_bgra, 4, 4},  // D3DCOLOR
    {vertex_type::uscaled8, 4, 4},
    {vertex_type::sscaled16, 2, 4},
    {vertex_type::sscaled16, 4, 8},
    {vertex_type::unorm8, 4, 4},
    {vertex_type::snorm16, 2, 4},
    {vertex_type::snorm16, 4, 8},
    {vertex_type::unorm16, 2, 4},
    {vertex_type::unorm16, 4, 8},
    {vertex_type::uscaled10_10_10, 3, 4},
    {vertex_type::snorm10_10_10, 3, 4},
    {vertex_type::f16, 2, 4},
    {vertex_type::f16, 4, 8},
}};

}  // namespace detail

/// The format of a DXGI number, or a false one when no vertex buffer can hold it here.
[[nodiscard]] constexpr auto vertex_format_of_dxgi(std::uint32_t dxgi_format) noexcept
    -> vertex_format {
  const auto& rows = detail::dxgi_vertex_rows;
  const auto row =
      std::ranges::lower_bound(rows, dxgi_format, {}, &detail::dxgi_vertex_row::dxgi_format);
  return row != rows.end() && row->dxgi_format == dxgi_format ? row->format : vertex_format{};
}

/// The format of a D3DDECLTYPE, or a false one, whose input reads zero.
[[nodiscard]] constexpr auto vertex_format_of_d3d9(std::uint32_t decl_type) noexcept
    -> vertex_format {
  return decl_type < detail::d3d9_vertex_formats.size() ? detail::d3d9_vertex_formats[decl_type]
                                                        : vertex_format{};
}

}  // namespace aerogpu

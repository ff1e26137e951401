// SPDX-License-Identifier: MIT
/// \file The desktop's shaders as Direct3D 9 assembly, and how they become byte code.
#pragma once

#include "aerogpu/core/bytes.hpp"
#include "aerogpu/stream/stage.hpp"

#include <array>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace desktop {

/// Every shader of this guest; an index of the library.
enum class shader : std::uint8_t {
  quad_vertex,       ///< vs_3_0
  flat_quad_vertex,  ///< vs_2_0: the same for ps_2_0.
  text_vertex,       ///< vs_2_0
  cube_vertex,       ///< vs_2_0
  image,             ///< ps_2_0
  blur,              ///< ps_2_0
  glyph,             ///< ps_2_0
  cube,              ///< ps_2_0
  wallpaper,         ///< ps_3_0, as all below.
  shadow,
  panel,
  glass,
  orb,
  clock,
  wave,
};
inline constexpr std::size_t shader_count = 15;

/// Parts of the text follow each other; shaders share some.
struct shader_source {
  std::string_view name;
  aerogpu::shader_stage stage = aerogpu::shader_stage::vertex;
  std::array<std::string_view, 3> parts;
};

/// In the order of `shader`, one list behind the other.
[[nodiscard]] auto drawing_shaders() -> std::span<const shader_source>;
[[nodiscard]] auto desktop_shaders() -> std::span<const shader_source>;
[[nodiscard]] auto program_shaders() -> std::span<const shader_source>;
[[nodiscard]] auto source_of(shader which) -> const shader_source&;

/// Byte code of all shaders. Nothing, and a sentence in `why`, when one does not assemble, or when
/// the byte code does not parse and translate as a host would do it.
using shader_library = std::array<std::vector<std::uint32_t>, shader_count>;
[[nodiscard]] auto assemble_shaders(std::string& why) -> std::optional<shader_library>;

}  // namespace desktop

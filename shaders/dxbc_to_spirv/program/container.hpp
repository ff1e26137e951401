// SPDX-License-Identifier: MIT
/// \file The parts of a container that make up a shader: read from any bytes, written anew.
#pragma once

#include "aerogpu/core/bytes.hpp"
#include "aerogpu/core/result.hpp"
#include "aerogpu/hosted/heap_array.hpp"
#include "aerogpu/stream/stage.hpp"

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>

namespace aerogpu::dxbc {

/// D3D_NAME, as signatures hold it.
enum system_value : std::uint32_t {
  sv_none = 0,
  sv_position = 1,
  sv_clip_distance = 2,
  sv_cull_distance = 3,
  sv_render_target_array_index = 4,
  sv_viewport_array_index = 5,
  sv_vertex_id = 6,
  sv_instance_id = 8,
  sv_last_in_signature = 16,
};

inline constexpr std::uint32_t no_register = 0xFFFFFFFF;

/// Bounds that keep the compiler's time and memory small.
inline constexpr std::size_t max_program_words = 1u << 18;
inline constexpr std::size_t max_signature_elements = 64;
inline constexpr std::size_t max_semantic_length = 63;

/// A semantic's name in place. What is longer than `max_semantic_length` is cut.
class semantic_name {
 public:
  constexpr semantic_name() noexcept = default;
  explicit constexpr semantic_name(std::string_view text) noexcept
      : size_(static_cast<std::uint8_t>(std::min(text.size(), max_semantic_length))) {
    std::copy_n(text.begin(), size_, text_.begin());
  }
  [[nodiscard]] constexpr auto view() const noexcept -> std::string_view {
    return {text_.data(), size_};
  }
  /// With the zero that ends it.
  [[nodiscard]] auto bytes() const noexcept -> const_bytes {
    return std::as_bytes(std::span{text_}).first(size_ + std::size_t{1});
  }

 private:
  std::array<char, max_semantic_length + 1> text_{};
  std::uint8_t size_ = 0;
};

/// One entry of a signature (shaders.md 3.2).
struct signature_element {
  semantic_name name;
  std::uint32_t index = 0;
  std::uint32_t value = sv_none;
  std::uint32_t type = 0;             ///< 1 uint, 2 int, 3 float.
  std::uint32_t register_number = 0;  ///< `no_register` for SV_Depth and its like.
  std::uint8_t mask = 0;              ///< Never 0.
  std::uint8_t used_mask = 0;
};
using signature = heap_array<signature_element>;

/// A shader taken out of its container.
struct shader_parts {
  shader_stage stage = shader_stage::vertex;
  std::uint8_t major = 0;
  std::uint8_t minor = 0;
  signature inputs;
  signature outputs;
  signature patch_constants;
  heap_array<std::uint32_t> tokens;  ///< With the two words in front of the instructions.
};

/// Errors: invalid_parameter for malformed containers and signatures; unsupported for programs that
/// are not SM4 or SM5, do not walk, or are too long; out_of_memory.
[[nodiscard]] auto parse_container(const_bytes bytes) noexcept -> result<shader_parts>;

/// A container with nothing but signatures and code, 4-aligned, its checksum right. Errors:
/// out_of_memory.
[[nodiscard]] auto put_together(const shader_parts& parts) noexcept
    -> result<heap_array<std::byte>>;

/// Whether a semantic is `name`, which is in lower case.
[[nodiscard]] auto is_semantic(const signature_element& element, const char* name) noexcept -> bool;

}  // namespace aerogpu::dxbc

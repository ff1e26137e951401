// SPDX-License-Identifier: MIT
/// \file What a vertex shader reads, by semantic: the common form of SM1-3 and SM4+ signatures.
#pragma once

#include "aerogpu/core/fixed_vector.hpp"
#include "aerogpu/core/hash.hpp"

#include <array>
#include <cstdint>
#include <string_view>

namespace aerogpu {

/// A semantic name, hashed as ILAY does it, and its index.
struct vertex_semantic {
  std::uint32_t name_hash = 0;
  std::uint32_t index = 0;

  friend constexpr auto operator==(const vertex_semantic&, const vertex_semantic&)
      -> bool = default;
};

/// One input register. Without a semantic (an SM1-3 register that is read and not declared) it
/// takes the element of the layout that has its number.
struct vertex_input {
  vertex_semantic semantic;
  std::uint8_t register_index = 0;
  bool has_semantic = false;
};

inline constexpr std::uint32_t vertex_input_limit = 32;
using vertex_inputs = fixed_vector<vertex_input, vertex_input_limit>;

/// Names by D3DDECLUSAGE.
inline constexpr std::array<std::string_view, 14> d3d9_usage_names{
    "POSITION", "BLENDWEIGHT", "BLENDINDICES", "NORMAL", "PSIZE", "TEXCOORD", "TANGENT",
    "BINORMAL", "TESSFACTOR",  "POSITIONT",    "COLOR",  "FOG",   "DEPTH",    "SAMPLE"};

namespace detail {

[[nodiscard]] consteval auto hash_d3d9_usages() noexcept {
  std::array<std::uint32_t, d3d9_usage_names.size()> hashes{};
  for (std::size_t i = 0; i < hashes.size(); ++i) {
    hashes[i] = semantic_name_hash(d3d9_usage_names[i]);
  }
  return hashes;
}
inline constexpr auto d3d9_usage_hashes = hash_d3d9_usages();

}  // namespace detail

/// The semantic of a D3DDECLUSAGE. An unknown usage gets a semantic that no shader can name.
[[nodiscard]] constexpr auto semantic_of_d3d9(std::uint32_t usage, std::uint32_t index) noexcept
    -> vertex_semantic {
  const auto& hashes = detail::d3d9_usage_hashes;
  return {usage < hashes.size() ? hashes[usage] : usage, index};
}

}  // namespace aerogpu

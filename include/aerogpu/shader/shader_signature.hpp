// SPDX-License-Identifier: MIT
/// \file Input signatures of SM4 and SM5 vertex shaders: ISGN and ISG1 chunks (shaders.md 3.2).
#pragma once

#include "aerogpu/core/bytes.hpp"
#include "aerogpu/core/checked.hpp"
#include "aerogpu/core/result.hpp"
#include "aerogpu/shader/shader_inputs.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <string_view>

namespace aerogpu {

inline constexpr std::size_t signature_name_limit = 256;

/// The NUL-terminated name at `offset`; `data()` is null when it does not end there.
[[nodiscard]] inline auto signature_name(const_bytes chunk, std::uint32_t offset) noexcept
    -> std::string_view {
  if (offset >= chunk.size()) return {};
  const const_bytes rest =
      chunk.subspan(offset, std::min(signature_name_limit, chunk.size() - offset));
  const auto end = std::ranges::find(rest, std::byte{0});
  if (end == rest.end()) return {};
  return {reinterpret_cast<const char*>(rest.data()), static_cast<std::size_t>(end - rest.begin())};
}

namespace detail {

/// How the entries of a signature chunk lie; offsets in bytes from the start of an entry.
struct signature_shape {
  std::uint32_t entry_size;
  std::uint32_t name_offset;  ///< Semantic index, system value, type and register follow it.
};

inline constexpr signature_shape isgn_shape{24, 0};
inline constexpr signature_shape isg1_shape{32, 4};
inline constexpr std::uint32_t signature_entry_limit = 256;

[[nodiscard]] constexpr auto is_generated_value(std::uint32_t system_value) noexcept -> bool {
  constexpr std::uint32_t vertex_id = 6, primitive_id = 7, instance_id = 8;
  return system_value == vertex_id || system_value == primitive_id || system_value == instance_id;
}

[[nodiscard]] constexpr auto bad_signature(const char* what, std::uint64_t detail,
                                           std::uint64_t limit) noexcept -> error {
  return make_error(error_code::invalid_parameter, what, detail, limit);
}

/// Adds one entry, unless the hardware makes its value.
[[nodiscard]] inline auto read_signature_entry(const_bytes chunk, const std::byte* entry,
                                               vertex_inputs& inputs) noexcept -> result<void> {
  const auto field = [entry](std::size_t i) { return load<std::uint32_t>(entry + i * 4); };
  const std::string_view name = signature_name(chunk, field(0));
  if (name.data() == nullptr) return bad_signature("a signature name is cut", field(0), 0);
  if (is_generated_value(field(2))) return {};
  const std::uint32_t register_index = field(4);
  if (register_index >= vertex_input_limit) {
    return bad_signature("a signature register exceeds its limit", register_index,
                         vertex_input_limit);
  }
  const vertex_input input{.semantic = {semantic_name_hash(name), field(1)},
                           .register_index = static_cast<std::uint8_t>(register_index),
                           .has_semantic = true};
  if (!inputs.push_back(input)) {
    return bad_signature("the signature has too many inputs", inputs.size() + 1,
                         vertex_input_limit);
  }
  return {};
}

}  // namespace detail

/// Reads the content of a signature chunk. Errors: invalid_parameter.
[[nodiscard]] inline auto parse_input_signature(const_bytes chunk,
                                                const detail::signature_shape& shape) noexcept
    -> result<vertex_inputs> {
  constexpr std::size_t header_size = 8;
  if (chunk.size() < header_size) {
    return detail::bad_signature("the signature is cut", chunk.size(), header_size);
  }
  const auto count = load<std::uint32_t>(chunk.data());
  const auto table = load<std::uint32_t>(chunk.data() + 4);
  if (count > detail::signature_entry_limit) {
    return detail::bad_signature("the signature has too many entries", count,
                                 detail::signature_entry_limit);
  }
  if (!range_fits(table, std::uint64_t{count} * shape.entry_size, chunk.size())) {
    return detail::bad_signature("the signature table is cut", table, chunk.size());
  }
  vertex_inputs inputs;
  for (std::size_t i = 0; i < count; ++i) {
    const std::byte* entry = chunk.data() + table + i * shape.entry_size + shape.name_offset;
    const auto read = detail::read_signature_entry(chunk, entry, inputs);
    if (!read) return read.why();
  }
  return inputs;
}

}  // namespace aerogpu

// SPDX-License-Identifier: MIT
/// \file One entry of the shader cache as a file: the whole job beside its words, so that no hash
/// has to be trusted.
#pragma once

#include "aerogpu/core/bytes.hpp"
#include "aerogpu/hosted/heap_array.hpp"

#include <cstdint>
#include <optional>
#include <span>

namespace aerogpu::dxbc {

/// What an entry is about: equal bytes, equal module.
struct cache_key {
  const_bytes job;
  const_bytes identity;  ///< Of the compiler.
};

/// Bytes of the file of an entry.
[[nodiscard]] auto cache_file_bytes(const cache_key& key, std::size_t word_count) noexcept
    -> std::uint64_t;

/// Nothing, when the file is not there, or no undamaged entry of this key; `is_there` tells them
/// apart. Marks the file as used.
[[nodiscard]] auto read_cache_file(const char* path, const cache_key& key, bool& is_there) noexcept
    -> std::optional<heap_array<std::uint32_t>>;

/// Replaces a file at once: a reader sees the old one, the new one or none.
[[nodiscard]] auto write_cache_file(const char* path, const cache_key& key,
                                    std::span<const std::uint32_t> words) noexcept -> bool;

}  // namespace aerogpu::dxbc

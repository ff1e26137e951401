// SPDX-License-Identifier: MIT
/// \file The checksum of DXBC containers (shaders.md 3.1).
#pragma once

#include "aerogpu/core/bytes.hpp"

#include <array>
#include <cstdint>

namespace aerogpu::dxbc {

using checksum = std::array<std::uint32_t, 4>;

inline constexpr std::size_t checksum_offset = 4;
inline constexpr std::size_t checksummed_from = 20;

/// MD5 with padding of its own, over what follows the checksum.
/// Precondition: the container has its header.
[[nodiscard]] auto checksum_of(const_bytes container) noexcept -> checksum;

}  // namespace aerogpu::dxbc

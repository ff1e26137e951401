// SPDX-License-Identifier: MIT
/// \file How many slots and registers a shader stage has: what the packets that set runs may name.
#pragma once

#include "aerogpu/core/language.hpp"

#include <cstdint>

namespace aerogpu {

inline constexpr std::uint32_t float_constant_count = 4'096;  ///< Per stage (host.md D-44).
inline constexpr std::uint32_t int_constant_count = 256;
inline constexpr std::uint32_t bool_constant_count = 256;

inline constexpr std::uint32_t vertex_buffer_slots = 32;
inline constexpr std::uint32_t shader_resource_slots = 128;
inline constexpr std::uint32_t sampler_slots = 16;
inline constexpr std::uint32_t constant_buffer_slots = 14;
inline constexpr std::uint32_t unordered_access_slots = 8;

}  // namespace aerogpu

// SPDX-License-Identifier: MIT
/// \file Random Direct3D 9 shaders on the device beside the same shaders on the host.
#pragma once

#include "tests/support/shaders/shader_device.hpp"

#include <cstdint>
#include <string>
#include <string_view>

namespace aerogpu::test {

/// Runs one shader (`random_shader`) with random inputs on both. Empty, or where they differ.
[[nodiscard]] auto compare_random_shader(shader_device& on, std::string_view version,
                                         std::uint32_t seed) -> std::string;

}  // namespace aerogpu::test

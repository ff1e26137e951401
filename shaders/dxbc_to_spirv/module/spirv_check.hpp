// SPDX-License-Identifier: MIT
/// \file Whether compiled SPIR-V is valid, where the build has SPIRV-Tools to tell: a driver may do
/// anything with a module that is not.
#pragma once

#include "aerogpu/core/result.hpp"

#include <cstdint>
#include <span>
#include <string>

namespace aerogpu::dxbc {

/// Errors: unsupported, with the reason in `log` if there is one; out_of_memory.
[[nodiscard]] auto check_spirv(std::span<const std::uint32_t> words, std::string* log) noexcept
    -> result<void>;

}  // namespace aerogpu::dxbc

// SPDX-License-Identifier: MIT
/// \file Types, decorations and variables of a module (expected_module.hpp).
#pragma once

#include "spirv_bounds/expected_module.hpp"

namespace aerogpu::spirv {

/// Errors: those of `check_module`.
[[nodiscard]] auto check_globals(const module_index& module, const expected_module& expected)
    -> result<void>;

}  // namespace aerogpu::spirv

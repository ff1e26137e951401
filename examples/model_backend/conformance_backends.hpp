// SPDX-License-Identifier: MIT
/// \file The suite over this folder's backend.
#pragma once

// [recipe]
#include "logging_backend.hpp"

#include <tuple>

namespace aerogpu::conformance {
using backends = std::tuple<example::logging_backend>;
}  // namespace aerogpu::conformance
// [/recipe]

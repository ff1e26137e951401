// SPDX-License-Identifier: MIT
/// \file The thunks of the running Windows.
#pragma once

#include "drivers/win7/tests/guest/thunks.hpp"

namespace aerogpu::guest {

/// Looked up by name, so that a program starts where they are missing. False: one is.
[[nodiscard]] auto load_thunks(thunks& all) -> bool;

}  // namespace aerogpu::guest

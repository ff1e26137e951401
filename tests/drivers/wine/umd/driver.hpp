// SPDX-License-Identifier: MIT
/// \file Where a test program has its user-mode driver from.
#pragma once

#include "drivers/sim/runtime/runtime.hpp"

namespace aerogpu::test {

/// The driver: linked in natively; on Windows, the export of the DLL at `path`. Without one, no
/// entry.
[[nodiscard]] auto load_driver(const char* path) -> sim::user_driver;

}  // namespace aerogpu::test

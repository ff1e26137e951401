// SPDX-License-Identifier: MIT
/// \file What the registry says of the installed device.
#pragma once

#include "drivers/win7/tests/guest/desktop.hpp"

namespace aerogpu::guest {

[[nodiscard]] auto read_aperture() -> aperture_setting;

}  // namespace aerogpu::guest

// SPDX-License-Identifier: MIT
/// \file Escapes through the display system of Windows.
#pragma once

#include "drivers/win7/tools/dbgctl/escape_channel.hpp"

namespace aerogpu::dbgctl {

/// Opens the first AeroGPU display that is part of the desktop.
[[nodiscard]] auto open_kmt_channel(std::string& why) -> std::unique_ptr<escape_channel>;

}  // namespace aerogpu::dbgctl

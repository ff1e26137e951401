// SPDX-License-Identifier: MIT
/// \file The display side: modes, scanout, cursor, vblank.
#pragma once

#include "drivers/win7/kmd/display/cursor.hpp"
#include "drivers/win7/kmd/display/edid.hpp"
#include "drivers/win7/kmd/display/gamma.hpp"
#include "drivers/win7/kmd/display/mode_list.hpp"
#include "drivers/win7/kmd/display/scanout.hpp"
#include "drivers/win7/kmd/display/vblank.hpp"

namespace aerogpu::kmd {

/// One source, one target, both 0 [K-11].
struct display {
  edid_block edid = monitor_edid;
  mode_list modes;  ///< Never empty once the device is started.
  kmd::scanout scanout;
  kmd::cursor cursor;
  kmd::vblank vblank;
  kmd::gamma gamma;
};

}  // namespace aerogpu::kmd

/// \file The display side: modes, scanout, cursor, vblank.
#pragma once

#include "drivers/win7/kmd/cursor.hpp"
#include "drivers/win7/kmd/edid.hpp"
#include "drivers/win7/kmd/gamma.hpp"
#include "drivers/win7/kmd/mode_list.hpp"
#include "drivers/win7/kmd/scanout.hpp"
#include "drivers/win7/kmd/vblank.hpp"

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

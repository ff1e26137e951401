/// \file The display side: modes, scanout, cursor, vblank.
#pragma once

#include "kmd/cursor.hpp"
#include "kmd/edid.hpp"
#include "kmd/gamma.hpp"
#include "kmd/mode_list.hpp"
#include "kmd/scanout.hpp"
#include "kmd/vblank.hpp"

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

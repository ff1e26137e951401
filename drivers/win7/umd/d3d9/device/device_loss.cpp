// SPDX-License-Identifier: MIT
#include "drivers/win7/umd/d3d9/device/device_loss.hpp"

namespace aerogpu::umd {

auto device_loss::note(HRESULT failure) noexcept -> bool {
  const bool is_kept = failure == D3DERR_DEVICEREMOVED || failure == D3DERR_DEVICEHUNG;
  HRESULT none = S_OK;
  return code_.compare_exchange_strong(none, is_kept ? failure : D3DERR_DEVICELOST);
}

}  // namespace aerogpu::umd

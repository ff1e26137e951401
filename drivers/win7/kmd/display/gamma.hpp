// SPDX-License-Identifier: MIT
/// \file The gamma ramp: kept, because Windows asks for one, and without effect: the device has no
/// registers for it (kmd.md 3.16).
#pragma once

#include "drivers/win7/ddi/ddi.hpp"

#include <cstdint>

namespace aerogpu::kmd {

/// Level 2.
class gamma {
 public:
  /// STATUS_INVALID_PARAMETER for a ramp that is too short, STATUS_NOT_SUPPORTED for another kind.
  [[nodiscard]] auto set(const D3DKMDT_GAMMA_RAMP& ramp) noexcept -> NTSTATUS {
    switch (ramp.Type) {
      case D3DDDI_GAMMARAMP_UNINITIALIZED: return STATUS_SUCCESS;
      case D3DDDI_GAMMARAMP_DEFAULT: is_default_ = true; return STATUS_SUCCESS;
      case D3DDDI_GAMMARAMP_RGB256x3x16:
        if (ramp.DataSize < sizeof ramp_ || ramp.Data.pRgb256x3x16 == nullptr)
          return STATUS_INVALID_PARAMETER;
        ramp_ = *ramp.Data.pRgb256x3x16;
        is_default_ = false;
        return STATUS_SUCCESS;
      default: return STATUS_NOT_SUPPORTED;
    }
  }
  /// nullptr: the default one.
  [[nodiscard]] auto ramp() const noexcept -> const D3DDDI_GAMMA_RAMP_RGB256x3x16* {
    return is_default_ ? nullptr : &ramp_;
  }

 private:
  bool is_default_ = true;
  D3DDDI_GAMMA_RAMP_RGB256x3x16 ramp_{};
};

}  // namespace aerogpu::kmd

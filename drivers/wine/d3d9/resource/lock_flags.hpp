// SPDX-License-Identifier: MIT
/// \file What D3DLOCK_ flags mean where they do not fit.
#pragma once

#include "drivers/win7/ddi/user/d3dumddi.hpp"

namespace aerogpu::d3d9 {

/// Programs discard what is not dynamic, and read what they say they discard: Windows takes the
/// flags and does not follow them.
[[nodiscard]] constexpr auto usable_lock_flags(DWORD usage, DWORD flags) noexcept -> DWORD {
  if ((usage & D3DUSAGE_DYNAMIC) == 0) flags &= ~(D3DLOCK_DISCARD | D3DLOCK_NOOVERWRITE);
  if ((flags & D3DLOCK_READONLY) != 0) flags &= ~D3DLOCK_DISCARD;
  return flags;
}

}  // namespace aerogpu::d3d9

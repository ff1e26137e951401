// SPDX-License-Identifier: MIT
/// \file Mip levels computed from the level above (umd-d3d9.md 2.8.6).
#pragma once

#include "drivers/win7/ddi/hresults.hpp"
#include "drivers/win7/umd/d3d9/resource/resource.hpp"

#include <cstdint>

namespace aerogpu::umd {

class device;

enum class mip_filter : std::uint8_t { nearest, box };

/// Levels 1 and below of every layer, on the CPU. D3DERR_INVALIDCALL for one level, a locked
/// texture and formats without colours; E_OUTOFMEMORY; errors of read-back and sending.
[[nodiscard]] auto generate_mips(device& on, resource& of, mip_filter filter) noexcept -> HRESULT;

}  // namespace aerogpu::umd

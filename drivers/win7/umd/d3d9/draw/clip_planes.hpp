// SPDX-License-Identifier: MIT
/// \file The user clip planes that the host has: render states of its own, in clip space
/// (docs/extensions.md).
#pragma once

#include "drivers/win7/umd/d3d9/fixed/draw_inputs.hpp"

#include <array>
#include <cstddef>
#include <cstdint>

namespace aerogpu::umd {

class device;

/// Which planes clip says D3DRS_CLIPPLANEENABLE, which is forwarded: an internal draw that must not
/// be clipped sends 0 there.
class clip_planes {
 public:
  /// Sends what the host lacks of the planes that are enabled. Errors of sending.
  [[nodiscard]] auto send(device& on, const fixed::draw_inputs& draw) noexcept -> HRESULT;

 private:
  static constexpr std::size_t component_count = clip_plane_count * 4;

  std::array<std::uint32_t, component_count> sent_{};  ///< Bits of floats; the host begins at 0.
};

}  // namespace aerogpu::umd

// SPDX-License-Identifier: MIT
/// \file What an application sets that changes nothing which is drawn, and asks for again.
#pragma once

#include "aerogpu/hosted/heap_array.hpp"
#include "drivers/win7/ddi/d3d9/d3d9_types.hpp"
#include "drivers/win7/ddi/hresults.hpp"

#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>

namespace aerogpu::umd {

inline constexpr std::size_t palette_count = 256;
using palette = std::array<PALETTEENTRY, 256>;

/// Of one device, with Direct3D's defaults. Its mutex guards it.
class kept_values {
 public:
  kept_values() noexcept;

  D3DCLIPSTATUS9 clip_status{};
  D3DGAMMARAMP gamma_ramp{};  ///< The identity at first.
  std::uint32_t current_palette = 0;
  float patch_segments = 0;  ///< SetNPatchMode.
  bool processes_vertices_in_software = false;

  /// E_INVALIDARG from palette 256 on, E_OUTOFMEMORY.
  [[nodiscard]] auto set_palette(std::uint32_t index, const PALETTEENTRY* entries) noexcept
      -> HRESULT;
  /// A palette that nobody set is white, as all of them start.
  [[nodiscard]] auto get_palette(std::uint32_t index, PALETTEENTRY* entries) const noexcept
      -> HRESULT;

 private:
  struct numbered_palette {
    std::uint32_t index;
    std::unique_ptr<palette> entries;
  };
  [[nodiscard]] auto find(std::uint32_t index) const noexcept -> palette*;

  heap_array<numbered_palette> palettes_;  ///< Those that were set.
};

}  // namespace aerogpu::umd

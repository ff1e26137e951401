// SPDX-License-Identifier: MIT
#include "drivers/win7/umd/d3d9/state/kept_values.hpp"

#include "aerogpu/hosted/heap_pointer.hpp"

#include <algorithm>
#include <utility>

namespace aerogpu::umd {

namespace {

constexpr std::uint32_t ramp_step = 257;  // 255 times it is 65535.

}  // namespace

kept_values::kept_values() noexcept {
  for (std::uint32_t i = 0; i < std::size(gamma_ramp.red); ++i) {
    const auto value = static_cast<WORD>(i * ramp_step);
    gamma_ramp.red[i] = value;
    gamma_ramp.green[i] = value;
    gamma_ramp.blue[i] = value;
  }
}

auto kept_values::find(std::uint32_t index) const noexcept -> palette* {
  for (const numbered_palette& each : palettes_) {
    if (each.index == index) return each.entries.get();
  }
  return nullptr;
}

auto kept_values::set_palette(std::uint32_t index, const PALETTEENTRY* entries) noexcept
    -> HRESULT {
  if (index >= palette_count) return E_INVALIDARG;
  palette* kept = find(index);
  if (kept == nullptr) {
    auto made = make_heap<palette>();
    kept = made.get();
    if (kept == nullptr || !palettes_.push_back({index, std::move(made)})) return E_OUTOFMEMORY;
  }
  std::copy_n(entries, kept->size(), kept->begin());
  return S_OK;
}

auto kept_values::get_palette(std::uint32_t index, PALETTEENTRY* entries) const noexcept
    -> HRESULT {
  if (index >= palette_count) return E_INVALIDARG;
  if (const palette* const kept = find(index); kept != nullptr) {
    std::copy(kept->begin(), kept->end(), entries);
  } else {
    std::fill_n(entries, palette{}.size(), PALETTEENTRY{0xFF, 0xFF, 0xFF, 0xFF});
  }
  return S_OK;
}

}  // namespace aerogpu::umd

// SPDX-License-Identifier: MIT
/// \file The rectangles of a Present, clipped to what the surfaces have.
#pragma once

#include "drivers/win7/ddi/ddi.hpp"
#include "drivers/win7/kmd/display/surface.hpp"
#include "drivers/win7/kmd/present/present_packet.hpp"

#include <cstdint>

namespace aerogpu::kmd {

/// The rectangles in the order in which they can be done one after the other.
class present_rectangles {
 public:
  /// Of a fill or a stretch: cut to the destination alone.
  present_rectangles(const DXGKARG_PRESENT& args, const surface_shape& destination) noexcept;
  /// Of a copy.
  present_rectangles(const DXGKARG_PRESENT& args, const surface_shape& destination,
                     const surface_shape& source, bool is_same_surface) noexcept;

  [[nodiscard]] auto count() const noexcept -> std::uint32_t { return count_; }
  /// Precondition: index < count(). Its width is 0 when nothing of it is left.
  [[nodiscard]] auto at(std::uint32_t index) const noexcept -> present_rectangle;

 private:
  [[nodiscard]] auto clip(const RECT& area) const noexcept -> present_rectangle;

  const DXGKARG_PRESENT& args_;
  const surface_shape& destination_;
  const surface_shape& source_;
  std::int64_t to_source_x_;  ///< From a destination pixel to its source.
  std::int64_t to_source_y_;
  std::uint32_t count_;
  bool is_backward_;
};

}  // namespace aerogpu::kmd

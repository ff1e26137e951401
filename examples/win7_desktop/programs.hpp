// SPDX-License-Identifier: MIT
/// \file What the two applications draw, and how that looks by the CPU's account.
#pragma once

#include "canvas.hpp"
#include "drivers/sim/runtime/d3d9/d3d9_device.hpp"
#include "journal.hpp"

#include <string>

namespace win7_desktop {

inline constexpr int content_width = 340, content_height = 250;

class program {
 public:
  program() = default;
  virtual ~program() = default;
  program(const program&) = delete;
  auto operator=(const program&) -> program& = delete;

  [[nodiscard]] virtual auto title() const -> std::string = 0;
  /// Of its window's glass.
  [[nodiscard]] virtual auto tint() const -> color = 0;
  [[nodiscard]] virtual auto has_depth() const -> bool = 0;
  /// One frame on a device of its own; false when the journal has the reason.
  [[nodiscard]] virtual auto draw(aerogpu::sim::d3d9_device& device, journal& log, double turn)
      -> bool = 0;
  [[nodiscard]] virtual auto expected(double turn) const -> canvas = 0;
};

/// Translucent stars: pretransformed vertices, a colour at each, blending.
class shapes_program final : public program {
 public:
  [[nodiscard]] auto title() const -> std::string override { return "Rotating shapes"; }
  [[nodiscard]] auto tint() const -> color override { return 0xFF3A74C4; }
  [[nodiscard]] auto has_depth() const -> bool override { return false; }
  [[nodiscard]] auto draw(aerogpu::sim::d3d9_device& device, journal& log, double turn)
      -> bool override;
  [[nodiscard]] auto expected(double turn) const -> canvas override;
};

/// Two lit cubes: fixed-function transforms, a directional light, a depth buffer.
class cubes_program final : public program {
 public:
  [[nodiscard]] auto title() const -> std::string override { return "Lit cubes"; }
  [[nodiscard]] auto tint() const -> color override { return 0xFF4FA58A; }
  [[nodiscard]] auto has_depth() const -> bool override { return true; }
  [[nodiscard]] auto draw(aerogpu::sim::d3d9_device& device, journal& log, double turn)
      -> bool override;
  [[nodiscard]] auto expected(double turn) const -> canvas override;
};

}  // namespace win7_desktop

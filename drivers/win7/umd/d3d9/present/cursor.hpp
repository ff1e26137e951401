// SPDX-License-Identifier: MIT
/// \file The cursor of a full-screen device: the adapter's, or a draw over each present.
#pragma once

#include "aerogpu/core/bytes.hpp"
#include "drivers/win7/ddi/hresults.hpp"
#include "drivers/win7/umd/d3d9/resource/resource.hpp"
#include "drivers/win7/umd/d3d9/state/device_state.hpp"

#include <cstdint>

namespace aerogpu::umd {

class device;

/// The device's mutex guards it. Calls on a lost device keep the values.
class device_cursor {
 public:
  static constexpr std::uint32_t most_side_texels = 512;

  /// Pixels of subresource 0, with the hot spot inside. Null hides. D3DERR_INVALIDCALL for formats
  /// other than A8R8G8B8, X8R8G8B8 and A8B8G8R8 and sizes above 512; errors of reading and making.
  [[nodiscard]] auto set_shape(device& on, resource* bitmap, std::uint32_t hot_x,
                               std::uint32_t hot_y) noexcept -> HRESULT;
  void move(device& on, std::int32_t x, std::int32_t y) noexcept;
  /// What it was before.
  auto show(device& on, bool is_visible) noexcept -> bool;

  /// Draws it over `target` unless the adapter shows it, or nothing is to be seen. Errors of
  /// sending; everything that is bound stays.
  [[nodiscard]] auto draw_over(device& on, const surface_ref& target) noexcept -> HRESULT;
  [[nodiscard]] auto is_in_hardware() const noexcept -> bool { return is_in_hardware_; }

 private:
  [[nodiscard]] auto make_image(device& on, std::uint32_t width, std::uint32_t height,
                                const_bytes pixels) noexcept -> HRESULT;
  void send_position(const device& on) const noexcept;
  void send_visibility(const device& on) const noexcept;

  resource* image_ = nullptr;  ///< A8R8G8B8, of the device: made for the first overlay.
  std::uint32_t hot_x_ = 0;
  std::uint32_t hot_y_ = 0;
  std::int32_t x_ = 0;
  std::int32_t y_ = 0;
  bool has_shape_ = false;
  bool is_visible_ = false;  ///< As the application wants it.
  bool is_in_hardware_ = false;
};

}  // namespace aerogpu::umd

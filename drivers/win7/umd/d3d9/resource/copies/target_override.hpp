// SPDX-License-Identifier: MIT
/// \file A surface as the only render target for one operation of the driver's own, and everything
/// as the application set it afterwards.
#pragma once

#include "drivers/win7/ddi/d3d9/d3d9_types.hpp"
#include "drivers/win7/umd/d3d9/state/device_state.hpp"
#include "drivers/win7/umd/d3d9/state/state_key.hpp"

#include <array>
#include <cstddef>
#include <cstdint>

namespace aerogpu::umd {

class device;

/// Binds, and restores when it goes. Each call sends at most what it names; errors of sending.
class target_override {
 public:
  explicit target_override(device& on) noexcept : device_(on) {}
  target_override(const target_override&) = delete;
  auto operator=(const target_override&) -> target_override& = delete;
  ~target_override();

  [[nodiscard]] auto use_color(const surface_ref& target) noexcept -> HRESULT;
  [[nodiscard]] auto use_depth(const surface_ref& target) noexcept -> HRESULT;
  /// Pixels of the target outside of `area` are left alone.
  [[nodiscard]] auto use_scissor(const rectangle& area) noexcept -> HRESULT;
  [[nodiscard]] auto use_viewport(const viewport& view) noexcept -> HRESULT;
  [[nodiscard]] auto use_render_state(D3DRENDERSTATETYPE state, std::uint32_t value) noexcept
      -> HRESULT;
  /// Of pixel sampler 0.
  [[nodiscard]] auto use_texture(resource_handle texture) noexcept -> HRESULT;
  [[nodiscard]] auto use_sampler_state(D3DSAMPLERSTATETYPE state, std::uint32_t value) noexcept
      -> HRESULT;

 private:
  static constexpr std::size_t most_render_states = 16;

  void restore_states() noexcept;

  device& device_;
  bool has_targets_ = false;
  bool has_scissor_ = false;
  bool has_viewport_ = false;
  bool has_texture_ = false;
  std::array<std::uint32_t, most_render_states> render_states_{};
  std::size_t render_state_count_ = 0;
  std::uint32_t sampler_states_ = 0;  ///< Bit n = state n.
};

}  // namespace aerogpu::umd

// SPDX-License-Identifier: MIT
/// \file The shaders that a draw runs with: the application's, and generated ones for the stages
/// that it left to the fixed-function pipeline.
#pragma once

#include "drivers/win7/umd/d3d9/draw/clip_planes.hpp"
#include "drivers/win7/umd/d3d9/fixed/fixed_function.hpp"
#include "drivers/win7/umd/d3d9/state/device_state.hpp"

#include <cstdint>

namespace aerogpu::umd {

class device;

class shader_selection final : public fixed::shader_factory {
 public:
  explicit shader_selection(device& on) noexcept : device_(&on), fixed_(*this) {}

  /// Binds the pair of shaders and sends the constants that they read and the host lacks.
  /// `is_pretransformed` says that the fixed-function vertex stage wants converted vertices.
  /// D3DERR_INVALIDCALL for a state that no shader can do; errors of sending.
  [[nodiscard]] auto prepare(bool& is_pretransformed) noexcept -> HRESULT;
  /// Destroys the generated shaders.
  void clear() noexcept { fixed_.clear(); }

  [[nodiscard]] auto create(fixed::shader_stage which, std::span<const std::uint32_t> tokens,
                            shader_handle& out) noexcept -> HRESULT override;
  void destroy(fixed::shader_stage which, shader_handle gone) noexcept override;

 private:
  /// Registers of a stage that generated shaders overwrote since the application's last ran.
  struct overwritten {
    std::size_t first = 0;
    std::size_t end = 0;
  };

  [[nodiscard]] auto describe_draw() const noexcept -> fixed::draw_inputs;
  [[nodiscard]] auto bind_host_fog() noexcept -> HRESULT;
  [[nodiscard]] auto send(stage which, std::span<const fixed::constant_upload> uploads) noexcept
      -> HRESULT;
  [[nodiscard]] auto restore_constants(stage which) noexcept -> HRESULT;

  device* device_;
  fixed::pipeline fixed_;
  fixed::draw_plan plan_;  ///< Of the last draw that left a stage to the pipeline.
  clip_planes planes_;
  std::uint32_t seen_changes_ = 0;
  std::array<overwritten, 2> overwritten_{};
};

}  // namespace aerogpu::umd

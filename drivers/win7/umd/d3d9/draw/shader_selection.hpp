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

  /// Binds the pair of shaders of a draw and sends the constants that they read and the host lacks.
  /// `is_pretransformed` says that the fixed-function vertex stage wants converted vertices.
  /// D3DERR_INVALIDCALL for a state that no shader can do; errors of sending.
  [[nodiscard]] auto prepare(D3DPRIMITIVETYPE type, bool& is_pretransformed) noexcept -> HRESULT;
  /// Whether nothing changed since the last `prepare` that another one would look at, for draws of
  /// any type, and that one asked for no converted vertices.
  [[nodiscard]] auto is_settled(const device_state& state,
                                const std::array<fixed::constant_file, 2>& files) const noexcept
      -> bool {
    const auto is_kept = [&](std::size_t i) {
      return settled_.generations[i] == any_generation ||
             settled_.generations[i] == files[i].generation();
    };
    return settled_.fixed_changes == state.fixed_changes &&
           settled_.shader_changes == state.host.shader_changes && is_kept(0) && is_kept(1);
  }
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

  static constexpr std::uint64_t any_generation = 0;

  /// What a `prepare` saw that left nothing to do for another one.
  struct settlement {
    std::uint64_t fixed_changes = 0;  ///< No device has made so few.
    std::uint64_t shader_changes = 0;
    /// Of the files of constants, where a generated shader reads them.
    std::array<std::uint64_t, 2> generations{any_generation, any_generation};
  };

  /// Notes that a draw was prepared that left stages to generated shaders.
  void settle(bool is_fixed_vertex, bool is_fixed_pixel) noexcept;
  [[nodiscard]] auto describe_draw() const noexcept -> fixed::draw_inputs;
  [[nodiscard]] auto bind_host_fog() noexcept -> HRESULT;
  [[nodiscard]] auto send(stage which, std::span<const fixed::constant_upload> uploads) noexcept
      -> HRESULT;
  [[nodiscard]] auto restore_constants(stage which) noexcept -> HRESULT;

  device* device_;
  fixed::pipeline fixed_;
  fixed::draw_plan plan_;  ///< Of the last draw that left a stage to the pipeline.
  clip_planes planes_;
  std::uint64_t seen_changes_ = 0;
  settlement settled_;
  std::array<overwritten, 2> overwritten_{};
};

}  // namespace aerogpu::umd

// SPDX-License-Identifier: MIT
/// \file Who makes shaders on the host for the fixed-function pipeline.
#pragma once

#include "aerogpu/core/ids.hpp"
#include "drivers/win7/ddi/d3d9/d3d9_types.hpp"

#include <cstdint>
#include <span>

namespace aerogpu::umd::fixed {

enum class shader_stage : std::uint8_t { vertex, pixel };

/// Implemented by the room that records CREATE_SHADER_DXBC and DESTROY_SHADER.
class shader_factory {
 public:
  shader_factory() = default;
  shader_factory(const shader_factory&) = delete;
  auto operator=(const shader_factory&) -> shader_factory& = delete;

  /// `tokens` are the factory's to copy. Errors: what recording gives.
  [[nodiscard]] virtual auto create(shader_stage stage, std::span<const std::uint32_t> tokens,
                                    shader_handle& out) noexcept -> HRESULT = 0;
  /// Once for each shader. The host may still have it bound, when the draw that would have bound
  /// another failed: the factory unbinds it first then.
  virtual void destroy(shader_stage stage, shader_handle shader) noexcept = 0;

 protected:
  ~shader_factory() = default;
};

}  // namespace aerogpu::umd::fixed

// SPDX-License-Identifier: MIT
/// \file The driver's own shaders for blits: a quad that samples one texture.
#pragma once

#include "aerogpu/core/ids.hpp"
#include "drivers/win7/ddi/hresults.hpp"

namespace aerogpu::umd {

class device;
class vertex_declaration;

/// Made when first used.
class blit_program {
 public:
  /// A corner: clip space, and where it samples.
  struct vertex {
    float x, y, z, w;
    float u, v;
  };

  /// Binds shaders and layout. Errors of sending, E_OUTOFMEMORY.
  [[nodiscard]] auto bind(device& on) noexcept -> HRESULT;
  void destroy(device& on) noexcept;

 private:
  shader_handle vertex_shader_{};
  shader_handle pixel_shader_{};
  vertex_declaration* declaration_ = nullptr;
};

}  // namespace aerogpu::umd

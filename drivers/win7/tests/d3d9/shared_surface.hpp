// SPDX-License-Identifier: MIT
/// \file A render target that processes share.
#pragma once

#include "drivers/win7/tests/d3d9/stage.hpp"

namespace aerogpu::guest {

class shared_surface {
 public:
  static constexpr UINT edge = 32;

  /// Made, filled and drawn. False: the report says why.
  [[nodiscard]] auto create(const stage& on, D3DCOLOR color) -> bool;
  [[nodiscard]] auto open(const stage& on, HANDLE handle) -> bool;
  [[nodiscard]] auto handle() const -> HANDLE { return handle_; }
  /// Another colour all over.
  [[nodiscard]] auto fill(const stage& on, D3DCOLOR color) const -> bool;
  /// Whether a copy of it, made by StretchRect, has that colour. No rule: nothing is noted.
  [[nodiscard]] auto holds(const stage& on, D3DCOLOR color, rule_text rule) const -> bool;

 private:
  [[nodiscard]] auto make(const stage& on) -> bool;
  [[nodiscard]] auto level(const stage& on) const -> com<IDirect3DSurface9>;

  com<IDirect3DTexture9> texture_;
  HANDLE handle_ = nullptr;
};

}  // namespace aerogpu::guest

// SPDX-License-Identifier: MIT
/// \file What surfaces, textures and buffers have in common, and how the device gets at them.
#pragma once

#include "drivers/sim/runtime/resource.hpp"
#include "drivers/wine/d3d9/api/resources.hpp"
#include "drivers/wine/d3d9/com/object.hpp"

namespace aerogpu::d3d9 {

class device;

/// The textures of all types, as states know them.
class any_texture {
 public:
  [[nodiscard]] virtual auto api() noexcept -> IDirect3DBaseTexture9* = 0;
  [[nodiscard]] virtual auto counts() noexcept -> object& = 0;
  /// What the driver samples. nullptr for one that the device cannot use, and for one that was not
  /// prepared yet.
  [[nodiscard]] virtual auto driver() noexcept -> sim::d3d9_resource* = 0;
  [[nodiscard]] virtual auto pool() const noexcept -> D3DPOOL = 0;
  /// Before a draw samples it: what is dirty of a managed one goes to its copy in video memory, and
  /// levels that are made from the first are. `driver()` may change.
  [[nodiscard]] virtual auto prepare() -> HRESULT = 0;
  [[nodiscard]] virtual auto owner_device() const noexcept -> device& = 0;

  void bind() noexcept { counts().bind(); }
  void unbind() noexcept { counts().unbind(); }
  void AddRef() noexcept { api()->AddRef(); }

 protected:
  ~any_texture() = default;
};

/// Of a pointer that the program gave; nullptr for nullptr.
[[nodiscard]] auto texture_of(IDirect3DBaseTexture9* given) noexcept -> any_texture*;
/// What the driver has of it; nullptr for nothing.
[[nodiscard]] auto driver_resource_of(IDirect3DResource9* given) noexcept -> sim::d3d9_resource*;

}  // namespace aerogpu::d3d9

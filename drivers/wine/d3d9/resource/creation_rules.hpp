// SPDX-License-Identifier: MIT
/// \file Which resources Direct3D 9 makes: formats, usages and pools (umd-d3d9.md 6.8).
#pragma once

#include "drivers/sim/runtime/resource.hpp"

#include <span>

namespace aerogpu::d3d9 {

/// What decides beside the request.
struct creation_limits {
  std::span<const FORMATOP> formats;  ///< The driver's.
  const D3DCAPS9& caps;
  bool is_ex = false;
};

/// What the API's creation asks for, in addition to what the driver learns.
struct creation_request {
  sim::resource_description shape;
  HANDLE* share = nullptr;  ///< pSharedHandle.
};

/// FORMATOP_ bits of a format; 0 for one that the driver does not list.
[[nodiscard]] auto operations_of(std::span<const FORMATOP> formats, D3DFORMAT format) -> UINT;
[[nodiscard]] auto is_depth_format(D3DFORMAT format) -> bool;

/// Textures of all types. D3DERR_INVALIDCALL, E_NOTIMPL.
[[nodiscard]] auto check_texture(const creation_request& asked, const creation_limits& limits)
    -> HRESULT;
/// CreateRenderTarget, CreateDepthStencilSurface, CreateOffscreenPlainSurface: as the usage says.
[[nodiscard]] auto check_surface(const creation_request& asked, const creation_limits& limits)
    -> HRESULT;
/// Vertex and index buffers.
[[nodiscard]] auto check_buffer(const creation_request& asked, const creation_limits& limits)
    -> HRESULT;

}  // namespace aerogpu::d3d9

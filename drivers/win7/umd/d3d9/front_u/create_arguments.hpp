// SPDX-License-Identifier: MIT
/// \file CREATERESOURCE and OPENRESOURCE of profile U as the core's requests (umd-d3d9.md 2.5.1).
#pragma once

#include "drivers/win7/ddi/portable/portable_ddi.hpp"
#include "drivers/win7/umd/d3d9/resource/opening.hpp"
#include "drivers/win7/umd/d3d9/resource/resource.hpp"

namespace aerogpu::umd::front_u {

/// D3DERR_INVALIDCALL for volumes, unknown types, and a shared resource whose private data has no
/// room for a blob.
[[nodiscard]] auto read_request(const d3d9ddi_u::D3D9DDIARG_CREATERESOURCE& from,
                                resource_request& out) noexcept -> HRESULT;
/// D3DERR_INVALIDCALL as above.
[[nodiscard]] auto read_opening(const d3d9ddi_u::D3D9DDIARG_OPENRESOURCE& from,
                                opening_request& out) noexcept -> HRESULT;
/// A creation that names an existing surface.
[[nodiscard]] auto read_opening(const d3d9ddi_u::D3D9DDIARG_CREATERESOURCE& from,
                                opening_request& out) noexcept -> HRESULT;

}  // namespace aerogpu::umd::front_u

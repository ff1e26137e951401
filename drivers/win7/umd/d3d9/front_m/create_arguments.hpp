// SPDX-License-Identifier: MIT
/// \file CREATERESOURCE of profile M as the core's request.
#pragma once

#include "drivers/win7/ddi/user/d3dumddi.hpp"
#include "drivers/win7/umd/d3d9/resource/resource.hpp"

namespace aerogpu::umd::front_m {

/// Reads the argument once; `memory` gets what the surfaces' system memory is, and the request
/// refers to it. E_INVALIDARG without surfaces; D3DERR_INVALIDCALL for volumes, multisampling and
/// kinds that caps offer nowhere; E_OUTOFMEMORY.
[[nodiscard]] auto read_request(const D3DDDIARG_CREATERESOURCE& from, resource_request& out,
                                heap_array<caller_memory>& memory) noexcept -> HRESULT;

}  // namespace aerogpu::umd::front_m

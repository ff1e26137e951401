// SPDX-License-Identifier: MIT
/// \file CREATERESOURCE of profile M as the core's requests.
#pragma once

#include "drivers/win7/ddi/user/d3dumddi.hpp"
#include "drivers/win7/umd/d3d9/resource/resource.hpp"

namespace aerogpu::umd::front_m {

/// What one CREATERESOURCE asks of the core: a resource, or several that are alike.
struct creation_request {
  resource_request each;
  std::uint32_t count = 1;           ///< Of a swap chain: its surfaces.
  heap_array<caller_memory> memory;  ///< Of all subresources of all of them, or nothing.

  /// What number `i` is asked as; refers to `memory`.
  [[nodiscard]] auto at(std::uint32_t i) const noexcept -> resource_request {
    resource_request made = each;
    const std::size_t share = memory.size() / count;
    made.system_memory = memory.view().subspan(i * share, share);
    return made;
  }
};

/// Reads the argument once. E_INVALIDARG without surfaces, for another number of them than the
/// levels say, and for surfaces of a swap chain that differ; D3DERR_INVALIDCALL for a swap chain
/// that is shared, for volumes, multisampling and kinds that caps offer nowhere; E_OUTOFMEMORY.
[[nodiscard]] auto read_request(const D3DDDIARG_CREATERESOURCE& from,
                                creation_request& out) noexcept -> HRESULT;

}  // namespace aerogpu::umd::front_m

// SPDX-License-Identifier: MIT
/// \file Opening surfaces of others (umd-d3d9.md 2.6).
#pragma once

#include "aerogpu/core/bytes.hpp"
#include "drivers/win7/ddi/hresults.hpp"
#include "drivers/win7/umd/d3d9/resource/resource.hpp"

#include <cstdint>

namespace aerogpu::umd {

class device;

struct opening_request {
  kernel_allocation allocation{};
  const_bytes private_data;  ///< Of the allocation, as its creator's kernel driver left it.
  void* runtime_handle = nullptr;
  /// What the runtime says of the surface, in profile U; zeros say nothing.
  resource_kind kind = resource_kind::texture;
  std::uint32_t format = 0;  ///< D3DFORMAT.
  std::uint32_t width = 0;
  std::uint32_t height = 0;
  /// Whether the kernel driver's own standard allocations may be opened: profile M alone.
  bool takes_standard = true;
};

/// E_INVALIDARG for private data that names no shared surface; E_FAIL without an allocation;
/// D3DERR_INVALIDCALL for a surface that the adapter does not offer; E_OUTOFMEMORY; errors of
/// sending.
[[nodiscard]] auto open_resource(device& on, const opening_request& request,
                                 resource*& out) noexcept -> HRESULT;

}  // namespace aerogpu::umd

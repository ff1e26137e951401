// SPDX-License-Identifier: MIT
/// \file Creating resources (umd-d3d9.md 2.5).
#pragma once

#include "drivers/win7/ddi/hresults.hpp"
#include "drivers/win7/umd/d3d9/resource/resource.hpp"

#include <cstdint>

namespace aerogpu::umd {

class device;

/// Subresources of one resource take no more.
inline constexpr std::uint64_t most_resource_bytes = 0x7FFFFFFF;
/// What hosts take: `texture_dimension` and `buffer_bytes` of their limits.
inline constexpr std::uint32_t most_texture_edge = 16'384;
inline constexpr std::uint64_t most_buffer_bytes = 1ull << 30;

/// D3DERR_INVALIDCALL for what the adapter does not offer, E_OUTOFMEMORY for too large sizes and an
/// exhausted heap, E_INVALIDARG for memory of the runtime that does not match, errors of the
/// callbacks and of sending. A shared surface is exported, and submitted, before this returns.
[[nodiscard]] auto create_resource(device& on, const resource_request& request,
                                   resource*& out) noexcept -> HRESULT;

/// AEROGPU_RESOURCE_USAGE_* of a resource, the same at each CREATE of it.
[[nodiscard]] auto usage_of(const resource& of) noexcept -> std::uint32_t;
/// Records CREATE for the resource over `backing`, none = memory of the host, with room for
/// `more_bytes` of packets behind it. Again for a handle that exists: binds other memory to it.
[[nodiscard]] auto send_creation(device& on, resource& of, const guest_backing& backing,
                                 std::uint64_t more_bytes = 0) noexcept -> HRESULT;

}  // namespace aerogpu::umd

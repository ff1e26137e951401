// SPDX-License-Identifier: MIT
/// \file Kernel allocations of resources, and the private data that names them (umd-d3d9.md 2.5.4).
#pragma once

#include "drivers/win7/ddi/hresults.hpp"
#include "drivers/win7/umd/d3d9/resource/resource.hpp"

#include <cstdint>

namespace aerogpu::umd {

class device;

/// Allocates for the resource under a new id, with private data of version 3. Errors of AllocateCb;
/// E_FAIL when a shared resource came back without a token. Nothing is kept on failure.
[[nodiscard]] auto allocate_backing(device& on, const resource& of, std::uint32_t vidpn_source,
                                    guest_backing& out) noexcept -> HRESULT;
/// Writes what the resource's allocation is as private data of version 2, or 1 in fewer than 64
/// bytes; zeros for a resource without one. E_INVALIDARG in fewer than 40.
[[nodiscard]] auto write_private_data(const resource& of, mutable_bytes out) noexcept -> HRESULT;
/// Gives an allocation back, and forgets it. Also on a lost device.
void release_backing(device& on, const resource& of, guest_backing& memory) noexcept;

/// For presents: a resource that lives on the host gets an allocation that names it, and no more
/// (private data of version 3 lets the kernel driver copy on the host). Errors as above.
[[nodiscard]] auto require_allocation(device& on, resource& of) noexcept -> HRESULT;

/// Fills the new CPU-visible memory of a resource with zeros, but for alpha that reads as 1. Errors
/// of LockCb.
[[nodiscard]] auto zero_backing(device& on, const resource& of) noexcept -> HRESULT;

/// Waits until no submission uses the resource any more. D3DERR_WASSTILLDRAWING when that takes too
/// long, or is not so now and `may_wait` is false; errors of submitting.
[[nodiscard]] auto finish_use(device& on, const resource& of, bool may_wait) noexcept -> HRESULT;

}  // namespace aerogpu::umd

// SPDX-License-Identifier: MIT
/// \file Other memory for a resource whose contents the application gives up: DISCARD without a
/// wait (umd-d3d9.md 2.7.4).
#pragma once

#include "drivers/win7/ddi/hresults.hpp"
#include "drivers/win7/umd/d3d9/resource/resource.hpp"

#include <cstddef>

namespace aerogpu::umd {

class device;

/// Allocations that one resource has beside its own, at most.
inline constexpr std::size_t most_spares = 8;

/// Dynamic, with one subresource, and nobody else's.
[[nodiscard]] auto renames_on_discard(const resource& of) noexcept -> bool;

/// Gives a guest-backed resource whose allocation is in use an idle one, which is for the caller to
/// bind when it was written; waits when there are too many. The old one is kept for later. Errors
/// of callbacks and sending.
[[nodiscard]] auto rename_backing(device& on, resource& of, bool& is_renamed) noexcept -> HRESULT;

/// A renaming that the host will not hear of: the allocation of before is the resource's again.
void undo_renaming(resource& of, kernel_allocation before) noexcept;

}  // namespace aerogpu::umd

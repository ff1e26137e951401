// SPDX-License-Identifier: MIT
/// \file Other memory for a resource whose contents the application gives up: DISCARD without a
/// wait (umd-d3d9.md 2.7.4).
#pragma once

#include "drivers/win7/ddi/hresults.hpp"
#include "drivers/win7/umd/d3d9/resource/lock.hpp"
#include "drivers/win7/umd/d3d9/resource/resource.hpp"

#include <cstddef>
#include <cstdint>

namespace aerogpu::umd {

class device;

/// Memories that one resource has beside its own, at most.
inline constexpr std::size_t most_spares = 8;

/// Dynamic, with one subresource, and nobody else's.
[[nodiscard]] auto renames_on_discard(const resource& of) noexcept -> bool;

/// Gives a guest-backed resource whose allocation is in use an idle one, which is for the caller to
/// bind when it was written; waits when there are too many. The old one is kept for later. Errors
/// of callbacks and sending.
[[nodiscard]] auto rename_backing(device& on, resource& of, bool& is_renamed) noexcept -> HRESULT;

/// A renaming that the host will not hear of: the allocation of before is the resource's again.
void undo_renaming(resource& of, kernel_allocation before) noexcept;

/// What LockAsync asks for; `request` says where.
struct async_lock_request {
  lock_request where;              ///< `discards` and `overwrites_nothing` count.
  bool has_no_references = false;  ///< The caller knows that nothing is queued.
};
struct async_lock_answer {
  lock_answer memory;
  std::uintptr_t cookie = 0;  ///< Of memory that a Rename makes the resource's.
};
/// Memory without touching what is recorded, and without sending. E_NOTIMPL for a resource that is
/// not dynamic with a shadow, and without DISCARD or NOOVERWRITE; D3DERR_WASSTILLDRAWING when there
/// is no memory; errors as of `lock_resource`.
[[nodiscard]] auto lock_async(device& on, resource& of, const async_lock_request& request,
                              async_lock_answer& out) noexcept -> HRESULT;
/// NOOVERWRITE: sends what was written. DISCARD: Rename does. E_INVALIDARG without a lock.
[[nodiscard]] auto unlock_async(device& on, resource& of, std::uint32_t subresource) noexcept
    -> HRESULT;
/// Makes the memory of a cookie the resource's, and sends it. E_INVALIDARG for another cookie.
[[nodiscard]] auto rename(device& on, resource& of, std::uintptr_t cookie) noexcept -> HRESULT;

}  // namespace aerogpu::umd

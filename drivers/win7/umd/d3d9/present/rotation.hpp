// SPDX-License-Identifier: MIT
/// \file Resources that exchange what they are on the host, each staying the object that it is to
/// the runtime (umd-d3d9.md 2.14.4).
#pragma once

#include "drivers/win7/ddi/hresults.hpp"
#include "drivers/win7/umd/d3d9/resource/resource.hpp"

#include <span>

namespace aerogpu::umd {

class device;

/// RotateResourceIdentities: each gets what the next one was, the last what the first was; what is
/// bound is bound anew. E_INVALIDARG for none and for null; D3DERR_INVALIDCALL for fewer than two,
/// one twice, such that differ, and what is locked or shared. Nothing changed when the bindings do
/// not fit into a submission: E_OUTOFMEMORY.
[[nodiscard]] auto rotate_identities(device& on, std::span<resource* const> list) noexcept
    -> HRESULT;

/// Sends again what is bound of these resources. Whole, or not at all: errors of
/// `recorder::reserve`.
[[nodiscard]] auto bind_again(device& on, std::span<resource* const> changed) noexcept -> HRESULT;

/// Exchanges what two resources are on the host and where their bytes live.
void swap_identities(resource& a, resource& b) noexcept;

}  // namespace aerogpu::umd

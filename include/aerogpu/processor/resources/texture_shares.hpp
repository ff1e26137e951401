// SPDX-License-Identifier: MIT
/// \file The processor's textures in the host's share registry.
#pragma once

#include "aerogpu/core/ids.hpp"
#include "aerogpu/hosted/heap_map.hpp"
#include "aerogpu/hosted/limits.hpp"
#include "aerogpu/processor/resources/resource.hpp"
#include "aerogpu/share/share_registry.hpp"

namespace aerogpu {

template <backend B>
using texture_shares = share_registry<texture_object<B>, heap_maps>;

[[nodiscard]] constexpr auto share_limits_of(const limits& most) noexcept -> share_limits {
  return {.bound_tokens = most.share_tokens, .known_tokens = most.retired_share_tokens};
}

/// What sharing asks of a handle.
template <backend B>
[[nodiscard]] constexpr auto as_shared(resource_handle handle,
                                       const named_resource<B>& named) noexcept
    -> shared_handle<texture_object<B>> {
  switch (named.kind) {
    case resource_kind::texture: return {handle, handle_state::texture, named.texture};
    case resource_kind::reserved: return {handle, handle_state::reserved, nullptr};
    case resource_kind::buffer: return {handle, handle_state::buffer, nullptr};
    case resource_kind::view: return {handle, handle_state::view, nullptr};
    case resource_kind::none: break;
  }
  return {handle, handle_state::none, nullptr};
}

}  // namespace aerogpu

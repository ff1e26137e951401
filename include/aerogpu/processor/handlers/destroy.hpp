// SPDX-License-Identifier: MIT
/// \file DESTROY_RESOURCE and DESTROY_TEXTURE_VIEW: never an error (host.md 2.3).
#pragma once

#include "aerogpu/processor/destruction.hpp"
#include "aerogpu/processor/execution.hpp"
#include "aerogpu/stream/checked_packet.hpp"

namespace aerogpu {

template <backend B>
auto on_packet(execution<B>& x,
               const checked_packet<aerogpu_cmd_destroy_resource>& from_guest) noexcept
    -> error_code {
  const auto handle = static_cast<resource_handle>(from_guest.fields().resource_handle);
  destroy_resource(x.backend, x.tables, handle);
  return error_code::none;
}

template <backend B>
auto on_packet(execution<B>& x,
               const checked_packet<aerogpu_cmd_destroy_texture_view>& from_guest) noexcept
    -> error_code {
  const auto handle = static_cast<resource_handle>(from_guest.fields().view_handle);
  if (x.tables.resources.find(handle).kind == resource_kind::view) {
    destroy_resource(x.backend, x.tables, handle);
  }
  return error_code::none;
}

}  // namespace aerogpu

// SPDX-License-Identifier: MIT
/// \file DESTROY_RESOURCE and DESTROY_TEXTURE_VIEW: never an error (host.md 2.3).
#pragma once

#include "aerogpu/processor/execution.hpp"
#include "aerogpu/processor/processor_tables.hpp"
#include "aerogpu/stream/checked_packet.hpp"

namespace aerogpu {

namespace detail {

/// Ends what a live handle names; slots that hold it read as unbound from now on, because its
/// serial is gone. The last handle of a texture takes its tokens and the presented image along, and
/// the last view what was presented through it since.
template <backend B>
void destroy_named(execution<B>& x, resource_handle handle,
                   const named_resource<B>& named) noexcept {
  texture_object<B>* const texture = named.texture;
  const bool is_last_handle = named.kind == resource_kind::texture && texture->handle_count == 1;
  const bool is_last_view =
      named.kind == resource_kind::view && texture->handle_count == 0 && texture->view_count == 1;
  if (is_last_handle) x.tables.shares.retire_all(*texture);
  if (is_last_handle || is_last_view) x.tables.scanout.forget(*texture);
  x.tables.resources.destroy(x.backend, handle);
}

}  // namespace detail

template <backend B>
auto on_packet(execution<B>& x,
               const checked_packet<aerogpu_cmd_destroy_resource>& from_guest) noexcept
    -> error_code {
  const auto handle = static_cast<resource_handle>(from_guest.fields().resource_handle);
  const named_resource<B> named = x.tables.resources.find(handle);
  if (named.kind != resource_kind::none && named.kind != resource_kind::reserved) {
    detail::destroy_named(x, handle, named);
  }
  return error_code::none;
}

template <backend B>
auto on_packet(execution<B>& x,
               const checked_packet<aerogpu_cmd_destroy_texture_view>& from_guest) noexcept
    -> error_code {
  const auto handle = static_cast<resource_handle>(from_guest.fields().view_handle);
  const named_resource<B> named = x.tables.resources.find(handle);
  if (named.kind == resource_kind::view) detail::destroy_named(x, handle, named);
  return error_code::none;
}

}  // namespace aerogpu

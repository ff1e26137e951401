/// \file EXPORT, IMPORT and RELEASE of shared surfaces (host.md 2.8).
#pragma once

#include "aerogpu/core/ids.hpp"
#include "aerogpu/processor/execution.hpp"
#include "aerogpu/processor/world.hpp"
#include "aerogpu/stream/packet.hpp"

namespace aerogpu {

namespace detail {

template <backend B>
auto fail_token_zero(execution<B>& x) noexcept -> error_code {
  return x.fail(error_code::invalid_share_token, "share_token is zero");
}

/// What an import onto a live handle means; `none` when nothing is to be done.
template <backend B>
auto import_onto(execution<B>& x, resource_handle out, const named_resource<B>& named,
                 const texture_object<B>& shared) noexcept -> error_code {
  if (named.kind == resource_kind::reserved) {
    return x.fail(error_code::handle_in_use, "handle is reserved while aliases live", raw(out));
  }
  if (named.texture == &shared) return error_code::none;
  return x.fail(error_code::alias_already_bound, "handle names another texture", raw(out));
}

}  // namespace detail

template <backend B>
auto on_packet(execution<B>& x,
               const packet<aerogpu_cmd_export_shared_surface>& from_guest) noexcept -> error_code {
  const aerogpu_cmd_export_shared_surface p = from_guest.fields();
  const auto handle = static_cast<resource_handle>(p.resource_handle);
  const auto token = static_cast<share_token>(p.share_token);
  if (handle == resource_handle{}) {
    return x.fail(error_code::invalid_handle, "resource_handle is zero");
  }
  if (token == share_token{}) return detail::fail_token_zero(x);
  if (x.world.shares.is_retired(token)) {
    return x.fail(error_code::share_token_retired, "share_token is retired", p.share_token);
  }
  const named_resource<B> named = x.world.resources.find(handle);
  if (named.kind == resource_kind::view) {
    return x.fail(error_code::wrong_kind, "a texture view cannot be exported", raw(handle));
  }
  if (named.kind != resource_kind::texture) {
    return x.fail(error_code::unknown_handle, "handle names no shareable texture", raw(handle));
  }
  return x.check(x.world.shares.bind(token, *named.texture));
}

template <backend B>
auto on_packet(execution<B>& x,
               const packet<aerogpu_cmd_import_shared_surface>& from_guest) noexcept -> error_code {
  const aerogpu_cmd_import_shared_surface p = from_guest.fields();
  const auto out = static_cast<resource_handle>(p.out_resource_handle);
  const auto token = static_cast<share_token>(p.share_token);
  const named_resource<B> named = x.world.resources.find(out);
  if (named.kind == resource_kind::buffer || named.kind == resource_kind::view) {
    return x.fail(error_code::handle_in_use, "handle names a buffer or a view", raw(out));
  }
  if (out == resource_handle{}) {
    return x.fail(error_code::invalid_handle, "out_resource_handle is zero");
  }
  if (token == share_token{}) return detail::fail_token_zero(x);
  texture_object<B>* shared = x.world.shares.find(token);
  if (shared == nullptr) {
    return x.fail(error_code::unknown_share_token, "share_token names nothing", p.share_token);
  }
  if (named.kind != resource_kind::none) return detail::import_onto(x, out, named, *shared);
  const auto added = x.world.resources.add_alias(*shared, out);
  if (!added) return x.fail(added.why());
  ++x.world.binding_epoch;
  return error_code::none;
}

template <backend B>
auto on_packet(execution<B>& x,
               const packet<aerogpu_cmd_release_shared_surface>& from_guest) noexcept
    -> error_code {
  x.world.shares.release(static_cast<share_token>(from_guest.fields().share_token));
  return error_code::none;
}

}  // namespace aerogpu

/// \file EXPORT, IMPORT and RELEASE of shared surfaces (host.md 2.8).
#pragma once

#include "aerogpu/core/ids.hpp"
#include "aerogpu/processor/execution.hpp"
#include "aerogpu/processor/world.hpp"
#include "aerogpu/stream/packet.hpp"

namespace aerogpu {

namespace detail {

[[nodiscard]] constexpr auto state_of(resource_kind kind) noexcept -> handle_state {
  switch (kind) {
    case resource_kind::none: return handle_state::none;
    case resource_kind::buffer: return handle_state::buffer;
    case resource_kind::texture: return handle_state::texture;
    case resource_kind::view: return handle_state::view;
    case resource_kind::reserved: return handle_state::reserved;
  }
  return handle_state::none;
}

/// A handle as the registry of tokens wants to know it.
template <backend B>
auto describe_handle(const execution<B>& x, std::uint32_t handle) noexcept
    -> shared_handle<texture_object<B>> {
  const auto name = static_cast<resource_handle>(handle);
  const named_resource<B> named = x.world.resources.find(name);
  return {name, state_of(named.kind), named.texture};
}

}  // namespace detail

template <backend B>
auto on_packet(execution<B>& x,
               const packet<aerogpu_cmd_export_shared_surface>& from_guest) noexcept -> error_code {
  const aerogpu_cmd_export_shared_surface p = from_guest.fields();
  const auto of = detail::describe_handle(x, p.resource_handle);
  return x.check(x.world.shares.export_token(of, static_cast<share_token>(p.share_token)));
}

template <backend B>
auto on_packet(execution<B>& x,
               const packet<aerogpu_cmd_import_shared_surface>& from_guest) noexcept -> error_code {
  const aerogpu_cmd_import_shared_surface p = from_guest.fields();
  const auto out = detail::describe_handle(x, p.out_resource_handle);
  const auto found = x.world.shares.import_token(out, static_cast<share_token>(p.share_token));
  if (!found) return x.fail(found.why());
  if (!found->is_new_alias) return error_code::none;
  const auto added = x.world.resources.add_alias(*found->texture, out.handle);
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

// SPDX-License-Identifier: MIT
/// \file EXPORT, IMPORT and RELEASE of shared surfaces (host.md 2.8).
#pragma once

#include "aerogpu/core/ids.hpp"
#include "aerogpu/processor/execution.hpp"
#include "aerogpu/processor/processor_tables.hpp"
#include "aerogpu/processor/resources/texture_shares.hpp"
#include "aerogpu/stream/checked_packet.hpp"

namespace aerogpu {

template <backend B>
auto on_packet(execution<B>& x,
               const checked_packet<aerogpu_cmd_export_shared_surface>& from_guest) noexcept
    -> error_code {
  const aerogpu_cmd_export_shared_surface p = from_guest.fields();
  const auto handle = static_cast<resource_handle>(p.resource_handle);
  return x.check(x.tables.shares.export_token(as_shared(handle, x.tables.resources.find(handle)),
                                              static_cast<share_token>(p.share_token)));
}

template <backend B>
auto on_packet(execution<B>& x,
               const checked_packet<aerogpu_cmd_import_shared_surface>& from_guest) noexcept
    -> error_code {
  const aerogpu_cmd_import_shared_surface p = from_guest.fields();
  const auto out = static_cast<resource_handle>(p.out_resource_handle);
  const auto import = x.tables.shares.import_token(as_shared(out, x.tables.resources.find(out)),
                                                   static_cast<share_token>(p.share_token));
  if (!import) return x.fail(import.why());
  if (!import->is_new_alias) return error_code::none;
  const auto added = x.tables.resources.add_alias(*import->texture, out, x.submission.context);
  return added ? error_code::none : x.fail(added.why());
}

template <backend B>
auto on_packet(execution<B>& x,
               const checked_packet<aerogpu_cmd_release_shared_surface>& from_guest) noexcept
    -> error_code {
  x.tables.shares.release(static_cast<share_token>(from_guest.fields().share_token));
  return error_code::none;
}

}  // namespace aerogpu

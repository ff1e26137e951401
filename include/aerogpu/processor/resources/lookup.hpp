// SPDX-License-Identifier: MIT
/// \file Handles as the objects that a packet needs, or the error that host.md 2.2 has for it.
#pragma once

#include "aerogpu/core/result.hpp"
#include "aerogpu/processor/execution.hpp"
#include "aerogpu/processor/processor_tables.hpp"
#include "aerogpu/processor/resources/resource.hpp"

namespace aerogpu {

namespace detail {

/// Why `named` is not of the kind that a packet needs.
template <backend B>
[[nodiscard]] auto lookup_error(resource_handle handle, const named_resource<B>& named,
                                const char* wrong_kind) noexcept -> error {
  if (handle == resource_handle{}) {
    return make_error(error_code::invalid_handle, "resource handle is zero");
  }
  if (named.kind == resource_kind::none) {
    return make_error(error_code::unknown_handle, "handle names no live resource", raw(handle));
  }
  if (named.kind == resource_kind::reserved) {
    return make_error(error_code::unknown_handle, "handle was destroyed; only aliases live",
                      raw(handle));
  }
  return make_error(error_code::wrong_kind, wrong_kind, raw(handle));
}

}  // namespace detail

/// The live buffer of that handle. Errors: invalid_handle, unknown_handle, wrong_kind.
template <backend B>
[[nodiscard]] auto require_buffer(const execution<B>& x, resource_handle handle) noexcept
    -> result<buffer_object<B>*> {
  const named_resource<B>& named = x.tables.resources.find(handle);
  if (named.kind == resource_kind::buffer) [[likely]]
    return named.buffer;
  return detail::lookup_error(handle, named, "handle does not name a buffer");
}

/// The texture that an original or an alias names. Errors: as above.
template <backend B>
[[nodiscard]] auto require_texture(const execution<B>& x, resource_handle handle) noexcept
    -> result<texture_object<B>*> {
  const named_resource<B>& named = x.tables.resources.find(handle);
  if (named.kind == resource_kind::texture) [[likely]]
    return named.texture;
  return detail::lookup_error(handle, named, "handle does not name a texture");
}

/// What a buffer or texture handle names. Errors: as above.
template <backend B>
[[nodiscard]] auto require_buffer_or_texture(const execution<B>& x, resource_handle handle) noexcept
    -> result<named_resource<B>> {
  const named_resource<B>& named = x.tables.resources.find(handle);
  if (named.kind == resource_kind::buffer || named.kind == resource_kind::texture) [[likely]]
    return named;
  return detail::lookup_error(handle, named, "handle names a view");
}

}  // namespace aerogpu

// SPDX-License-Identifier: MIT
/// \file Handles as the objects that a packet needs, or the error that host.md 2.2 has for it.
#pragma once

#include "aerogpu/processor/execution.hpp"
#include "aerogpu/processor/processor_tables.hpp"
#include "aerogpu/processor/resources/resource.hpp"

namespace aerogpu {

namespace detail {

/// Why `named` is not of the kind that a packet needs.
template <backend B>
auto fail_lookup(execution<B>& x, resource_handle handle, const named_resource<B>& named,
                 const char* wrong_kind) noexcept -> error_code {
  if (handle == resource_handle{}) {
    return x.fail(error_code::invalid_handle, "resource handle is zero");
  }
  if (named.kind == resource_kind::none) {
    return x.fail(error_code::unknown_handle, "handle names no live resource", raw(handle));
  }
  if (named.kind == resource_kind::reserved) {
    return x.fail(error_code::unknown_handle, "handle was destroyed; only aliases live",
                  raw(handle));
  }
  return x.fail(error_code::wrong_kind, wrong_kind, raw(handle));
}

}  // namespace detail

/// The live buffer of that handle; null after a failure, whose code is `x.why.code`.
/// Errors: invalid_handle, unknown_handle, wrong_kind.
template <backend B>
[[nodiscard]] auto require_buffer(execution<B>& x, resource_handle handle) noexcept
    -> buffer_object<B>* {
  const named_resource<B>& named = x.tables.resources.find(handle);
  if (named.kind == resource_kind::buffer) [[likely]]
    return named.buffer;
  detail::fail_lookup(x, handle, named, "handle does not name a buffer");
  return nullptr;
}

/// The texture that an original or an alias names; null after a failure.
template <backend B>
[[nodiscard]] auto require_texture(execution<B>& x, resource_handle handle) noexcept
    -> texture_object<B>* {
  const named_resource<B>& named = x.tables.resources.find(handle);
  if (named.kind == resource_kind::texture) [[likely]]
    return named.texture;
  detail::fail_lookup(x, handle, named, "handle does not name a texture");
  return nullptr;
}

/// What a buffer or texture handle names; kind `none` after a failure.
template <backend B>
[[nodiscard]] auto require_buffer_or_texture(execution<B>& x, resource_handle handle) noexcept
    -> named_resource<B> {
  const named_resource<B>& named = x.tables.resources.find(handle);
  if (named.kind == resource_kind::buffer || named.kind == resource_kind::texture) [[likely]]
    return named;
  detail::fail_lookup(x, handle, named, "handle names a view");
  return {};
}

}  // namespace aerogpu

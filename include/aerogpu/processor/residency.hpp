/// \file Bringing guest-backed resources up to date before a use (host.md 2.5).
#pragma once

#include "aerogpu/processor/execution.hpp"
#include "aerogpu/processor/resource.hpp"

namespace aerogpu {

namespace detail {

template <backend B>
auto upload_dirty(execution<B>& x, buffer_object<B>& buffer) noexcept -> error_code;
template <backend B>
auto upload_dirty(execution<B>& x, texture_object<B>& texture) noexcept -> error_code;

}  // namespace detail

/// Reads what is dirty from guest memory, now. Call it before anything but a whole overwrite uses
/// the content. Cheap when nothing is dirty. On failure all dirt stays.
/// Errors: missing_alloc_table, unknown_alloc_id, alloc_out_of_bounds, guest_memory_fault, and
/// those of the backend.
template <backend B>
[[nodiscard]] inline auto make_current(execution<B>& x, buffer_object<B>& buffer) noexcept
    -> error_code {
  return buffer.dirty.empty() ? error_code::none : detail::upload_dirty(x, buffer);
}
template <backend B>
[[nodiscard]] inline auto make_current(execution<B>& x, texture_object<B>& texture) noexcept
    -> error_code {
  return texture.dirty.empty() ? error_code::none : detail::upload_dirty(x, texture);
}

/// Forgets dirt that a whole overwrite by the backend made irrelevant. Call it after the backend
/// accepted the overwrite.
template <backend B>
inline void mark_overwritten(buffer_object<B>& buffer) noexcept {
  buffer.dirty.clear();
}
template <backend B>
inline void mark_overwritten(texture_object<B>& texture, subresource where) noexcept {
  texture.dirty.remove(texture.layout.index_of(where));
}

}  // namespace aerogpu

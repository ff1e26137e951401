// SPDX-License-Identifier: MIT
/// \file From a slot to the object it holds now.
#pragma once

#include "aerogpu/core/result.hpp"
#include "aerogpu/processor/bindings/binding_slots.hpp"
#include "aerogpu/processor/execution.hpp"
#include "aerogpu/processor/processor_tables.hpp"
#include "aerogpu/processor/resources/resource.hpp"

#include <cstdint>

namespace aerogpu {

/// What the slot holds. Kind `none`: it is unbound, its object was destroyed, or its handle never
/// named anything; `names_nothing_yet` tells the last case. A slot that was bound before its object
/// was created takes the object now.
template <backend B>
[[nodiscard]] inline auto find_bound(const execution<B>& x, resource_slot& slot) noexcept
    -> const named_resource<B>& {
  if (!slot.is_bound()) return no_resource<B>;
  const named_resource<B>& named = x.tables.resources.find(slot.handle);
  if (named.kind == resource_kind::reserved || !slot.still_names(named.serial)) {
    return no_resource<B>;
  }
  slot.serial = named.serial;
  return named;
}

/// Whether a slot without an object names a handle that was never live since it was bound.
[[nodiscard]] constexpr auto names_nothing_yet(const resource_slot& slot) noexcept -> bool {
  return slot.is_bound() && slot.serial == 0;
}

/// The buffer in a slot that must hold one; null when the slot is unbound.
/// Errors: unknown_handle, wrong_kind.
template <backend B>
[[nodiscard]] auto resolve_bound_buffer(const execution<B>& x, resource_slot& slot) noexcept
    -> result<buffer_object<B>*> {
  const named_resource<B>& named = find_bound(x, slot);
  if (named.kind == resource_kind::buffer) return named.buffer;
  if (named.kind != resource_kind::none) {
    return make_error(error_code::wrong_kind, "bound handle does not name a buffer",
                      raw(slot.handle));
  }
  if (names_nothing_yet(slot)) {
    return make_error(error_code::unknown_handle, "bound handle names no live resource",
                      raw(slot.handle));
  }
  return nullptr;
}

}  // namespace aerogpu

// SPDX-License-Identifier: MIT
#include "drivers/win7/kmd/adapter/objects.hpp"

#include "drivers/win7/kmd/system/lock_scope.hpp"

namespace aerogpu::kmd {

void objects::add(allocation& object) noexcept {
  const lock_scope held{lock_};
  allocations_.insert(object);
  kmd_ids_.insert(object);
}

auto objects::add_reference(const void* handle) noexcept -> allocation* {
  const lock_scope held{lock_};
  allocation* const object = allocations_.find(handle);
  if (object == nullptr || object->is_destroyed || object->references == UINT32_MAX) return nullptr;
  ++object->references;
  return object;
}

auto objects::drop_reference(allocation& object) noexcept -> released_allocation {
  const lock_scope held{lock_};
  return drop(object);
}

auto objects::destroy(const void* handle) noexcept -> released_allocation {
  const lock_scope held{lock_};
  allocation* const object = allocations_.find(handle);
  if (object == nullptr || object->is_destroyed) return {};
  object->is_destroyed = true;
  return drop(*object);
}

auto objects::is_live(const void* handle) noexcept -> bool {
  const lock_scope held{lock_};
  return allocations_.find(handle) != nullptr;
}

auto objects::maker_of(const void* handle) noexcept -> os::process_identity {
  const lock_scope held{lock_};
  const allocation* const object = allocations_.find(handle);
  return object != nullptr ? object->maker : os::process_identity{};
}

auto objects::has_kmd_id(alloc_id id) noexcept -> bool {
  const lock_scope held{lock_};
  return kmd_ids_.has(id);
}

void objects::place_if_live(const void* handle, const placement& at) noexcept {
  const lock_scope held{lock_};
  if (allocation* const object = allocations_.find(handle); object != nullptr) object->where = at;
}

void objects::unplace_if_live(const void* handle, segment_id from) noexcept {
  const lock_scope held{lock_};
  allocation* const object = allocations_.find(handle);
  if (object != nullptr && object->where.get().segment == from) object->where = placement{};
}

void objects::add(opening& object) noexcept {
  const lock_scope held{lock_};
  openings_.insert(object);
}

auto objects::take_opening(const void* handle) noexcept -> opening* {
  const lock_scope held{lock_};
  return openings_.take(handle);
}

auto objects::take_any_allocation() noexcept -> allocation* {
  const lock_scope held{lock_};
  allocation* const taken = allocations_.take_any();
  if (taken != nullptr) kmd_ids_.take(*taken);
  return taken;
}

auto objects::take_any_opening() noexcept -> opening* {
  const lock_scope held{lock_};
  return openings_.take_any();
}

auto objects::drop(allocation& object) noexcept -> released_allocation {
  const owned_token shared = object.shared;
  if (--object.references != 0) return {nullptr, shared};
  kmd_ids_.take(object);
  return {allocations_.take(&object), shared};
}

}  // namespace aerogpu::kmd

// SPDX-License-Identifier: MIT
/// \file Objects of one namespace by handle: shaders, input layouts, samplers (host.md 2.3).
#pragma once

#include "aerogpu/core/check.hpp"
#include "aerogpu/hosted/heap_map.hpp"
#include "aerogpu/hosted/object_pool.hpp"

#include <cstddef>
#include <cstdint>
#include <utility>

namespace aerogpu {

/// Owns objects at stable addresses. `Object` has a `std::uint64_t serial`, which no two objects
/// share, so that a slot can tell an object from its successor under the same handle.
template <class Handle, class Object>
class object_table {
 public:
  explicit object_table(hash_key key = {}) noexcept : names_(key) {}

  /// The object, or null for 0 and unknown handles. O(1).
  [[nodiscard]] auto find(Handle handle) const noexcept -> Object* {
    Object* const* found = names_.find(handle);
    return found != nullptr ? *found : nullptr;
  }

  /// Makes sure that the next `insert` succeeds. False when the heap is exhausted.
  [[nodiscard]] auto reserve_one() noexcept -> bool {
    return names_.reserve_one() && objects_.reserve_one();
  }

  /// Takes the object in. Precondition: `reserve_one`, and the handle is free and not 0.
  auto insert(Handle handle, Object&& object) noexcept -> Object& {
    Object* made = objects_.create(std::move(object));
    AEROGPU_CHECK(made != nullptr);
    made->serial = take_serial();
    const auto [slot, is_new] = names_.insert(handle, made);
    AEROGPU_CHECK(slot != nullptr && is_new);
    return *made;
  }

  /// Takes the object out for the caller to destroy what it holds. Precondition: it is there.
  [[nodiscard]] auto extract(Handle handle) noexcept -> Object {
    Object* found = find(handle);
    AEROGPU_CHECK(found != nullptr);
    take_serial();
    Object taken = std::move(*found);
    objects_.destroy(*found);
    names_.erase(handle);
    return taken;
  }

  /// A number that no object of this table had before. One whose native object is replaced takes
  /// it.
  auto take_serial() noexcept -> std::uint64_t { return ++last_serial_; }
  /// Rises whenever an object comes, goes or takes a serial.
  [[nodiscard]] auto revision() const noexcept -> std::uint64_t { return last_serial_; }

  [[nodiscard]] auto size() const noexcept -> std::size_t { return names_.size(); }

  /// Calls `visit(handle, object)` for each, in no particular order.
  template <class Visit>
  void for_each(Visit&& visit) const {
    names_.for_each([&](Handle handle, Object* object) { visit(handle, *object); });
  }
  /// The same in parts; see `span_map`.
  template <class Visit>
  auto for_each_from(std::size_t first, Visit&& visit) const -> std::size_t {
    return names_.for_each_from(
        first, [&](Handle handle, Object* object) { return visit(handle, *object); });
  }
  [[nodiscard]] auto capacity() const noexcept -> std::size_t { return names_.capacity(); }

  /// Forgets all objects. What they hold must have been handed back.
  void clear() noexcept {
    objects_ = {};
    names_.clear();
  }

 private:
  heap_map<Handle, Object*> names_;
  object_pool<Object> objects_;
  std::uint64_t last_serial_ = 0;
};

}  // namespace aerogpu

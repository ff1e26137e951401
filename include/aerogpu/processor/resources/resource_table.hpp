// SPDX-License-Identifier: MIT
/// \file Resource handles, the objects they name, and what they may use up.
#pragma once

#include "aerogpu/core/check.hpp"
#include "aerogpu/core/checked.hpp"
#include "aerogpu/core/ids.hpp"
#include "aerogpu/core/result.hpp"
#include "aerogpu/hosted/byte_quota.hpp"
#include "aerogpu/hosted/heap_map.hpp"
#include "aerogpu/hosted/limits.hpp"
#include "aerogpu/hosted/object_pool.hpp"
#include "aerogpu/processor/object_counts.hpp"
#include "aerogpu/processor/resources/resource.hpp"

#include <algorithm>
#include <cstdint>
#include <utility>

namespace aerogpu {

/// A texture to be created: checked, and with the layout of its guest memory.
struct new_texture {
  texture_desc desc;
  texture_layout layout;
  guest_backing backing;
  context_id creator{};
};

/// Device-global names of buffers, textures, aliases and views (host.md 2.3), and the objects
/// behind them. Owns the backend's objects; `destroy_all` comes before the table goes.
template <backend B>
class resource_table {
 public:
  explicit resource_table(const limits& most, hash_key key = {}) noexcept
      : limits_(&most), names_(key), quota_(key) {}
  resource_table(resource_table&&) noexcept = default;
  auto operator=(resource_table&&) noexcept -> resource_table& = default;
  ~resource_table() { AEROGPU_CHECK(buffers_.empty() && textures_.empty() && views_.empty()); }

  /// What a handle names now; kind `none` for 0 and for what is not live. O(1). The reference holds
  /// until a name comes or goes.
  [[nodiscard]] auto find(resource_handle handle) const noexcept -> const named_resource<B>& {
    const named_resource<B>* named = names_.find(handle);
    return named != nullptr ? *named : no_resource<B>;
  }

  /// A buffer under `desc.name`; backed content is wholly dirty (host.md D-15).
  /// Errors: out_of_memory, and those of the backend. Precondition: the name is free.
  [[nodiscard]] auto create_buffer(B& backend, const buffer_desc& desc,
                                   const guest_backing& backing, context_id creator) noexcept
      -> result<buffer_object<B>*>;

  /// A texture under `desc.name`, as `create_buffer`.
  [[nodiscard]] auto create_texture(B& backend, const new_texture& what) noexcept
      -> result<texture_object<B>*>;

  /// A view under `desc.name`; it keeps `texture`. Errors and precondition as `create_buffer`.
  [[nodiscard]] auto create_view(B& backend, texture_object<B>& texture,
                                 const texture_view_desc& desc, context_id owner) noexcept
      -> result<view_object<B>*>;

  /// Another handle of a live texture (host.md 2.8). Error: out_of_memory.
  /// Precondition: `alias` names nothing.
  [[nodiscard]] auto add_alias(texture_object<B>& texture, resource_handle alias,
                               context_id owner) noexcept -> result<void>;

  /// Moves where a buffer or texture has its content in guest memory.
  template <class Object>
  void rebind(Object& object, const guest_backing& backing) noexcept {
    object.backing = backing;
    ++last_serial_;
  }
  /// Guest memory of a buffer changed. False when the heap is exhausted.
  [[nodiscard]] auto mark_dirty(buffer_object<B>& buffer, const dirty_range& range) noexcept
      -> bool {
    ++last_serial_;
    return buffer.dirty.add(range);
  }
  /// The same of subresources.
  void mark_dirty(texture_object<B>& texture, const subresource_range& which) noexcept {
    ++last_serial_;
    texture.dirty.add(which);
  }
  /// Rises whenever a name comes or goes, and with `rebind` and `mark_dirty`: what somebody looked
  /// up at another revision must be looked up again.
  [[nodiscard]] auto revision() const noexcept -> std::uint64_t { return last_serial_; }

  /// Ends what a live handle names. An original whose aliases live stays reserved; content that a
  /// view looks at stays. Precondition: `find(handle)` is a buffer, a texture or a view.
  void destroy(B& backend, resource_handle handle) noexcept;

  /// Ends everything, in an order that a backend can take: views, then what they view.
  void destroy_all(B& backend) noexcept;

  /// What this table holds; the other counts are 0.
  [[nodiscard]] auto counts() const noexcept -> object_counts {
    return {.buffers = buffers_.size(),
            .textures = textures_.size(),
            .views = views_.size(),
            .resource_names = names_.size(),
            .resource_bytes = quota_.total_bytes()};
  }

  /// Calls `visit(handle, named_resource)` for each name, in no particular order.
  template <class Visit>
  void for_each_name(Visit&& visit) const {
    names_.for_each(visit);
  }
  /// The table of names, to be walked in parts.
  [[nodiscard]] auto names() const noexcept -> const auto& { return names_; }
  template <class Visit>
  void for_each_buffer(Visit&& visit) {
    buffers_.for_each(visit);
  }
  /// Calls `visit(object)` for each texture, also for those that only a view keeps.
  template <class Visit>
  void for_each_texture(Visit&& visit) {
    textures_.for_each(visit);
  }
  template <class Visit>
  void for_each_view(Visit&& visit) {
    views_.for_each(visit);
  }

  /// A texture that nothing names yet, for a snapshot. Errors as `create_texture`.
  [[nodiscard]] auto restore_texture(B& backend, const new_texture& what) noexcept
      -> result<texture_object<B>*>;
  /// Names a restored texture, or reserves its original's number. Error: out_of_memory.
  /// Precondition: `handle` names nothing.
  [[nodiscard]] auto restore_name(texture_object<B>& texture, resource_handle handle,
                                  resource_kind kind, context_id owner) noexcept -> result<void>;

 private:
  [[nodiscard]] static auto exhausted() noexcept -> error {
    return make_error(error_code::out_of_memory, "host memory is exhausted");
  }
  /// A backend that takes less than the content has it elsewhere, for instance in a snapshot, which
  /// takes its time for each part.
  [[nodiscard]] auto charge_of(std::uint64_t memory_bytes, std::uint64_t content_bytes,
                               std::uint64_t parts) const noexcept -> std::uint64_t {
    constexpr std::uint64_t parts_at_minimum = 4;
    const std::uint64_t minimum = limits_->resource_minimum_bytes;
    const auto of_parts = checked_mul(minimum / parts_at_minimum, parts);
    return std::max({memory_bytes, content_bytes, minimum, of_parts ? *of_parts : UINT64_MAX});
  }
  [[nodiscard]] auto reserve_name() noexcept -> result<void>;
  [[nodiscard]] auto reserve_resource() noexcept -> result<void>;
  void name(resource_handle handle, named_resource<B> named) noexcept;
  void drop_handle(B& backend, resource_handle handle, texture_object<B>& texture) noexcept;
  void free_if_unused(B& backend, texture_object<B>& texture) noexcept;
  void free_view(B& backend, view_object<B>& view) noexcept;

  const limits* limits_;
  heap_map<resource_handle, named_resource<B>> names_;
  object_pool<buffer_object<B>> buffers_;
  object_pool<texture_object<B>> textures_;
  object_pool<view_object<B>> views_;
  byte_quota quota_;
  std::uint64_t last_serial_ = 0;  ///< Of names and objects; also counts what `revision` does.
};

template <backend B>
auto resource_table<B>::create_buffer(B& backend, const buffer_desc& desc,
                                      const guest_backing& backing, context_id creator) noexcept
    -> result<buffer_object<B>*> {
  if (auto room = reserve_resource(); !room) return room.why();
  if (!buffers_.reserve_one()) return exhausted();
  dirty_ranges dirty;
  if (backing && !dirty.add({0, desc.size_bytes})) return exhausted();
  const std::uint64_t size = charge_of(backend.memory_bytes(desc), desc.size_bytes, 1);
  if (auto charged = quota_.charge(creator, size, *limits_); !charged) return charged.why();
  auto native = backend.create_buffer(desc);
  if (!native) {
    quota_.refund(creator, size);
    return native.why();
  }
  buffer_object<B>* made = buffers_.create(*std::move(native), desc, backing, creator,
                                           std::move(dirty), size, ++last_serial_);
  name(desc.name, {.kind = resource_kind::buffer, .owner = creator, .buffer = made});
  return made;
}

template <backend B>
auto resource_table<B>::create_texture(B& backend, const new_texture& what) noexcept
    -> result<texture_object<B>*> {
  const auto made = restore_texture(backend, what);
  if (!made) return made.why();
  (*made)->handle_count = 1;
  name(what.desc.name, {.kind = resource_kind::texture, .owner = what.creator, .texture = *made});
  return *made;
}

template <backend B>
auto resource_table<B>::restore_texture(B& backend, const new_texture& what) noexcept
    -> result<texture_object<B>*> {
  if (auto room = reserve_resource(); !room) return room.why();
  if (!textures_.reserve_one()) return exhausted();
  dirty_subresources dirty;
  if (!dirty.resize(what.layout.subresource_count())) return exhausted();
  if (what.backing && has_defined_bytes(what.layout.format())) {
    dirty.add({0, what.layout.subresource_count()});
  }
  const std::uint64_t size =
      charge_of(backend.memory_bytes(what.desc), content_bytes_of(what.layout),
                what.layout.subresource_count());
  if (auto charged = quota_.charge(what.creator, size, *limits_); !charged) return charged.why();
  auto native = backend.create_texture(what.desc);
  if (!native) {
    quota_.refund(what.creator, size);
    return native.why();
  }
  texture_object<B>* made =
      textures_.create(*std::move(native), what.desc, what.layout, what.backing, what.creator,
                       std::move(dirty), size, ++last_serial_);
  return made;
}

template <backend B>
auto resource_table<B>::restore_name(texture_object<B>& texture, resource_handle handle,
                                     resource_kind kind, context_id owner) noexcept
    -> result<void> {
  if (kind == resource_kind::texture) return add_alias(texture, handle, owner);
  if (auto room = reserve_name(); !room) return room.why();
  name(handle, {.kind = resource_kind::reserved, .texture = &texture});
  return {};
}

template <backend B>
auto resource_table<B>::create_view(B& backend, texture_object<B>& texture,
                                    const texture_view_desc& desc, context_id owner) noexcept
    -> result<view_object<B>*> {
  if (auto room = reserve_name(); !room) return room.why();
  if (views_.size() >= limits_->texture_views) {
    return make_error(error_code::out_of_memory, "texture views are too many", views_.size(),
                      limits_->texture_views);
  }
  if (!views_.reserve_one()) return exhausted();
  auto native = backend.create_texture_view(texture.native, desc);
  if (!native) return native.why();
  view_object<B>* made = views_.create(*std::move(native), desc, &texture);
  ++texture.view_count;
  name(desc.name, {.kind = resource_kind::view, .owner = owner, .texture = &texture, .view = made});
  return made;
}

template <backend B>
auto resource_table<B>::add_alias(texture_object<B>& texture, resource_handle alias,
                                  context_id owner) noexcept -> result<void> {
  if (auto room = reserve_name(); !room) return room.why();
  ++texture.handle_count;
  name(alias, {.kind = resource_kind::texture, .owner = owner, .texture = &texture});
  return {};
}

template <backend B>
void resource_table<B>::destroy(B& backend, resource_handle handle) noexcept {
  const named_resource<B> named = find(handle);
  ++last_serial_;
  switch (named.kind) {
    case resource_kind::buffer:
      names_.erase(handle);
      quota_.refund(named.buffer->creator, named.buffer->charged_bytes);
      backend.destroy(std::move(named.buffer->native));
      return buffers_.destroy(*named.buffer);
    case resource_kind::texture: return drop_handle(backend, handle, *named.texture);
    case resource_kind::view: names_.erase(handle); return free_view(backend, *named.view);
    case resource_kind::none:
    case resource_kind::reserved: break;
  }
  AEROGPU_CHECK(false);  // Such a name has nothing to destroy.
}

template <backend B>
void resource_table<B>::destroy_all(B& backend) noexcept {
  names_.clear();
  views_.for_each([&](view_object<B>& view) { free_view(backend, view); });
  textures_.for_each([&](texture_object<B>& texture) {
    texture.handle_count = 0;
    free_if_unused(backend, texture);
  });
  buffers_.for_each([&](buffer_object<B>& buffer) {
    quota_.refund(buffer.creator, buffer.charged_bytes);
    backend.destroy(std::move(buffer.native));
    buffers_.destroy(buffer);
  });
}

template <backend B>
auto resource_table<B>::reserve_name() noexcept -> result<void> {
  if (names_.size() >= limits_->resource_names) {
    return make_error(error_code::out_of_memory, "resource handles are too many", names_.size(),
                      limits_->resource_names);
  }
  if (!names_.reserve_one()) return exhausted();
  return {};
}

template <backend B>
auto resource_table<B>::reserve_resource() noexcept -> result<void> {
  const std::size_t live = buffers_.size() + textures_.size();
  if (live >= limits_->resources) {
    return make_error(error_code::out_of_memory, "resources are too many", live,
                      limits_->resources);
  }
  return reserve_name();
}

template <backend B>
void resource_table<B>::name(resource_handle handle, named_resource<B> named) noexcept {
  named.serial = named.kind == resource_kind::reserved ? 0 : ++last_serial_;
  AEROGPU_CHECK(names_.insert(handle, named).second);
}

/// host.md 2.8: the number of a destroyed original is reserved while an alias lives.
template <backend B>
void resource_table<B>::drop_handle(B& backend, resource_handle handle,
                                    texture_object<B>& texture) noexcept {
  const resource_handle original = texture.desc.name;
  --texture.handle_count;
  if (texture.handle_count != 0 && handle == original) {
    named_resource<B>& named = *names_.find(handle);
    named.kind = resource_kind::reserved;
    named.owner = {};
    named.serial = 0;
    return;
  }
  names_.erase(handle);
  if (texture.handle_count == 0 && handle != original) names_.erase(original);
  free_if_unused(backend, texture);
}

template <backend B>
void resource_table<B>::free_if_unused(B& backend, texture_object<B>& texture) noexcept {
  if (texture.handle_count != 0 || texture.view_count != 0) return;
  quota_.refund(texture.creator, texture.charged_bytes);
  backend.destroy(std::move(texture.native));
  textures_.destroy(texture);
}

template <backend B>
void resource_table<B>::free_view(B& backend, view_object<B>& view) noexcept {
  texture_object<B>& texture = *view.texture;
  backend.destroy(std::move(view.native));
  views_.destroy(view);
  --texture.view_count;
  free_if_unused(backend, texture);
}

}  // namespace aerogpu

// SPDX-License-Identifier: MIT
/// \file Resource handles and views as a snapshot holds them, and all resources together.
#pragma once

#include "aerogpu/hosted/heap_array.hpp"
#include "aerogpu/hosted/snapshot_io.hpp"
#include "aerogpu/processor/resources/resource_table.hpp"
#include "aerogpu/processor/snapshot/owner_snapshot.hpp"
#include "aerogpu/processor/snapshot/resource_snapshot.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdint>

namespace aerogpu {

namespace detail {

/// A handle of a texture, which is named by its place in the snapshot.
struct saved_name {
  resource_handle handle{};
  std::uint32_t texture = 0;
  bool is_reserved = false;
  context_id owner{};

  static constexpr std::uint64_t least_bytes = 9;  ///< Without the owner, before version 3.
};

template <class T>
using loaded_list = heap_array<T*>;

inline void fail_exhausted(snapshot_writer& out) noexcept {
  out.fail(make_error(error_code::out_of_memory, "host memory is exhausted"));
}
inline void fail_exhausted(snapshot_reader& in) noexcept {
  in.fail(make_error(error_code::out_of_memory, "host memory is exhausted"));
}

/// By rising handle, so that equal tables make equal bytes.
template <backend B>
void save_names(const resource_table<B>& table, snapshot_writer& out) noexcept {
  heap_array<saved_name> names;
  table.for_each_name([&](resource_handle handle, const named_resource<B>& named) {
    const bool is_reserved = named.kind == resource_kind::reserved;
    if (!is_reserved && named.kind != resource_kind::texture) return;
    if (!names.push_back({handle, named.texture->snapshot_index, is_reserved, named.owner}))
      fail_exhausted(out);
  });
  std::sort(names.begin(), names.end(),
            [](const saved_name& a, const saved_name& b) { return a.handle < b.handle; });
  out.put(static_cast<std::uint32_t>(names.size()));
  for (const saved_name& name : names) {
    out.put(name.handle);
    out.put(name.texture);
    out.put(name.is_reserved);
    out.put(name.owner);
  }
}

template <backend B>
void load_names(resource_table<B>& table, const loaded_list<texture_object<B>>& textures,
                const limits& most, std::uint32_t version, snapshot_reader& in) noexcept {
  for (auto left = in.take_count(most.resource_names, saved_name::least_bytes);
       left != 0 && in.is_good(); --left) {
    const auto handle = in.take<resource_handle>();
    const auto index = in.take<std::uint32_t>();
    const bool is_reserved = in.take<bool>();
    const auto owner = take_owner(version, in);
    in.require(is_free_name(table, handle), "a texture's handle is not free", raw(handle));
    if (!in.require(index < textures.size(), "a handle names no texture", index, textures.size())) {
      return;
    }
    texture_object<B>& texture = *textures[index];
    if (!in.require(!is_reserved || texture.desc.name == handle,
                    "a reserved handle is not its texture's original", raw(handle))) {
      return;
    }
    const auto kind = is_reserved ? resource_kind::reserved : resource_kind::texture;
    if (const auto named = table.restore_name(texture, handle, kind, owner); !named) {
      return in.fail(named.why());
    }
  }
}

template <backend B>
void save_view(const resource_table<B>& table, const view_object<B>& view,
               snapshot_writer& out) noexcept {
  out.put(view.desc.name);
  out.put(table.find(view.desc.name).owner);
  out.put(view.texture->snapshot_index);
  out.put(static_cast<std::uint32_t>(view.desc.format));
  for (const std::uint32_t word : {view.desc.base_mip_level, view.desc.mip_level_count,
                                   view.desc.base_array_layer, view.desc.array_layer_count}) {
    out.put(word);
  }
}

template <backend B>
void load_view(B& to, resource_table<B>& table, const loaded_list<texture_object<B>>& textures,
               std::uint32_t version, snapshot_reader& in) noexcept {
  const auto name = in.take<resource_handle>();
  const auto owner = take_owner(version, in);
  const auto index = in.take<std::uint32_t>();
  view_shape shape{};
  for (std::uint32_t* word : {&shape.format, &shape.base_mip_level, &shape.mip_level_count,
                              &shape.base_array_layer, &shape.array_layer_count}) {
    *word = in.take<std::uint32_t>();
  }
  in.require(is_free_name(table, name), "a view's handle is not free", raw(name));
  if (!in.require(index < textures.size(), "a view has no texture", index, textures.size())) return;
  texture_object<B>& texture = *textures[index];
  const bool is_valid = static_cast<bool>(check_view(shape, texture.layout));
  if (!in.require(is_valid, "a view does not fit its texture", raw(name))) return;
  if (const auto made = table.create_view(to, texture, desc_of(name, shape), owner); !made) {
    in.fail(made.why());
  }
}

/// What `destroy` relies on: a texture with handles has its original among them, live or reserved,
/// and one without has a view.
template <backend B>
[[nodiscard]] auto is_reachable(const resource_table<B>& table,
                                const texture_object<B>& texture) noexcept -> bool {
  const named_resource<B> original = table.find(texture.desc.name);
  const bool names_it = original.texture == &texture && original.kind != resource_kind::view;
  return texture.handle_count != 0 ? names_it : !names_it && texture.view_count != 0;
}

}  // namespace detail

/// The place of each texture of a loaded snapshot.
template <backend B>
using loaded_textures = detail::loaded_list<texture_object<B>>;

/// Bytes that `save_resources` appends, or a few more.
template <backend B>
[[nodiscard]] auto expected_bytes(resource_table<B>& table) noexcept -> std::uint64_t {
  constexpr std::uint64_t most_bytes =
      64;  ///< Of an object or a name, without content and dirty ranges.
  const object_counts counts = table.counts();
  std::uint64_t sum =
      most_bytes * (1 + counts.resource_names + counts.buffers + counts.textures + counts.views);
  table.for_each_buffer([&](const buffer_object<B>& b) {
    sum += b.desc.size_bytes + b.dirty.view().size() * sizeof(dirty_range);
  });
  table.for_each_texture([&](const texture_object<B>& t) {
    sum += content_bytes_of(t.layout) + t.dirty.count() * sizeof(std::uint32_t);
  });
  return sum;
}

/// Appends all resources with their content, and gives each texture its `snapshot_index`. Without a
/// backend the content is zero. Failures go into `out`: out_of_memory, and those of the backend.
template <backend B>
void save_resources(B* from, resource_table<B>& table, snapshot_writer& out) noexcept {
  const object_counts counts = table.counts();
  out.put(static_cast<std::uint32_t>(counts.buffers));
  table.for_each_buffer([&](buffer_object<B>& b) { detail::save_buffer(from, b, out); });
  out.put(static_cast<std::uint32_t>(counts.textures));
  std::uint32_t index = 0;
  table.for_each_texture([&](texture_object<B>& t) {
    t.snapshot_index = index++;
    detail::save_texture(from, t, out);
  });
  detail::save_names(table, out);
  out.put(static_cast<std::uint32_t>(counts.views));
  table.for_each_view([&](const view_object<B>& v) { detail::save_view(table, v, out); });
}

/// Fills an empty table. After a failure, which is in `in`, the table holds objects to destroy.
template <backend B>
[[nodiscard]] auto load_resources(B& to, resource_table<B>& table, const limits& most,
                                  std::uint32_t version, snapshot_reader& in) noexcept
    -> loaded_textures<B> {
  loaded_textures<B> textures;
  for (auto left = in.take_count(most.resources); left != 0 && in.is_good(); --left) {
    detail::load_buffer(to, table, most, in);
  }
  for (auto left = in.take_count(most.resources); left != 0 && in.is_good(); --left) {
    texture_object<B>* loaded = detail::load_texture(to, table, most, in);
    if (loaded != nullptr && !textures.push_back(loaded)) detail::fail_exhausted(in);
  }
  if (in.is_good()) detail::load_names(table, textures, most, version, in);
  for (auto left = in.take_count(most.texture_views); left != 0 && in.is_good(); --left) {
    detail::load_view(to, table, textures, version, in);
  }
  for (const texture_object<B>* texture : textures) {
    if (!in.is_good()) break;
    in.require(detail::is_reachable(table, *texture), "a texture has no handle and no view",
               raw(texture->desc.name));
  }
  return textures;
}

}  // namespace aerogpu

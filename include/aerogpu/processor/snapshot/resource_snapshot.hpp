// SPDX-License-Identifier: MIT
/// \file Buffers and textures with their content and dirty ranges, as a snapshot holds them.
#pragma once

#include "aerogpu/hosted/snapshot_io.hpp"
#include "aerogpu/memory/texture_rectangle.hpp"
#include "aerogpu/processor/resources/resource_rules.hpp"
#include "aerogpu/processor/resources/resource_table.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <utility>

namespace aerogpu::detail {

inline void save_backing(snapshot_writer& out, const guest_backing& backing) noexcept {
  out.put(backing.id);
  out.put(backing.offset_bytes);
}
[[nodiscard]] inline auto load_backing(snapshot_reader& in) noexcept -> guest_backing {
  const auto id = in.take<alloc_id>();
  return {id, in.take<std::uint32_t>()};
}

// Dirty ranges

inline void save_dirty_ranges(snapshot_writer& out, const dirty_ranges& dirty) noexcept {
  out.put(static_cast<std::uint32_t>(dirty.view().size()));
  for (const dirty_range& range : dirty.view()) {
    out.put(range.begin);
    out.put(range.end);
  }
}
[[nodiscard]] inline auto load_dirty_ranges(snapshot_reader& in, std::uint64_t size_bytes,
                                            const limits& most) noexcept -> dirty_ranges {
  dirty_ranges dirty;
  std::uint64_t least = 0;
  const std::uint32_t most_ranges = std::max<std::uint32_t>(1, most.dirty_ranges_per_resource);
  for (auto left = in.take_count(most_ranges, 16); left != 0 && in.is_good(); --left) {
    const auto begin = in.take<std::uint64_t>();
    const auto end = in.take<std::uint64_t>();
    const bool is_valid =
        begin >= least && begin < end && end <= size_bytes && begin % 4 == 0 && end % 4 == 0;
    if (!in.require(is_valid, "a dirty range is out of order or bounds", begin, end)) break;
    if (!dirty.add({begin, end})) {
      in.fail(make_error(error_code::out_of_memory, "host memory is exhausted"));
    }
    least = end + 4;
  }
  return dirty;
}

inline void save_dirty_ranges(snapshot_writer& out, const dirty_subresources& dirty) noexcept {
  out.put(static_cast<std::uint32_t>(dirty.count()));
  for (auto i = dirty.next(0); i < dirty.size(); i = dirty.next(i + 1)) {
    out.put(static_cast<std::uint32_t>(i));
  }
}
/// Precondition: the texture's subresources are within the host's limits.
[[nodiscard]] inline auto load_dirty_ranges(snapshot_reader& in,
                                            const texture_layout& layout) noexcept
    -> dirty_subresources {
  dirty_subresources dirty;
  if (!dirty.resize(layout.subresource_count())) {
    in.fail(make_error(error_code::out_of_memory, "host memory is exhausted"));
    return dirty;
  }
  const std::uint64_t most = has_defined_bytes(layout.format()) ? dirty.size() : 0;
  std::uint64_t least = 0;
  for (auto left = in.take_count(most, 4); left != 0; --left) {
    const auto index = in.take<std::uint32_t>();
    if (!in.require(index >= least && index < dirty.size(), "a dirty subresource is out of order",
                    index, dirty.size())) {
      break;
    }
    dirty.add(index);
    least = std::uint64_t{index} + 1;
  }
  return dirty;
}

// Buffers

/// `read(content)` fills what the backend has; without a backend the content is zero.
template <backend B, class Read>
void save_content(const B* from, mutable_bytes content, snapshot_writer& out,
                  Read&& read) noexcept {
  if (content.empty()) return;
  if (from == nullptr) {
    std::fill(content.begin(), content.end(), std::byte{0});
  } else if (const auto done = read(content); !done) {
    out.fail(done.why());
  }
}

template <backend B>
void save_buffer(B* from, buffer_object<B>& buffer, snapshot_writer& out) noexcept {
  out.put(buffer.desc.name);
  out.put(buffer.desc.usage_flags);
  out.put(buffer.desc.size_bytes);
  save_backing(out, buffer.backing);
  out.put(buffer.creator);
  save_dirty_ranges(out, buffer.dirty);
  save_content(from, out.extend(buffer.desc.size_bytes), out,
               [&](mutable_bytes content) { return from->read_buffer(buffer.native, 0, content); });
}

template <backend B>
[[nodiscard]] auto is_free_name(const resource_table<B>& table, resource_handle name) noexcept
    -> bool {
  return name != resource_handle{} && table.find(name).kind == resource_kind::none;
}

template <backend B>
void load_buffer(B& to, resource_table<B>& table, const limits& most,
                 snapshot_reader& in) noexcept {
  buffer_desc desc{};
  desc.name = in.take<resource_handle>();
  desc.usage_flags = in.take<std::uint32_t>();
  desc.size_bytes = in.take<std::uint64_t>();
  const guest_backing backing = load_backing(in);
  const auto creator = in.take<context_id>();
  const bool is_sized = check_buffer_size(desc.size_bytes) && desc.size_bytes <= most.buffer_bytes;
  in.require(is_sized, "size_bytes of a buffer is not valid", desc.size_bytes, most.buffer_bytes);
  in.require(is_free_name(table, desc.name), "a buffer's handle is not free", raw(desc.name));
  dirty_ranges dirty = load_dirty_ranges(in, desc.size_bytes, most);
  const const_bytes content = in.take_bytes(desc.size_bytes);
  if (!in.is_good()) return;
  const auto made = table.create_buffer(to, desc, backing, creator);
  if (!made) return in.fail(made.why());
  (*made)->dirty = std::move(dirty);
  if (const auto done = to.write_buffer((*made)->native, 0, content); !done) in.fail(done.why());
}

// Textures

template <backend B>
[[nodiscard]] auto save_texture_content(B& from, texture_object<B>& texture,
                                        mutable_bytes out) noexcept -> result<void> {
  if constexpr (whole_texture_backend<B>) {
    return from.read_whole_texture(texture.native, out);
  } else {
    for (std::uint64_t i = 0; i < texture.layout.subresource_count(); ++i) {
      const subresource where = texture.layout.at_index(i);
      const texture_rows rows = rows_of(texture.layout, where);
      const auto size =
          static_cast<std::size_t>(std::uint64_t{rows.row_count} * rows.row_size_bytes);
      if (auto read = from.read_texture(texture.native, where, out.first(size)); !read) {
        return read.why();
      }
      out = out.subspan(size);
    }
    return {};
  }
}

template <backend B>
void save_texture(B* from, texture_object<B>& texture, snapshot_writer& out) noexcept {
  const texture_shape& shape = texture.layout.shape();
  out.put(texture.desc.name);
  out.put(texture.desc.usage_flags);
  for (const std::uint32_t word : {shape.format, shape.width, shape.height, shape.mip_levels,
                                   shape.array_layers, shape.row_pitch_bytes}) {
    out.put(word);
  }
  save_backing(out, texture.backing);
  out.put(texture.creator);
  save_dirty_ranges(out, texture.dirty);
  save_content(from, out.extend(content_bytes_of(texture.layout)), out, [&](mutable_bytes content) {
    return save_texture_content(*from, texture, content);
  });
}

template <backend B>
[[nodiscard]] auto load_texture_content(B& to, texture_object<B>& texture,
                                        const_bytes content) noexcept -> result<void> {
  for (std::uint64_t i = 0; i < texture.layout.subresource_count(); ++i) {
    const subresource where = texture.layout.at_index(i);
    const texture_rows rows = rows_of(texture.layout, where);
    const auto size = static_cast<std::size_t>(std::uint64_t{rows.row_count} * rows.row_size_bytes);
    if (auto done = to.write_texture(texture.native, where, content.first(size)); !done) {
      return done.why();
    }
    content = content.subspan(size);
  }
  return {};
}

[[nodiscard]] inline auto load_shape(snapshot_reader& in) noexcept -> texture_shape {
  texture_shape shape{};
  for (std::uint32_t* word : {&shape.format, &shape.width, &shape.height, &shape.mip_levels,
                              &shape.array_layers, &shape.row_pitch_bytes}) {
    *word = in.take<std::uint32_t>();
  }
  return shape;
}

/// The loaded texture, without a name, or null after a failure.
template <backend B>
[[nodiscard]] auto load_texture(B& to, resource_table<B>& table, const limits& most,
                                snapshot_reader& in) noexcept -> texture_object<B>* {
  const auto name = in.take<resource_handle>();
  const auto usage_flags = in.take<std::uint32_t>();
  const texture_shape shape = load_shape(in);
  const guest_backing backing = load_backing(in);
  const auto creator = in.take<context_id>();
  const auto layout = plan_layout(shape, usage_flags);
  const bool is_valid = name != resource_handle{} && layout && check_api_limits(shape, most);
  if (!in.require(is_valid, "a texture's handle, format or size is not valid", raw(name))) {
    return nullptr;
  }
  dirty_subresources dirty = load_dirty_ranges(in, *layout);
  const const_bytes content = in.take_bytes(content_bytes_of(*layout));
  if (!in.is_good()) return nullptr;
  const auto made =
      table.restore_texture(to, {desc_of(name, usage_flags, *layout), *layout, backing, creator});
  if (!made) {
    in.fail(made.why());
    return nullptr;
  }
  (*made)->dirty = std::move(dirty);
  if (const auto done = load_texture_content(to, **made, content); !done) in.fail(done.why());
  return *made;
}

}  // namespace aerogpu::detail

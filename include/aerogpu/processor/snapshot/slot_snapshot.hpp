// SPDX-License-Identifier: MIT
/// \file What a context has bound as a snapshot holds it: handles, and whether they still hold.
///
/// Serials do not outlive a process. A slot whose object was destroyed is saved as unbound; one
/// whose object lives takes the serial that its handle has after loading.
#pragma once

#include "aerogpu/hosted/snapshot_archive.hpp"
#include "aerogpu/processor/bindings/binding_slots.hpp"
#include "aerogpu/processor/bindings/pipeline_tables.hpp"
#include "aerogpu/processor/resources/resource_table.hpp"

#include <cstddef>
#include <cstdint>

namespace aerogpu::detail {

/// Where slots find out what their handles name.
template <backend B>
struct slot_names {
  const resource_table<B>& resources;
  const pipeline_tables<B>& pipeline;

  /// The serial that a handle has now; 0 = it names nothing.
  [[nodiscard]] auto serial_of(resource_handle handle) const noexcept -> std::uint64_t {
    const named_resource<B>& named = resources.find(handle);
    return named.kind == resource_kind::reserved ? 0 : named.serial;
  }
  [[nodiscard]] auto serial_of(sampler_handle handle) const noexcept -> std::uint64_t {
    const sampler_object<B>* sampler = pipeline.samplers.find(handle);
    return sampler != nullptr ? sampler->serial : 0;
  }
};

/// Whether a slot has something to save: bound, and its object was not destroyed.
template <backend B, class Handle>
[[nodiscard]] auto holds(const slot_names<B>& names, const named_slot<Handle>& slot) noexcept
    -> bool {
  return slot.is_bound() && slot.still_names(names.serial_of(slot.handle));
}

template <backend B, class Archive, class Handle>
void exchange(Archive& a, const slot_names<B>& names, named_slot<Handle>& slot) noexcept {
  Handle handle = holds(names, slot) ? slot.handle : Handle{};
  bool is_live = handle != Handle{} && slot.serial != 0;
  a.field(handle);
  a.field(is_live);
  if constexpr (Archive::is_loading) {
    slot = {handle, is_live ? names.serial_of(handle) : 0};
    a.require(!is_live || slot.serial != 0, "a bound object is not live");
  }
}

template <backend B, class Archive>
void exchange(Archive& a, const slot_names<B>& names, range_slot& slot) noexcept {
  exchange(a, names, slot.name);
  a.field(slot.offset_bytes);
  a.field(slot.size_bytes);
}

template <backend B, class Archive>
void exchange(Archive& a, const slot_names<B>& names, resource_range_slot& slot) noexcept {
  exchange(a, names, slot.range);
  a.field(slot.takes_textures);
}

[[nodiscard]] inline auto name_of(const sampler_slot& slot) noexcept -> const sampler_slot& {
  return slot;
}
[[nodiscard]] inline auto name_of(const range_slot& slot) noexcept -> const resource_slot& {
  return slot.name;
}
[[nodiscard]] inline auto name_of(const resource_range_slot& slot) noexcept
    -> const resource_slot& {
  return slot.range.name;
}

/// The slots of a table that hold something, by rising index.
template <backend B, class Archive, class Slot, std::size_t N>
void exchange(Archive& a, const slot_names<B>& names, slot_array<Slot, N>& table) noexcept {
  slot_mask<N> held;
  std::size_t count = 0;
  table.bound.for_each([&](std::size_t i) {
    if (!holds(names, name_of(table.slots[i]))) return;
    held.insert(i);
    ++count;
  });
  std::uint32_t next = 0;
  for (auto left = a.count(count, N, 5); left != 0 && a.is_good(); --left, ++next) {
    if constexpr (!Archive::is_loading) {
      while (!held.contains(next)) ++next;
    }
    std::uint32_t index = next;
    a.field(index);
    if (!a.require(index >= next && index < N, "a slot is out of order")) return;
    next = index;
    exchange(a, names, table.slots[index]);
    if constexpr (Archive::is_loading) {
      table.rebound(index, name_of(table.slots[index]).is_bound());
    }
  }
}

template <backend B, class Archive>
void exchange(Archive& a, const slot_names<B>& names, target_slots& targets) noexcept {
  a.field(targets.color_count);
  if (!a.require(targets.color_count <= targets.colors.size(), "color_count exceeds its limit")) {
    return;
  }
  for (std::uint32_t i = 0; i < targets.color_count; ++i) exchange(a, names, targets.colors[i]);
  exchange(a, names, targets.depth_stencil);
}

template <backend B, class Archive>
void exchange(Archive& a, const slot_names<B>& names, binding_slots& bound) noexcept {
  for (shader_handle& shader : bound.shaders) a.field(shader);
  a.field(bound.input_layout);
  for (vertex_buffer_slot& slot : bound.vertex_buffers) {
    exchange(a, names, slot.name);
    a.field(slot.offset_bytes);
    a.field(slot.stride_bytes);
  }
  exchange(a, names, bound.index_buffer.name);
  a.field(bound.index_buffer.offset_bytes);
  a.field(bound.index_buffer.format, AEROGPU_INDEX_FORMAT_UINT32);
  exchange(a, names, bound.targets);
  for (stage_slots& stage : bound.stages) {
    exchange(a, names, stage.resources);
    exchange(a, names, stage.samplers);
    exchange(a, names, stage.constant_buffers);
    exchange(a, names, stage.unordered_access);
    bound.has_unordered_access |= !stage.unordered_access.bound.empty();
  }
}

}  // namespace aerogpu::detail

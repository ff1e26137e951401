/// \file The tables of the stages that a draw or dispatch runs, looked up (host.md 3.13).
///
/// Nothing here is an error of the guest: a slot without a usable object reads as unbound, because
/// the processor does not know which slots a shader reads.
#pragma once

#include "aerogpu/processor/context.hpp"
#include "aerogpu/processor/execution.hpp"
#include "aerogpu/processor/residency.hpp"
#include "aerogpu/processor/slot_lookup.hpp"

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <utility>

namespace aerogpu {

inline constexpr std::uint64_t constant_buffer_window_bytes = 64u << 10;  ///< host.md 3.13.

namespace detail {

/// Stages that run together, with what they write: a slot that reads the same is unbound (D-45).
template <backend B>
struct stage_group {
  std::span<const shader_stage> stages;
  std::span<const bound_target<B>> targets;  ///< Empty for dispatches.
};

template <backend B>
[[nodiscard]] auto runs(const context<B>& context, shader_stage stage) noexcept -> bool {
  return context.cache.state.stages[static_cast<std::size_t>(stage)].shader != nullptr;
}

/// The range of a slot inside a buffer; unbound when it starts at or past the end.
template <backend B>
[[nodiscard]] auto clip_range(buffer_object<B>& buffer, const range_slot& slot,
                              std::uint64_t window_bytes) noexcept -> buffer_ref<B> {
  const std::uint64_t size = buffer.desc.size_bytes;
  if (slot.offset_bytes >= size) return {};
  std::uint64_t length = size - slot.offset_bytes;
  if (slot.size_bytes != 0) length = std::min<std::uint64_t>(length, slot.size_bytes);
  return {&buffer.native, slot.offset_bytes, std::min(length, window_bytes)};
}

template <class B>
[[nodiscard]] constexpr auto is_same(const buffer_ref<B>& a, const buffer_ref<B>& b) noexcept
    -> bool {
  return a.buffer == b.buffer && a.offset_bytes == b.offset_bytes && a.size_bytes == b.size_bytes;
}
template <class B>
[[nodiscard]] constexpr auto is_same(const shader_resource_ref<B>& a,
                                     const shader_resource_ref<B>& b) noexcept -> bool {
  return a.texture.texture == b.texture.texture && a.texture.view == b.texture.view &&
         is_same(a.buffer, b.buffer);
}

/// Looks one buffer range up and brings the buffer up to date.
template <backend B>
[[nodiscard]] auto find_range(execution<B>& x, range_slot& slot, std::uint64_t window_bytes,
                              buffer_ref<B>& ref) noexcept -> error_code {
  ref = {};
  const named_resource<B> named = find_bound(x, slot.name);
  if (named.kind != resource_kind::buffer) return error_code::none;
  ref = clip_range(*named.buffer, slot, window_bytes);
  return ref.buffer != nullptr ? make_current(x, *named.buffer) : error_code::none;
}

/// Looks the stale ranges of a table up.
template <backend B, std::size_t N>
[[nodiscard]] auto find_ranges(execution<B>& x, shader_stage stage,
                               slot_array<range_slot, N>& slots, std::uint64_t window_bytes,
                               std::array<buffer_ref<B>, N>& refs) noexcept -> error_code {
  auto code = error_code::none;
  slots.stale.for_each([&](std::size_t i) {
    if (code != error_code::none) return;
    buffer_ref<B> ref;
    code = find_range(x, slots.slots[i], window_bytes, ref);
    if (!is_same(ref, refs[i])) x.context.cache.changes.insert(state_change::stage_bindings, stage);
    refs[i] = ref;
  });
  return code;
}

/// Whether a view, or a whole texture, holds a target of the group.
template <backend B>
[[nodiscard]] auto is_written(const stage_group<B>& group, const named_resource<B>& named) noexcept
    -> bool {
  return std::ranges::any_of(group.targets, [&](const bound_target<B>& target) {
    if (target.texture != named.texture) return false;
    if (named.kind != resource_kind::view) return true;
    const texture_view_desc& view = named.view->desc;
    return target.where.mip_level - view.base_mip_level < view.mip_level_count &&
           target.where.array_layer - view.base_array_layer < view.array_layer_count;
  });
}

/// Whether a running stage of the group writes the buffer through an unordered access slot.
template <backend B>
[[nodiscard]] auto is_written(const context<B>& context, const stage_group<B>& group,
                              const buffer_object<B>& buffer) noexcept -> bool {
  return std::ranges::any_of(group.stages, [&](shader_stage stage) {
    if (!runs(context, stage)) return false;
    const auto& refs = context.cache.state.stages[static_cast<std::size_t>(stage)].unordered_access;
    return std::ranges::any_of(
        refs, [&](const buffer_ref<B>& ref) { return ref.buffer == &buffer.native; });
  });
}

/// Looks one t slot up, unless the group writes what it names, and brings that up to date.
template <backend B>
[[nodiscard]] auto find_resource(execution<B>& x, const stage_group<B>& group,
                                 resource_range_slot& slot, shader_resource_ref<B>& ref) noexcept
    -> error_code {
  ref = {};
  const named_resource<B> named = find_bound(x, slot.range.name);
  if (named.kind == resource_kind::buffer) {
    if (is_written(x.context, group, *named.buffer)) return error_code::none;
    return find_range(x, slot.range, UINT64_MAX, ref.buffer);
  }
  if (named.kind == resource_kind::none || !slot.takes_textures) return error_code::none;
  if (is_written(group, named)) return error_code::none;
  ref.texture = {&named.texture->native,
                 named.kind == resource_kind::view ? &named.view->native : nullptr,
                 &named.texture->desc};
  return make_current(x, *named.texture);
}

/// Looks the stale t slots up. SM1-3 programs see the first 16 only.
template <backend B>
[[nodiscard]] auto find_resources(execution<B>& x, const stage_group<B>& group,
                                  shader_stage stage) noexcept -> error_code {
  const auto index = static_cast<std::size_t>(stage);
  auto& slots = x.context.bound.stages[index].resources;
  auto& cache = x.context.cache;
  auto& to = cache.state.stages[index];
  const std::size_t visible =
      cache.reads_registers[index] ? d3d9_sampler_slots : shader_resource_slots;
  auto code = error_code::none;
  slots.stale.for_each([&](std::size_t i) {
    if (code != error_code::none) return;
    shader_resource_ref<B> ref;
    if (i < visible) code = find_resource(x, group, slots.slots[i], ref);
    if (!is_same(ref, to.resources[i])) cache.changes.insert(state_change::stage_bindings, stage);
    to.resources[i] = ref;
  });
  to.resource_limit = std::min(slots.bound.limit(), static_cast<std::uint32_t>(visible));
  return code;
}

/// Looks the stale samplers up; unknown ones read as the default sampler.
template <backend B>
void find_samplers(execution<B>& x, shader_stage stage) noexcept {
  const auto index = static_cast<std::size_t>(stage);
  auto& cache = x.context.cache;
  auto& slots = x.context.bound.stages[index].samplers;
  slots.stale.for_each([&](std::size_t i) {
    sampler_slot& slot = slots.slots[i];
    sampler_object<B>* sampler = x.world.pipeline.samplers.find(slot.handle);
    if (sampler != nullptr && !slot.still_names(sampler->serial)) sampler = nullptr;
    if (sampler != nullptr) slot.serial = sampler->serial;
    const std::uint64_t revision = sampler != nullptr ? sampler->revision : 0;
    if (cache.sampler_revisions[index][i] != revision) {
      cache.changes.insert(state_change::stage_bindings, stage);
    }
    cache.sampler_revisions[index][i] = revision;
    cache.state.stages[index].samplers[i] = sampler != nullptr ? &sampler->native : nullptr;
  });
}

/// Looks up what the running stages write, before anything that they read. When that changes, all
/// that they read is looked up again. Errors: those of `make_current`.
template <backend B>
[[nodiscard]] auto find_written_buffers(execution<B>& x, const stage_group<B>& group) noexcept
    -> error_code {
  draw_cache<B>& cache = x.context.cache;
  bool has_changed = false;
  for (const shader_stage stage : group.stages) {
    const auto index = static_cast<std::size_t>(stage);
    auto& slots = x.context.bound.stages[index].unordered_access;
    const bool writes = runs(x.context, stage) && !slots.bound.empty();
    has_changed |= std::exchange(cache.writes_buffers[index], writes) != writes;
    if (!runs(x.context, stage) || slots.stale.empty()) continue;
    has_changed = true;
    const auto code =
        find_ranges(x, stage, slots, UINT64_MAX, cache.state.stages[index].unordered_access);
    if (code != error_code::none) return code;
  }
  if (!has_changed) return error_code::none;
  for (const shader_stage stage : group.stages) {
    x.context.bound.stages[static_cast<std::size_t>(stage)].resources.invalidate();
    cache.stale.insert(draw_part::stage, stage);
  }
  return error_code::none;
}

/// Looks up what one running stage reads. SM1-3 programs see textures only: their constants are
/// registers and their samplers D3D9 states. Errors: those of `make_current`.
template <backend B>
[[nodiscard]] auto find_read_slots(execution<B>& x, const stage_group<B>& group,
                                   shader_stage stage) noexcept -> error_code {
  const auto index = static_cast<std::size_t>(stage);
  const auto code = find_resources(x, group, stage);
  if (code != error_code::none || x.context.cache.reads_registers[index]) return code;
  find_samplers(x, stage);
  return find_ranges(x, stage, x.context.bound.stages[index].constant_buffers,
                     constant_buffer_window_bytes,
                     x.context.cache.state.stages[index].constant_buffers);
}

}  // namespace detail

/// Looks the stale slots of a group's running stages up, and brings what they name up to date.
/// Errors: those of `make_current`; slots stay stale until `settle_stages`.
template <backend B>
[[nodiscard]] auto find_stage_bindings(execution<B>& x,
                                       const detail::stage_group<B>& group) noexcept -> error_code {
  if (const auto code = detail::find_written_buffers(x, group); code != error_code::none) {
    return code;
  }
  for (const shader_stage stage : group.stages) {
    if (!detail::runs(x.context, stage)) {
      forget_stage(x.context, stage);
    } else if (x.context.cache.stale.contains(draw_part::stage, stage)) {
      x.context.cache.forgotten.erase(static_cast<std::size_t>(stage));
      const auto code = detail::find_read_slots(x, group, stage);
      if (code != error_code::none) return code;
    }
  }
  return error_code::none;
}

/// The slots of a group were used as they were looked up; they hold until one changes.
template <backend B>
void settle_stages(context<B>& context, std::span<const shader_stage> stages) noexcept {
  for (const shader_stage stage : stages) {
    const auto index = static_cast<std::size_t>(stage);
    context.cache.stale.erase(draw_part::stage, stage);
    if (!detail::runs(context, stage)) continue;
    stage_slots& slots = context.bound.stages[index];
    slots.resources.stale.clear();
    if (context.cache.reads_registers[index]) continue;
    slots.samplers.stale.clear();
    slots.constant_buffers.stale.clear();
    slots.unordered_access.stale.clear();
  }
}

}  // namespace aerogpu

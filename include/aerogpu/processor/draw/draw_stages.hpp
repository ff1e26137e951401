/// \file The tables of the stages that a draw or dispatch runs, looked up (host.md 3.13).
///
/// Nothing here is an error of the guest: a slot without a usable object reads as unbound, because
/// the processor does not know which slots a shader reads.
#pragma once

#include "aerogpu/processor/bindings/slot_lookup.hpp"
#include "aerogpu/processor/context.hpp"
#include "aerogpu/processor/execution.hpp"
#include "aerogpu/processor/resources/residency.hpp"

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
  stage_mask stages;
  std::span<const bound_target<B>> targets;  ///< Empty for dispatches.
};

template <backend B>
[[nodiscard]] auto written_by_draws(const draw_cache<B>& cache) noexcept
    -> std::span<const bound_target<B>> {
  return {cache.outputs.begin(), cache.outputs.size()};
}

template <backend B>
[[nodiscard]] auto runs(const context<B>& context, shader_stage stage) noexcept -> bool {
  return context.cache.state.stages[static_cast<std::size_t>(stage)].shader != nullptr;
}

/// Replaces a value and notes whether it is another one.
template <class T>
void update(T& to, const T& value, bool& has_changed) noexcept {
  has_changed |= to != value;
  to = value;
}

/// What a slot turned out to hold, before it replaces what was looked up last.
template <backend B>
struct found_range {
  buffer_object<B>* buffer = nullptr;
  std::uint64_t size_bytes = 0;
};

/// The range of a slot inside a buffer; unbound when it starts at or past the end.
template <backend B>
[[nodiscard]] auto clip_range(const named_resource<B>& named, const range_slot& slot,
                              std::uint64_t window_bytes) noexcept -> found_range<B> {
  if (named.kind != resource_kind::buffer) return {};
  const std::uint64_t size = named.buffer->desc.size_bytes;
  if (slot.offset_bytes >= size) return {};
  std::uint64_t length = size - slot.offset_bytes;
  if (slot.size_bytes != 0) length = std::min<std::uint64_t>(length, slot.size_bytes);
  return {named.buffer, std::min(length, window_bytes)};
}

template <backend B>
void update(buffer_ref<B>& to, const found_range<B>& found, std::uint32_t offset_bytes,
            bool& has_changed) noexcept {
  const bool is_bound = found.buffer != nullptr;
  update(to.buffer, is_bound ? &found.buffer->native : nullptr, has_changed);
  update<std::uint64_t>(to.offset_bytes, is_bound ? offset_bytes : 0, has_changed);
  update(to.size_bytes, found.size_bytes, has_changed);
}

/// Looks the stale ranges of a table up and brings their buffers up to date.
template <backend B, std::size_t N>
[[nodiscard]] auto find_ranges(execution<B>& x, shader_stage stage,
                               slot_array<range_slot, N>& slots, std::uint64_t window_bytes,
                               std::array<buffer_ref<B>, N>& refs) noexcept -> error_code {
  bool has_changed = false;
  const auto code = slots.stale.for_each_until([&](std::size_t i) {
    range_slot& slot = slots.slots[i];
    const auto found = clip_range(find_bound(x, slot.name), slot, window_bytes);
    update(refs[i], found, slot.offset_bytes, has_changed);
    return found.buffer != nullptr ? make_current(x, *found.buffer) : error_code::none;
  });
  if (has_changed) x.context.cache.changes.insert(state_change::stage_bindings, stage);
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
  if (!context.bound.has_unordered_access) return false;
  bool found = false;
  group.stages.for_each([&](std::size_t i) {
    const stage_bindings<B>& stage = context.cache.state.stages[i];
    found |= stage.shader != nullptr &&
             std::ranges::any_of(stage.unordered_access, [&](const buffer_ref<B>& ref) {
               return ref.buffer == &buffer.native;
             });
  });
  return found;
}

/// Shows a texture, and no buffer, in a t slot, and brings it up to date.
template <backend B>
[[nodiscard]] inline auto show_texture(execution<B>& x, const named_resource<B>& named,
                                       shader_resource_ref<B>& to, bool& has_changed) noexcept
    -> error_code {
  const bool has_view = named.kind == resource_kind::view;
  update(to.texture.texture, &named.texture->native, has_changed);
  update(to.texture.view, has_view ? &named.view->native : nullptr, has_changed);
  to.texture.desc = &named.texture->desc;
  if (to.buffer.buffer != nullptr) update(to.buffer, {}, 0, has_changed);
  return make_current(x, *named.texture);
}

/// Whether a texture may be shown in a t slot of a graphics stage right when it is bound: all else
/// that the next draw looks up for the slot holds, and there is nothing to upload. Most textures
/// are bound like that, between two draws, and cost half then.
template <backend B>
[[nodiscard]] inline auto can_show_at_once(const execution<B>& x, shader_stage stage,
                                           std::size_t slot,
                                           const named_resource<B>& named) noexcept -> bool {
  const draw_cache<B>& cache = x.context.cache;
  const auto index = static_cast<std::size_t>(stage);
  constexpr std::uint32_t outputs = static_cast<std::uint32_t>(draw_part::shaders) |
                                    static_cast<std::uint32_t>(draw_part::targets);
  const std::uint32_t needed = outputs | bit_set<draw_part>::mask_of(draw_part::stage, stage);
  return cache.epoch == x.world.binding_epoch && (cache.stale.bits & needed) == 0 &&
         named.texture != nullptr && !is_dirty(*named.texture) && stage != shader_stage::compute &&
         runs(x.context, stage) && (slot < d3d9_sampler_slots || !cache.reads_registers[index]) &&
         !is_written(stage_group<B>{{}, written_by_draws(cache)}, named);
}

/// Shows a buffer, or nothing, in a t slot, and brings it up to date.
template <backend B>
[[nodiscard]] auto show_buffer(execution<B>& x, const found_range<B>& range,
                               std::uint32_t offset_bytes, shader_resource_ref<B>& to,
                               bool& has_changed) noexcept -> error_code {
  has_changed |= to.texture.texture != nullptr;
  to.texture = {};
  update(to.buffer, range, offset_bytes, has_changed);
  return range.buffer != nullptr ? make_current(x, *range.buffer) : error_code::none;
}

/// Looks one t slot up, unless the group writes what it names, and brings that up to date.
template <backend B>
[[nodiscard]] inline auto find_resource(execution<B>& x, const stage_group<B>& group,
                                        resource_range_slot& slot, shader_resource_ref<B>& to,
                                        bool& has_changed) noexcept -> error_code {
  const named_resource<B>& named = find_bound(x, slot.range.name);
  if (named.texture != nullptr && slot.takes_textures && !is_written(group, named)) [[likely]]
    return show_texture(x, named, to, has_changed);
  auto range = clip_range(named, slot.range, UINT64_MAX);
  if (range.buffer != nullptr && is_written(x.context, group, *range.buffer)) range = {};
  return show_buffer(x, range, slot.range.offset_bytes, to, has_changed);
}

/// Looks the stale t slots up. SM1-3 programs see the first 16 only: the others stay null, and
/// stale for a program that sees them.
template <backend B>
[[nodiscard]] inline auto find_resources(execution<B>& x, const stage_group<B>& group,
                                         shader_stage stage) noexcept -> error_code {
  const auto index = static_cast<std::size_t>(stage);
  auto& slots = x.context.bound.stages[index].resources;
  auto& to = x.context.cache.state.stages[index];
  const std::size_t visible =
      x.context.cache.reads_registers[index] ? d3d9_sampler_slots : shader_resource_slots;
  bool has_changed = false;
  const auto code = slots.stale.for_each_until([&](std::size_t i) {
    if (i >= visible) return error_code::none;
    return find_resource(x, group, slots.slots[i], to.resources[i], has_changed);
  });
  if (has_changed) x.context.cache.changes.insert(state_change::stage_bindings, stage);
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
  auto code = error_code::none;
  bool has_changed = false;
  group.stages.for_each([&](std::size_t i) {
    const auto stage = static_cast<shader_stage>(i);
    auto& slots = x.context.bound.stages[i].unordered_access;
    const bool writes = runs(x.context, stage) && !slots.bound.empty();
    has_changed |= std::exchange(cache.writes_buffers[i], writes) != writes;
    if (!runs(x.context, stage) || slots.stale.empty() || code != error_code::none) return;
    has_changed = true;
    auto& to = cache.state.stages[i];
    to.unordered_access_limit = slots.bound.limit();
    code = find_ranges(x, stage, slots, UINT64_MAX, to.unordered_access);
  });
  if (!has_changed || code != error_code::none) return code;
  group.stages.for_each([&](std::size_t i) {
    x.context.bound.stages[i].resources.invalidate();
    cache.stale.insert(draw_part::stage, static_cast<shader_stage>(i));
  });
  return error_code::none;
}

/// Looks up what one running stage reads. SM1-3 programs see textures only: their constants are
/// registers and their samplers D3D9 states. Errors: those of `make_current`.
template <backend B>
[[nodiscard]] inline auto find_read_slots(execution<B>& x, const stage_group<B>& group,
                                          shader_stage stage) noexcept -> error_code {
  const auto index = static_cast<std::size_t>(stage);
  const auto code = find_resources(x, group, stage);
  if (code != error_code::none || x.context.cache.reads_registers[index]) return code;
  find_samplers(x, stage);
  auto& slots = x.context.bound.stages[index].constant_buffers;
  auto& to = x.context.cache.state.stages[index];
  to.constant_buffer_limit = slots.bound.limit();
  return find_ranges(x, stage, slots, constant_buffer_window_bytes, to.constant_buffers);
}

}  // namespace detail

/// Looks the stale slots of a group's running stages up, and brings what they name up to date.
/// Errors: those of `make_current`; slots stay stale until `settle_stages`.
template <backend B>
[[nodiscard]] inline auto find_stage_bindings(execution<B>& x,
                                              const detail::stage_group<B>& group) noexcept
    -> error_code {
  if (x.context.bound.has_unordered_access) [[unlikely]] {
    const auto code = detail::find_written_buffers(x, group);
    if (code != error_code::none) return code;
  }
  return stale_stages(x.context.cache, group.stages).for_each_until([&](std::size_t i) {
    const auto stage = static_cast<shader_stage>(i);
    if (!detail::runs(x.context, stage)) {
      forget_stage(x.context, stage);
      return error_code::none;
    }
    x.context.cache.forgotten.erase(i);
    return detail::find_read_slots(x, group, stage);
  });
}

/// The slots of a group were used as they were looked up; they hold until one changes.
template <backend B>
void settle_stages(context<B>& context, stage_mask stages) noexcept {
  stale_stages(context.cache, stages).for_each([&](std::size_t i) {
    const auto stage = static_cast<shader_stage>(i);
    context.cache.stale.erase(draw_part::stage, stage);
    if (!detail::runs(context, stage)) return;
    stage_slots& slots = context.bound.stages[i];
    slots.resources.stale.clear();
    if (context.cache.reads_registers[i]) return;
    slots.samplers.stale.clear();
    slots.constant_buffers.stale.clear();
    slots.unordered_access.stale.clear();
  });
}

}  // namespace aerogpu

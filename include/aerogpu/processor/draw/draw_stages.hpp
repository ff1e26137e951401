// SPDX-License-Identifier: MIT
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
#include <cstddef>
#include <cstdint>
#include <span>

namespace aerogpu {

inline constexpr std::uint64_t constant_buffer_window_bytes = 64u << 10;  ///< host.md 3.13.

namespace detail {

/// Stages that run together, with what they write: a slot that reads the same is unbound (D-45).
template <backend B>
struct stage_group {
  stage_mask stages;
  std::span<const bound_target<B>> targets;  ///< Empty for dispatches.
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
  return {named.buffer, slot.offset_bytes, std::min(length, window_bytes)};
}

/// Looks the stale ranges of a table up, hands each to `set(i, range)`, and brings their buffers up
/// to date.
template <backend B, std::size_t N, class Set>
[[nodiscard]] auto resolve_ranges(execution<B>& x, slot_array<range_slot, N>& slots,
                                  std::uint64_t window_bytes, Set&& set) noexcept -> error_code {
  return slots.stale.for_each_until([&](std::size_t i) {
    range_slot& slot = slots.slots[i];
    const auto found = clip_range(find_bound(x, slot.name), slot, window_bytes);
    set(i, found);
    return found.buffer != nullptr ? make_current(x, *found.buffer) : error_code::none;
  });
}

/// Whether a view, or a whole texture, holds a target of the group.
template <backend B>
[[nodiscard]] auto is_written(const stage_group<B>& group, const named_resource<B>& named) noexcept
    -> bool {
  if (!named.texture->was_target) return false;
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
    const stage_bindings<B>& stage = context.cache.state().stages[i];
    found |= stage.shader != nullptr &&
             std::ranges::any_of(stage.unordered_access, [&](const buffer_ref<B>& ref) {
               return ref.buffer == &buffer.native;
             });
  });
  return found;
}

/// Whether a texture may take the place of another one in a t slot of a graphics stage at once: all
/// else that the next draw looks up for the slot holds, and there is nothing to upload and no
/// target to beware of. Most textures are bound like that, between two draws, and cost half then.
template <backend B>
[[nodiscard]] inline auto can_show_at_once(const execution<B>& x, shader_stage stage,
                                           const named_resource<B>& named) noexcept -> bool {
  constexpr std::uint32_t outputs = static_cast<std::uint32_t>(draw_part::names) |
                                    static_cast<std::uint32_t>(draw_part::shaders) |
                                    static_cast<std::uint32_t>(draw_part::targets);
  const std::uint32_t needed = outputs | bit_set<draw_part>::mask_of(draw_part::stage, stage);
  return has_texture(named) && !x.context.cache.is_any_stale(needed) &&
         stage != shader_stage::compute && !is_dirty(*named.texture) && !named.texture->was_target;
}

/// Looks one t slot up, unless the group writes what it names, and brings that up to date.
template <backend B>
[[nodiscard]] inline auto resolve_resource(execution<B>& x, const stage_group<B>& group,
                                           shader_stage stage, std::size_t i) noexcept
    -> error_code {
  resource_range_slot& slot =
      x.context.bound.stages[static_cast<std::size_t>(stage)].resources.slots[i];
  const named_resource<B>& named = find_bound(x, slot.range.name);
  if (named.texture != nullptr && slot.takes_textures && !is_written(group, named)) [[likely]] {
    x.context.cache.set_texture(stage, i, named);
    return make_current(x, *named.texture);
  }
  auto range = clip_range(named, slot.range, UINT64_MAX);
  if (range.buffer != nullptr && is_written(x.context, group, *range.buffer)) range = {};
  x.context.cache.set_resource_buffer(stage, i, range);
  return range.buffer != nullptr ? make_current(x, *range.buffer) : error_code::none;
}

/// Looks the stale t slots up. SM1-3 programs see the first 16 only: the others stay null, and
/// stale for a program that sees them.
template <backend B>
[[nodiscard]] inline auto resolve_resources(execution<B>& x, const stage_group<B>& group,
                                            shader_stage stage) noexcept -> error_code {
  const auto index = static_cast<std::size_t>(stage);
  auto& slots = x.context.bound.stages[index].resources;
  const std::size_t visible =
      x.context.cache.reads_registers(index) ? d3d9_sampler_slots : shader_resource_slots;
  const auto code = slots.stale.for_each_until([&](std::size_t i) {
    return i < visible ? resolve_resource(x, group, stage, i) : error_code::none;
  });
  x.context.cache.set_resource_limit(
      index, std::min(slots.bound.limit(), static_cast<std::uint32_t>(visible)));
  return code;
}

/// Looks the stale samplers up; unknown ones read as the default sampler.
template <backend B>
void resolve_samplers(execution<B>& x, shader_stage stage) noexcept {
  auto& slots = x.context.bound.stages[static_cast<std::size_t>(stage)].samplers;
  slots.stale.for_each([&](std::size_t i) {
    sampler_slot& slot = slots.slots[i];
    sampler_object<B>* sampler = x.tables.pipeline.samplers.find(slot.handle);
    if (sampler != nullptr && !slot.still_names(sampler->serial)) sampler = nullptr;
    if (sampler != nullptr) slot.serial = sampler->serial;
    x.context.cache.set_sampler(stage, i, sampler);
  });
}

/// Looks up what the running stages write, before anything that they read. When that changes, all
/// that they read is looked up again. Errors: those of `make_current`.
template <backend B>
[[nodiscard]] auto resolve_written_buffers(execution<B>& x, const stage_group<B>& group) noexcept
    -> error_code {
  draw_cache<B>& cache = x.context.cache;
  auto code = error_code::none;
  bool has_changed = false;
  group.stages.for_each([&](std::size_t i) {
    const auto stage = static_cast<shader_stage>(i);
    auto& slots = x.context.bound.stages[i].unordered_access;
    has_changed |= cache.set_writes_buffers(i, cache.runs(i) && !slots.bound.empty());
    if (!cache.runs(i) || slots.stale.empty() || code != error_code::none) return;
    has_changed = true;
    cache.set_unordered_access_limit(i, slots.bound.limit());
    code = resolve_ranges(x, slots, UINT64_MAX, [&](std::size_t slot, const found_range<B>& found) {
      cache.set_unordered_access(stage, slot, found);
    });
  });
  if (!has_changed || code != error_code::none) return code;
  group.stages.for_each([&](std::size_t i) {
    x.context.bound.stages[i].resources.invalidate();
    cache.look_up_stage(static_cast<shader_stage>(i));
  });
  return error_code::none;
}

/// Looks up what one running stage reads. SM1-3 programs see textures only: their constants are
/// registers and their samplers D3D9 states. Errors: those of `make_current`.
template <backend B>
[[nodiscard]] inline auto resolve_read_slots(execution<B>& x, const stage_group<B>& group,
                                             shader_stage stage) noexcept -> error_code {
  draw_cache<B>& cache = x.context.cache;
  const auto index = static_cast<std::size_t>(stage);
  const auto code = resolve_resources(x, group, stage);
  if (code != error_code::none || cache.reads_registers(index)) return code;
  resolve_samplers(x, stage);
  auto& slots = x.context.bound.stages[index].constant_buffers;
  cache.set_constant_buffer_limit(index, slots.bound.limit());
  return resolve_ranges(x, slots, constant_buffer_window_bytes,
                        [&](std::size_t slot, const found_range<B>& found) {
                          cache.set_constant_buffer(stage, slot, found);
                        });
}

}  // namespace detail

/// Looks the stale slots of a group's running stages up, and brings what they name up to date.
/// Errors: those of `make_current`; slots stay stale until `settle_stages`.
template <backend B>
[[nodiscard]] inline auto resolve_stage_bindings(execution<B>& x,
                                                 const detail::stage_group<B>& group) noexcept
    -> error_code {
  if (x.context.bound.has_unordered_access) [[unlikely]] {
    const auto code = detail::resolve_written_buffers(x, group);
    if (code != error_code::none) return code;
  }
  draw_cache<B>& cache = x.context.cache;
  return cache.stale_stages(group.stages).for_each_until([&](std::size_t i) {
    const auto stage = static_cast<shader_stage>(i);
    if (!cache.runs(i)) {
      cache.forget_stage(stage, x.context.bound.stages[i]);
      return error_code::none;
    }
    cache.remember_stage(i);
    return detail::resolve_read_slots(x, group, stage);
  });
}

/// The slots of a group were used as they were looked up; they hold until one changes.
template <backend B>
void settle_stages(context<B>& context, stage_mask stages) noexcept {
  draw_cache<B>& cache = context.cache;
  cache.stale_stages(stages).for_each([&](std::size_t i) {
    cache.settle_stage(static_cast<shader_stage>(i));
    if (!cache.runs(i)) return;
    stage_slots& slots = context.bound.stages[i];
    slots.resources.stale.clear();
    if (cache.reads_registers(i)) return;
    slots.samplers.stale.clear();
    slots.constant_buffers.stale.clear();
    slots.unordered_access.stale.clear();
  });
}

}  // namespace aerogpu

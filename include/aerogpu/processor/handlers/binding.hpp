// SPDX-License-Identifier: MIT
/// \file SET_RENDER_TARGETS, buffers, textures, samplers: names go into slots (host.md 2.12).
///
/// A handle that names nothing is accepted here and checked when it is used, except that of a
/// destroyed original whose aliases live, which fails at once.
#pragma once

#include "aerogpu/abi/cmd_binding.h"
#include "aerogpu/processor/bindings/binding_slots.hpp"
#include "aerogpu/processor/context.hpp"
#include "aerogpu/processor/draw/draw_stages.hpp"
#include "aerogpu/processor/execution.hpp"
#include "aerogpu/processor/processor_tables.hpp"
#include "aerogpu/stream/checked_packet.hpp"

#include <cstddef>
#include <cstdint>

namespace aerogpu {

namespace detail {

/// Names what a handle names now; false, and nothing is written, for a reserved number.
template <backend B>
[[nodiscard, gnu::always_inline]] inline auto name_slot(const execution<B>& x,
                                                        aerogpu_handle_t handle,
                                                        resource_slot& slot) noexcept -> bool {
  const auto name = static_cast<resource_handle>(handle);
  const named_resource<B>& named = x.tables.resources.find(name);
  if (named.kind == resource_kind::reserved) [[unlikely]]
    return false;
  slot.handle = name;
  slot.serial = named.serial;
  return true;
}

template <backend B>
[[gnu::cold, gnu::noinline]] auto fail_reserved(execution<B>& x, aerogpu_handle_t handle) noexcept
    -> error_code {
  return x.fail(error_code::unknown_handle, "handle was destroyed; only aliases live", handle);
}

/// Calls `bind(i, element, named)` for each element with its slot number and what its handle names.
/// A reserved handle among them fails before anything is bound. Errors: unknown_handle.
template <backend B, class P, class Bind>
[[nodiscard]] inline auto bind_elements(execution<B>& x, const checked_packet<P>& p,
                                        Bind&& bind) noexcept -> error_code {
  const auto elements = p.elements();
  resource_slot named;
  for (std::size_t i = 1; i < elements.size(); ++i) {
    const aerogpu_handle_t handle = elements[i].buffer;
    if (!name_slot(x, handle, named)) return fail_reserved(x, handle);
  }
  std::size_t i = p.fields().start_slot;
  for (const auto element : elements) {
    if (!name_slot(x, element.buffer, named)) return fail_reserved(x, element.buffer);
    bind(i++, element, named);
  }
  return error_code::none;
}

/// Binds one t slot, which the next draw looks up.
template <backend B>
inline void bind_resource(execution<B>& x, shader_stage stage, std::size_t i,
                          const resource_range_slot& to) noexcept {
  auto& slots = x.context.bound.stages[static_cast<std::size_t>(stage)].resources;
  resource_range_slot& slot = slots.slots[i];
  const bool is_other_range =
      slot.range.rewrite(to.range.name, to.range.offset_bytes, to.range.size_bytes);
  const bool is_other_kind = rewrite(slot.takes_textures, to.takes_textures);
  if (!is_other_range && !is_other_kind) return;
  slots.rebound(i, slot.range.name.is_bound());
  x.context.cache.stage_bound(stage);
}

/// Binds a t slot to whatever a handle names. Not inlined, so that a texture in the place of
/// another one keeps no registers for it. Errors: unknown_handle.
template <backend B>
[[nodiscard, gnu::noinline]] auto bind_texture(execution<B>& x, shader_stage stage, std::uint32_t i,
                                               aerogpu_handle_t handle) noexcept -> error_code {
  resource_slot named;
  if (!name_slot(x, handle, named)) return fail_reserved(x, handle);
  bind_resource(x, stage, i, {{named, 0, 0}, true});
  return error_code::none;
}

/// A packet that binds buffer ranges into `table` of its stage. Errors: unknown_handle.
template <backend B, class P, std::size_t N>
[[nodiscard]] auto bind_ranges(execution<B>& x, const checked_packet<P>& p,
                               slot_array<range_slot, N> stage_slots::*table) noexcept
    -> error_code {
  const shader_stage stage = p.stage();
  auto& slots = x.context.bound.stages[static_cast<std::size_t>(stage)].*table;
  return bind_elements(x, p, [&](std::size_t i, const auto& element, const resource_slot& named) {
    if (!slots.slots[i].rewrite(named, element.offset_bytes, element.size_bytes)) return;
    slots.rebound(i, named.is_bound());
    x.context.cache.stage_bound(stage);
  });
}

}  // namespace detail

template <backend B>
inline auto on_packet(execution<B>& x,
                      const checked_packet<aerogpu_cmd_set_render_targets>& p) noexcept
    -> error_code {
  const auto& fields = p.fields();
  target_slots targets;
  targets.color_count = fields.color_count;
  for (std::uint32_t i = 0; i < fields.color_count; ++i) {
    const aerogpu_handle_t handle = fields.colors[i];
    if (!detail::name_slot(x, handle, targets.colors[i])) return detail::fail_reserved(x, handle);
  }
  if (!detail::name_slot(x, fields.depth_stencil, targets.depth_stencil)) {
    return detail::fail_reserved(x, fields.depth_stencil);
  }
  x.context.bound.targets = targets;
  x.context.cache.targets_bound();
  return error_code::none;
}

template <backend B>
inline auto on_packet(execution<B>& x,
                      const checked_packet<aerogpu_cmd_set_vertex_buffers>& p) noexcept
    -> error_code {
  return detail::bind_elements(
      x, p, [&](std::size_t i, const auto& element, const resource_slot& named) {
        vertex_buffer_slot& slot = x.context.bound.vertex_buffers[i];
        const bool is_renamed = slot.name.rename(named);
        const bool is_moved = rewrite<std::uint32_t>(slot.offset_bytes, element.offset_bytes);
        const bool is_spaced = rewrite<std::uint32_t>(slot.stride_bytes, element.stride_bytes);
        if (!is_renamed && !is_moved && !is_spaced) return;
        x.context.cache.vertex_buffers_bound();
      });
}

/// Handle 0 unbinds, and then the format may be anything.
template <backend B>
inline auto on_packet(execution<B>& x,
                      const checked_packet<aerogpu_cmd_set_index_buffer>& p) noexcept
    -> error_code {
  const auto& fields = p.fields();
  resource_slot named;
  if (!detail::name_slot(x, fields.buffer, named)) return detail::fail_reserved(x, fields.buffer);
  index_buffer_slot& slot = x.context.bound.index_buffer;
  const bool is_renamed = slot.name.rename(named);
  const bool is_moved = rewrite<std::uint32_t>(slot.offset_bytes, fields.offset_bytes);
  const bool is_other_format = rewrite(
      slot.format, fields.format == 0 ? AEROGPU_INDEX_FORMAT_UINT16 : AEROGPU_INDEX_FORMAT_UINT32);
  if (!is_renamed && !is_moved && !is_other_format) return error_code::none;
  x.context.cache.index_buffer_bound();
  return error_code::none;
}

template <backend B>
inline auto on_packet(execution<B>& x, const checked_packet<aerogpu_cmd_set_texture>& p) noexcept
    -> error_code {
  const auto& fields = p.fields();
  const shader_stage stage = p.stage();
  const std::uint32_t slot = fields.slot;
  const auto handle = static_cast<resource_handle>(fields.texture);
  const named_resource<B>& named = x.tables.resources.find(handle);
  if (!detail::can_show_at_once(x, stage, named) ||
      !x.context.cache.replace_texture(stage, slot, named)) {
    return detail::bind_texture(x, stage, slot, fields.texture);
  }
  auto& slots = x.context.bound.stages[static_cast<std::size_t>(stage)].resources.slots;
  slots[slot].range.name = {handle, named.serial};
  return error_code::none;
}

/// Unknown handles are accepted and act as the default sampler.
template <backend B>
inline auto on_packet(execution<B>& x, const checked_packet<aerogpu_cmd_set_samplers>& p) noexcept
    -> error_code {
  const shader_stage stage = p.stage();
  auto& slots = x.context.bound.stages[static_cast<std::size_t>(stage)].samplers;
  std::size_t at = p.fields().start_slot;
  for (const aerogpu_handle_t handle : p.elements()) {
    const auto name = static_cast<sampler_handle>(handle);
    const sampler_object<B>* live = x.tables.pipeline.samplers.find(name);
    const sampler_slot named{name, live != nullptr ? live->serial : 0};
    if (slots.slots[at].rename(named)) {
      slots.rebound(at, named.is_bound());
      x.context.cache.stage_bound(stage);
    }
    ++at;
  }
  return error_code::none;
}

template <backend B>
inline auto on_packet(execution<B>& x,
                      const checked_packet<aerogpu_cmd_set_constant_buffers>& p) noexcept
    -> error_code {
  return detail::bind_ranges(x, p, &stage_slots::constant_buffers);
}

/// Takes the t slots, also from textures.
template <backend B>
inline auto on_packet(execution<B>& x,
                      const checked_packet<aerogpu_cmd_set_shader_resource_buffers>& p) noexcept
    -> error_code {
  const shader_stage stage = p.stage();
  return detail::bind_elements(
      x, p, [&](std::size_t i, const auto& element, const resource_slot& named) {
        const range_slot range{named, element.offset_bytes, element.size_bytes};
        detail::bind_resource(x, stage, i, {range, false});
      });
}

template <backend B>
inline auto on_packet(execution<B>& x,
                      const checked_packet<aerogpu_cmd_set_unordered_access_buffers>& p) noexcept
    -> error_code {
  x.context.bound.has_unordered_access = true;
  return detail::bind_ranges(x, p, &stage_slots::unordered_access);
}

}  // namespace aerogpu

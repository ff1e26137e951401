// SPDX-License-Identifier: MIT
/// \file Render targets of a context, looked up and checked (host.md 3.8).
#pragma once

#include "aerogpu/memory/format.hpp"
#include "aerogpu/processor/bindings/slot_lookup.hpp"
#include "aerogpu/processor/context.hpp"
#include "aerogpu/processor/execution.hpp"
#include "aerogpu/processor/resources/residency.hpp"

#include <array>
#include <cstddef>
#include <cstdint>

namespace aerogpu {

namespace detail {

/// Whether a format may be a target in that place.
[[nodiscard]] constexpr auto fits_target(aerogpu_format format, bool is_depth) noexcept -> bool {
  const format_info* info = find_format(format);
  return info != nullptr && info->is_depth() == is_depth && !info->is_block_compressed();
}

/// A texture or view as a target. Errors: invalid_parameter.
template <backend B>
[[nodiscard]] auto describe_target(const named_resource<B>& named, bool is_depth) noexcept
    -> result<target_ref<B>> {
  texture_object<B>& texture = *named.texture;
  target_ref<B> target{.texture = &texture.native, .format = texture.desc.format};
  if (named.kind == resource_kind::view) {
    const texture_view_desc& view = named.view->desc;
    if (view.mip_level_count != 1 || view.array_layer_count != 1) {
      return make_error(error_code::invalid_parameter,
                        "a view of several subresources is bound as a target", raw(view.name));
    }
    target.view = &named.view->native;
    target.format = view.format;
    target.where = {view.base_mip_level, view.base_array_layer};
  }
  if (!fits_target(target.format, is_depth)) {
    return make_error(
        error_code::invalid_parameter,
        is_depth ? "depth_stencil has no depth format" : "a colour target has no colour format",
        target.format);
  }
  target.width = texture.layout.width_of(target.where.mip_level);
  target.height = texture.layout.height_of(target.where.mip_level);
  return target;
}

/// Looks one slot up, into what is a gap; destroyed objects leave a gap. Errors: unknown_handle,
/// wrong_kind, invalid_parameter.
template <backend B>
[[nodiscard]] auto resolve_target(execution<B>& x, resource_slot& slot, bool is_depth,
                                  target_ref<B>& target, bound_target<B>& bound) noexcept
    -> error_code {
  const named_resource<B>& named = find_bound(x, slot);
  if (named.kind == resource_kind::none) {
    return names_nothing_yet(slot) ? x.fail(error_code::unknown_handle,
                                            "a target names no live resource", raw(slot.handle))
                                   : error_code::none;
  }
  if (named.kind == resource_kind::buffer) {
    return x.fail(error_code::wrong_kind, "a target names a buffer", raw(slot.handle));
  }
  const auto described = describe_target(named, is_depth);
  if (!described) return x.fail(described.why());
  target = *described;
  bound = {named.texture, named.texture->serial, target.where};
  return error_code::none;
}

}  // namespace detail

/// Looks all targets up, in order, into the cache. Read slots are looked up again when the targets
/// changed, because hazards come and go with them (D-45).
/// Errors: unknown_handle, wrong_kind, invalid_parameter; the cache is then incomplete, and the
/// caller leaves `draw_part::targets` stale.
template <backend B>
[[nodiscard]] auto resolve_targets(execution<B>& x) noexcept -> error_code {
  target_slots& slots = x.context.bound.targets;
  target_set<B> targets;
  bound_targets<B> bound{};
  auto code = error_code::none;
  for (std::uint32_t i = 0; i < slots.color_count && code == error_code::none; ++i) {
    code = detail::resolve_target(x, slots.colors[i], false, targets.colors[i], bound[i]);
    if (targets.colors[i].texture != nullptr) targets.color_count = i + 1;
  }
  if (code == error_code::none) {
    code = detail::resolve_target(x, slots.depth_stencil, true, targets.depth_stencil,
                                  bound[depth_target_index]);
  }
  if (!x.context.cache.set_targets(targets, bound)) return code;
  for (std::size_t i = 0; i < shader_stage_count; ++i) {
    x.context.bound.stages[i].resources.invalidate();
    x.context.cache.look_up_stage(static_cast<shader_stage>(i));
  }
  return code;
}

/// Whether anything is bound to draw into.
template <backend B>
[[nodiscard]] constexpr auto has_target(const target_set<B>& targets) noexcept -> bool {
  return targets.color_count != 0 || targets.depth_stencil.texture != nullptr;
}

/// Brings the content of all targets up to date, for commands that keep some of it.
template <backend B>
[[nodiscard]] auto make_targets_current(execution<B>& x) noexcept -> error_code {
  for (const bound_target<B>& target : x.context.cache.outputs()) {
    if (const auto code = make_current(x, *target.texture); code != error_code::none) return code;
  }
  return error_code::none;
}

}  // namespace aerogpu

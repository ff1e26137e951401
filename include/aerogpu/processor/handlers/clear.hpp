// SPDX-License-Identifier: MIT
/// \file CLEAR (host.md 3.14).
#pragma once

#include "aerogpu/abi/cmd_draw.h"
#include "aerogpu/backend/clear_color.hpp"
#include "aerogpu/backend/render_area.hpp"
#include "aerogpu/core/bytes.hpp"
#include "aerogpu/memory/format.hpp"
#include "aerogpu/processor/context.hpp"
#include "aerogpu/processor/draw/resolve_draw.hpp"
#include "aerogpu/processor/execution.hpp"
#include "aerogpu/processor/resources/residency.hpp"
#include "aerogpu/processor/resources/transfer_budget.hpp"
#include "aerogpu/stream/checked_packet.hpp"

#include <cstddef>
#include <cstdint>

namespace aerogpu {

namespace detail {

/// The parts of a clear that have a target.
template <backend B>
[[nodiscard]] auto clear_flags_of(const target_set<B>& targets, std::uint32_t wanted) noexcept
    -> std::uint32_t {
  std::uint32_t flags = 0;
  if (targets.color_count != 0) flags |= AEROGPU_CLEAR_COLOR;
  if (targets.depth_stencil.texture != nullptr) flags |= AEROGPU_CLEAR_DEPTH;
  if (has_stencil(targets.depth_stencil.format)) flags |= AEROGPU_CLEAR_STENCIL;
  return flags & wanted;
}

/// How much of a target a clear replaces.
enum class clear_coverage : std::uint8_t { none, part, whole };

template <backend B>
[[nodiscard]] auto coverage_of(const clear_call<B>& call, const target_ref<B>& target,
                               bool is_depth) noexcept -> clear_coverage {
  constexpr std::uint32_t color_parts = AEROGPU_CLEAR_COLOR;
  constexpr std::uint32_t depth_parts = AEROGPU_CLEAR_DEPTH | AEROGPU_CLEAR_STENCIL;
  const std::uint32_t flags = call.flags & (is_depth ? depth_parts : color_parts);
  if (target.texture == nullptr || flags == 0) return clear_coverage::none;
  const target_extent extent{target.width, target.height};
  if (call.has_scissor) {
    const pixel_rect rect = clip_scissor(call.scissor, extent);
    if (is_empty(rect)) return clear_coverage::none;
    if (rect.width != extent.width || rect.height != extent.height) return clear_coverage::part;
  }
  const bool keeps_some = has_stencil(target.format) && flags != depth_parts;
  return keeps_some ? clear_coverage::part : clear_coverage::whole;
}

/// Calls `visit(bound_target, target_ref, coverage)` for each target that the clear writes.
template <backend B, class Visit>
[[nodiscard]] auto for_each_cleared(execution<B>& x, const clear_call<B>& call,
                                    Visit&& visit) noexcept -> error_code {
  const bound_targets<B>& bound = x.context.cache.targets();
  for (std::size_t i = 0; i < bound.size(); ++i) {
    const bool is_depth = i == depth_target_index;
    const auto& target = is_depth ? call.targets.depth_stencil : call.targets.colors[i];
    const clear_coverage coverage = coverage_of(call, target, is_depth);
    if (coverage == clear_coverage::none) continue;
    if (const auto code = visit(bound[i], target, coverage); code != error_code::none) return code;
  }
  return error_code::none;
}

/// What a clear writes of one target.
template <backend B>
[[nodiscard]] auto clear_cost(const clear_call<B>& call, const target_ref<B>& target) noexcept
    -> std::uint64_t {
  const target_extent extent{target.width, target.height};
  const pixel_rect rect = call.has_scissor ? clip_scissor(call.scissor, extent)
                                           : pixel_rect{0, 0, extent.width, extent.height};
  return transfer_cost(std::uint64_t{rect.width} * sizeof(std::uint32_t), rect.height);
}

/// Uploads what a partial clear keeps, clears, and drops the dirty ranges under a whole one.
template <backend B>
[[nodiscard]] auto clear(execution<B>& x, const clear_call<B>& call) noexcept -> error_code {
  bool clears_any = false;
  std::uint64_t cost = 0;
  auto code = for_each_cleared(x, call, [&](const auto& target, const auto& to, auto part) {
    clears_any = true;
    cost += clear_cost(call, to);
    return part == clear_coverage::part ? make_current(x, *target.texture) : error_code::none;
  });
  if (code != error_code::none || !clears_any) return code;
  code = spend_transfer(x, cost);
  if (code == error_code::none) code = x.check(x.backend.clear(call));
  if (code != error_code::none) return code;
  return for_each_cleared(x, call, [](const auto& target, const auto&, auto part) {
    if (part == clear_coverage::whole) mark_overwritten(*target.texture, target.where);
    return error_code::none;
  });
}

}  // namespace detail

/// Obeys the scissor only when D3DRS 174 turned the test on (D-41); ignores masks and viewport.
template <backend B>
auto on_packet(execution<B>& x, const checked_packet<aerogpu_cmd_clear>& p) noexcept -> error_code {
  const auto& fields = p.fields();
  constexpr std::uint32_t known = AEROGPU_CLEAR_COLOR | AEROGPU_CLEAR_DEPTH | AEROGPU_CLEAR_STENCIL;
  if ((fields.flags & known) == 0) return error_code::none;
  detail::follow_names(x, graphics_stage_mask);
  const draw_cache<B>& cache = x.context.cache;
  if (cache.is_stale(draw_part::targets)) {
    if (const auto code = resolve_targets(x); code != error_code::none) return code;
  }
  const fixed_function_state& fixed = x.context.fixed;
  clear_call<B> call{
      .targets = cache.state().targets,
      .has_scissor = fixed.rasterizer.scissor_by_render_state && fixed.scissor.is_set,
      .scissor = fixed.scissor,
      .flags = detail::clear_flags_of(cache.state().targets, fields.flags),
      .color = {},
      .srgb_write = fixed.srgb_write,
      .depth = saturate(as_float(fields.depth_f32)),
      .stencil = static_cast<std::uint8_t>(fields.stencil & 0xFFu)};
  for (std::size_t i = 0; i < call.color.size(); ++i) {
    call.color[i] = as_float(fields.color_rgba_f32[i]);
  }
  return call.flags != 0 ? detail::clear(x, call) : error_code::none;
}

}  // namespace aerogpu

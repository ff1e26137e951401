// SPDX-License-Identifier: MIT
/// \file From what a context has bound to what a draw or dispatch needs: looked up, checked and up
/// to date. Work is done only for what changed since the last one.
#pragma once

#include "aerogpu/backend/render_area.hpp"
#include "aerogpu/processor/draw/draw_shaders.hpp"
#include "aerogpu/processor/draw/draw_stages.hpp"
#include "aerogpu/processor/draw/draw_targets.hpp"
#include "aerogpu/processor/draw/draw_vertices.hpp"

#include <cstddef>
#include <cstdint>
#include <span>

namespace aerogpu {

namespace detail {

[[nodiscard]] consteval auto graphics_stage_bits() noexcept -> std::uint32_t {
  std::uint32_t bits = 0;
  for (const shader_stage stage : graphics_stages) {
    bits |= bit_set<draw_part>::mask_of(draw_part::stage, stage);
  }
  return bits;
}

/// What every draw depends on.
inline constexpr std::uint32_t draw_parts =
    static_cast<std::uint32_t>(draw_part::names) | static_cast<std::uint32_t>(draw_part::shaders) |
    static_cast<std::uint32_t>(draw_part::targets) | static_cast<std::uint32_t>(draw_part::layout) |
    static_cast<std::uint32_t>(draw_part::vertex_buffers) |
    static_cast<std::uint32_t>(draw_part::area) | graphics_stage_bits();

/// What is checked before the stages' tables; between most draws only those change.
inline constexpr std::uint32_t input_output_parts =
    static_cast<std::uint32_t>(draw_part::index_buffer) |
    static_cast<std::uint32_t>(draw_part::shaders) |
    static_cast<std::uint32_t>(draw_part::targets) | static_cast<std::uint32_t>(draw_part::layout) |
    static_cast<std::uint32_t>(draw_part::vertex_buffers);

[[nodiscard]] constexpr auto parts_of(bool is_indexed) noexcept -> std::uint32_t {
  return draw_parts | (is_indexed ? static_cast<std::uint32_t>(draw_part::index_buffer) : 0u);
}

/// Has everything looked up again after a name or a resource's content changed.
template <backend B>
void follow_names(execution<B>& x, stage_mask group) noexcept {
  x.context.cache.follow(group, x.context.bound);
}

/// Shaders and targets, with their errors in the order of host.md 3.15: whether a pixel shader is
/// needed depends on the targets, but its error comes first.
template <backend B>
[[nodiscard]] auto check_outputs(execution<B>& x) noexcept -> error_code {
  draw_cache<B>& cache = x.context.cache;
  error bad_target;
  if (cache.is_stale(draw_part::targets)) {
    if (resolve_targets(x) != error_code::none) bad_target = x.why;
    cache.look_up(draw_part::shaders);
    cache.look_up(draw_part::area);
  }
  if (cache.is_stale(draw_part::shaders)) {
    const auto code = resolve_draw_shaders(x);
    if (code != error_code::none) return code;
  }
  if (bad_target.code != error_code::none) return x.fail(bad_target);
  if (!has_target(cache.state().targets)) {
    return x.fail(error_code::missing_binding, "no render target is bound");
  }
  return error_code::none;
}

/// Layout, vertex buffers and topology.
template <backend B>
[[nodiscard]] auto check_inputs(execution<B>& x) noexcept -> error_code {
  draw_cache<B>& cache = x.context.cache;
  if (cache.is_stale(draw_part::layout) || cache.is_stale(draw_part::shaders)) {
    const auto code = resolve_layout(x);
    if (code != error_code::none) return code;
    cache.look_up(draw_part::vertex_buffers);
  }
  if (cache.is_stale(draw_part::vertex_buffers)) {
    const auto code = resolve_vertex_buffers(x);
    if (code != error_code::none) return code;
  }
  return check_patches(x);
}

/// Brings what a draw fetches and draws over up to date.
template <backend B>
[[nodiscard]] auto upload_for_draw(execution<B>& x, bool is_indexed) noexcept -> error_code {
  const draw_cache<B>& cache = x.context.cache;
  auto code = error_code::none;
  if (is_indexed && cache.is_stale(draw_part::index_buffer)) {
    code = make_current(x, *cache.index_buffer());
  }
  if (code == error_code::none && cache.is_stale(draw_part::vertex_buffers)) {
    code = make_vertex_buffers_current(x);
  }
  if (code == error_code::none && cache.is_stale(draw_part::targets)) {
    code = make_targets_current(x);
  }
  return code;
}

/// All that a draw fetches and writes, in the order of host.md 3.15, then the uploads.
template <backend B>
[[nodiscard]] auto check_inputs_and_outputs(execution<B>& x, bool is_indexed) noexcept
    -> error_code {
  const draw_cache<B>& cache = x.context.cache;
  auto code = error_code::none;
  if (is_indexed && cache.is_stale(draw_part::index_buffer)) code = resolve_index_buffer(x);
  if (code == error_code::none) code = check_outputs(x);
  if (code == error_code::none) code = check_inputs(x);
  if (code == error_code::none) code = upload_for_draw(x, is_indexed);
  return code;
}

/// Every check of a draw: what it fetches and writes, what its shaders read, what it covers.
template <backend B>
[[nodiscard]] inline auto check_draw_state(execution<B>& x, bool is_indexed) noexcept
    -> error_code {
  draw_cache<B>& cache = x.context.cache;
  if (cache.is_any_stale(parts_of(is_indexed) & input_output_parts)) [[unlikely]] {
    const auto code = check_inputs_and_outputs(x, is_indexed);
    if (code != error_code::none) return code;
  }
  const auto code = resolve_stage_bindings(x, stage_group<B>{graphics_stage_mask, cache.outputs()});
  if (code == error_code::none && cache.is_stale(draw_part::area)) {
    cache.set_draws_nothing(draws_nothing(x.context.fixed, extent_of(cache.state().targets)));
  }
  return code;
}

}  // namespace detail

/// Whether the cache holds for a draw as it is, so that `resolve_draw` has nothing to do.
template <backend B>
[[nodiscard]] inline auto is_draw_resolved(const execution<B>& x, bool is_indexed) noexcept
    -> bool {
  return !x.context.cache.is_any_stale(detail::parts_of(is_indexed));
}

/// Makes the cache hold for a draw. Nothing is stale afterwards once `settle_draw` was called.
/// Errors: all of host.md 3.15.
template <backend B>
[[nodiscard]] auto resolve_draw(execution<B>& x, bool is_indexed) noexcept -> error_code {
  detail::follow_names(x, graphics_stage_mask);
  const bool is_stale = x.context.cache.is_any_stale(detail::parts_of(is_indexed));
  return is_stale ? detail::check_draw_state(x, is_indexed) : error_code::none;
}

/// The draw that was resolved is done. Not called after a failure: what it uploaded is dirty again,
/// so everything is looked up once more.
template <backend B>
void settle_draw(execution<B>& x, bool is_indexed) noexcept {
  draw_cache<B>& cache = x.context.cache;
  const std::uint32_t parts = detail::parts_of(is_indexed);
  if (!cache.is_any_stale(parts)) [[likely]]
    return;
  settle_stages(x.context, graphics_stage_mask);
  cache.settle(parts);
}

/// Makes the cache hold for a dispatch of the stage's shader. Targets do not matter to it, so what
/// a draw looked up for the stage is looked up again, and once more for the next draw.
/// Errors: those of `make_current`.
template <backend B>
[[nodiscard]] auto resolve_dispatch(execution<B>& x, shader_stage stage,
                                    shader_object<B>& shader) noexcept -> error_code {
  const stage_mask group = mask_of_stages({&stage, 1});
  detail::follow_names(x, group);
  detail::use_shader(x.context, stage, &shader);
  if (stage != shader_stage::compute) {
    x.context.bound.stages[static_cast<std::size_t>(stage)].resources.invalidate();
    x.context.cache.look_up_stage(stage);
  }
  return resolve_stage_bindings(x, detail::stage_group<B>{group, {}});
}

template <backend B>
void settle_dispatch(execution<B>& x, shader_stage stage) noexcept {
  settle_stages(x.context, mask_of_stages({&stage, 1}));
  if (stage == shader_stage::compute) return;
  x.context.bound.stages[static_cast<std::size_t>(stage)].resources.invalidate();
  x.context.cache.look_up_stage(stage);
  x.context.cache.look_up(draw_part::shaders);
}

}  // namespace aerogpu

// SPDX-License-Identifier: MIT
/// \file What the processor promises a backend, checked: a broken promise is an internal error.
#pragma once

#include "aerogpu/backend/draw.hpp"
#include "aerogpu/core/checked.hpp"
#include "aerogpu/memory/format.hpp"
#include "aerogpu/memory/texture_layout.hpp"

#include <bit>
#include <cstddef>
#include <cstdint>

namespace aerogpu::detail {

[[nodiscard]] constexpr auto broken_promise(const char* what, std::uint64_t detail = 0,
                                            std::uint64_t limit = 0) noexcept -> error {
  return make_error(error_code::internal, what, detail, limit);
}

/// A target is a subresource of its texture, and its format fits the place.
template <class B>
[[nodiscard]] constexpr auto check_target(const target_ref<B>& target, bool is_depth) noexcept
    -> result<void> {
  if (target.texture == nullptr) return {};
  const format_info* format = find_format(target.format);
  if (format == nullptr || format->is_depth() != is_depth || format->is_block_compressed()) {
    return broken_promise("target format does not fit its place", target.format);
  }
  const texture_layout& layout = target.texture->layout();
  if (!layout.contains(target.where)) return broken_promise("target names no subresource");
  if (target.width != layout.width_of(target.where.mip_level) ||
      target.height != layout.height_of(target.where.mip_level)) {
    return broken_promise("target size is not its mip level's", target.width);
  }
  return {};
}

/// The targets of a draw or a clear: no trailing gap, classes right.
template <class B>
[[nodiscard]] constexpr auto check_targets(const target_set<B>& targets) noexcept -> result<void> {
  if (targets.color_count > targets.colors.size()) {
    return broken_promise("color_count is past the array", targets.color_count);
  }
  for (std::uint32_t i = 0; i < targets.color_count; ++i) {
    if (auto ok = check_target(targets.colors[i], false); !ok) return ok.why();
  }
  return check_target(targets.depth_stencil, true);
}

/// A clipped range lies inside its buffer; the backend would read past the end otherwise. Null, or
/// what does not.
template <class B>
[[nodiscard]] inline auto find_misfit(const stage_bindings<B>& in) noexcept -> const char* {
  const auto fits = [](const buffer_ref<B>& ref) {
    return ref.buffer == nullptr ||
           range_fits(ref.offset_bytes, ref.size_bytes, ref.buffer->content.size());
  };
  for (std::uint32_t i = 0; i < in.constant_buffer_limit; ++i) {
    if (!fits(in.constant_buffers[i])) {
      return "constant buffer range leaves the buffer";
    }
  }
  for (std::uint32_t i = 0; i < in.unordered_access_limit; ++i) {
    if (!fits(in.unordered_access[i])) {
      return "unordered access range leaves the buffer";
    }
  }
  for (std::uint32_t i = 0; i < in.resource_limit; ++i) {
    if (!fits(in.resources[i].buffer)) {
      return "shader resource range leaves the buffer";
    }
  }
  return nullptr;
}

/// The same of several stages, those of the bits `stages` that run. Not inlined into each draw.
template <class B>
[[nodiscard, gnu::noinline]] auto find_misfit(const draw_state<B>& state,
                                              std::uint32_t stages) noexcept -> const char* {
  for (; stages != 0; stages &= stages - 1) {
    const auto stage = state.stages.begin() + std::countr_zero(stages);
    if (stage->shader == nullptr) continue;
    if (const char* misfit = find_misfit(*stage); misfit != nullptr) return misfit;
  }
  return nullptr;
}

/// The stages of a draw whose bindings must be looked at again, as bits.
[[nodiscard]] constexpr auto rebound_stages(std::uint32_t changes) noexcept -> std::uint32_t {
  constexpr std::uint32_t all = (1u << shader_stage_count) - 1;
  constexpr std::uint32_t compute = 1u << static_cast<std::uint32_t>(shader_stage::compute);
  return changes / static_cast<std::uint32_t>(state_change::stage_bindings) & (all & ~compute);
}

/// What only a change of shaders or targets can break, which few draws bring.
template <class B>
[[nodiscard, gnu::noinline]] auto check_draw_setup(const draw_state<B>& state) noexcept
    -> result<void> {
  if (state.fixed == nullptr || state.d3d9 == nullptr) return broken_promise("state is missing");
  if (state.stages[static_cast<std::size_t>(shader_stage::vertex)].shader == nullptr) {
    return broken_promise("draw has no vertex shader");
  }
  return check_targets(state.targets);
}

/// What did not change since the last draw of the context was checked then. Inlined where draws
/// are handed on: the call then never leaves registers.
template <class B>
[[nodiscard, gnu::always_inline]] inline auto check_draw(const draw_call<B>& call) noexcept
    -> result<void> {
  constexpr std::uint32_t setup = static_cast<std::uint32_t>(state_change::shaders) |
                                  static_cast<std::uint32_t>(state_change::targets);
  if (call.count == 0 || call.instance_count == 0) return broken_promise("draw is empty");
  if (call.is_indexed && call.state.index_buffer.buffer == nullptr) {
    return broken_promise("indexed draw has no index buffer");
  }
  if ((call.changes & setup) != 0) {
    if (auto ok = check_draw_setup(call.state); !ok) return ok.why();
  }
  const char* misfit = find_misfit(call.state, rebound_stages(call.changes));
  if (misfit != nullptr) return broken_promise(misfit);
  return {};
}

template <class B>
[[nodiscard]] auto check_dispatch(const dispatch_call<B>& call) noexcept -> result<void> {
  if (call.x == 0 || call.y == 0 || call.z == 0) return broken_promise("dispatch is empty");
  const auto& stage = call.state.stages[static_cast<std::size_t>(call.stage)];
  if (stage.shader == nullptr) return broken_promise("dispatch has no shader");
  if (const char* misfit = find_misfit(stage); misfit != nullptr) return broken_promise(misfit);
  return {};
}

}  // namespace aerogpu::detail

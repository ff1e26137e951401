// SPDX-License-Identifier: MIT
/// \file What the processor promises a backend, checked: a broken promise is an internal error.
#pragma once

#include "aerogpu/backend/draw.hpp"
#include "aerogpu/core/checked.hpp"
#include "aerogpu/memory/format.hpp"
#include "aerogpu/memory/texture_layout.hpp"

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

/// A clipped range lies inside its buffer; the backend would read past the end otherwise.
template <class B>
[[nodiscard]] auto check_ranges(const stage_bindings<B>& stage) noexcept -> result<void> {
  const auto fits = [](const buffer_ref<B>& ref) {
    return ref.buffer == nullptr ||
           range_fits(ref.offset_bytes, ref.size_bytes, ref.buffer->content.size());
  };
  for (std::uint32_t i = 0; i < stage.constant_buffer_limit; ++i) {
    if (!fits(stage.constant_buffers[i])) {
      return broken_promise("constant buffer range leaves the buffer");
    }
  }
  for (std::uint32_t i = 0; i < stage.unordered_access_limit; ++i) {
    if (!fits(stage.unordered_access[i])) {
      return broken_promise("unordered access range leaves the buffer");
    }
  }
  for (std::uint32_t i = 0; i < stage.resource_limit; ++i) {
    if (!fits(stage.resources[i].buffer)) {
      return broken_promise("shader resource range leaves the buffer");
    }
  }
  return {};
}

/// Whether a part of the state must be looked at again; `stage` shifts the bits of stages.
[[nodiscard]] constexpr auto has_changed(std::uint32_t changes, state_change part,
                                         std::uint32_t stage = 0) noexcept -> bool {
  return (changes & static_cast<std::uint32_t>(part) << stage) != 0;
}

/// What did not change since the last draw of the context was checked then.
template <class B>
[[nodiscard]] auto check_draw(const draw_call<B>& call) noexcept -> result<void> {
  const draw_state<B>& state = call.state;
  if (call.count == 0 || call.instance_count == 0) return broken_promise("draw is empty");
  if (state.fixed == nullptr || state.d3d9 == nullptr) return broken_promise("state is missing");
  if (state.stages[static_cast<std::size_t>(shader_stage::vertex)].shader == nullptr) {
    return broken_promise("draw has no vertex shader");
  }
  if (call.is_indexed && state.index_buffer.buffer == nullptr) {
    return broken_promise("indexed draw has no index buffer");
  }
  for (std::uint32_t i = 0; i < shader_stage_count; ++i) {
    if (!has_changed(call.changes, state_change::stage_bindings, i)) continue;
    if (state.stages[i].shader == nullptr) continue;
    if (auto ok = check_ranges(state.stages[i]); !ok) return ok.why();
  }
  if (!has_changed(call.changes, state_change::targets)) return {};
  return check_targets(state.targets);
}

template <class B>
[[nodiscard]] auto check_dispatch(const dispatch_call<B>& call) noexcept -> result<void> {
  if (call.x == 0 || call.y == 0 || call.z == 0) return broken_promise("dispatch is empty");
  const auto& stage = call.state.stages[static_cast<std::size_t>(call.stage)];
  if (stage.shader == nullptr) return broken_promise("dispatch has no shader");
  return check_ranges(stage);
}

}  // namespace aerogpu::detail

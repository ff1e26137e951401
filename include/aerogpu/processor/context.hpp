// SPDX-License-Identifier: MIT
/// \file The state block of one context id (host.md 2.4), and what its last draw made of it.
#pragma once

#include "aerogpu/backend/backend.hpp"
#include "aerogpu/backend/draw.hpp"
#include "aerogpu/backend/pipeline_state.hpp"
#include "aerogpu/backend/sampler_state.hpp"
#include "aerogpu/core/ids.hpp"
#include "aerogpu/processor/bindings/binding_slots.hpp"
#include "aerogpu/processor/draw/draw_cache.hpp"
#include "aerogpu/processor/state/constants.hpp"
#include "aerogpu/processor/state/render_state.hpp"

#include <array>
#include <cstddef>

namespace aerogpu {

/// One context. Defaults are those of host.md 3.1. The address is stable: the cache points into it.
template <backend B>
struct context {
  explicit context(context_id name) noexcept : id(name), cache(name, fixed, d3d9) {
    reset_render_states(d3d9.render_states);
    reset_sampler_states(d3d9);
    for (std::size_t i = 0; i < shader_stage_count; ++i) publish_constants(i);
  }
  context(const context&) = delete;
  auto operator=(const context&) -> context& = delete;

  /// Tells the cache where the registers of a stage lie, after they may have moved.
  void publish_constants(std::size_t stage) noexcept {
    cache.set_constants(stage, constants[stage].view());
  }

  context_id id;
  fixed_function_state fixed;
  d3d9_state d3d9;
  std::array<constant_file, shader_stage_count> constants;
  binding_slots bound;
  draw_cache<B> cache;
};

}  // namespace aerogpu

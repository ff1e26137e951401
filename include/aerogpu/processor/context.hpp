/// \file The state block of one context id (host.md 2.4), and what its last draw made of it.
#pragma once

#include "aerogpu/backend/backend.hpp"
#include "aerogpu/backend/draw.hpp"
#include "aerogpu/backend/pipeline_state.hpp"
#include "aerogpu/backend/render_area.hpp"
#include "aerogpu/backend/sampler_state.hpp"
#include "aerogpu/core/fixed_vector.hpp"
#include "aerogpu/core/ids.hpp"
#include "aerogpu/hosted/heap_array.hpp"
#include "aerogpu/processor/bindings/binding_slots.hpp"
#include "aerogpu/processor/bindings/pipeline_objects.hpp"
#include "aerogpu/processor/resources/resource.hpp"
#include "aerogpu/processor/state/constants.hpp"
#include "aerogpu/processor/state/render_state.hpp"

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>

namespace aerogpu {

/// The checks of a draw, each with a bit that says it must be made again. A stage's tables have
/// one bit each from `stage` on.
enum class draw_part : std::uint32_t {
  index_buffer = 1u << 0,
  shaders = 1u << 1,
  targets = 1u << 2,
  layout = 1u << 3,
  vertex_buffers = 1u << 4,
  area = 1u << 5,  ///< Whether viewport, scissor and sample mask leave anything.
  stage = 1u << 8,
};

/// A bit set over an enumeration whose values are bits.
template <class Bit>
struct bit_set {
  std::uint32_t bits = 0;

  [[nodiscard]] static constexpr auto mask_of(Bit bit) noexcept -> std::uint32_t {
    return static_cast<std::uint32_t>(bit);
  }
  /// The bit of one stage, where `bit` is that of stage 0.
  [[nodiscard]] static constexpr auto mask_of(Bit bit, shader_stage stage) noexcept
      -> std::uint32_t {
    return mask_of(bit) << static_cast<std::uint32_t>(stage);
  }

  template <class... Stage>
  constexpr void insert(Bit bit, Stage... stage) noexcept {
    bits |= mask_of(bit, stage...);
  }
  template <class... Stage>
  constexpr void erase(Bit bit, Stage... stage) noexcept {
    bits &= ~mask_of(bit, stage...);
  }
  template <class... Stage>
  [[nodiscard]] constexpr auto contains(Bit bit, Stage... stage) const noexcept -> bool {
    return (bits & mask_of(bit, stage...)) != 0;
  }
};

inline constexpr std::uint32_t all_bits = 0xFFFFFFFF;

using stage_mask = slot_mask<shader_stage_count>;

[[nodiscard]] constexpr auto mask_of_stages(std::span<const shader_stage> stages) noexcept
    -> stage_mask {
  stage_mask mask;
  for (const shader_stage stage : stages) mask.insert(static_cast<std::size_t>(stage));
  return mask;
}

/// One subresource that a draw writes.
template <backend B>
struct bound_target {
  texture_object<B>* texture = nullptr;  ///< Null = a gap.
  subresource where{};

  friend constexpr auto operator==(const bound_target& a, const bound_target& b) -> bool {
    return a.texture == b.texture && a.where.mip_level == b.where.mip_level &&
           a.where.array_layer == b.where.array_layer;
  }
};

/// Colours first, then depth-stencil.
inline constexpr std::size_t bound_target_count = AEROGPU_MAX_RENDER_TARGETS + 1;
inline constexpr std::size_t depth_target_index = AEROGPU_MAX_RENDER_TARGETS;

/// A layout matched with a vertex shader, remembered by their serials.
struct known_fetch {
  std::uint64_t shader_serial = 0;  ///< 0 = unused.
  std::uint64_t layout_serial = 0;
  vertex_fetch fetch;
};
inline constexpr std::size_t known_fetch_count = 32;  ///< A power of two.

/// Bindings looked up and checked: what draws with unchanged state reuse. `stale` says what does
/// not hold any more; objects are valid at `epoch` of `world_tables::binding_epoch`.
template <backend B>
struct draw_cache {
  draw_state<B> state;
  bit_set<draw_part> stale{all_bits};
  std::uint64_t epoch = 0;  ///< Apart `stale` and `changes` are not joined in one wide access.
  bit_set<state_change> changes{all_bits};
  std::array<shader_object<B>*, shader_stage_count> shaders{};
  std::array<std::uint64_t, shader_stage_count> shader_serials{};
  std::array<bool, shader_stage_count> reads_registers{};  ///< By its last shader: SM1-3.
  std::array<bool, shader_stage_count> writes_buffers{};   ///< Runs with unordered access slots.
  std::array<std::array<std::uint64_t, sampler_slots>, shader_stage_count> sampler_revisions{};
  stage_mask forgotten;  ///< Stages whose references are null.
  std::uint64_t layout_serial = 0;
  std::array<bound_target<B>, bound_target_count> targets{};
  fixed_vector<bound_target<B>, bound_target_count> outputs;  ///< Those of `targets` without gaps.
  std::uint32_t vertex_slots = 0;  ///< Bit for each vertex buffer slot that was looked up.
  std::array<buffer_object<B>*, vertex_buffer_slots> vertex_buffers{};
  buffer_object<B>* index_buffer = nullptr;
  bool draws_nothing = false;
  heap_array<known_fetch> known_fetches;  ///< Direct-mapped; made by the first draw with a layout.
};

/// The stages among `stages` whose tables must be looked up.
template <backend B>
[[nodiscard]] auto stale_stages(const draw_cache<B>& cache, stage_mask stages) noexcept
    -> stage_mask {
  return stages &
         stage_mask::from_word(cache.stale.bits / bit_set<draw_part>::mask_of(draw_part::stage));
}

/// One context. Defaults are those of host.md 3.1. The address is stable: the cache points into it.
template <backend B>
struct context {
  explicit context(context_id name) noexcept : id(name) {
    reset_render_states(d3d9.render_states);
    reset_sampler_states(d3d9);
    cache.state.context = name;
    cache.state.fixed = &fixed;
    cache.state.d3d9 = &d3d9;
    for (std::size_t i = 0; i < shader_stage_count; ++i) show_constants(i);
  }
  context(const context&) = delete;
  auto operator=(const context&) -> context& = delete;

  /// Tells the cache where the registers of a stage lie, after they may have moved.
  void show_constants(std::size_t stage) noexcept {
    cache.state.stages[stage].constants = constants[stage].view();
  }

  context_id id;
  fixed_function_state fixed;
  d3d9_state d3d9;
  std::array<constant_file, shader_stage_count> constants;
  binding_slots bound;
  draw_cache<B> cache;
};

/// Nulls what was looked up for a stage that does not run, so that no reference outlives its
/// object, and has it looked up when the stage runs again.
template <backend B>
void forget_stage(context<B>& context, shader_stage stage) noexcept {
  const auto index = static_cast<std::size_t>(stage);
  if (context.cache.forgotten.contains(index)) return;
  context.cache.forgotten.insert(index);
  context.cache.stale.insert(draw_part::stage, stage);
  stage_slots& slots = context.bound.stages[index];
  stage_bindings<B>& to = context.cache.state.stages[index];
  slots.invalidate();
  slots.resources.stale.for_each([&](std::size_t i) { to.resources[i] = {}; });
  slots.samplers.stale.for_each([&](std::size_t i) { to.samplers[i] = nullptr; });
  slots.constant_buffers.stale.for_each([&](std::size_t i) { to.constant_buffers[i] = {}; });
  slots.unordered_access.stale.for_each([&](std::size_t i) { to.unordered_access[i] = {}; });
  to.resource_limit = to.constant_buffer_limit = to.unordered_access_limit = 0;
}

}  // namespace aerogpu

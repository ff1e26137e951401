// SPDX-License-Identifier: MIT
/// \file What a context's last draw or dispatch looked up and checked, and what of it is stale.
#pragma once

#include "aerogpu/backend/backend.hpp"
#include "aerogpu/backend/draw.hpp"
#include "aerogpu/backend/pipeline_state.hpp"
#include "aerogpu/core/check.hpp"
#include "aerogpu/core/fixed_vector.hpp"
#include "aerogpu/core/hash.hpp"
#include "aerogpu/core/ids.hpp"
#include "aerogpu/core/result.hpp"
#include "aerogpu/hosted/heap_array.hpp"
#include "aerogpu/processor/bindings/binding_slots.hpp"
#include "aerogpu/processor/bindings/pipeline_objects.hpp"
#include "aerogpu/processor/draw/draw_parts.hpp"
#include "aerogpu/processor/resources/resource.hpp"

#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <span>
#include <utility>

namespace aerogpu {

/// One subresource that a draw writes. Serials tell a texture from its successor at the same
/// address.
template <backend B>
struct bound_target {
  texture_object<B>* texture = nullptr;  ///< Null = a gap.
  std::uint64_t serial = 0;
  subresource where{};

  friend constexpr auto operator==(const bound_target& a, const bound_target& b) -> bool {
    return a.serial == b.serial && a.where.mip_level == b.where.mip_level &&
           a.where.array_layer == b.where.array_layer;
  }
};

/// Colours first, then depth-stencil.
inline constexpr std::size_t bound_target_count = AEROGPU_MAX_RENDER_TARGETS + 1;
inline constexpr std::size_t depth_target_index = AEROGPU_MAX_RENDER_TARGETS;
template <backend B>
using bound_targets = std::array<bound_target<B>, bound_target_count>;

/// A layout matched with a vertex shader, remembered by their serials.
struct known_fetch {
  std::uint64_t shader_serial = 0;  ///< 0 = unused.
  std::uint64_t layout_serial = 0;
  vertex_fetch fetch;
};
inline constexpr std::size_t known_fetch_count = 32;  ///< A power of two.

/// The index buffer that the backend heard of last. A draw without indices takes the change bit of
/// one that is only looked up later.
struct known_index_buffer {
  std::uint64_t serial = 0;  ///< Of the buffer; 0 = none.
  index_buffer_slot slot;

  [[nodiscard]] constexpr auto is(std::uint64_t of, const index_buffer_slot& in) const noexcept
      -> bool {
    return serial == of && slot.offset_bytes == in.offset_bytes && slot.format == in.format;
  }
};

/// A part of a buffer in a slot; a null buffer leaves it unbound.
template <backend B>
struct found_range {
  buffer_object<B>* buffer = nullptr;
  std::uint64_t offset_bytes = 0;
  std::uint64_t size_bytes = 0;
};

/// Bindings looked up and checked: what draws with unchanged state reuse.
///
/// Packets tell it what they bound or set; resolvers ask what is stale and put in what they found;
/// the backend is told what changed. Nothing else may hold an object from one draw to the next: the
/// pointers here are those of an epoch, and are looked up again before their next use when a name
/// came or went since (`reach` and `follow`).
template <backend B>
class draw_cache {
 public:
  draw_cache(context_id name, const fixed_function_state& fixed, const d3d9_state& d3d9) noexcept {
    state_.context = name;
    state_.fixed = &fixed;
    state_.d3d9 = &d3d9;
  }
  draw_cache(const draw_cache&) = delete;
  auto operator=(const draw_cache&) -> draw_cache& = delete;

  // What a packet did.

  void shaders_bound() noexcept { stale_.insert(draw_part::shaders); }
  void layout_bound() noexcept { stale_.insert(draw_part::layout); }
  void targets_bound() noexcept { rebound(draw_part::targets, state_change::targets); }
  void vertex_buffers_bound() noexcept {
    rebound(draw_part::vertex_buffers, state_change::vertex_buffers);
  }
  void index_buffer_bound() noexcept {
    rebound(draw_part::index_buffer, state_change::index_buffer);
  }
  /// A table of the stage was written.
  void stage_bound(shader_stage stage) noexcept {
    stale_.insert(draw_part::stage, stage);
    changes_.insert(state_change::stage_bindings, stage);
  }
  void fixed_function_set() noexcept { changes_.insert(state_change::fixed_function); }
  /// Fixed-function state that decides whether a draw covers anything.
  void draw_area_set() noexcept { rebound(draw_part::area, state_change::fixed_function); }
  /// Patch lists run hull and domain shaders, other topologies do not.
  void topology_set() noexcept { rebound(draw_part::shaders, state_change::fixed_function); }
  void constants_set(shader_stage stage) noexcept {
    changes_.insert(state_change::stage_constants, stage);
  }
  /// Where the registers of a stage lie, after they may have moved.
  void set_constants(std::size_t stage, const constant_registers& registers) noexcept {
    state_.stages[stage].constants = registers;
  }
  /// Names and content are those of `epoch` now.
  void reach(std::uint64_t epoch) noexcept {
    if (std::exchange(epoch_, epoch) != epoch) stale_.insert(draw_part::names);
  }
  /// The backend may have taken in any part of what changed, or lost all of it.
  void hand_on_everything() noexcept { changes_.bits = all_bits; }

  // What holds.

  [[nodiscard]] auto state() const noexcept -> const draw_state<B>& { return state_; }
  [[nodiscard]] auto changes() const noexcept -> std::uint32_t { return changes_.bits; }
  [[nodiscard]] auto is_stale(draw_part part) const noexcept -> bool {
    return stale_.contains(part);
  }
  [[nodiscard]] auto is_any_stale(std::uint32_t parts) const noexcept -> bool {
    return (stale_.bits & parts) != 0;
  }
  [[nodiscard]] auto is_of(std::uint64_t epoch) const noexcept -> bool { return epoch_ == epoch; }
  /// The stages among `stages` whose tables must be looked up.
  [[nodiscard]] auto stale_stages(stage_mask stages) const noexcept -> stage_mask {
    return stages &
           stage_mask::from_word(stale_.bits / bit_set<draw_part>::mask_of(draw_part::stage));
  }
  [[nodiscard]] auto runs(std::size_t stage) const noexcept -> bool {
    return state_.stages[stage].shader != nullptr;
  }
  /// Whether the stage's last shader was of SM1-3.
  [[nodiscard]] auto reads_registers(std::size_t stage) const noexcept -> bool {
    return reads_registers_[stage];
  }
  [[nodiscard]] auto shader(shader_stage stage) const noexcept -> shader_object<B>* {
    return shaders_[static_cast<std::size_t>(stage)];
  }
  [[nodiscard]] auto targets() const noexcept -> const bound_targets<B>& { return targets_; }
  /// Those of `targets` without gaps.
  [[nodiscard]] auto outputs() const noexcept -> std::span<const bound_target<B>> {
    return {outputs_.begin(), outputs_.size()};
  }
  [[nodiscard]] auto vertex_buffer(std::size_t slot) const noexcept -> buffer_object<B>* {
    return vertex_buffers_[slot];
  }
  [[nodiscard]] auto index_buffer() const noexcept -> buffer_object<B>* { return index_buffer_; }
  /// Viewport, scissor and sample mask leave nothing.
  [[nodiscard]] auto draws_nothing() const noexcept -> bool { return draws_nothing_; }

  // What a resolver found. Each notes a change for the backend when it is one.

  /// After names or content changed nothing that was looked up holds. Stages outside the group are
  /// forgotten, because nobody looks them up now.
  void follow(stage_mask group, binding_slots& bound) noexcept;
  /// Nulls what was looked up for a stage that does not run, so that no reference outlives its
  /// object, and has it looked up when the stage runs again.
  void forget_stage(shader_stage stage, stage_slots& slots) noexcept;
  void remember_stage(std::size_t stage) noexcept { forgotten_.erase(stage); }
  /// Has a stage's tables looked up again, though nothing of them was written.
  void look_up_stage(shader_stage stage) noexcept { stale_.insert(draw_part::stage, stage); }
  void look_up(draw_part part) noexcept { stale_.insert(part); }

  /// True when they are others than before.
  [[nodiscard]] auto set_targets(const target_set<B>& set, const bound_targets<B>& bound) noexcept
      -> bool;
  /// Null = none. One of another family than before sees other tables of the stage, so all are
  /// looked up again.
  void set_shader(shader_stage stage, shader_object<B>* shader, stage_slots& slots) noexcept;
  void set_layout(layout_object<B>* layout, const vertex_fetch& fetch) noexcept;
  /// The layout as the shader sees it, remembered for the next draw with the same two.
  /// Errors: unsupported_format, invalid_parameter, out_of_memory.
  [[nodiscard]] auto resolve_fetch(const layout_object<B>& layout,
                                   const shader_object<B>& vertex) noexcept
      -> result<const vertex_fetch*>;
  /// The slots that the layout reads: all others are null from now on.
  void set_vertex_slots(std::uint32_t slots) noexcept;
  void set_vertex_buffer(std::size_t i, buffer_object<B>* buffer,
                         const vertex_buffer_slot& slot) noexcept;
  void set_index_buffer(buffer_object<B>& buffer, const index_buffer_slot& slot) noexcept;
  void set_draws_nothing(bool draws_nothing) noexcept { draws_nothing_ = draws_nothing; }

  /// A texture, and no buffer, in a t slot.
  void set_texture(shader_stage stage, std::size_t slot, const named_resource<B>& named) noexcept;
  /// The same in the place of another texture; false, and nothing happens, when there is none. A
  /// slot that shows one is bound, and its stage sees it.
  [[nodiscard]] auto replace_texture(shader_stage stage, std::size_t slot,
                                     const named_resource<B>& named) noexcept -> bool;
  /// A buffer, or nothing, in a t slot.
  void set_resource_buffer(shader_stage stage, std::size_t slot,
                           const found_range<B>& range) noexcept;
  void set_resource_limit(std::size_t stage, std::uint32_t limit) noexcept {
    state_.stages[stage].resource_limit = limit;
  }
  /// Null = the default sampler.
  void set_sampler(shader_stage stage, std::size_t slot, sampler_object<B>* sampler) noexcept;
  void set_constant_buffer(shader_stage stage, std::size_t slot,
                           const found_range<B>& range) noexcept {
    set_range(stage, state_.stages[static_cast<std::size_t>(stage)].constant_buffers[slot], range);
  }
  void set_constant_buffer_limit(std::size_t stage, std::uint32_t limit) noexcept {
    state_.stages[stage].constant_buffer_limit = limit;
  }
  void set_unordered_access(shader_stage stage, std::size_t slot,
                            const found_range<B>& range) noexcept {
    set_range(stage, state_.stages[static_cast<std::size_t>(stage)].unordered_access[slot], range);
  }
  void set_unordered_access_limit(std::size_t stage, std::uint32_t limit) noexcept {
    state_.stages[stage].unordered_access_limit = limit;
  }
  /// Whether the stage runs with unordered access slots; true when it is the other way round.
  [[nodiscard]] auto set_writes_buffers(std::size_t stage, bool writes) noexcept -> bool {
    return std::exchange(writes_buffers_[stage], writes) != writes;
  }

  // What a draw or dispatch settled: it was done with all that was found.

  void settle(std::uint32_t parts) noexcept { stale_.bits &= ~parts; }
  void settle_stage(shader_stage stage) noexcept { stale_.erase(draw_part::stage, stage); }
  /// A draw took the changes, but for those that only a dispatch can see.
  void took_draw_changes() noexcept { changes_.bits &= compute_changes; }
  void took_dispatch_changes(shader_stage stage) noexcept {
    changes_.erase(state_change::stage_bindings, stage);
    changes_.erase(state_change::stage_constants, stage);
  }

 private:
  static constexpr std::uint32_t compute_changes =
      bit_set<state_change>::mask_of(state_change::stage_bindings, shader_stage::compute) |
      bit_set<state_change>::mask_of(state_change::stage_constants, shader_stage::compute);

  void rebound(draw_part part, state_change change) noexcept {
    stale_.insert(part);
    changes_.insert(change);
  }
  void set_range(shader_stage stage, buffer_ref<B>& to, const found_range<B>& range) noexcept;

  draw_state<B> state_;
  bit_set<draw_part> stale_{all_bits};
  std::uint64_t epoch_ = UINT64_MAX;  ///< Apart, two words of bits are not joined in one access.
  bit_set<state_change> changes_{all_bits};
  std::array<shader_object<B>*, shader_stage_count> shaders_{};
  std::array<std::uint64_t, shader_stage_count> shader_serials_{};
  std::array<bool, shader_stage_count> reads_registers_{};
  std::array<bool, shader_stage_count> writes_buffers_{};
  std::array<std::array<std::uint64_t, sampler_slots>, shader_stage_count> sampler_revisions_{};
  stage_mask forgotten_;  ///< Stages whose references are null.
  std::uint64_t layout_serial_ = 0;
  bound_targets<B> targets_{};
  fixed_vector<bound_target<B>, bound_target_count> outputs_;
  std::uint32_t vertex_slots_ = 0;
  std::array<buffer_object<B>*, vertex_buffer_slots> vertex_buffers_{};
  std::array<std::uint64_t, vertex_buffer_slots> vertex_serials_{};
  buffer_object<B>* index_buffer_ = nullptr;
  known_index_buffer known_index_buffer_;
  bool draws_nothing_ = false;
  heap_array<known_fetch> known_fetches_;  ///< Direct-mapped; made by the first draw with a layout.
};

namespace detail {

/// Replaces a value and notes whether it is another one.
template <class T>
void update(T& to, const T& value, bool& has_changed) noexcept {
  has_changed |= to != value;
  to = value;
}

template <backend B>
void update(buffer_ref<B>& to, const found_range<B>& found, bool& has_changed) noexcept {
  const bool is_bound = found.buffer != nullptr;
  update(to.buffer, is_bound ? &found.buffer->native : nullptr, has_changed);
  update<std::uint64_t>(to.offset_bytes, is_bound ? found.offset_bytes : 0, has_changed);
  update(to.size_bytes, found.size_bytes, has_changed);
}

}  // namespace detail

template <backend B>
void draw_cache<B>::follow(stage_mask group, binding_slots& bound) noexcept {
  if (!stale_.contains(draw_part::names)) [[likely]]
    return;
  stale_.bits = all_bits;
  stale_.erase(draw_part::names);
  state_.index_buffer = {};
  for (std::size_t i = 0; i < shader_stage_count; ++i) {
    if (group.contains(i)) {
      bound.stages[i].invalidate();
      continue;
    }
    shaders_[i] = nullptr;
    state_.stages[i].shader = nullptr;
    forget_stage(static_cast<shader_stage>(i), bound.stages[i]);
  }
}

template <backend B>
void draw_cache<B>::forget_stage(shader_stage stage, stage_slots& slots) noexcept {
  const auto index = static_cast<std::size_t>(stage);
  if (forgotten_.contains(index)) return;
  forgotten_.insert(index);
  stale_.insert(draw_part::stage, stage);
  stage_bindings<B>& to = state_.stages[index];
  slots.invalidate();
  slots.resources.stale.for_each([&](std::size_t i) { to.resources[i] = {}; });
  slots.samplers.stale.for_each([&](std::size_t i) { to.samplers[i] = nullptr; });
  slots.constant_buffers.stale.for_each([&](std::size_t i) { to.constant_buffers[i] = {}; });
  slots.unordered_access.stale.for_each([&](std::size_t i) { to.unordered_access[i] = {}; });
  to.resource_limit = to.constant_buffer_limit = to.unordered_access_limit = 0;
}

template <backend B>
auto draw_cache<B>::set_targets(const target_set<B>& set, const bound_targets<B>& bound) noexcept
    -> bool {
  state_.targets = set;
  if (targets_ == bound) return false;
  targets_ = bound;
  changes_.insert(state_change::targets);
  outputs_.clear();
  for (const bound_target<B>& target : targets_) {
    if (target.texture == nullptr) continue;
    AEROGPU_CHECK(outputs_.push_back(target));
    target.texture->was_target = true;
  }
  return true;
}

template <backend B>
void draw_cache<B>::set_shader(shader_stage stage, shader_object<B>* shader,
                               stage_slots& slots) noexcept {
  const auto i = static_cast<std::size_t>(stage);
  const std::uint64_t serial = shader != nullptr ? shader->serial : 0;
  shaders_[i] = shader;
  state_.stages[i].shader = shader != nullptr ? &*shader->native : nullptr;
  if (std::exchange(shader_serials_[i], serial) == serial) return;
  changes_.insert(state_change::shaders);
  stale_.insert(draw_part::stage, stage);
  if (shader == nullptr) return;
  const bool reads_registers = shader->program.is_d3d9();
  if (std::exchange(reads_registers_[i], reads_registers) != reads_registers) {
    forget_stage(stage, slots);
  }
}

template <backend B>
void draw_cache<B>::set_layout(layout_object<B>* layout, const vertex_fetch& fetch) noexcept {
  const std::uint64_t serial = layout != nullptr ? layout->serial : 0;
  state_.input_layout = layout != nullptr ? &layout->native : nullptr;
  state_.fetch = &fetch;
  if (std::exchange(layout_serial_, serial) != serial) changes_.insert(state_change::input_layout);
}

template <backend B>
auto draw_cache<B>::resolve_fetch(const layout_object<B>& layout,
                                  const shader_object<B>& vertex) noexcept
    -> result<const vertex_fetch*> {
  if (known_fetches_.empty() && !known_fetches_.resize(known_fetch_count)) {
    return make_error(error_code::out_of_memory, "host memory for input layouts is exhausted");
  }
  const std::uint32_t mixed = mix_id(layout.serial * 31 + vertex.serial);
  known_fetch& known = known_fetches_[mixed % known_fetch_count];
  if (known.layout_serial == layout.serial && known.shader_serial == vertex.serial) {
    return &known.fetch;
  }
  const auto fetch = resolve_vertex_fetch(layout.layout, vertex.program.inputs);
  if (!fetch) return fetch.why();
  known = {vertex.serial, layout.serial, *fetch};
  return &known.fetch;
}

template <backend B>
void draw_cache<B>::set_vertex_slots(std::uint32_t slots) noexcept {
  for (std::uint32_t gone = vertex_slots_ & ~slots; gone != 0; gone &= gone - 1) {
    const auto i = static_cast<std::size_t>(std::countr_zero(gone));
    vertex_buffers_[i] = nullptr;
    vertex_serials_[i] = 0;
    state_.vertex_buffers[i] = {};
  }
  vertex_slots_ = slots;
}

/// Member by member: a copy through a temporary would stall on its own stores.
template <backend B>
void draw_cache<B>::set_vertex_buffer(std::size_t i, buffer_object<B>* buffer,
                                      const vertex_buffer_slot& slot) noexcept {
  const std::uint64_t serial = buffer != nullptr ? buffer->serial : 0;
  if (std::exchange(vertex_serials_[i], serial) != serial) {
    changes_.insert(state_change::vertex_buffers);
  }
  vertex_buffers_[i] = buffer;
  vertex_buffer_ref<B>& to = state_.vertex_buffers[i];
  to.buffer = buffer != nullptr ? &buffer->native : nullptr;
  to.offset_bytes = slot.offset_bytes;
  to.stride_bytes = slot.stride_bytes;
  to.buffer_size_bytes = buffer != nullptr ? buffer->desc.size_bytes : 0;
}

template <backend B>
void draw_cache<B>::set_index_buffer(buffer_object<B>& buffer,
                                     const index_buffer_slot& slot) noexcept {
  if (!known_index_buffer_.is(buffer.serial, slot)) changes_.insert(state_change::index_buffer);
  known_index_buffer_ = {buffer.serial, slot};
  index_buffer_ = &buffer;
  index_buffer_ref<B>& to = state_.index_buffer;
  to.buffer = &buffer.native;
  to.format = slot.format;
  to.offset_bytes = slot.offset_bytes;
  to.buffer_size_bytes = buffer.desc.size_bytes;
}

template <backend B>
void draw_cache<B>::set_texture(shader_stage stage, std::size_t slot,
                                const named_resource<B>& named) noexcept {
  bool has_changed = false;
  shader_resource_ref<B>& to = state_.stages[static_cast<std::size_t>(stage)].resources[slot];
  detail::update(to.texture.texture, &named.texture->native, has_changed);
  detail::update(to.texture.view, named.view != nullptr ? &named.view->native : nullptr,
                 has_changed);
  to.texture.desc = &named.texture->desc;
  if (to.buffer.buffer != nullptr) detail::update<B>(to.buffer, {}, has_changed);
  if (has_changed) changes_.insert(state_change::stage_bindings, stage);
}

template <backend B>
auto draw_cache<B>::replace_texture(shader_stage stage, std::size_t slot,
                                    const named_resource<B>& named) noexcept -> bool {
  // By pointer: GCC works the place out again for each member of an indexed element.
  auto& to = (state_.stages[static_cast<std::size_t>(stage)].resources.data() + slot)->texture;
  if (to.texture == nullptr) return false;
  auto* const view = named.view != nullptr ? &named.view->native : nullptr;
  if (to.texture == &named.texture->native && to.view == view) return true;
  to.texture = &named.texture->native;
  to.view = view;
  to.desc = &named.texture->desc;
  changes_.insert(state_change::stage_bindings, stage);
  return true;
}

template <backend B>
void draw_cache<B>::set_resource_buffer(shader_stage stage, std::size_t slot,
                                        const found_range<B>& range) noexcept {
  shader_resource_ref<B>& to = state_.stages[static_cast<std::size_t>(stage)].resources[slot];
  if (to.texture.texture != nullptr) changes_.insert(state_change::stage_bindings, stage);
  to.texture = {};
  set_range(stage, to.buffer, range);
}

template <backend B>
void draw_cache<B>::set_sampler(shader_stage stage, std::size_t slot,
                                sampler_object<B>* sampler) noexcept {
  const auto index = static_cast<std::size_t>(stage);
  const std::uint64_t revision = sampler != nullptr ? sampler->revision : 0;
  if (std::exchange(sampler_revisions_[index][slot], revision) != revision) {
    changes_.insert(state_change::stage_bindings, stage);
  }
  state_.stages[index].samplers[slot] = sampler != nullptr ? &sampler->native : nullptr;
}

template <backend B>
void draw_cache<B>::set_range(shader_stage stage, buffer_ref<B>& to,
                              const found_range<B>& range) noexcept {
  bool has_changed = false;
  detail::update(to, range, has_changed);
  if (has_changed) changes_.insert(state_change::stage_bindings, stage);
}

}  // namespace aerogpu

// SPDX-License-Identifier: MIT
/// \file What the SET_* packets bound in a context: names, not objects (host.md 2.4).
#pragma once

#include "aerogpu/abi/cmd_input_assembler.h"
#include "aerogpu/abi/cmd_state.h"
#include "aerogpu/backend/draw.hpp"
#include "aerogpu/backend/pipeline_state.hpp"
#include "aerogpu/core/ids.hpp"
#include "aerogpu/processor/bindings/slot_mask.hpp"
#include "aerogpu/stream/stage.hpp"

#include <array>
#include <cstddef>
#include <cstdint>

namespace aerogpu {

/// A handle as it was bound. A serial other than the one the handle has now means that the object
/// was destroyed since, which unbinds the slot (D-14). Serial 0: the handle named nothing then, so
/// the slot takes what it names when it is used.
template <class Handle>
struct named_slot {
  Handle handle{};
  std::uint64_t serial = 0;

  [[nodiscard]] constexpr auto is_bound() const noexcept -> bool { return handle != Handle{}; }
  /// Whether an object of `current` serial is the one that was bound.
  [[nodiscard]] constexpr auto still_names(std::uint64_t current) const noexcept -> bool {
    return serial == 0 || serial == current;
  }

  /// False when the slot holds that already: what draws looked up for it still holds then. Member
  /// by member, since a copy through a temporary stalls on its own stores.
  constexpr auto rename(const named_slot& to) noexcept -> bool {
    if (handle == to.handle && serial == to.serial) return false;
    handle = to.handle;
    serial = to.serial;
    return true;
  }
};

/// Writes one member of a slot; whether it held another value.
template <class T>
constexpr auto rewrite(T& member, T value) noexcept -> bool {
  const bool has_changed = member != value;
  member = value;
  return has_changed;
}

using resource_slot = named_slot<resource_handle>;
using sampler_slot = named_slot<sampler_handle>;

/// A range of a buffer; size 0 reaches to its end.
struct range_slot {
  resource_slot name;
  std::uint32_t offset_bytes = 0;
  std::uint32_t size_bytes = 0;

  /// False when the slot holds that already.
  constexpr auto rewrite(const resource_slot& to, std::uint32_t offset, std::uint32_t size) noexcept
      -> bool {
    const bool is_renamed = name.rename(to);
    const bool is_moved = aerogpu::rewrite(offset_bytes, offset);
    const bool is_resized = aerogpu::rewrite(size_bytes, size);
    return is_renamed || is_moved || is_resized;
  }
};

/// A t slot. SET_TEXTURE binds a texture, a view or a whole buffer; the other packet buffers only.
struct resource_range_slot {
  range_slot range;
  bool takes_textures = false;
};

struct vertex_buffer_slot {
  resource_slot name;
  std::uint32_t offset_bytes = 0;
  std::uint32_t stride_bytes = 0;
};

struct index_buffer_slot {
  resource_slot name;
  std::uint32_t offset_bytes = 0;
  aerogpu_index_format format = AEROGPU_INDEX_FORMAT_UINT16;
};

struct target_slots {
  std::array<resource_slot, AEROGPU_MAX_RENDER_TARGETS> colors{};
  std::uint32_t color_count = 0;
  resource_slot depth_stencil;
};

/// Slots of one kind with the set of those that are bound, and of those that changed since their
/// objects were looked up last.
template <class Slot, std::size_t N>
struct slot_array {
  std::array<Slot, N> slots{};
  slot_mask<N> bound;
  slot_mask<N> stale;

  /// Notes that slot `i` was written.
  void rebound(std::size_t i, bool is_bound) noexcept {
    is_bound ? bound.insert(i) : bound.erase(i);
    stale.insert(i);
  }
  /// Looks up all that is bound again.
  void invalidate() noexcept { stale |= bound; }
};

/// The tables of one stage (host.md 3.13).
struct stage_slots {
  slot_array<resource_range_slot, shader_resource_slots> resources;
  slot_array<sampler_slot, sampler_slots> samplers;
  slot_array<range_slot, constant_buffer_slots> constant_buffers;
  slot_array<range_slot, unordered_access_slots> unordered_access;

  void invalidate() noexcept {
    resources.invalidate();
    samplers.invalidate();
    constant_buffers.invalidate();
    unordered_access.invalidate();
  }
};

/// Everything a context has bound; all unbound at first (host.md 3.1).
struct binding_slots {
  std::array<shader_handle, shader_stage_count> shaders{};
  input_layout_handle input_layout{};
  std::array<vertex_buffer_slot, vertex_buffer_slots> vertex_buffers{};
  index_buffer_slot index_buffer;
  target_slots targets;
  std::array<stage_slots, shader_stage_count> stages;
  bool has_unordered_access = false;  ///< A u slot was ever set: outputs may be more than targets.
};

}  // namespace aerogpu

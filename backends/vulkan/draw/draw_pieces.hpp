// SPDX-License-Identifier: MIT
/// \file Draws and dispatches of much work, cut into pieces.
///
/// A GPU works on what it was given until it is done, or until its driver resets it for everybody.
/// So no piece is more than so much work by an estimate, where it can be cut; pieces of many
/// batches leave room for the watchdog in between.
#pragma once

#include "aerogpu/abi/cmd_input_assembler.h"
#include "spirv_bounds/saturating.hpp"

#include <algorithm>
#include <array>
#include <cstdint>

namespace aerogpu::vulkan {

using spirv::saturating_add;
using spirv::saturating_multiply;

/// While a GPU starts one invocation, it runs so many instructions of others.
inline constexpr std::uint64_t start_of_invocation = 16;
/// The same for an instance: llvmpipe takes a microsecond for one of a primitive without pixels.
inline constexpr std::uint64_t start_of_instance = 1u << 16;
/// The same for a group of threads, of which llvmpipe starts four in a microsecond.
inline constexpr std::uint64_t start_of_group = 1u << 16;

/// What the parts of a draw are worth, in instructions of one invocation.
struct draw_cost {
  std::uint64_t vertex = 0;     ///< A vertex, or an index.
  std::uint64_t primitive = 0;  ///< A primitive, with all pixels that it may cover.
  std::uint64_t bytes = 0;      ///< That a driver may keep for what programs make of a primitive.
};

/// Where a draw may be cut so that its shaders do not notice.
struct draw_cuts {
  std::uint32_t vertices = 0;  ///< That one more primitive takes; 0 = not between primitives.
  std::uint32_t shared = 0;    ///< In front of those, that it has in common with the last one.
  bool alternates =
      false;              ///< Every other primitive is turned round: a piece starts at an even one.
  bool instances = true;  ///< Between instances.
  std::uint32_t of_primitive = 1;  ///< Vertices that one more primitive takes, cut or not.
};

/// Fans and strips with adjacency cannot be cut.
[[nodiscard]] constexpr auto cuts_of(aerogpu_primitive_topology topology) noexcept -> draw_cuts {
  const auto value = static_cast<std::uint32_t>(topology);
  if (value >= AEROGPU_TOPOLOGY_PATCHLIST_1) return {value - AEROGPU_TOPOLOGY_PATCHLIST_1 + 1};
  switch (topology) {
    case AEROGPU_TOPOLOGY_POINTLIST: return {1};
    case AEROGPU_TOPOLOGY_LINELIST: return {2};
    case AEROGPU_TOPOLOGY_LINESTRIP: return {1, 1};
    case AEROGPU_TOPOLOGY_TRIANGLELIST: return {3};
    case AEROGPU_TOPOLOGY_TRIANGLESTRIP: return {1, 2, true};
    case AEROGPU_TOPOLOGY_LINELIST_ADJ: return {4};
    case AEROGPU_TOPOLOGY_TRIANGLELIST_ADJ: return {6};
    default: return {};
  }
}

/// Vertices, or indices, of some instances, counted from the first ones of the draw.
struct draw_piece {
  std::uint32_t first = 0;
  std::uint32_t count = 0;
  std::uint32_t first_instance = 0;
  std::uint32_t instance_count = 0;

  friend auto operator==(const draw_piece&, const draw_piece&) -> bool = default;
};

/// Primitives of one instance.
[[nodiscard]] constexpr auto primitives_of(const draw_piece& piece, const draw_cuts& cuts) noexcept
    -> std::uint64_t {
  if (cuts.vertices == 0) return piece.count / cuts.of_primitive;
  return piece.count > cuts.shared ? (piece.count - cuts.shared) / cuts.vertices : 0;
}

[[nodiscard]] constexpr auto work_of(const draw_piece& piece, const draw_cuts& cuts,
                                     const draw_cost& cost) noexcept -> std::uint64_t {
  const std::uint64_t primitives = primitives_of(piece, cuts);
  const std::uint64_t shaders = saturating_add(saturating_multiply(piece.count, cost.vertex),
                                               saturating_multiply(primitives, cost.primitive));
  return saturating_multiply(saturating_add(shaders, start_of_instance), piece.instance_count);
}

/// Instances come one after another, so that those of one count.
[[nodiscard]] constexpr auto bytes_of(const draw_piece& piece, const draw_cuts& cuts,
                                      const draw_cost& cost) noexcept -> std::uint64_t {
  return saturating_multiply(primitives_of(piece, cuts), cost.bytes);
}

/// What is left of a draw. Pieces come in the order in which Direct3D draws.
class draw_rest {
 public:
  constexpr draw_rest(std::uint32_t count, std::uint32_t instance_count) noexcept
      : count_(count), instance_count_(instance_count) {}

  [[nodiscard]] constexpr auto is_done() const noexcept -> bool {
    return instance_ == instance_count_;
  }
  /// The next piece: of `most` work and `most_bytes` or less where it can be cut so, else as small
  /// as it can be. Cuts and cost are those of all pieces.
  [[nodiscard]] constexpr auto next(const draw_cuts& cuts, const draw_cost& cost,
                                    std::uint64_t most,
                                    std::uint64_t most_bytes = UINT64_MAX) const noexcept
      -> draw_piece {
    const std::uint32_t instances = instance_count_ - instance_;
    const std::uint64_t instance = work_of({0, count_, 0, 1}, cuts, cost);  // Not 0.
    const bool can_cut = cuts.vertices != 0 && (cuts.instances || instance_count_ == 1);
    const bool fits = instance <= most && bytes_of({0, count_, 0, 1}, cuts, cost) <= most_bytes;
    if (vertex_ == 0 && (fits || !can_cut)) {
      const std::uint64_t fit = std::max<std::uint64_t>(most / instance, 1);
      const bool is_whole = !cuts.instances || fit >= instances;
      return {0, count_, instance_, is_whole ? instances : static_cast<std::uint32_t>(fit)};
    }
    const std::uint64_t primitive =
        saturating_add(saturating_multiply(cuts.vertices, cost.vertex), cost.primitive);
    const std::uint64_t of_primitives = most - std::min(most, start_of_instance);
    std::uint64_t fit = std::min(of_primitives / std::max<std::uint64_t>(primitive, 1),
                                 most_bytes / std::max<std::uint64_t>(cost.bytes, 1));
    fit = std::max<std::uint64_t>(fit, 1);
    if (cuts.alternates) fit = std::max<std::uint64_t>(fit & ~std::uint64_t{1}, 2);
    const std::uint32_t left = count_ - vertex_;
    const std::uint64_t taken =
        saturating_add(saturating_multiply(fit, cuts.vertices), cuts.shared);
    const std::uint32_t count = taken < left ? static_cast<std::uint32_t>(taken) : left;
    return {vertex_, count, instance_, 1};
  }
  /// That piece is drawn.
  constexpr void take(const draw_piece& piece, const draw_cuts& cuts) noexcept {
    if (piece.count < count_ - piece.first) {
      vertex_ = piece.first + piece.count - cuts.shared;
      return;
    }
    vertex_ = 0;
    instance_ = piece.first_instance + piece.instance_count;
  }

 private:
  std::uint32_t count_;
  std::uint32_t instance_count_;
  std::uint32_t instance_ = 0;  ///< Those before it are drawn.
  std::uint32_t vertex_ = 0;    ///< Where the next primitive of `instance_` begins.
};

/// Groups of a dispatch.
struct group_box {
  std::array<std::uint32_t, 3> first{};
  std::array<std::uint32_t, 3> count{};

  friend auto operator==(const group_box&, const group_box&) -> bool = default;
};

/// What is left of a dispatch: cut into layers, those into rows, and those into groups.
class dispatch_rest {
 public:
  constexpr explicit dispatch_rest(const std::array<std::uint32_t, 3>& groups) noexcept
      : groups_(groups) {}

  [[nodiscard]] constexpr auto is_done() const noexcept -> bool { return at_[2] == groups_[2]; }
  /// The next groups: of `most` work or less, or one.
  [[nodiscard]] constexpr auto next(std::uint64_t cost_of_group, std::uint64_t most) const noexcept
      -> group_box {
    const std::uint64_t fit =
        std::max<std::uint64_t>(most / std::max<std::uint64_t>(cost_of_group, 1), 1);
    const auto left = [&](std::size_t axis, std::uint64_t wanted) {
      return static_cast<std::uint32_t>(std::min<std::uint64_t>(wanted, groups_[axis] - at_[axis]));
    };
    const std::uint64_t layer = std::uint64_t{groups_[0]} * groups_[1];
    if (at_[0] == 0 && at_[1] == 0 && fit >= layer) {
      return {at_, {groups_[0], groups_[1], left(2, fit / layer)}};
    }
    if (at_[0] == 0 && fit >= groups_[0]) return {at_, {groups_[0], left(1, fit / groups_[0]), 1}};
    return {at_, {left(0, fit), 1, 1}};
  }
  constexpr void take(const group_box& box) noexcept {
    for (std::size_t axis = 0; axis < 3; ++axis) {
      at_[axis] += box.count[axis];
      if (axis == 2 || at_[axis] < groups_[axis]) return;
      at_[axis] = 0;
    }
  }

 private:
  std::array<std::uint32_t, 3> groups_;
  std::array<std::uint32_t, 3> at_{};
};

}  // namespace aerogpu::vulkan

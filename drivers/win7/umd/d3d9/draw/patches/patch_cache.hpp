// SPDX-License-Identifier: MIT
/// \file Patches that were tessellated, by the application's handle.
#pragma once

#include "aerogpu/core/bytes.hpp"
#include "aerogpu/hosted/heap_array.hpp"
#include "drivers/win7/ddi/hresults.hpp"
#include "drivers/win7/umd/d3d9/draw/patches/patch_surface.hpp"

#include <cstddef>
#include <cstdint>
#include <memory>

namespace aerogpu::umd {

/// Triangles, with all that they were made from.
struct patch {
  patch_shape shape;
  std::uint32_t stride_bytes = 0;  ///< Of control points and vertices.
  heap_array<D3DVERTEXELEMENT9> elements;
  heap_array<std::byte> control_points;
  heap_array<std::byte> vertices;
  heap_array<std::uint16_t> indices;

  [[nodiscard]] auto size_bytes() const noexcept -> std::size_t;
  [[nodiscard]] auto has_elements(std::span<const D3DVERTEXELEMENT9> others) const noexcept -> bool;
  /// From elements and control points that it has. E_OUTOFMEMORY: it has no triangles then.
  [[nodiscard]] auto tessellate(const patch_shape& wanted) noexcept -> HRESULT;
};

/// Forgets those that were not drawn for the longest time when they get too many or too large: one
/// that is drawn again with its description is made again.
class patch_cache {
 public:
  static constexpr std::size_t most_patches = 1024;
  static constexpr std::size_t most_bytes = 64 * 1024 * 1024;

  /// The patch of a handle, drawn now; null when there is none. Of handle 0 there is never one.
  [[nodiscard]] auto find(std::uint32_t handle) noexcept -> patch*;
  /// A new one for the handle, empty. Null when the heap is exhausted. Of handle 0 it is one that
  /// lasts until the next such call. Precondition: `find` gave null.
  [[nodiscard]] auto add(std::uint32_t handle) noexcept -> patch*;
  /// Evicts others than `kept` until the limits hold.
  void trim(const patch* kept) noexcept;
  void remove(std::uint32_t handle) noexcept;

  [[nodiscard]] auto size() const noexcept -> std::size_t { return entries_.size(); }
  /// Tessellations so far, of all handles.
  [[nodiscard]] auto tessellations() const noexcept -> std::uint64_t { return tessellations_; }
  void note_tessellation() noexcept { ++tessellations_; }

  /// For control points that are compared with those of a patch; keeps its memory.
  heap_array<std::byte> gathered;

 private:
  struct entry {
    std::uint32_t handle = 0;
    std::uint64_t last_use = 0;
    std::unique_ptr<patch> made;
  };

  heap_array<entry> entries_;
  patch unnamed_;
  std::uint64_t uses_ = 0;
  std::uint64_t tessellations_ = 0;
};

}  // namespace aerogpu::umd

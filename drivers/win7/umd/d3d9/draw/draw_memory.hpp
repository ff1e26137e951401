// SPDX-License-Identifier: MIT
/// \file Vertices and indices in the application's own memory (DrawPrimitiveUP;
/// umd-d3d9.md 2.10.4).
#pragma once

#include "aerogpu/core/bytes.hpp"
#include "drivers/win7/umd/d3d9/draw/draw.hpp"
#include "drivers/win7/umd/d3d9/draw/draw_bindings.hpp"
#include "drivers/win7/umd/d3d9/draw/scratch_buffer.hpp"
#include "drivers/win7/umd/d3d9/state/device_state.hpp"

#include <array>
#include <cstddef>
#include <cstdint>

namespace aerogpu::umd {

/// What SetStreamSourceUm and SetIndicesUm bound: read by each draw until another source is set.
struct user_memory {
  const std::byte* bytes = nullptr;
  std::uint32_t element_bytes = 0;  ///< Stride of vertices, bytes of an index.
};

/// Scratch memory of one device's draws.
struct draw_scratch {
  user_memory user_vertices;  ///< In the place of stream 0.
  user_memory user_indices;
  std::array<scratch_buffer, stream_count> vertices;
  scratch_buffer indices;
  draw_uses uses;               ///< Of the draw that is being recorded.
  heap_array<std::byte> bytes;  ///< For conversions on the CPU; keeps its memory.

  /// The first `size` of `bytes`. E_INVALIDARG for more than 2 GiB, E_OUTOFMEMORY.
  [[nodiscard]] auto make_room(std::uint64_t size, mutable_bytes& out) noexcept -> HRESULT;
  void destroy(device& on) noexcept;
};

/// Whether draws read the vertices that SetStreamSourceUm bound. They stay bound when the
/// application's memory is gone: what the declaration does not name is not touched.
/// Precondition: there is a declaration.
[[nodiscard]] auto reads_user_vertices(const device& on) noexcept -> bool;

/// Whether every vertex of the stream is the same: it has no buffer, or stride 0.
[[nodiscard]] auto has_one_vertex(const device& on, std::uint32_t stream) noexcept -> bool;
/// Binds that vertex, or zeros, `count` times (umd-d3d9.md 2.10.6). E_INVALIDARG for more than
/// 2 GiB, E_OUTOFMEMORY, errors of locks and of sending.
[[nodiscard]] auto repeat_vertex(device& on, binding_override& bindings, const draw_call& call,
                                 std::uint32_t stream, std::uint64_t count) noexcept -> HRESULT;

/// Uploads what the draw reads of the application's memory, binds it, and changes the draw to name
/// it there. A stream without a buffer reads zeros; one of stride 0 its one vertex for every one.
[[nodiscard]] auto place_memory(device& on, binding_override& bindings, draw_call& call) noexcept
    -> HRESULT;

/// The indices alone, where the application's memory has them.
[[nodiscard]] auto place_user_indices(device& on, binding_override& bindings,
                                      draw_call& call) noexcept -> HRESULT;

}  // namespace aerogpu::umd

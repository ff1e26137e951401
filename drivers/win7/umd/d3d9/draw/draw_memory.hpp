/// \file Vertices and indices in the application's own memory (DrawPrimitiveUP;
/// umd-d3d9.md 2.10.4).
#pragma once

#include "aerogpu/core/bytes.hpp"
#include "drivers/win7/umd/d3d9/draw/draw.hpp"
#include "drivers/win7/umd/d3d9/draw/scratch_buffer.hpp"
#include "drivers/win7/umd/d3d9/state/device_state.hpp"

#include <array>
#include <cstddef>
#include <cstdint>

namespace aerogpu::umd {

class binding_override;

/// What SetStreamSourceUm and SetIndicesUm named: read by the next draw, and then no more.
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
  heap_array<std::byte> bytes;  ///< For conversions on the CPU; keeps its memory.

  void destroy(device& on) noexcept;
};

/// Elements of a stream or index buffer as the CPU sees them.
struct element_source {
  const_bytes bytes;  ///< From the first element on.
  std::uint32_t element_bytes = 0;
};
/// Empty when the stream has none that the CPU can read. Memory of the application ends where the
/// draw says that it stops reading.
[[nodiscard]] auto read_stream(const device& on, const draw_call& call,
                               std::uint32_t stream) noexcept -> element_source;
[[nodiscard]] auto read_indices(const device& on, const draw_call& call) noexcept -> element_source;

/// Uploads what the draw reads of the application's memory, binds it, and changes the draw to name
/// it there. A stream without a buffer reads zeros; one of stride 0 its one vertex for every one.
[[nodiscard]] auto place_memory(device& on, binding_override& bindings, draw_call& call) noexcept
    -> HRESULT;

}  // namespace aerogpu::umd

// SPDX-License-Identifier: MIT
/// \file Vertices and indices as the CPU reads them, wherever they live.
#pragma once

#include "aerogpu/core/bytes.hpp"
#include "drivers/win7/umd/d3d9/draw/draw.hpp"
#include "drivers/win7/umd/d3d9/submit/runtime.hpp"

#include <cstdint>

namespace aerogpu::umd {

class device;
class resource;

/// Vertices that a draw names: from `first` on, `count` of them. Of indexed draws the application
/// says it, and it is believed no further than its own memory reaches.
struct vertex_range {
  std::uint64_t first = 0;
  std::uint64_t count = 0;
};
[[nodiscard]] auto vertices_of(const draw_call& call) noexcept -> vertex_range;

/// Bytes from element 0 on, and from one element to the next.
struct element_source {
  const_bytes bytes;
  std::uint32_t element_bytes = 0;
};

/// Precondition: there are more indices than `number`.
[[nodiscard]] inline auto index_at(const element_source& indices, std::uint64_t number) noexcept
    -> std::uint32_t {
  const std::byte* const at =
      indices.bytes.data() + static_cast<std::size_t>(number) * indices.element_bytes;
  return indices.element_bytes == 4 ? load<std::uint32_t>(at) : load<std::uint16_t>(at);
}

/// Reads the contents of a buffer: what the application wrote, since no host writes buffers. Of
/// kernel allocations it holds a lock until it goes: nothing may be submitted meanwhile.
class element_reader {
 public:
  explicit element_reader(device& on) noexcept : device_(on) {}
  element_reader(const element_reader&) = delete;
  auto operator=(const element_reader&) -> element_reader& = delete;
  ~element_reader();

  /// Memory of the application in the place of stream 0 ends where the draw says that it stops
  /// reading. D3DERR_INVALIDCALL for a stream without vertices; errors of locks.
  [[nodiscard]] auto open_stream(const draw_call& call, std::uint32_t stream) noexcept -> HRESULT;
  /// D3DERR_INVALIDCALL without indices; errors of locks.
  [[nodiscard]] auto open_indices(const draw_call& call) noexcept -> HRESULT;
  /// What was opened last, successfully.
  [[nodiscard]] auto elements() const noexcept -> const element_source& { return elements_; }

 private:
  [[nodiscard]] auto open(const resource& of, std::uint64_t offset_bytes,
                          std::uint32_t element_bytes) noexcept -> HRESULT;

  device& device_;
  element_source elements_;
  kernel_allocation locked_{};  ///< By us.
};

/// The least index of a draw, and the vertices from there to the greatest.
struct index_range {
  std::uint32_t least = 0;
  vertex_range vertices;
};
/// Reads the indices, whatever the draw says of them. D3DERR_INVALIDCALL when some are missing or
/// name vertices below 0; errors of locks.
[[nodiscard]] auto find_vertices(device& on, const draw_call& call, index_range& out) noexcept
    -> HRESULT;

/// Bytes of stream 0's or another's source, without reading them: those behind its offset, or what
/// the draw reads of the application's memory. 0 without a source.
[[nodiscard]] auto stream_size(const device& on, const draw_call& call,
                               std::uint32_t stream) noexcept -> std::uint64_t;
/// From one vertex of the stream to the next.
[[nodiscard]] auto stream_stride(const device& on, std::uint32_t stream) noexcept -> std::uint32_t;

}  // namespace aerogpu::umd

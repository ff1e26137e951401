// SPDX-License-Identifier: MIT
/// \file The vertices that ProcessVertices reads: copies of what the bound streams have of them.
#pragma once

#include "drivers/wine/d3d9/state/values.hpp"

#include <array>
#include <span>
#include <vector>

namespace aerogpu::d3d9 {

/// How far into a vertex of a stream the elements reach.
[[nodiscard]] auto extent_of(std::span<const D3DVERTEXELEMENT9> list, WORD stream) -> std::size_t;

struct vertex_span {
  std::uint64_t first = 0, count = 0;
  std::uint64_t stride_bytes = 0;
  std::uint64_t extent_bytes = 0;  ///< How far into a vertex its elements reach.
};
/// Whether the elements of them all lie in so many bytes.
[[nodiscard]] auto are_inside(const vertex_span& vertices, std::uint64_t bytes) -> bool;

/// A buffer's memory, as long as this lives.
class locked_buffer {
 public:
  [[nodiscard]] auto lock(vertex_buffer& buffer, DWORD flags) -> HRESULT;
  locked_buffer() = default;
  locked_buffer(const locked_buffer&) = delete;
  auto operator=(const locked_buffer&) -> locked_buffer& = delete;
  ~locked_buffer();
  [[nodiscard]] auto bytes() const noexcept -> std::span<std::byte> { return bytes_; }

 private:
  vertex_buffer* buffer_ = nullptr;
  std::span<std::byte> bytes_;
};

class source_vertices {
 public:
  /// Copies `count` vertices from `first` on, so that the destination may be one of the sources.
  /// D3DERR_INVALIDCALL for those beyond a buffer, and for a stride that the elements exceed.
  /// `state`, which has a declaration, outlives this.
  [[nodiscard]] auto load(const state_values& state, UINT first, UINT count) -> HRESULT;

  /// The declaration's element of that meaning; nullptr without one, or where its stream is empty.
  [[nodiscard]] auto find(BYTE usage, BYTE index) const -> const D3DVERTEXELEMENT9*;
  /// Precondition: `find` gave the element, and `vertex` is below the count.
  [[nodiscard]] auto at(const D3DVERTEXELEMENT9& element, std::size_t vertex) const
      -> const std::byte*;

 private:
  struct stream_copy {
    std::vector<std::byte> bytes;
    std::size_t stride = 0;
    bool is_there = false;
  };
  [[nodiscard]] auto load_stream(const stream_binding& from, std::size_t extent, UINT first,
                                 UINT count, stream_copy& to) const -> HRESULT;

  std::span<const D3DVERTEXELEMENT9> elements_;
  std::array<stream_copy, stream_count> streams_;
};

}  // namespace aerogpu::d3d9

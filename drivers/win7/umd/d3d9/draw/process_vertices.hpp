// SPDX-License-Identifier: MIT
/// \file ProcessVertices on the CPU (umd-d3d9.md 2.11): vertices of stream 0, transformed to screen
/// space, into a buffer.
#pragma once

#include "drivers/win7/ddi/hresults.hpp"

#include <cstdint>

namespace aerogpu::umd {

class device;
class resource;
class vertex_declaration;

struct process_vertices_request {
  std::uint32_t first_source = 0;  ///< Vertex of stream 0, as the bound declaration reads it.
  std::uint32_t first_destination = 0;
  std::uint32_t vertex_count = 0;
  resource* destination = nullptr;
  const vertex_declaration* declaration = nullptr;  ///< Of the destination; its stream 0 counts.
  std::uint32_t flags = 0;                          ///< D3DPV_...
  std::uint32_t stride_bytes = 0;                   ///< 0 = what the declaration's elements take.
};

/// With a vertex shader of the application bound, vertices are copied as they are; without, the
/// position is transformed and the elements that both declarations have are copied. Source and
/// destination may be one buffer and overlap. No vertices: S_OK. E_INVALIDARG without a
/// destination; D3DERR_INVALIDCALL for declarations that do not fit, no source or vertices outside
/// of a buffer, and nothing is written then; errors of locks and sending, E_OUTOFMEMORY.
[[nodiscard]] auto process_vertices(device& on, const process_vertices_request& request) noexcept
    -> HRESULT;

}  // namespace aerogpu::umd

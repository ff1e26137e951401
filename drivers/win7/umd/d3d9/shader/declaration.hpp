// SPDX-License-Identifier: MIT
/// \file Vertex declarations: the elements of a vertex, and what the host knows them by.
#pragma once

#include "aerogpu/core/ids.hpp"
#include "drivers/win7/ddi/d3d9/d3d9_types.hpp"
#include "drivers/win7/umd/d3d9/core/object_list.hpp"
#include "drivers/win7/umd/d3d9/fixed/vertex/vertex_format.hpp"
#include "drivers/win7/umd/d3d9/state/device_state.hpp"

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>

namespace aerogpu::umd {

class device;

inline constexpr std::size_t most_elements = 64;  ///< Without the one that ends a declaration.

/// The runtime's handle of it is its address.
class vertex_declaration : public listed<vertex_declaration> {
 public:
  explicit vertex_declaration(input_layout_handle id) noexcept : handle(id) {}

  [[nodiscard]] auto elements() const noexcept -> std::span<const D3DVERTEXELEMENT9> {
    return {elements_.data(), count_};
  }
  /// Streams that an element reads: bit n = stream n.
  [[nodiscard]] auto streams() const noexcept -> std::uint32_t { return streams_; }
  /// How far into a vertex of `stream` its elements reach; 0 when it has none there.
  [[nodiscard]] auto extent_bytes(std::uint32_t stream) const noexcept -> std::uint32_t;
  /// As the fixed-function pipeline reads it.
  [[nodiscard]] auto format() const noexcept -> const fixed::vertex_format& { return format_; }

  input_layout_handle handle;

 private:
  friend auto create_declaration(device&, std::span<const D3DVERTEXELEMENT9>,
                                 vertex_declaration*&) noexcept -> HRESULT;
  [[nodiscard]] auto add(const D3DVERTEXELEMENT9& element) noexcept -> bool;

  std::array<D3DVERTEXELEMENT9, most_elements + 1> elements_{};  ///< And END.
  std::size_t count_ = 0;
  std::uint32_t streams_ = 0;
  fixed::vertex_format format_;
};

/// Bytes of a D3DDECLTYPE; 0 for UNUSED and unknown types.
[[nodiscard]] auto element_bytes(std::uint32_t type) noexcept -> std::uint32_t;

/// `elements` may hold the END element, which ends them. E_INVALIDARG for too many elements or a
/// stream or type that does not exist, E_OUTOFMEMORY.
[[nodiscard]] auto create_declaration(device& on, std::span<const D3DVERTEXELEMENT9> elements,
                                      vertex_declaration*& out) noexcept -> HRESULT;
/// Unbinds it first where it is bound.
[[nodiscard]] auto destroy_declaration(device& on, vertex_declaration* destroyed) noexcept
    -> HRESULT;

}  // namespace aerogpu::umd

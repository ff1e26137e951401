// SPDX-License-Identifier: MIT
/// \file Vertices described by flags, as declarations (umd-d3d9.md 2.11).
#pragma once

#include "aerogpu/hosted/heap_array.hpp"
#include "drivers/win7/ddi/d3d9/d3d9_types.hpp"

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>

namespace aerogpu::umd {

class device;
class vertex_declaration;

/// Elements of stream 0.
struct fvf_elements {
  static constexpr std::size_t most = 16;  ///< Position, weights, indices, 5 more, 8 coordinates.

  std::array<D3DVERTEXELEMENT9, most> list{};
  std::size_t count = 0;

  [[nodiscard]] auto view() const noexcept -> std::span<const D3DVERTEXELEMENT9> {
    return std::span{list}.first(count);
  }
};
/// None for flags without a position, and for more than 8 texture coordinates.
[[nodiscard]] auto elements_of_fvf(std::uint32_t fvf) noexcept -> fvf_elements;
/// The flags that mean the elements, in whatever order they are; 0 when none do.
[[nodiscard]] auto fvf_of_elements(std::span<const D3DVERTEXELEMENT9> elements) noexcept
    -> std::uint32_t;

/// The declarations that one device made of flags. Its mutex guards it.
class fvf_declarations {
 public:
  static constexpr std::size_t most = 256;

  /// E_INVALIDARG for flags that mean nothing; E_OUTOFMEMORY when there are too many; errors of
  /// sending.
  [[nodiscard]] auto find_or_make(device& on, std::uint32_t fvf, vertex_declaration*& out) noexcept
      -> HRESULT;
  [[nodiscard]] auto contains(const vertex_declaration* declaration) const noexcept -> bool;
  void destroy(device& on) noexcept;

 private:
  struct entry {
    std::uint32_t fvf;
    vertex_declaration* declaration;
  };
  heap_array<entry> entries_;
};

/// SetFVF: binds the declaration of the flags. Errors as above.
[[nodiscard]] auto set_fvf(device& on, std::uint32_t fvf) noexcept -> HRESULT;
/// GetFVF: of the bound declaration; 0 without one, and when no flags mean it.
[[nodiscard]] auto bound_fvf(const device& on) noexcept -> std::uint32_t;

}  // namespace aerogpu::umd

// SPDX-License-Identifier: MIT
/// \file Vertex declarations.
#pragma once

#include "drivers/wine/d3d9/state/child.hpp"

#include <span>
#include <vector>

namespace aerogpu::d3d9 {

inline constexpr D3DVERTEXELEMENT9 declaration_end{0xFF, 0, D3DDECLTYPE_UNUSED, 0, 0, 0};

/// Of a D3DDECLTYPE; 0 for an unused element.
[[nodiscard]] auto element_bytes(BYTE type) -> std::size_t;

/// umd-d3d9.md 6.10. `found` gets the elements before the end mark. E_FAIL for malformed ones,
/// D3DERR_INVALIDCALL without an end.
[[nodiscard]] auto read_declaration(const D3DVERTEXELEMENT9* given,
                                    std::vector<D3DVERTEXELEMENT9>& found) -> HRESULT;

class vertex_declaration final
    : public device_child<vertex_declaration, IDirect3DVertexDeclaration9>,
      private renewable {
 public:
  /// `format` is 0, or the flexible vertex format that it stands for.
  vertex_declaration(device& of, std::vector<D3DVERTEXELEMENT9> elements, DWORD format);

  [[nodiscard]] auto answers(const iid& wanted) const noexcept -> bool;
  HRESULT APIENTRY GetDeclaration(D3DVERTEXELEMENT9* elements, UINT* count) override;

  /// The driver's, made when it is first asked for.
  [[nodiscard]] auto driver(sim::driver_object& found) -> HRESULT;
  [[nodiscard]] auto elements() const noexcept -> std::span<const D3DVERTEXELEMENT9> {
    return elements_;
  }
  [[nodiscard]] auto format() const noexcept -> DWORD { return format_; }
  [[nodiscard]] static auto of(IDirect3DVertexDeclaration9* given) noexcept -> vertex_declaration* {
    return static_cast<vertex_declaration*>(given);
  }

 private:
  ~vertex_declaration() override;
  [[nodiscard]] auto renew() -> HRESULT override {
    driver_ = {};
    return S_OK;
  }

  std::vector<D3DVERTEXELEMENT9> elements_;
  DWORD format_;
  sim::driver_object driver_{};
};

}  // namespace aerogpu::d3d9

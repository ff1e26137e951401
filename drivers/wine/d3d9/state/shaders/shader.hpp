// SPDX-License-Identifier: MIT
/// \file Vertex and pixel shaders.
#pragma once

#include "drivers/wine/d3d9/state/child.hpp"

#include <span>
#include <vector>

namespace aerogpu::d3d9 {

/// What the caps let a function name.
struct function_limits {
  DWORD version = 0;       ///< The first token of the newest function.
  std::size_t floats = 0;  ///< Constant registers.
  std::size_t integers = 0;
  std::size_t booleans = 0;
  bool has_software = false;  ///< Functions for vertex processing on the CPU.
};

/// The function at `code`, checked as far as umd-d3d9.md 6.10 goes: the kind and version of its
/// first token, instructions that chain, an end, constants that its version and the device have.
/// D3DERR_INVALIDCALL otherwise.
[[nodiscard]] auto read_function(const DWORD* code, const function_limits& most,
                                 std::vector<UINT>& found) -> HRESULT;

/// What shaders of both kinds are; `Interface` names the kind.
template <class Interface>
class shader final : public device_child<shader<Interface>, Interface>, private renewable {
 public:
  shader(device& of, std::vector<UINT> code);

  /// The driver's, before anything else.
  [[nodiscard]] auto renew() -> HRESULT override;

  [[nodiscard]] auto answers(const iid& wanted) const noexcept -> bool;
  HRESULT APIENTRY GetFunction(void* code, UINT* bytes) override;

  [[nodiscard]] auto driver() const noexcept -> sim::driver_object { return driver_; }
  [[nodiscard]] static auto of(Interface* given) noexcept -> shader* {
    return static_cast<shader*>(given);
  }

 private:
  ~shader() override;

  std::vector<UINT> code_;
  sim::driver_object driver_{};
};

using vertex_shader = shader<IDirect3DVertexShader9>;
using pixel_shader = shader<IDirect3DPixelShader9>;
extern template class shader<IDirect3DVertexShader9>;
extern template class shader<IDirect3DPixelShader9>;

}  // namespace aerogpu::d3d9

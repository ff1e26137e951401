// SPDX-License-Identifier: MIT
/// \file Shaders of the application: what the host knows them by.
#pragma once

#include "aerogpu/core/bytes.hpp"
#include "aerogpu/core/ids.hpp"
#include "drivers/win7/ddi/hresults.hpp"
#include "drivers/win7/umd/d3d9/core/object_list.hpp"
#include "drivers/win7/umd/d3d9/state/device_state.hpp"

namespace aerogpu::umd {

class device;

/// One compiled shader. The runtime's handle of it is its address.
class shader : public listed<shader> {
 public:
  shader(umd::stage which, unsigned shader_model) noexcept : stage(which), model(shader_model) {}

  umd::stage stage;
  unsigned model;  ///< 1 to 3 of Direct3D 9; above for DXBC.
  shader_handle handle{};
};

/// Sends the tokens as they are; the host tells DXBC from Direct3D 9 (umd-d3d9.md 2.11).
/// E_INVALIDARG for no code or code that is not made of tokens, E_OUTOFMEMORY.
[[nodiscard]] auto create_shader(device& on, stage which, const_bytes code, shader*& out) noexcept
    -> HRESULT;
/// Unbinds it first where it is bound.
[[nodiscard]] auto destroy_shader(device& on, shader* destroyed) noexcept -> HRESULT;

// The same for shaders that the driver generates; no state names them.
[[nodiscard]] auto create_host_shader(device& on, stage which, const_bytes code,
                                      shader_handle& out) noexcept -> HRESULT;
/// Unbinds it first where the host has it bound.
void destroy_host_shader(device& on, shader_handle gone) noexcept;

}  // namespace aerogpu::umd

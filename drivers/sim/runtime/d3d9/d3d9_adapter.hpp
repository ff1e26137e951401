// SPDX-License-Identifier: MIT
/// \file IDirect3D9Ex, as far as tests need it: an opened driver and what it says of itself.
#pragma once

#include "drivers/sim/runtime/ddi/ddi_adapter.hpp"
#include "drivers/sim/runtime/process.hpp"

#include <optional>
#include <vector>

namespace aerogpu::sim {

/// Methods are named after the API's; what the driver is asked comes through GetCaps.
class d3d9_adapter {
 public:
  explicit d3d9_adapter(d3d9_process& of) : ddi(of) {}

  /// The driver is opened for Direct3D 9, or for an older `generation`.
  [[nodiscard]] auto open(UINT generation = 9) -> HRESULT { return ddi.open(generation); }
  auto close() -> HRESULT { return ddi.close(); }

  [[nodiscard]] auto get_device_caps(D3DCAPS9& caps) -> HRESULT;
  /// Every FORMATOP; empty when the driver fails.
  [[nodiscard]] auto formats() -> std::vector<FORMATOP>;
  [[nodiscard]] auto query_types() -> std::vector<D3DDDIQUERYTYPE>;
  /// 0: that kind of multisampling is not to be had.
  [[nodiscard]] auto multisample_levels(D3DFORMAT format, D3DDDIMULTISAMPLE_TYPE type) -> UINT;
  /// S_OK when the driver lists the format with all of these FORMATOP_ bits.
  [[nodiscard]] auto check_device_format(D3DFORMAT format, UINT operations) -> HRESULT;

  /// The kernel's: the API's modes never reach the driver.
  [[nodiscard]] auto display_modes() -> std::vector<D3DDISPLAYMODEEX>;
  /// What the display shows now; nothing without a display.
  [[nodiscard]] auto display_mode() -> std::optional<D3DDISPLAYMODEEX>;

  ddi_adapter ddi;

 private:
  template <class T>
  [[nodiscard]] auto get_list(D3DDDICAPS_TYPE count_type, D3DDDICAPS_TYPE list_type)
      -> std::vector<T>;
};

}  // namespace aerogpu::sim

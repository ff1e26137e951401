// SPDX-License-Identifier: MIT
/// \file An adapter that the driver opened, with its table and the callbacks that it got.
#pragma once

#include "drivers/sim/runtime/ddi/ddi_scope.hpp"
#include "drivers/sim/runtime/ddi/guarded.hpp"
#include "drivers/sim/runtime/process.hpp"

#include <cstddef>
#include <span>

namespace aerogpu::sim {

class ddi_device;

/// What Windows 7's runtime says of itself; opaque to the driver.
inline constexpr UINT runtime_version = 0x1DB10020;
/// D3D_UMD_INTERFACE_VERSION of Windows 7.
inline constexpr UINT driver_version = 0x2003;

class ddi_adapter {
 public:
  explicit ddi_adapter(d3d9_process& of);
  ~ddi_adapter();
  ddi_adapter(const ddi_adapter&) = delete;
  auto operator=(const ddi_adapter&) -> ddi_adapter& = delete;

  /// OpenAdapter. `generation` is 7, 8 or 9.
  [[nodiscard]] auto open(UINT generation) -> HRESULT;
  [[nodiscard]] auto is_open() const noexcept -> bool { return driver_ != nullptr; }
  /// CloseAdapter. Its devices are gone by then.
  auto close() -> HRESULT;

  /// GetCaps. `info` may be empty; `data` has exactly the size that is asked for, and goes both
  /// ways.
  [[nodiscard]] auto get_caps(D3DDDICAPS_TYPE type, std::span<const std::byte> info,
                              std::span<std::byte> data) -> HRESULT;

  // --- for devices ---
  [[nodiscard]] auto create_device(ddi_device& device, D3DDDIARG_CREATEDEVICE& argument) -> HRESULT;

  // --- what the driver calls ---
  [[nodiscard]] auto query_adapter_info(const D3DDDICB_QUERYADAPTERINFO& asked) -> HRESULT;
  [[nodiscard]] auto escape(const D3DDDICB_ESCAPE& asked) -> HRESULT;

  [[nodiscard]] auto rules() noexcept -> contract& { return process.runtime.rules; }
  [[nodiscard]] auto token() const noexcept -> HANDLE { return token_; }

  d3d9_process& process;

 private:
  auto check_result(const char* name, HRESULT result) -> HRESULT;
  void check_opened(const D3DDDIARG_OPENADAPTER& opened);

  HANDLE token_;
  HANDLE driver_ = nullptr;
  UINT generation_ = 0;
  D3DDDI_ADAPTERCALLBACKS callbacks_{};
  lent_table<D3DDDI_ADAPTERFUNCS> functions_;
};

}  // namespace aerogpu::sim

// SPDX-License-Identifier: MIT
/// \file IDirect3D9Ex: the adapter, and the devices that are made on it.
#pragma once

#include "drivers/sim/runtime/d3d9/d3d9_adapter.hpp"
#include "drivers/wine/d3d9/api/objects.hpp"
#include "drivers/wine/d3d9/com/caught.hpp"
#include "drivers/wine/d3d9/com/object.hpp"
#include "drivers/wine/d3d9/window/window_system.hpp"

#include <optional>
#include <utility>
#include <vector>

namespace aerogpu::d3d9 {

/// What the process has of Direct3D. Outlives all objects.
struct environment {
  sim::d3d9_process& process;
  window_system& windows;
};

class direct3d final : public com_object<direct3d, IDirect3D9Ex> {
 public:
  /// Direct3DCreate9(Ex): nullptr where the driver does not open. The caller has a reference.
  [[nodiscard]] static auto make(const environment& in, bool is_ex) noexcept -> direct3d*;

  [[nodiscard]] auto answers(const iid& wanted) const noexcept -> bool;

  HRESULT APIENTRY RegisterSoftwareDevice(void* initialize) override;
  UINT APIENTRY GetAdapterCount() override;
  HRESULT APIENTRY GetAdapterIdentifier(UINT ordinal, DWORD flags,
                                        D3DADAPTER_IDENTIFIER9* identifier) override;
  UINT APIENTRY GetAdapterModeCount(UINT ordinal, D3DFORMAT format) override;
  HRESULT APIENTRY EnumAdapterModes(UINT ordinal, D3DFORMAT format, UINT index,
                                    D3DDISPLAYMODE* mode) override;
  HRESULT APIENTRY GetAdapterDisplayMode(UINT ordinal, D3DDISPLAYMODE* mode) override;
  HRESULT APIENTRY CheckDeviceType(UINT ordinal, D3DDEVTYPE type, D3DFORMAT display,
                                   D3DFORMAT back_buffer, BOOL is_windowed) override;
  HRESULT APIENTRY CheckDeviceFormat(UINT ordinal, D3DDEVTYPE type, D3DFORMAT display, DWORD usage,
                                     D3DRESOURCETYPE resource, D3DFORMAT format) override;
  HRESULT APIENTRY CheckDeviceMultiSampleType(UINT ordinal, D3DDEVTYPE type, D3DFORMAT format,
                                              BOOL is_windowed, D3DMULTISAMPLE_TYPE samples,
                                              DWORD* levels) override;
  HRESULT APIENTRY CheckDepthStencilMatch(UINT ordinal, D3DDEVTYPE type, D3DFORMAT display,
                                          D3DFORMAT target, D3DFORMAT depth) override;
  HRESULT APIENTRY CheckDeviceFormatConversion(UINT ordinal, D3DDEVTYPE type, D3DFORMAT source,
                                               D3DFORMAT target) override;
  HRESULT APIENTRY GetDeviceCaps(UINT ordinal, D3DDEVTYPE type, D3DCAPS9* wanted) override;
  HMONITOR APIENTRY GetAdapterMonitor(UINT ordinal) override;
  HRESULT APIENTRY CreateDevice(UINT ordinal, D3DDEVTYPE type, HWND focus, DWORD flags,
                                D3DPRESENT_PARAMETERS* parameters,
                                IDirect3DDevice9Ex** made) override;
  UINT APIENTRY GetAdapterModeCountEx(UINT ordinal, const D3DDISPLAYMODEFILTER* filter) override;
  HRESULT APIENTRY EnumAdapterModesEx(UINT ordinal, const D3DDISPLAYMODEFILTER* filter, UINT index,
                                      D3DDISPLAYMODEEX* mode) override;
  HRESULT APIENTRY GetAdapterDisplayModeEx(UINT ordinal, D3DDISPLAYMODEEX* mode,
                                           D3DDISPLAYROTATION* rotation) override;
  HRESULT APIENTRY CreateDeviceEx(UINT ordinal, D3DDEVTYPE type, HWND focus, DWORD flags,
                                  D3DPRESENT_PARAMETERS* parameters, D3DDISPLAYMODEEX* mode,
                                  IDirect3DDevice9Ex** made) override;
  HRESULT APIENTRY GetAdapterLUID(UINT ordinal, LUID* name) override;

  /// What the driver lists for programs of Direct3D 9.
  [[nodiscard]] auto formats() const noexcept -> const std::vector<FORMATOP>& { return formats_; }
  /// FORMATOP_ bits; 0 for what the driver does not list.
  [[nodiscard]] auto operations_of(D3DFORMAT format) const noexcept -> UINT;
  /// D3DCAPS9 as the API shows them.
  [[nodiscard]] auto caps() const noexcept -> const D3DCAPS9& { return caps_; }
  [[nodiscard]] auto display_mode() -> D3DDISPLAYMODEEX;
  /// Of the modes that the display can be set to.
  [[nodiscard]] auto find_mode(UINT width, UINT height) -> std::optional<D3DDISPLAYMODEEX>;

  const environment in;
  const bool is_ex;
  sim::d3d9_adapter adapter;

 private:
  direct3d(const environment& where, bool has_ex);
  ~direct3d() override;
  /// False where the driver does not open.
  [[nodiscard]] auto open() -> bool;
  /// What every method that answers an HRESULT does around its work.
  template <class Work>
  [[nodiscard]] auto run(Work&& work) noexcept -> HRESULT {
    return caught(std::forward<Work>(work));
  }
  [[nodiscard]] auto make_device(D3DDEVTYPE type, HWND focus, DWORD flags,
                                 D3DPRESENT_PARAMETERS& parameters, IDirect3DDevice9Ex** made)
      -> HRESULT;

  D3DCAPS9 caps_{};
  std::vector<FORMATOP> formats_;
  std::vector<D3DDISPLAYMODEEX> modes_;
};

}  // namespace aerogpu::d3d9

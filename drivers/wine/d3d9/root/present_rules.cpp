// SPDX-License-Identifier: MIT
#include "drivers/wine/d3d9/root/present_rules.hpp"

#include "drivers/wine/d3d9/root/format_rules.hpp"

#include <algorithm>

namespace aerogpu::d3d9 {
namespace {

constexpr UINT interval_one = 1;

[[nodiscard]] auto check_buffers(const D3DPRESENT_PARAMETERS& parameters, bool is_ex) -> HRESULT {
  constexpr UINT most = 3;
  constexpr UINT most_of_ex = 30;
  const auto effect = parameters.SwapEffect;
  const auto last = is_ex ? D3DSWAPEFFECT_FLIPEX : D3DSWAPEFFECT_COPY;
  if (effect < D3DSWAPEFFECT_DISCARD || effect > last) return D3DERR_INVALIDCALL;
  if (effect == D3DSWAPEFFECT_OVERLAY) return is_ex ? D3DERR_NOTAVAILABLE : D3DERR_INVALIDCALL;
  if (parameters.BackBufferCount > (is_ex ? most_of_ex : most)) return D3DERR_INVALIDCALL;
  if (effect == D3DSWAPEFFECT_COPY && parameters.BackBufferCount > 1) return D3DERR_INVALIDCALL;
  const bool has_samples = parameters.MultiSampleType != D3DMULTISAMPLE_NONE;
  return has_samples && effect != D3DSWAPEFFECT_DISCARD ? D3DERR_INVALIDCALL : S_OK;
}

[[nodiscard]] auto is_interval(const D3DCAPS9& caps, UINT interval, bool is_windowed) -> bool {
  if (interval == 0 || interval == interval_one || interval == D3DPRESENT_INTERVAL_IMMEDIATE)
    return true;
  return !is_windowed && (caps.PresentationIntervals & interval) == interval;
}

/// An empty client area, as of a minimised window, counts as one pixel.
[[nodiscard]] auto fit_window(direct3d& of, HWND window, D3DPRESENT_PARAMETERS& parameters)
    -> HRESULT {
  const bool has_size = parameters.BackBufferWidth != 0 && parameters.BackBufferHeight != 0;
  const auto client = of.in.windows.client_area(window);
  if (!client) return has_size ? S_OK : D3DERR_INVALIDCALL;
  const auto width = static_cast<UINT>(std::max<LONG>(client->right - client->left, 1));
  const auto height = static_cast<UINT>(std::max<LONG>(client->bottom - client->top, 1));
  if (parameters.BackBufferWidth == 0) parameters.BackBufferWidth = width;
  if (parameters.BackBufferHeight == 0) parameters.BackBufferHeight = height;
  return S_OK;
}

[[nodiscard]] auto check_samples(direct3d& of, const D3DPRESENT_PARAMETERS& parameters) -> HRESULT {
  if (parameters.MultiSampleType == D3DMULTISAMPLE_NONE) return S_OK;
  DWORD levels = 0;
  const auto result =
      of.CheckDeviceMultiSampleType(0, D3DDEVTYPE_HAL, parameters.BackBufferFormat,
                                    parameters.Windowed, parameters.MultiSampleType, &levels);
  return SUCCEEDED(result) && parameters.MultiSampleQuality < levels ? S_OK : D3DERR_INVALIDCALL;
}

}  // namespace

auto check_present_parameters(direct3d& of, const device_request& request,
                              D3DPRESENT_PARAMETERS& parameters) -> HRESULT {
  const bool is_windowed = parameters.Windowed != 0;
  const auto window = window_of(request, parameters);
  // Direct3D 9Ex draws without a window as well, when it is told a size.
  if (window == nullptr && (!request.is_ex || !is_windowed)) return D3DERR_INVALIDCALL;
  if (const auto result = check_buffers(parameters, request.is_ex); FAILED(result)) return result;
  if (is_windowed && parameters.FullScreen_RefreshRateInHz != 0) return D3DERR_INVALIDCALL;
  if (!is_interval(of.caps(), parameters.PresentationInterval, is_windowed))
    return D3DERR_INVALIDCALL;
  const auto display = of.display_mode();
  if (parameters.BackBufferFormat == D3DFMT_UNKNOWN) {
    if (!is_windowed) return D3DERR_INVALIDCALL;
    parameters.BackBufferFormat = display.Format;
  }
  if (is_windowed) {
    if (const auto result = fit_window(of, window, parameters); FAILED(result)) return result;
  } else if (!of.find_mode(parameters.BackBufferWidth, parameters.BackBufferHeight)) {
    return D3DERR_INVALIDCALL;
  }
  const auto shown = is_windowed ? display.Format : without_alpha(parameters.BackBufferFormat);
  if (!may_show(of, shown, parameters.BackBufferFormat, is_windowed)) return D3DERR_INVALIDCALL;
  if (parameters.EnableAutoDepthStencil != 0 &&
      (of.operations_of(parameters.AutoDepthStencilFormat) & FORMATOP_ZSTENCIL) == 0) {
    return D3DERR_NOTAVAILABLE;
  }
  if (const auto result = check_samples(of, parameters); FAILED(result)) return result;
  parameters.BackBufferCount = std::max(parameters.BackBufferCount, 1u);
  return S_OK;
}

}  // namespace aerogpu::d3d9

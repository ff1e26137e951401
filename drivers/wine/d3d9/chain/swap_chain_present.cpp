/// \file Presents: what the API allows, the kernel's present, and the picture in the window.
#include "drivers/wine/d3d9/chain/device_chains.hpp"
#include "drivers/wine/d3d9/chain/picture.hpp"
#include "drivers/wine/d3d9/chain/swap_chain.hpp"
#include "drivers/wine/d3d9/resource/surface.hpp"
#include "drivers/wine/d3d9/root/device.hpp"
#include "drivers/wine/d3d9/root/direct3d.hpp"
#include "drivers/wine/d3d9/root/present_rules.hpp"
#include "drivers/wine/d3d9/state/device_states.hpp"

#include <algorithm>

namespace aerogpu::d3d9 {
namespace {

[[nodiscard]] auto is_inside(const RECT& area, const RECT& whole) -> bool {
  return area.left >= whole.left && area.top >= whole.top && area.right <= whole.right &&
         area.bottom <= whole.bottom && area.left < area.right && area.top < area.bottom;
}

}  // namespace

void swap_chain::find_window(HWND window) {
  auto& windows = owner_.parent->in.windows;
  below.window.client = windows.place(window).value_or(RECT{});
  below.window.is_occluded =
      parameters().Windowed != 0 ? windows.is_occluded(window) : !owner_.is_in_front();
}

HRESULT APIENTRY swap_chain::Present(const RECT* source, const RECT* destination, HWND window,
                                     const _RGNDATA* dirty, DWORD flags) {
  return owner_.run([&]() -> HRESULT {
    const auto result = check_present(source, destination, window, dirty, flags);
    return FAILED(result) ? result : present(source, destination, window, flags);
  });
}

auto swap_chain::check_present(const RECT* source, const RECT* destination, HWND window,
                               const _RGNDATA* dirty, DWORD flags) const -> HRESULT {
  const bool is_ex = owner_.request.is_ex;
  if (owner_.needs_reset()) return D3DERR_DEVICELOST;
  if (!is_ex && owner_.states->is_in_scene()) return D3DERR_INVALIDCALL;
  const auto& of = parameters();
  const bool is_flip_ex = of.SwapEffect == D3DSWAPEFFECT_FLIPEX;
  const bool has_areas = source != nullptr || destination != nullptr || dirty != nullptr;
  if (of.SwapEffect != D3DSWAPEFFECT_COPY && has_areas) return D3DERR_INVALIDCALL;
  if (is_flip_ex && window != nullptr) return D3DERR_INVALIDCALL;
  if ((flags & present_force_immediate) != 0 && !is_flip_ex) return D3DERR_INVALIDCALL;
  const bool may_stay = is_flip_ex || of.Windowed == 0;
  if ((flags & present_do_not_flip) != 0 && !may_stay) return D3DERR_INVALIDCALL;
  const auto whole = below.back_buffer(0).whole();
  return source != nullptr && !is_inside(*source, whole) ? D3DERR_INVALIDCALL : S_OK;
}

auto swap_chain::present(const RECT* source, const RECT* destination, HWND window, DWORD flags)
    -> HRESULT {
  const auto target = window != nullptr ? window : window_of(owner_.request, parameters());
  find_window(target);
  const auto shown = below.back_buffer(0);
  sim::chain_present wanted{flags, target, {}};
  if (source != nullptr) wanted.source = *source;
  const auto result = below.present(wanted);
  if (FAILED(result)) return owner_.on_failure(result);
  for (UINT i = 0; i < buffers_.size(); ++i) buffers_[i]->set_place(below.back_buffer(i));
  if (below.flips()) owner_.states->flush_targets();
  if (result == S_PRESENT_OCCLUDED) return owner_.request.is_ex ? result : S_OK;
  const auto seen = show(shown, target, source, destination);
  if (FAILED(seen)) return owner_.on_failure(seen);
  if (!owner_.request.is_ex || !owner_.has_other_mode()) return result;
  owner_.note_other_mode();
  return S_PRESENT_MODE_CHANGED;
}

auto swap_chain::show(const sim::d3d9_surface& shown, HWND window, const RECT* source,
                      const RECT* destination) -> HRESULT {
  auto& windows = owner_.parent->in.windows;
  const auto client = windows.client_area(window);
  if (!client) return S_OK;
  if (const auto result = read_picture(shown); FAILED(result)) return result;
  const auto whole = shown.whole();
  const window_picture picture{picture_.data(), static_cast<UINT>(whole.right),
                               static_cast<UINT>(whole.bottom),
                               static_cast<UINT>(whole.right) * shown_texel_bytes};
  windows.show(window, picture, source != nullptr ? *source : whole,
               destination != nullptr ? *destination : *client);
  return S_OK;
}

auto swap_chain::read_picture(const sim::d3d9_surface& shown) -> HRESULT {
  auto& device_below = owner_.below;
  const auto& of = shown.resource->description;
  if (copy_ == nullptr) {
    const auto result = device_below.create_offscreen_plain_surface(of.width, of.height, of.format,
                                                                    D3DPOOL_SYSTEMMEM, copy_);
    if (FAILED(result)) return result;
  }
  const sim::d3d9_surface copy{copy_, 0};
  if (const auto result = device_below.get_render_target_data(shown, copy); FAILED(result))
    return result;
  D3DLOCKED_RECT locked{};
  const auto result = device_below.lock_rect(copy, locked, nullptr, D3DLOCK_READONLY);
  if (FAILED(result)) return result;
  picture_.resize(std::size_t{of.width} * of.height * shown_texel_bytes);
  copy_as_shown(
      of.format,
      {static_cast<const std::byte*>(locked.pBits), static_cast<std::size_t>(locked.Pitch)},
      of.width, of.height, picture_);
  return device_below.unlock_rect(copy);
}

HRESULT APIENTRY swap_chain::GetFrontBufferData(IDirect3DSurface9* destination) {
  if (destination == nullptr) return D3DERR_INVALIDCALL;
  return owner_.run([&]() -> HRESULT {
    const auto& to = surface::of(destination)->description();
    const bool is_memory = to.Pool == D3DPOOL_SYSTEMMEM || to.Pool == D3DPOOL_SCRATCH;
    if (!is_memory || (to.Format != D3DFMT_A8R8G8B8 && to.Format != D3DFMT_X8R8G8B8))
      return D3DERR_INVALIDCALL;
    const auto mode = owner_.parent->display_mode();
    if (to.Width < mode.Width || to.Height < mode.Height) return D3DERR_INVALIDCALL;
    D3DLOCKED_RECT locked{};
    if (const auto result = destination->LockRect(&locked, nullptr, 0); FAILED(result))
      return result;
    const bool is_read = read_front(static_cast<std::byte*>(locked.pBits),
                                    static_cast<UINT>(locked.Pitch), mode.Width, mode.Height);
    const auto result = destination->UnlockRect();
    return is_read ? result : D3DERR_DRIVERINTERNALERROR;
  });
}

/// The desktop; where nobody knows it, what this chain last showed, where it showed it.
auto swap_chain::read_front(std::byte* texels, UINT pitch_bytes, UINT width, UINT height) -> bool {
  const std::size_t row_bytes = std::size_t{width} * shown_texel_bytes;
  std::vector<std::byte> desktop(row_bytes * height);
  if (!owner_.parent->in.windows.read_desktop(desktop, width, height)) {
    const auto& of = parameters();
    if (picture_.empty()) return false;
    const auto at = of.Windowed != 0 ? below.window.client : RECT{};
    paste({picture_, of.BackBufferWidth, of.BackBufferHeight}, {at.left, at.top},
          {desktop, width, height});
  }
  for (UINT y = 0; y < height; ++y)
    std::copy_n(desktop.data() + y * row_bytes, row_bytes, texels + std::size_t{y} * pitch_bytes);
  return true;
}

}  // namespace aerogpu::d3d9

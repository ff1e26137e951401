// SPDX-License-Identifier: MIT
/// \file Presents: what the API allows, the kernel's present, and the picture in the window.
#include "drivers/wine/d3d9/chain/device_chains.hpp"
#include "drivers/wine/d3d9/chain/picture.hpp"
#include "drivers/wine/d3d9/chain/swap_chain.hpp"
#include "drivers/wine/d3d9/resource/rectangles.hpp"
#include "drivers/wine/d3d9/resource/surface.hpp"
#include "drivers/wine/d3d9/root/device.hpp"
#include "drivers/wine/d3d9/root/direct3d.hpp"
#include "drivers/wine/d3d9/root/present_rules.hpp"
#include "drivers/wine/d3d9/state/device_states.hpp"

#include <algorithm>

namespace aerogpu::d3d9 {

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
    if (FAILED(result)) return result;
    if (source == nullptr) return present(nullptr, destination, window, flags);
    const auto shown = intersect(*source, below.back_buffer(0).whole());
    return is_empty(shown) ? D3DERR_INVALIDCALL : present(&shown, destination, window, flags);
  });
}

auto swap_chain::check_present(const RECT* source, const RECT* destination, HWND window,
                               const _RGNDATA* dirty, DWORD flags) const -> HRESULT {
  const bool is_ex = owner_.request.is_ex;
  // Neither a Reset's new buffers nor the old ones could be made.
  const bool has_buffers = !buffers_.empty();
  if (owner_.needs_reset() || !has_buffers) return D3DERR_DEVICELOST;
  if (!is_ex && owner_.states->is_in_scene() && is_drawn_to()) return D3DERR_INVALIDCALL;
  const auto& of = parameters();
  const bool is_flip_ex = of.SwapEffect == D3DSWAPEFFECT_FLIPEX;
  const bool has_areas = source != nullptr || destination != nullptr || dirty != nullptr;
  if (of.SwapEffect != D3DSWAPEFFECT_COPY && has_areas) return D3DERR_INVALIDCALL;
  if (is_flip_ex && window != nullptr) return D3DERR_INVALIDCALL;
  if ((flags & present_force_immediate) != 0 && !is_flip_ex) return D3DERR_INVALIDCALL;
  const bool may_stay = is_flip_ex || of.Windowed == 0;
  return (flags & present_do_not_flip) != 0 && !may_stay ? D3DERR_INVALIDCALL : S_OK;
}

auto swap_chain::present(const RECT* source, const RECT* destination, HWND window, DWORD flags)
    -> HRESULT {
  // One picture is on its way at most.
  const bool may_wait = (flags & present_do_not_wait) == 0;
  if (const auto result = show_picture(may_wait ? 0 : D3DLOCK_DONOTWAIT); FAILED(result))
    return result;
  const auto target = window != nullptr ? window : window_of(owner_.request, parameters());
  find_window(target);
  if (!owner_.follow_front()) below.window.is_occluded = true;
  if (const auto result = wait_for_turn(flags); FAILED(result)) return result;
  const auto turn_ns = owner_.parent->in.windows.now_ns();
  const auto shown = below.back_buffer(0);
  sim::chain_present wanted{flags, target, {}};
  if (source != nullptr) wanted.source = *source;
  const auto result = owner_.submitted(below.present(wanted));
  if (FAILED(result)) return owner_.on_failure(result);
  presented_ns_ = turn_ns;
  for (UINT i = 0; i < buffers_.size(); ++i) buffers_[i]->set_place(below.back_buffer(i));
  if (below.flips()) owner_.states->flush_targets();
  if (result == S_PRESENT_OCCLUDED) return owner_.request.is_ex ? result : S_OK;
  const auto seen = begin_picture(shown, target, source, destination);
  if (FAILED(seen)) return owner_.on_failure(seen);
  if (!owner_.request.is_ex || !owner_.has_other_mode()) return result;
  owner_.note_other_mode();
  return S_PRESENT_MODE_CHANGED;
}

/// By the clock: the kernel counts vertical blanks only while somebody waits for them. A present
/// that comes a refresh or more after the last one's turn is in another refresh anyway.
auto swap_chain::wait_for_turn(DWORD flags) -> HRESULT {
  constexpr std::uint64_t refresh_ns = 1'000'000'000 / 60;
  const bool is_immediate = (flags & present_force_immediate) != 0 ||
                            parameters().PresentationInterval == D3DPRESENT_INTERVAL_IMMEDIATE;
  const bool is_paced = parameters().Windowed != 0 && !is_immediate && !below.window.is_occluded;
  if (!is_paced || !has_vertical_blanks_ || !presented_ns_) return S_OK;
  const auto now_ns = owner_.parent->in.windows.now_ns();
  if (!now_ns || *now_ns - *presented_ns_ >= refresh_ns) return S_OK;
  if ((flags & present_do_not_wait) != 0) return D3DERR_WASSTILLDRAWING;
  // A display that stands still stops no program: the kernel gives up after a second, once.
  has_vertical_blanks_ = SUCCEEDED(owner_.below.wait_for_vblank());
  return S_OK;
}

auto swap_chain::begin_picture(const sim::d3d9_surface& shown, HWND window, const RECT* source,
                               const RECT* destination) -> HRESULT {
  if (!owner_.parent->in.windows.client_area(window)) return S_OK;
  if (const auto result = copy_picture(shown); FAILED(result)) return result;
  awaited_picture wanted{window, source != nullptr ? *source : shown.whole(), std::nullopt};
  if (destination != nullptr) wanted.destination = *destination;
  awaited_ = wanted;
  return owner_.chains->expect_picture() ? S_OK : show_picture(0);
}

/// On the GPU: the copy to system memory that GetRenderTargetData makes is waited for.
auto swap_chain::copy_picture(const sim::d3d9_surface& shown) -> HRESULT {
  auto& device_below = owner_.below;
  if (copy_ == nullptr) {
    constexpr bool is_lockable = true;
    const auto& of = shown.resource->description;
    const auto result =
        device_below.create_render_target(of.width, of.height, of.format, is_lockable, copy_);
    if (FAILED(result)) return result;
  }
  const auto result = device_below.stretch_rect(shown, nullptr, {copy_, 0}, nullptr, D3DTEXF_NONE);
  return FAILED(result) ? result : device_below.flush();
}

auto swap_chain::show_picture(DWORD lock_flags) -> HRESULT {
  if (!awaited_) return S_OK;
  const auto result = read_picture(lock_flags);
  if (result == D3DERR_WASSTILLDRAWING && (lock_flags & D3DLOCK_DONOTWAIT) != 0) return result;
  const auto shown = *awaited_;
  awaited_.reset();
  if (FAILED(result)) return owner_.on_failure(result);
  auto& windows = owner_.parent->in.windows;
  const auto client = windows.client_area(shown.window);
  if (!client) return S_OK;
  windows.show(
      shown.window,
      {picture_.texels.data(), picture_.width, picture_.height, picture_.width * shown_texel_bytes},
      shown.source, shown.destination.value_or(*client));
  return S_OK;
}

auto swap_chain::read_picture(DWORD lock_flags) -> HRESULT {
  auto& device_below = owner_.below;
  const sim::d3d9_surface copy{copy_, 0};
  D3DLOCKED_RECT locked{};
  const auto lock = [&] {
    return device_below.lock_rect(copy, locked, nullptr, D3DLOCK_READONLY | lock_flags);
  };
  const auto result = (lock_flags & D3DLOCK_DONOTWAIT) != 0 ? lock() : owner_.wait_for(lock);
  if (FAILED(result)) return result;
  const auto& of = copy_->description;
  picture_.texels.resize(std::size_t{of.width} * of.height * shown_texel_bytes);
  picture_.width = of.width;
  picture_.height = of.height;
  copy_as_shown(
      of.format,
      {static_cast<const std::byte*>(locked.pBits), static_cast<std::size_t>(locked.Pitch)},
      of.width, of.height, picture_.texels);
  return device_below.unlock_rect(copy);
}

HRESULT APIENTRY swap_chain::GetFrontBufferData(IDirect3DSurface9* destination) {
  if (destination == nullptr) return D3DERR_INVALIDCALL;
  return owner_.run([&]() -> HRESULT {
    const auto& to = surface::of(destination)->description();
    const bool is_memory = to.Pool == D3DPOOL_SYSTEMMEM || to.Pool == D3DPOOL_SCRATCH;
    if (!is_memory || (to.Format != D3DFMT_A8R8G8B8 && to.Format != D3DFMT_X8R8G8B8))
      return D3DERR_INVALIDCALL;
    owner_.chains->finish_pictures();
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
    if (picture_.texels.empty()) return false;
    const auto at = parameters().Windowed != 0 ? below.window.client : RECT{};
    paste({picture_.texels, picture_.width, picture_.height}, {at.left, at.top},
          {desktop, width, height});
  }
  for (UINT y = 0; y < height; ++y)
    std::copy_n(desktop.data() + y * row_bytes, row_bytes, texels + std::size_t{y} * pitch_bytes);
  return true;
}

}  // namespace aerogpu::d3d9

// SPDX-License-Identifier: MIT
/// \file Creation, presents and end of a swap chain.
#include "drivers/sim/runtime/d3d9/d3d9_chain.hpp"

#include "drivers/sim/kernel/thunks/thunks.hpp"
#include "drivers/sim/runtime/d3d9/d3d9_device.hpp"
#include "drivers/sim/runtime/results.hpp"

#include <algorithm>
#include <utility>

namespace aerogpu::sim {
namespace {

using table = D3DDDI_DEVICEFUNCS;

constexpr DWORD present_donotflip = 0x4;
constexpr DWORD present_forceimmediate = 0x100;

[[nodiscard]] auto own_source(const ddi_device& device, D3DKMT_VIDPNSOURCEOWNER_TYPE type)
    -> HRESULT {
  const D3DDDI_VIDEO_PRESENT_SOURCE_ID source = 0;
  const bool is_given_back = type == D3DKMT_VIDPNSOURCEOWNER_UNOWNED;
  const D3DKMT_SETVIDPNSOURCEOWNER wanted{device.kernel_device(), &type, &source,
                                          is_given_back ? 0u : 1u};
  return to_hresult(D3DKMTSetVidPnSourceOwner(&wanted));
}

[[nodiscard]] auto buffer_of(const D3DPRESENT_PARAMETERS& wanted) -> resource_description {
  resource_description buffer;
  buffer.format = wanted.BackBufferFormat;
  buffer.usage = D3DUSAGE_RENDERTARGET;
  buffer.width = wanted.BackBufferWidth;
  buffer.height = wanted.BackBufferHeight;
  buffer.is_lockable = (wanted.Flags & D3DPRESENTFLAG_LOCKABLE_BACKBUFFER) != 0 ? 1 : 0;
  buffer.is_primary = wanted.Windowed == 0 ? 1 : 0;
  return buffer;
}

/// Whether the kernel driver's copy takes texels from one format to the other: they may differ in
/// what alpha means.
[[nodiscard]] auto are_copied(D3DFORMAT from, D3DFORMAT to) -> bool {
  const bool has_desktop_texels = from == D3DFMT_A8R8G8B8 || from == D3DFMT_X8R8G8B8;
  return from == to || (has_desktop_texels && to == D3DFMT_X8R8G8B8);
}

/// Whether there could be such buffers at all.
[[nodiscard]] auto can_be_laid_out(const D3DPRESENT_PARAMETERS& wanted) -> bool {
  d3d9_resource one;
  one.description = buffer_of(wanted);
  if (!lay_out(one)) return false;
  if (wanted.EnableAutoDepthStencil == 0) return true;
  d3d9_resource depth;
  depth.description = one.description;
  depth.description.format = wanted.AutoDepthStencilFormat;
  return lay_out(depth);
}

}  // namespace

d3d9_chain::~d3d9_chain() {
  destroy();
}

auto d3d9_chain::check_parameters(D3DPRESENT_PARAMETERS& wanted) const -> HRESULT {
  constexpr UINT most_buffers = 30;
  const auto mode = device_.adapter.display_mode();
  if (!mode || wanted.SwapEffect < D3DSWAPEFFECT_DISCARD ||
      wanted.SwapEffect > D3DSWAPEFFECT_FLIPEX || wanted.SwapEffect == D3DSWAPEFFECT_OVERLAY) {
    return D3DERR_INVALIDCALL;
  }
  const bool is_windowed = wanted.Windowed != 0;
  if (is_windowed && wanted.FullScreen_RefreshRateInHz != 0) return D3DERR_INVALIDCALL;
  if (wanted.BackBufferCount == 0) wanted.BackBufferCount = 1;
  const bool is_copy = wanted.SwapEffect == D3DSWAPEFFECT_COPY;
  if (wanted.BackBufferCount > (is_copy ? 1 : most_buffers)) return D3DERR_INVALIDCALL;
  if (wanted.BackBufferFormat == D3DFMT_UNKNOWN) wanted.BackBufferFormat = mode->Format;
  const bool has_size = wanted.BackBufferWidth != 0 && wanted.BackBufferHeight != 0;
  if (!has_size && !is_windowed) return D3DERR_INVALIDCALL;
  if (!has_size) {
    const auto& client = window.client;
    const bool has_place = client.left < client.right;
    wanted.BackBufferWidth =
        has_place ? static_cast<UINT>(client.right - client.left) : mode->Width;
    wanted.BackBufferHeight =
        has_place ? static_cast<UINT>(client.bottom - client.top) : mode->Height;
  }
  return can_be_laid_out(wanted) ? S_OK : D3DERR_INVALIDCALL;
}

auto d3d9_chain::create(const D3DPRESENT_PARAMETERS& wanted) -> HRESULT {
  wanted_ = wanted;
  const bool is_full_screen = wanted_.Windowed == 0;
  auto buffers = buffer_of(wanted_);
  buffers.surfaces = wanted_.BackBufferCount + (is_full_screen ? 1 : 0);
  const auto result = device_.create_resource(buffers, resource_);
  if (FAILED(result)) return result;
  for (UINT i = 0; i < buffers.surfaces; ++i) buffers_.push_back({resource_, i});
  return is_full_screen ? enter_full_screen() : S_OK;
}

auto d3d9_chain::enter_full_screen() -> HRESULT {
  if (is_source_owned_) return S_OK;
  if (buffers_.empty() || wanted_.Windowed != 0) return D3DERR_INVALIDCALL;
  {
    const process_scope here{device_.ddi.process().id};
    const auto owned = own_source(device_.ddi, D3DKMT_VIDPNSOURCEOWNER_EXCLUSIVE);
    if (FAILED(owned)) return owned;
  }
  is_source_owned_ = true;
  const D3DDDIARG_SETDISPLAYMODE mode{resource_->names.driver, buffers_.back().index};
  const auto shown = device_.ddi.send<&table::pfnSetDisplayMode>(mode);
  if (FAILED(shown)) leave_full_screen();
  return shown;
}

void d3d9_chain::leave_full_screen() {
  if (!std::exchange(is_source_owned_, false)) return;
  const process_scope here{device_.ddi.process().id};
  static_cast<void>(own_source(device_.ddi, D3DKMT_VIDPNSOURCEOWNER_UNOWNED));
}

void d3d9_chain::destroy() {
  leave_full_screen();
  if (resource_ != nullptr) static_cast<void>(device_.release(resource_));
  if (fitted_ != nullptr) static_cast<void>(device_.release(fitted_));
  buffers_.clear();
}

auto d3d9_chain::back_buffer(UINT index) const -> d3d9_surface {
  return index < wanted_.BackBufferCount && index < buffers_.size() ? buffers_[index]
                                                                    : d3d9_surface{};
}

auto d3d9_chain::flips() const noexcept -> bool {
  return wanted_.SwapEffect != D3DSWAPEFFECT_COPY && buffers_.size() > 1;
}

auto d3d9_chain::present(const chain_present& wanted) -> HRESULT {
  if (buffers_.empty()) return D3DERR_INVALIDCALL;
  const bool may_wait = (wanted.flags & D3DPRESENT_DONOTWAIT) == 0;
  if (window.is_occluded) {
    ++presents_;
    const auto flushed = device_.flush();
    return FAILED(flushed) ? flushed : S_PRESENT_OCCLUDED;
  }
  if (!may_wait && !device_.has_present_room()) return D3DERR_WASSTILLDRAWING;
  const bool is_immediate = (wanted.flags & present_forceimmediate) != 0 ||
                            wanted_.PresentationInterval == D3DPRESENT_INTERVAL_IMMEDIATE;
  D3DDDIARG_PRESENT argument{};
  argument.hSrcResource = resource_->names.driver;
  argument.SrcSubResourceIndex = buffers_.front().index;
  argument.FlipInterval = is_immediate ? D3DDDI_FLIPINTERVAL_IMMEDIATE : D3DDDI_FLIPINTERVAL_ONE;
  present_details details;
  details.window = wanted.window != nullptr ? wanted.window : wanted_.hDeviceWindow;
  details.may_wait = may_wait;
  details.number = presents_ + 1;
  if (wanted_.Windowed != 0) {
    argument.Flags.Blt = 1;
    argument.FlipInterval = D3DDDI_FLIPINTERVAL_IMMEDIATE;
    const auto source = wanted.source.value_or(back_buffer(0).whole());
    const bool has_place = window.client.left < window.client.right;
    const auto seen = device_.clip_to_desktop({source, has_place ? window.client : source});
    if (!seen) {
      ++presents_;
      rotate();
      return S_OK;
    }
    if (const auto result = fit(*seen, argument, details); FAILED(result)) return result;
  } else {
    argument.Flags.Flip = 1;
  }
  const auto result = device_.ddi.present(argument, details);
  if (FAILED(result)) return result;
  ++presents_;
  if ((wanted.flags & present_donotflip) == 0) rotate();
  return result;
}

/// A window of another size, or a desktop of another format, gets a picture of its own, where the
/// runtime sees to it.
auto d3d9_chain::fit(const picture_move& seen, D3DDDIARG_PRESENT& argument,
                     present_details& details) -> HRESULT {
  details.source = seen.source;
  details.destination = seen.destination;
  const auto mode = device_.adapter.display_mode();
  const bool is_copied = !mode || are_copied(wanted_.BackBufferFormat, mode->Format);
  const auto& shown = window.is_fitted ? seen.destination : seen.source;
  const auto width = shown.right - shown.left;
  const auto height = shown.bottom - shown.top;
  const bool is_same_size = seen.source.right - seen.source.left == width &&
                            seen.source.bottom - seen.source.top == height;
  if (!is_same_size || !is_copied) {
    const auto made = make_fitted(static_cast<UINT>(width), static_cast<UINT>(height),
                                  is_copied ? wanted_.BackBufferFormat : mode->Format);
    if (FAILED(made)) return made;
    const d3d9_surface whole{fitted_, 0};
    D3DDDI_BLTFLAGS flags{};
    flags.Linear = is_same_size ? 0 : 1;
    flags.Point = is_same_size ? 1 : 0;
    const auto drawn = device_.blt(back_buffer(0), seen.source, whole, whole.whole(), flags);
    if (FAILED(drawn)) return drawn;
    argument.hSrcResource = fitted_->names.driver;
    argument.SrcSubResourceIndex = 0;
    details.source = whole.whole();
  }
  // Only full-screen, the driver of this DDI version submits by itself (umd-d3d9.md 1.3.1).
  return device_.flush();
}

auto d3d9_chain::make_fitted(UINT width, UINT height, D3DFORMAT format) -> HRESULT {
  const auto is_usable = [&](const resource_description& of) {
    return of.width == width && of.height == height && of.format == format;
  };
  if (fitted_ != nullptr && is_usable(fitted_->description)) return S_OK;
  if (fitted_ != nullptr) static_cast<void>(device_.release(fitted_));
  return device_.create_render_target(width, height, format, false, fitted_);
}

/// The buffers change places; what was the first is bound under its new name.
void d3d9_chain::rotate() {
  if (!flips()) return;
  auto& bound = device_.targets_[0];
  const bool was_target = bound.resource == resource_;
  std::rotate(buffers_.begin(), buffers_.begin() + 1, buffers_.end());
  if (!was_target) return;
  bound = back_buffer(0);
  D3DDDIARG_SETRENDERTARGET again{};
  again.hRenderTarget = resource_->names.driver;
  again.SubResourceIndex = bound.index;
  static_cast<void>(device_.ddi.send<&table::pfnSetRenderTarget>(again));
}

auto d3d9_chain::present_to(const d3d9_surface& redirection) -> HRESULT {
  if (buffers_.empty() || redirection.resource == nullptr) return D3DERR_INVALIDCALL;
  const auto source = back_buffer(0);
  D3DDDI_BLTFLAGS flags{};
  flags.BeginPresentToDwm = 1;
  flags.EndPresentToDwm = 1;
  auto result = device_.blt(source, source.whole(), redirection, redirection.whole(), flags);
  if (SUCCEEDED(result)) result = device_.flush();
  if (FAILED(result)) return result;
  ++presents_;
  rotate();
  return result;
}

}  // namespace aerogpu::sim

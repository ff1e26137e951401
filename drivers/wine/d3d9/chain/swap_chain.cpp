// SPDX-License-Identifier: MIT
#include "drivers/wine/d3d9/chain/swap_chain.hpp"

#include "drivers/wine/d3d9/chain/device_chains.hpp"
#include "drivers/wine/d3d9/resource/surface.hpp"
#include "drivers/wine/d3d9/root/device.hpp"
#include "drivers/wine/d3d9/root/direct3d.hpp"
#include "drivers/wine/d3d9/state/device_states.hpp"

#include <algorithm>
#include <utility>

namespace aerogpu::d3d9 {

swap_chain::swap_chain(device& owner, std::unique_ptr<sim::d3d9_chain> own)
    : owner_(owner), own_(std::move(own)), below(own_ ? *own_ : owner.below.implicit) {}

swap_chain::~swap_chain() {
  close();
  if (own_ && owner_.chains) owner_.chains->forget(*this);
}

auto swap_chain::keeps() noexcept -> IUnknown* {
  return &owner_;
}

/// What the driver has of it goes too, which is the device's work.
void swap_chain::end() noexcept {
  static_cast<void>(owner_.run([this] {
    delete this;
    return S_OK;
  }));
}

auto swap_chain::answers(const iid& wanted) const noexcept -> bool {
  return is_same(wanted, iid_swap_chain) ||
         (owner_.request.is_ex && is_same(wanted, iid_swap_chain_ex));
}

void swap_chain::take_buffers() {
  has_vertical_blanks_ = true;
  const auto& of = parameters();
  const D3DSURFACE_DESC description{of.BackBufferFormat, D3DRTYPE_SURFACE,   D3DUSAGE_RENDERTARGET,
                                    D3DPOOL_DEFAULT,     of.MultiSampleType, of.MultiSampleQuality,
                                    of.BackBufferWidth,  of.BackBufferHeight};
  surface_container container;
  container.of = surface_container::kind::swap_chain;
  container.object = this;
  for (UINT i = 0; i < of.BackBufferCount; ++i) {
    buffers_.emplace_back(new surface(owner_, below.back_buffer(i), description, container));
  }
}

void swap_chain::drop_buffers() {
  static_cast<void>(show_picture(0));
  for (const auto& one : buffers_) one->set_place({});
  buffers_.clear();
  if (copy_ != nullptr) static_cast<void>(owner_.below.release(copy_));
}

void swap_chain::close() {
  drop_buffers();
  if (own_) own_->destroy();
}

auto swap_chain::back_buffer(UINT index) const noexcept -> surface* {
  return index < buffers_.size() ? buffers_[index].get() : nullptr;
}

auto swap_chain::has_referenced_buffers() const noexcept -> bool {
  return std::any_of(buffers_.begin(), buffers_.end(),
                     [](const auto& one) { return one->references() != 0; });
}

auto swap_chain::is_drawn_to() const noexcept -> bool {
  return std::any_of(buffers_.begin(), buffers_.end(),
                     [this](const auto& one) { return owner_.states->is_target(*one); });
}

HRESULT APIENTRY swap_chain::GetBackBuffer(UINT index, D3DBACKBUFFER_TYPE,
                                           IDirect3DSurface9** buffer) {
  if (buffer == nullptr) return D3DERR_INVALIDCALL;
  return owner_.run([&]() -> HRESULT {
    auto* const found = back_buffer(index);
    if (found == nullptr) return D3DERR_INVALIDCALL;
    hand_out(buffer, found);
    return S_OK;
  });
}

HRESULT APIENTRY swap_chain::GetRasterStatus(D3DRASTER_STATUS* status) {
  if (status == nullptr) return D3DERR_INVALIDCALL;
  return owner_.run([&] { return owner_.below.get_raster_status(*status); });
}

HRESULT APIENTRY swap_chain::GetDisplayMode(D3DDISPLAYMODE* mode) {
  return owner_.parent->GetAdapterDisplayMode(0, mode);
}

HRESULT APIENTRY swap_chain::GetDisplayModeEx(D3DDISPLAYMODEEX* mode,
                                              D3DDISPLAYROTATION* rotation) {
  return owner_.parent->GetAdapterDisplayModeEx(0, mode, rotation);
}

HRESULT APIENTRY swap_chain::GetDevice(IDirect3DDevice9Ex** to) {
  return give_device(owner_, to);
}

HRESULT APIENTRY swap_chain::GetPresentParameters(D3DPRESENT_PARAMETERS* to) {
  if (to == nullptr) return D3DERR_INVALIDCALL;
  *to = parameters();
  return S_OK;
}

HRESULT APIENTRY swap_chain::GetLastPresentCount(UINT* count) {
  if (count == nullptr) return D3DERR_INVALIDCALL;
  *count = below.presents();
  return S_OK;
}

HRESULT APIENTRY swap_chain::GetPresentStats(D3DPRESENTSTATS* statistics) {
  if (statistics == nullptr) return D3DERR_INVALIDCALL;
  return owner_.run([&] { return owner_.below.get_present_stats(*statistics); });
}

}  // namespace aerogpu::d3d9

// SPDX-License-Identifier: MIT
#include "drivers/wine/d3d9/chain/device_chains.hpp"

#include "drivers/wine/d3d9/resource/surface.hpp"
#include "drivers/wine/d3d9/root/device.hpp"
#include "drivers/wine/d3d9/root/direct3d.hpp"
#include "drivers/wine/d3d9/root/present_rules.hpp"

#include <algorithm>
#include <utility>

namespace aerogpu::d3d9 {
namespace {

[[nodiscard]] auto straight_ramp() -> D3DGAMMARAMP {
  constexpr unsigned full_scale = 0x101;  // 255 becomes 65535.
  D3DGAMMARAMP ramp{};
  for (unsigned i = 0; i < 256; ++i) {
    const auto value = static_cast<WORD>(i * full_scale);
    ramp.red[i] = value;
    ramp.green[i] = value;
    ramp.blue[i] = value;
  }
  return ramp;
}

}  // namespace

device_chains::device_chains(device& of)
    : gamma(straight_ramp()),
      owner_(of),
      implicit_(new swap_chain(of, nullptr)),
      watch_(of.parent->in.windows.watch(*this)) {}

device_chains::~device_chains() = default;

void device_chains::take_implicit() {
  implicit_->take_buffers();
  const auto place = owner_.below.auto_depth_stencil();
  if (place.resource == nullptr) return;
  const auto& of = implicit_->parameters();
  const D3DSURFACE_DESC description{
      of.AutoDepthStencilFormat, D3DRTYPE_SURFACE,      D3DUSAGE_DEPTHSTENCIL, D3DPOOL_DEFAULT,
      of.MultiSampleType,        of.MultiSampleQuality, of.BackBufferWidth,    of.BackBufferHeight};
  depth_ = bound<surface>{new surface(owner_, place, description, surface_container{})};
}

void device_chains::drop_implicit() {
  implicit_->drop_buffers();
  if (depth_) depth_->set_place({});
  depth_ = {};
}

void device_chains::close() {
  for (auto* const one : additional_) one->close();
  implicit_->close();
  drop_implicit();
}

auto device_chains::is_referenced() const noexcept -> bool {
  const bool is_depth_held = depth_ && depth_->references() != 0;
  return is_depth_held || implicit_->has_referenced_buffers() || !additional_.empty();
}

auto device_chains::make_additional(D3DPRESENT_PARAMETERS& parameters, IDirect3DSwapChain9Ex** made)
    -> HRESULT {
  // Full screen has one display, which is the implicit chain's.
  if (parameters.Windowed == 0 || implicit_->parameters().Windowed == 0) return D3DERR_INVALIDCALL;
  auto result = check_present_parameters(*owner_.parent, owner_.request, parameters);
  if (FAILED(result)) return result;
  const bound<swap_chain> held{
      new swap_chain(owner_, std::make_unique<sim::d3d9_chain>(owner_.below))};
  additional_.push_back(held.get());
  result = held->below.create(with_window(owner_.request, parameters));
  if (FAILED(result)) return owner_.on_failure(result);
  held->take_buffers();
  hand_out(made, held.get());
  return S_OK;
}

auto device_chains::expect_picture() noexcept -> bool {
  const std::lock_guard hold{watch_mutex_};
  return watch_ != nullptr && watch_->expect();
}

void device_chains::stop_watching() noexcept {
  std::unique_ptr<picture_watch> gone;
  {
    const std::lock_guard hold{watch_mutex_};
    gone = std::move(watch_);
  }
}

void device_chains::finish_pictures() {
  static_cast<void>(show_pictures(0));
}

auto device_chains::show_finished_pictures() noexcept -> bool {
  bool is_left = false;
  const auto result = owner_.run_if_free([&] {
    static_cast<void>(owner_.follow_front());
    is_left = show_pictures(D3DLOCK_DONOTWAIT);
    return S_OK;
  });
  return is_left || !result;
}

auto device_chains::show_pictures(DWORD lock_flags) -> bool {
  bool is_left = implicit_->show_picture(lock_flags) == D3DERR_WASSTILLDRAWING;
  for (auto* const one : additional_)
    is_left = one->show_picture(lock_flags) == D3DERR_WASSTILLDRAWING || is_left;
  return is_left;
}

void device_chains::forget(const swap_chain& gone) noexcept {
  additional_.erase(std::remove(additional_.begin(), additional_.end(), &gone), additional_.end());
}

}  // namespace aerogpu::d3d9

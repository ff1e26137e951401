// SPDX-License-Identifier: MIT
/// \file A device's creation and its end.
#include "drivers/wine/d3d9/root/device.hpp"

#include "drivers/wine/d3d9/chain/device_chains.hpp"
#include "drivers/wine/d3d9/resource/device_resources.hpp"
#include "drivers/wine/d3d9/root/direct3d.hpp"
#include "drivers/wine/d3d9/root/present_rules.hpp"
#include "drivers/wine/d3d9/root/x87.hpp"
#include "drivers/wine/d3d9/state/device_states.hpp"

namespace aerogpu::d3d9 {

device::device(direct3d& of, const device_request& wanted)
    : parent(&of),
      request(wanted),
      below(of.adapter),
      chains(std::make_unique<device_chains>(*this)),
      resources(std::make_unique<device_resources>(*this)),
      states(std::make_unique<device_states>(*this)) {
  of.AddRef();
}

device::~device() {
  shut_down();
  parent->Release();
}

auto device::answers(const iid& wanted) const noexcept -> bool {
  return is_same(wanted, iid_device) || (request.is_ex && is_same(wanted, iid_device_ex));
}

auto device::create(D3DPRESENT_PARAMETERS& parameters) -> HRESULT {
  auto result = prepare(parameters);
  if (FAILED(result)) return result;
  if ((request.flags & create_fpu_preserve) == 0) set_single_precision();
  result = below.create(with_window(request, parameters));
  if (FAILED(result)) return result;
  chains->take_implicit();
  states->set_defaults();
  states->bind_chain(chains->implicit().back_buffer(0), chains->auto_depth());
  enter_window(parameters);
  return S_OK;
}

auto device::prepare(D3DPRESENT_PARAMETERS& parameters) -> HRESULT {
  const auto result = check_present_parameters(*parent, request, parameters);
  if (FAILED(result)) return result;
  chains->implicit().find_window(window_of(request, parameters));
  return below.implicit.check_parameters(parameters);
}

void device::enter_window(const D3DPRESENT_PARAMETERS& parameters) {
  if (parameters.Windowed != 0) return leave_window();
  const auto window = window_of(request, parameters);
  // Another window's thread is another's to tell of us.
  if (focus_of(request, full_screen_) != focus_of(request, window)) leave_window();
  full_screen_ = window;
  full_screen_request wanted;
  wanted.focus = focus_of(request, full_screen_);
  wanted.window = full_screen_;
  wanted.size = {parameters.BackBufferWidth, parameters.BackBufferHeight};
  wanted.may_change_window = (request.flags & create_no_window_changes) == 0;
  wanted.restores_itself = request.is_ex;
  wanted.listener = this;
  parent->in.windows.enter_full_screen(wanted);
  entered_size_ = parent->in.windows.current_display_size();
  is_in_front_ = true;
  has_seen_other_mode_ = false;
}

void device::leave_window() {
  if (full_screen_ == nullptr) return;
  const auto focus = focus_of(request, std::exchange(full_screen_, nullptr));
  parent->in.windows.leave_full_screen(focus, *this);
  is_in_front_ = true;
  has_seen_other_mode_ = false;
}

void device::on_activation(bool is_active) noexcept {
  is_in_front_ = is_active;
  has_seen_other_mode_ = false;
  // Whoever has pictures to show gives the display back, too: that may wait.
  if (!is_active) static_cast<void>(chains->expect_picture());
  if (request.is_ex) return;
  if (!is_active) {
    condition_ = device_condition::lost;
    return;
  }
  auto lost = device_condition::lost;
  condition_.compare_exchange_strong(lost, device_condition::not_reset);
}

auto device::follow_front() -> bool {
  if (full_screen_ == nullptr) return true;
  const bool is_front = is_in_front_;
  if (!is_front) below.implicit.leave_full_screen();
  if (is_front && request.is_ex) return SUCCEEDED(below.implicit.enter_full_screen());
  return is_front;
}

auto device::has_other_mode() -> bool {
  if (full_screen_ == nullptr || !is_in_front_) return false;
  const auto size = parent->in.windows.current_display_size();
  return size && entered_size_ && *size != *entered_size_;
}

void device::shut_down() noexcept {
  if (std::exchange(is_shut_down_, true)) return;
  chains->stop_watching();
  static_cast<void>(run([&]() -> HRESULT {
    states->release_all();
    if (chains->is_cursor_shown) parent->in.windows.show_cursor(false);
    chains->close();
    resources->end();
    // While there is something that its listener wakes.
    leave_window();
    states.reset();
    chains.reset();
    resources.reset();
    if (below.ddi.is_created()) static_cast<void>(below.destroy());
    return S_OK;
  }));
}

}  // namespace aerogpu::d3d9

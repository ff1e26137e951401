// SPDX-License-Identifier: MIT
/// \file What every entry point does before and after its work: pointers, loss, mutex, loss.
#pragma once

#include "drivers/win7/umd/d3d9/device/device.hpp"

namespace aerogpu::umd {

/// What a call does on a lost device (umd-d3d9.md 2.17).
enum class when_lost : std::uint8_t {
  fails,     ///< With the code of the loss: draws, creations, presents.
  succeeds,  ///< It runs, for what is cached and freed, and answers S_OK: states, destroys,
             ///< unlocks.
};

/// Holds the device's mutex for one call. Use: `device_call call{on, argument};`
/// `if (!call) return call.refusal();` `return call.result(draw(*call, *argument));`
class device_call {
 public:
  /// `required` are the pointers without which the call is E_INVALIDARG, as without a device.
  template <class... Pointers>
  explicit device_call(device* on, when_lost lost, const Pointers*... required) noexcept
      : lost_(lost) {
    if (on == nullptr || (... || (required == nullptr))) {
      refusal_ = E_INVALIDARG;
      return;
    }
    if (is_refused(*on)) return;
    on->mutex.lock();
    if (is_refused(*on)) {
      on->mutex.unlock();
      return;
    }
    device_ = on;
  }
  template <class... Pointers>
  explicit device_call(device* on, const Pointers*... required) noexcept
      : device_call(on, when_lost::fails, required...) {}
  device_call(const device_call&) = delete;
  auto operator=(const device_call&) -> device_call& = delete;
  ~device_call() {
    if (device_ != nullptr) device_->mutex.unlock();
  }

  [[nodiscard]] explicit operator bool() const noexcept { return device_ != nullptr; }
  [[nodiscard]] auto operator*() const noexcept -> device& { return *device_; }
  /// Why there is no device.
  [[nodiscard]] auto refusal() const noexcept -> HRESULT { return refusal_; }
  /// What the call answers when its work said `done`: a loss that came with it is no failure of a
  /// call that succeeds when lost.
  [[nodiscard]] auto result(HRESULT done) const noexcept -> HRESULT {
    const bool is_excused = FAILED(done) && lost_ == when_lost::succeeds && device_->loss.is_lost();
    return is_excused ? S_OK : done;
  }

 private:
  [[nodiscard]] auto is_refused(const device& on) noexcept -> bool {
    if (lost_ == when_lost::fails) refusal_ = on.loss.code();
    return refusal_ != S_OK;
  }

  device* device_ = nullptr;
  when_lost lost_;
  HRESULT refusal_ = S_OK;
};

}  // namespace aerogpu::umd

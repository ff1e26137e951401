// SPDX-License-Identifier: MIT
/// \file What a device makes beside resources: while the program has it, it holds the device.
#pragma once

#include "drivers/wine/d3d9/root/device.hpp"

namespace aerogpu::d3d9 {

template <class Self, class Interface>
class device_child : public com_object<Self, Interface> {
 public:
  HRESULT APIENTRY GetDevice(IDirect3DDevice9Ex** found) override {
    return give_device(device_, found);
  }

  [[nodiscard]] auto owner() const noexcept -> device& { return device_; }

 protected:
  explicit device_child(device& of) : device_(of) {}
  ~device_child() override = default;

 private:
  [[nodiscard]] auto keeps() noexcept -> IUnknown* override { return &device_; }
  /// What the driver has of it goes too, which is the device's work.
  void end() noexcept override {
    static_cast<void>(device_.run([this] {
      delete this;
      return S_OK;
    }));
  }

  device& device_;
};

}  // namespace aerogpu::d3d9

// SPDX-License-Identifier: MIT
/// \file The methods that all resources share, whatever their interface.
#pragma once

#include "drivers/wine/d3d9/resource/private_data.hpp"
#include "drivers/wine/d3d9/root/device.hpp"

namespace aerogpu::d3d9 {

/// The program's first reference holds one on the device; a binding is the device's own.
template <class Self, class Interface>
class child_object : public com_object<Self, Interface> {
 public:
  explicit child_object(device& of) : owner_(of) {}

  HRESULT APIENTRY GetDevice(IDirect3DDevice9Ex** to) override { return give_device(owner(), to); }
  HRESULT APIENTRY SetPrivateData(const GUID& name, const void* data, DWORD bytes,
                                  DWORD flags) override {
    return owner().run([&] { return data_.set(name, data, bytes, flags); });
  }
  HRESULT APIENTRY GetPrivateData(const GUID& name, void* data, DWORD* bytes) override {
    return owner().run([&] { return data_.get(name, data, bytes); });
  }
  HRESULT APIENTRY FreePrivateData(const GUID& name) override {
    return owner().run([&] { return data_.free(name); });
  }

  [[nodiscard]] auto owner() const noexcept -> device& { return owner_; }

 private:
  [[nodiscard]] auto keeps() noexcept -> IUnknown* override { return &owner_; }
  /// What the driver has of it goes too, which is the device's work.
  void end() noexcept override {
    static_cast<void>(owner().run([this] {
      delete this;
      return S_OK;
    }));
  }

  device& owner_;
  private_data data_;
};

/// IDirect3DResource9, of what is not managed.
template <class Self, class Interface>
class resource_object : public child_object<Self, Interface> {
 public:
  using child_object<Self, Interface>::child_object;

  DWORD APIENTRY SetPriority(DWORD) override { return 0; }
  DWORD APIENTRY GetPriority() override { return 0; }
  void APIENTRY PreLoad() override {}
};

}  // namespace aerogpu::d3d9

// SPDX-License-Identifier: MIT
/// \file What a program keeps with a resource: bytes and interfaces by name.
#pragma once

#include "drivers/wine/d3d9/api/unknown.hpp"

#include <cstddef>
#include <vector>

namespace aerogpu::d3d9 {

class private_data {
 public:
  private_data() = default;
  ~private_data();
  private_data(const private_data&) = delete;
  auto operator=(const private_data&) -> private_data& = delete;

  /// With D3DSPD_IUNKNOWN, `data` is an interface, which gets a reference; `bytes` is a pointer's.
  /// D3DERR_INVALIDCALL leaves what was there.
  [[nodiscard]] auto set(const GUID& name, const void* data, DWORD bytes, DWORD flags) -> HRESULT;
  /// `bytes` becomes what there is. D3DERR_MOREDATA; D3DERR_NOTFOUND leaves `bytes`.
  [[nodiscard]] auto get(const GUID& name, void* data, DWORD* bytes) const -> HRESULT;
  /// D3DERR_NOTFOUND.
  [[nodiscard]] auto free(const GUID& name) -> HRESULT;

 private:
  struct entry {
    GUID name{};
    IUnknown* interface = nullptr;  ///< With a reference; nullptr for bytes.
    std::vector<std::byte> bytes;
  };
  [[nodiscard]] auto find(const GUID& name) const -> std::vector<entry>::const_iterator;

  std::vector<entry> entries_;
};

}  // namespace aerogpu::d3d9

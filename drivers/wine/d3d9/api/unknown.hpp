// SPDX-License-Identifier: MIT
/// \file COM as Direct3D 9 uses it: IUnknown and how its methods are called.
///
/// The interfaces are declared here and not taken from an SDK, so that the same source is the DLL
/// and a native library; tests/drivers/wine/interface_tables_test.py compares them with
/// mingw-w64's <d3d9.h>.
#pragma once

#include "drivers/win7/ddi/user/d3dumddi.hpp"

#include <cstring>

/// A method of an interface. Pure, and in the order of the published tables.
#define AEROGPU_COM(result) virtual result APIENTRY

namespace aerogpu::d3d9 {

using iid = GUID;

[[nodiscard]] inline auto is_same(const iid& a, const iid& b) noexcept -> bool {
  return std::memcmp(&a, &b, sizeof a) == 0;
}

class IUnknown {
 public:
  AEROGPU_COM(HRESULT) QueryInterface(const iid& wanted, void** object) = 0;
  AEROGPU_COM(ULONG) AddRef() = 0;
  AEROGPU_COM(ULONG) Release() = 0;

  IUnknown(const IUnknown&) = delete;
  auto operator=(const IUnknown&) -> IUnknown& = delete;

 protected:
  IUnknown() = default;
  ~IUnknown() = default;
};

inline constexpr iid iid_unknown{0, 0, 0, {0xC0, 0, 0, 0, 0, 0, 0, 0x46}};

}  // namespace aerogpu::d3d9

// SPDX-License-Identifier: MIT
#include "drivers/win7/umd/d3d9/front_m/surface_chain.hpp"

#include "drivers/win7/umd/d3d9/resource/creation.hpp"
#include "drivers/win7/umd/d3d9/resource/destruction.hpp"

#include <utility>

namespace aerogpu::umd::front_m {

auto create_surfaces(device& on, const creation_request& wanted, resource*& out) noexcept
    -> HRESULT {
  out = nullptr;
  resource* first = nullptr;
  resource** next = &first;
  for (std::uint32_t i = 0; i < wanted.count; ++i) {
    const HRESULT created = create_resource(on, wanted.at(i), *next);
    if (FAILED(created)) {
      static_cast<void>(destroy_surfaces(on, first));
      return created;
    }
    next = &(*next)->next_surface;
  }
  out = first;
  return S_OK;
}

auto destroy_surfaces(device& on, resource* first) noexcept -> HRESULT {
  HRESULT destroyed = E_INVALIDARG;
  while (first != nullptr) {
    resource* const gone = std::exchange(first, first->next_surface);
    destroyed = destroy_resource(on, gone);
  }
  return destroyed;
}

}  // namespace aerogpu::umd::front_m

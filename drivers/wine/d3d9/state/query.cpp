// SPDX-License-Identifier: MIT
#include "drivers/wine/d3d9/state/query.hpp"

#include <utility>

namespace aerogpu::d3d9 {

auto result_bytes(D3DQUERYTYPE type) -> DWORD {
  switch (type) {
    case D3DQUERYTYPE_EVENT: return sizeof(BOOL);
    case D3DQUERYTYPE_OCCLUSION: return sizeof(DWORD);
    case D3DQUERYTYPE_TIMESTAMP: return sizeof(std::uint64_t);
    case D3DQUERYTYPE_TIMESTAMPDISJOINT: return sizeof(BOOL);
    case D3DQUERYTYPE_TIMESTAMPFREQ: return sizeof(std::uint64_t);
    default: return 0;
  }
}

query::query(device& of, const sim::d3d9_query& driver)
    : device_child(of), renewable(of.renewables), driver_(driver) {}

auto query::renew() -> HRESULT {
  return owner().below.create_query(std::exchange(driver_, {}).type, driver_);
}

query::~query() {
  if (driver_.driver != nullptr && owner().below.ddi.is_created())
    static_cast<void>(owner().below.release(driver_));
}

auto query::answers(const iid& wanted) const noexcept -> bool {
  return is_same(wanted, iid_query);
}

HRESULT APIENTRY query::Issue(DWORD flags) {
  return owner().run([&] { return owner().below.issue(driver_, flags); });
}

HRESULT APIENTRY query::GetData(void* data, DWORD bytes, DWORD flags) {
  return owner().run([&]() -> HRESULT {
    if (data == nullptr && bytes != 0) return D3DERR_INVALIDCALL;
    if (data != nullptr && bytes == 0) return D3DERR_INVALIDCALL;
    return owner().below.get_data(driver_, {static_cast<std::byte*>(data), bytes}, flags);
  });
}

HRESULT APIENTRY device::CreateQuery(D3DQUERYTYPE type, IDirect3DQuery9** made) {
  return run([&]() -> HRESULT {
    if (result_bytes(type) == 0) return D3DERR_NOTAVAILABLE;
    sim::d3d9_query driver;
    const auto result = below.create_query(type, driver);
    if (FAILED(result)) return result;
    if (made == nullptr) return below.release(driver);
    hand_out(made, new query{*this, driver});
    return S_OK;
  });
}

}  // namespace aerogpu::d3d9

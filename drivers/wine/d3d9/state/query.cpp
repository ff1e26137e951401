// SPDX-License-Identifier: MIT
#include "drivers/wine/d3d9/state/query.hpp"

#include <algorithm>
#include <utility>

namespace aerogpu::d3d9 {
namespace {

/// What Windows gives of a query that nobody issued (Wine's tests of Windows).
constexpr std::byte never_issued_byte{0xDD};

}  // namespace

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
  is_issued_ = false;
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
  return owner().run([&]() -> HRESULT {
    const auto result = owner().below.issue(driver_, flags);
    if (FAILED(result)) return owner().on_failure(result);
    is_issued_ = true;
    return result;
  });
}

HRESULT APIENTRY query::GetData(void* data, DWORD bytes, DWORD flags) {
  return owner().run([&]() -> HRESULT {
    if (data == nullptr && bytes != 0) return D3DERR_INVALIDCALL;
    if (data != nullptr && bytes == 0) return D3DERR_INVALIDCALL;
    auto* const to = static_cast<std::byte*>(data);
    if (!is_issued_) {
      std::fill_n(to, std::min(bytes, GetDataSize()), never_issued_byte);
      return S_OK;
    }
    const auto result = owner().below.get_data(driver_, {to, bytes}, flags);
    return FAILED(result) ? owner().on_failure(result) : result;
  });
}

HRESULT APIENTRY device::CreateQuery(D3DQUERYTYPE type, IDirect3DQuery9** made) {
  return run([&]() -> HRESULT {
    if (result_bytes(type) == 0) return D3DERR_NOTAVAILABLE;
    sim::d3d9_query driver;
    const auto result = below.create_query(type, driver);
    if (FAILED(result)) return on_failure(result);
    if (made == nullptr) return below.release(driver);
    hand_out(made, new query{*this, driver});
    return S_OK;
  });
}

}  // namespace aerogpu::d3d9

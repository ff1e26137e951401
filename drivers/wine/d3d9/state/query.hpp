// SPDX-License-Identifier: MIT
/// \file Queries.
#pragma once

#include "drivers/wine/d3d9/state/child.hpp"

namespace aerogpu::d3d9 {

/// Bytes of a query's result; 0 for a type that the API does not know.
[[nodiscard]] auto result_bytes(D3DQUERYTYPE type) -> DWORD;

class query final : public device_child<query, IDirect3DQuery9>, private renewable {
 public:
  query(device& of, const sim::d3d9_query& driver);

  [[nodiscard]] auto answers(const iid& wanted) const noexcept -> bool;
  D3DQUERYTYPE APIENTRY GetType() override { return driver_.type; }
  DWORD APIENTRY GetDataSize() override { return result_bytes(driver_.type); }
  HRESULT APIENTRY Issue(DWORD flags) override;
  HRESULT APIENTRY GetData(void* data, DWORD bytes, DWORD flags) override;

 private:
  ~query() override;
  [[nodiscard]] auto renew() -> HRESULT override;

  sim::d3d9_query driver_;
  bool is_issued_ = false;  ///< Since the driver's query was made.
};

}  // namespace aerogpu::d3d9

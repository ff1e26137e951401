// SPDX-License-Identifier: MIT
/// \file The fake driver's own objects.
#pragma once

#include "drivers/win7/ddi/user/d3dumddi.hpp"
#include "tests/drivers/umd/rigs/fake_umd.hpp"

#include <cstddef>
#include <vector>

namespace aerogpu::test {

struct fake_resource {
  HANDLE runtime = nullptr;
  std::vector<D3DKMT_HANDLE> allocations;  ///< Of each surface, or none.
  bool is_shared = false;                  ///< Made or opened as a shared one.
  D3DDDIARG_CREATERESOURCE description{};
  std::vector<D3DDDI_SURFACEINFO> surfaces;
  std::vector<std::vector<std::byte>> memory;  ///< By subresource.
};

struct fake_device {
  HANDLE runtime = nullptr;
  D3DDDI_DEVICECALLBACKS callbacks{};
  HANDLE context = nullptr;
  std::byte* commands = nullptr;
  UINT command_bytes = 0;
  D3DDDI_ALLOCATIONLIST* list = nullptr;
  UINT list_entries = 0;
  D3DKMT_HANDLE marker = 0;  ///< Listed in each submission.

  /// One small allocation by itself, or of a resource; 0 on failure.
  [[nodiscard]] auto allocate(HANDLE resource, UINT width, UINT height, bool is_shared,
                              bool is_primary) -> D3DKMT_HANDLE;
  auto free(D3DKMT_HANDLE allocation) -> HRESULT;
  auto free_resource(HANDLE resource) -> HRESULT;
  auto lock(D3DKMT_HANDLE allocation, UINT flags) -> HRESULT;
  auto unlock(D3DKMT_HANDLE allocation) -> HRESULT;
  [[nodiscard]] auto create_context() -> HRESULT;
  auto render() -> HRESULT;
};

/// Calls through the table that CreateDevice lent.
void call_back_through_kept_table(HANDLE runtime);

/// The entries that do something; all others are there and return S_OK.
void fill_device_table(D3DDDI_DEVICEFUNCS& table);

}  // namespace aerogpu::test

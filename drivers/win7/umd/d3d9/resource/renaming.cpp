// SPDX-License-Identifier: MIT
#include "drivers/win7/umd/d3d9/resource/renaming.hpp"

#include "aerogpu/core/check.hpp"
#include "drivers/win7/umd/d3d9/device/device.hpp"
#include "drivers/win7/umd/d3d9/resource/backing.hpp"
#include "drivers/win7/umd/d3d9/resource/copies/read_back.hpp"

#include <utility>

namespace aerogpu::umd {

namespace {

[[nodiscard]] auto is_free(device& on, fence_value last_use) noexcept -> bool {
  completion& done = on.commands.completion();
  return done.is_complete(last_use) || raw(done.poll(os::now_ns())) >= raw(last_use);
}

/// An allocation that nothing uses: an old one, or a new one while there are few. Null when there
/// is none, and `result` says why.
[[nodiscard]] auto find_idle_backing(device& on, resource& of, HRESULT& result) noexcept
    -> spare_memory* {
  for (spare_memory& spare : of.spares) {
    if (spare.backing && is_free(on, spare.last_use)) return &spare;
  }
  result = D3DERR_WASSTILLDRAWING;
  if (of.spares.size() >= most_spares) return nullptr;
  result = E_OUTOFMEMORY;
  if (!of.spares.reserve_more(1)) return nullptr;
  spare_memory made;
  result = allocate_backing(on, of, 0, made.backing);
  if (FAILED(result)) return nullptr;
  AEROGPU_CHECK(of.spares.push_back(std::move(made)));
  return &of.spares.back();
}

}  // namespace

auto renames_on_discard(const resource& of) noexcept -> bool {
  return of.flags.is_dynamic && !of.flags.is_shared && of.subresource_count() == 1;
}

auto rename_backing(device& on, resource& of, bool& is_renamed) noexcept -> HRESULT {
  is_renamed = false;
  if (of.is_mapped()) return E_FAIL;
  if (is_free(on, of.last_use)) return S_OK;
  HRESULT result = S_OK;
  spare_memory* const idle = find_idle_backing(on, of, result);
  if (idle == nullptr) {
    return result == D3DERR_WASSTILLDRAWING ? finish_use(on, of, true) : result;
  }
  std::swap(of.backing, idle->backing);
  idle->last_use = of.last_use;
  is_renamed = true;
  return S_OK;
}

void undo_renaming(resource& of, kernel_allocation before) noexcept {
  for (spare_memory& spare : of.spares) {
    if (spare.backing.allocation == before) return std::swap(of.backing, spare.backing);
  }
}

}  // namespace aerogpu::umd

// SPDX-License-Identifier: MIT
#include "drivers/win7/umd/d3d9/resource/texels/cpu_bytes.hpp"

#include "drivers/win7/umd/d3d9/device/device.hpp"
#include "drivers/win7/umd/d3d9/resource/backing.hpp"

namespace aerogpu::umd {

auto rows_in(const resource& of, std::byte* bytes, std::uint64_t subresource_index) noexcept
    -> row_target {
  if (of.contents == residence::caller) {
    const caller_memory& memory = of.system_memory[static_cast<std::size_t>(subresource_index)];
    return {memory.bytes, memory.row_pitch_bytes};
  }
  if (of.layout() == nullptr) return {bytes, of.size_bytes};
  const subresource_layout at = of.layout()->locate(of.layout()->at_index(subresource_index));
  return {bytes + at.offset_bytes, at.pitch_bytes};
}

cpu_bytes::~cpu_bytes() {
  if (is_locked_) device_.runtime.unlock(of_->backing.allocation);
}

auto cpu_bytes::map(resource& of, lock_access access) noexcept -> HRESULT {
  of_ = &of;
  switch (of.contents) {
    case residence::shadow: bytes_ = of.shadow.data(); return S_OK;
    case residence::caller: bytes_ = of.system_memory[0].bytes; return S_OK;
    case residence::host: return D3DERR_INVALIDCALL;
    case residence::guest: break;
  }
  if (of.is_mapped()) return E_FAIL;
  if (const HRESULT finished = finish_use(device_, of, true); FAILED(finished)) return finished;
  const HRESULT locked = device_.runtime.lock(of.backing.allocation, access, true, bytes_);
  is_locked_ = SUCCEEDED(locked);
  return locked;
}

auto cpu_bytes::rows(std::uint64_t subresource_index) const noexcept -> row_target {
  return rows_in(*of_, bytes_, subresource_index);
}

}  // namespace aerogpu::umd

// SPDX-License-Identifier: MIT
#include "drivers/win7/umd/d3d9/resource/backing.hpp"

#include "aerogpu/memory/alloc_private_data.hpp"
#include "drivers/win7/umd/d3d9/core/log.hpp"
#include "drivers/win7/umd/d3d9/device/device.hpp"
#include "drivers/win7/umd/d3d9/resource/changes.hpp"

#include <cstring>

namespace aerogpu::umd {

namespace {

once token_missing;

void describe_surface(alloc_private_data& data, const resource& of) noexcept {
  const texture_layout& layout = *of.layout();
  data.kind = AEROGPU_WDDM_ALLOC_KIND_TEXTURE2D;
  data.width = layout.shape().width;
  data.height = layout.shape().height;
  data.format = layout.format().dxgi;
  data.row_pitch_bytes = layout.locate({0, 0}).pitch_bytes;
  if (!of.flags.is_shared) return;
  const auto described = pack_description({of.format, data.width, data.height});
  if (described) data.reserved0 = *described;
}

[[nodiscard]] auto private_data_of(const resource& of, alloc_id id) noexcept -> alloc_private_data {
  alloc_private_data data{};
  data.magic = AEROGPU_WDDM_ALLOC_PRIV_MAGIC;
  data.version = AEROGPU_WDDM_ALLOC_PRIV_VERSION_3;
  data.alloc_id = raw(id);
  data.flags = of.flags.is_shared ? AEROGPU_WDDM_ALLOC_PRIV_FLAG_IS_SHARED
                                  : AEROGPU_WDDM_ALLOC_PRIV_FLAG_CPU_VISIBLE;
  if (of.flags.is_primary) data.flags |= AEROGPU_WDDM_ALLOC_PRIV_FLAG_PRIMARY;
  data.size_bytes = of.size_bytes;
  data.kind = AEROGPU_WDDM_ALLOC_KIND_BUFFER;
  data.resource_handle = raw(of.handle);
  if (of.layout() != nullptr) describe_surface(data, of);
  return data;
}

/// Allocations of a shared resource belong to the runtime's.
[[nodiscard]] auto owner_of(const resource& of) noexcept -> void* {
  return of.flags.is_shared || of.flags.is_standard ? of.runtime_handle : nullptr;
}

}  // namespace

auto allocate_backing(device& on, const resource& of, std::uint32_t vidpn_source,
                      guest_backing& out) noexcept -> HRESULT {
  const alloc_id id = on.adapter.ids.next();
  alloc_private_data data = private_data_of(of, id);
  guest_backing made{{}, id, {}, of.size_bytes};
  const HRESULT allocated = on.runtime.allocate({.private_data = mutable_bytes_of(data),
                                                 .runtime_resource = owner_of(of),
                                                 .is_primary = of.flags.is_primary,
                                                 .vidpn_source = vidpn_source},
                                                made.allocation);
  if (FAILED(allocated)) return allocated;
  made.token = share_token{data.share_token};
  if (of.flags.is_shared && made.token == share_token{}) {
    if (token_missing.is_first()) log_line{"shared surface came back without a share_token"};
    release_backing(on, of, made);
    return E_FAIL;
  }
  out = made;
  return S_OK;
}

auto write_private_data(const resource& of, mutable_bytes out) noexcept -> HRESULT {
  if (out.size() < sizeof(aerogpu_wddm_alloc_priv)) return E_INVALIDARG;
  std::memset(out.data(), 0, out.size());
  if (!of.backing) return S_OK;
  alloc_private_data data = private_data_of(of, of.backing.id);
  data.version = out.size() < sizeof(aerogpu_wddm_alloc_priv_v2)
                     ? AEROGPU_WDDM_ALLOC_PRIV_VERSION
                     : AEROGPU_WDDM_ALLOC_PRIV_VERSION_2;
  data.share_token = raw(of.backing.token);
  return write_alloc_private_data(out, data) ? S_OK : E_FAIL;
}

void release_backing(device& on, const resource& of, guest_backing& memory) noexcept {
  if (memory.allocation != kernel_allocation{}) {
    on.runtime.deallocate(memory.allocation, owner_of(of));
  }
  memory = {};
}

auto require_allocation(device& on, resource& of) noexcept -> HRESULT {
  if (of.backing) return S_OK;
  if (of.handle == resource_handle{} || of.is_narrow()) return D3DERR_INVALIDCALL;
  return allocate_backing(on, of, 0, of.backing);
}

auto zero_backing(device& on, const resource& of) noexcept -> HRESULT {
  const guest_backing& memory = of.backing;
  std::byte* bytes = nullptr;
  const HRESULT locked = on.runtime.lock(memory.allocation, lock_access::write, true, bytes);
  if (FAILED(locked)) return locked;
  std::memset(bytes, 0, static_cast<std::size_t>(memory.size_bytes));
  make_opaque(of, bytes, {0, of.size_bytes});
  on.runtime.unlock(memory.allocation);
  return S_OK;
}

auto finish_use(device& on, const resource& of, bool may_wait) noexcept -> HRESULT {
  completion& done = on.commands.completion();
  if (raw(of.last_use) > raw(done.submitted())) {
    if (const HRESULT submitted = on.commands.submit(); FAILED(submitted)) return submitted;
  }
  const bool is_finished = may_wait ? done.wait(of.last_use, completion::idle_limit_ns)
                                    : raw(done.poll(os::now_ns())) >= raw(of.last_use);
  return is_finished ? S_OK : D3DERR_WASSTILLDRAWING;
}

}  // namespace aerogpu::umd

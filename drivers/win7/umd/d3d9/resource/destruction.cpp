// SPDX-License-Identifier: MIT
#include "drivers/win7/umd/d3d9/resource/destruction.hpp"

#include "drivers/win7/umd/d3d9/device/device.hpp"
#include "drivers/win7/umd/d3d9/resource/backing.hpp"
#include "drivers/win7/umd/d3d9/state/setters.hpp"
#include "drivers/win7/umd/d3d9/submit/emit.hpp"

#include <memory>

namespace aerogpu::umd {

namespace {

void destroy_on_host(device& on, resource& gone) noexcept {
  if (gone.handle == resource_handle{}) return;
  for (const subresource_view& view : gone.views) {
    static_cast<void>(emit<aerogpu_cmd_destroy_texture_view>(
        on.commands, [&](auto& packets) { return packets.destroy_texture_view(view.handle); }));
  }
  static_cast<void>(emit<aerogpu_cmd_destroy_resource>(
      on.commands, [&](auto& packets) { return packets.destroy_resource(gone.handle); }));
}

[[nodiscard]] auto has_allocation(const resource& of) noexcept -> bool {
  if (of.backing) return true;
  for (const spare_memory& spare : of.spares) {
    if (spare.backing) return true;
  }
  return false;
}

}  // namespace

void release_memory(device& on, resource& of) noexcept {
  for (const held_lock& lock : of.locks) {
    if (lock.allocation != nullptr) on.runtime.unlock(of.backing.allocation);
  }
  of.locks.clear();
  for (spare_memory& spare : of.spares) release_backing(on, of, spare.backing);
  of.spares.clear();
  release_backing(on, of, of.backing);
}

auto destroy_resource(device& on, resource* gone) noexcept -> HRESULT {
  if (gone == nullptr) return E_INVALIDARG;
  const std::unique_ptr<resource> owned{gone};
  if (gone->is_mapped()) {
    on.runtime.unlock(gone->backing.allocation);
    gone->locks.clear();
  }
  unbind_resource(on, *gone);
  destroy_on_host(on, *gone);
  // What was recorded may name the allocations; a host that is lost has forgotten them.
  if (has_allocation(*gone)) static_cast<void>(on.commands.submit());
  release_memory(on, *gone);
  on.swap_chains.forget(*gone);
  on.resources.remove(*gone);
  return S_OK;
}

void destroy_resources(device& on) noexcept {
  while (resource* const left = on.resources.first()) {
    static_cast<void>(destroy_resource(on, left));
  }
  on.resources.blits.destroy(on);
  on.resources.read_back.destroy(on);
}

}  // namespace aerogpu::umd

// SPDX-License-Identifier: MIT
#include "drivers/win7/umd/d3d9/resource/renaming.hpp"

#include "drivers/win7/umd/d3d9/core/device.hpp"
#include "drivers/win7/umd/d3d9/resource/backing.hpp"
#include "drivers/win7/umd/d3d9/resource/changes.hpp"
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
  spare_memory made;
  result = allocate_backing(on, of, 0, made.backing);
  if (FAILED(result)) return nullptr;
  if (of.spares.push_back(std::move(made))) return &of.spares.back();
  release_backing(on, of, made.backing);
  result = E_OUTOFMEMORY;
  return nullptr;
}

[[nodiscard]] auto find_promise(resource& of, std::uintptr_t cookie) noexcept -> spare_memory* {
  for (spare_memory& spare : of.spares) {
    const auto name = reinterpret_cast<std::uintptr_t>(spare.shadow.data());
    if (spare.is_promised && name == cookie) return &spare;
  }
  return nullptr;
}

/// A shadow that nobody has: one that a Rename left, or a new one.
[[nodiscard]] auto take_shadow(resource& of) noexcept -> spare_memory* {
  for (spare_memory& spare : of.spares) {
    if (!spare.is_promised && !spare.shadow.empty()) return &spare;
  }
  if (of.spares.size() >= most_spares) return nullptr;
  spare_memory made;
  if (!made.shadow.resize(static_cast<std::size_t>(of.size_bytes))) return nullptr;
  return of.spares.push_back(std::move(made)) ? &of.spares.back() : nullptr;
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

auto lock_async(device&, resource& of, const async_lock_request& request,
                async_lock_answer& out) noexcept -> HRESULT {
  out = {};
  const bool has_shadow =
      of.contents == residence::shadow || (of.contents == residence::host && of.flags.is_lockable);
  if (!has_shadow || !renames_on_discard(of)) return E_NOTIMPL;
  if (!request.where.discards && !request.where.overwrites_nothing) return E_NOTIMPL;
  located_range where;
  if (const HRESULT bad = locate_request(of, request.where, where); FAILED(bad)) return bad;
  std::byte* bytes = nullptr;
  if (request.where.discards) {
    spare_memory* const taken = take_shadow(of);
    if (taken == nullptr) return D3DERR_WASSTILLDRAWING;
    taken->is_promised = true;
    bytes = taken->shadow.data();
    out.cookie = reinterpret_cast<std::uintptr_t>(bytes);
  } else {
    if (!of.locks.empty()) return E_FAIL;
    if (const HRESULT made = require_shadow(of); FAILED(made)) return made;
    held_lock held{};
    held.subresource = request.where.subresource;
    held.changed = where.bytes;
    if (!of.locks.push_back(held)) return E_OUTOFMEMORY;
    bytes = of.shadow.data();
  }
  out.memory = {bytes + where.offset, where.row_pitch_bytes, where.slice_pitch_bytes};
  return S_OK;
}

auto unlock_async(device& on, resource& of, std::uint32_t subresource) noexcept -> HRESULT {
  if (!of.locks.empty()) return unlock_resource(on, of, subresource);
  for (const spare_memory& spare : of.spares) {
    if (spare.is_promised) return S_OK;
  }
  return E_INVALIDARG;
}

auto rename(device& on, resource& of, std::uintptr_t cookie) noexcept -> HRESULT {
  spare_memory* const promised = cookie != 0 ? find_promise(of, cookie) : nullptr;
  if (promised == nullptr) return E_INVALIDARG;
  if (const HRESULT made = require_shadow(of); FAILED(made)) return made;
  std::swap(of.shadow, promised->shadow);
  promised->is_promised = false;
  of.is_host_newer = false;
  const byte_range all{0, of.size_bytes};
  make_opaque(of, of.shadow.data(), all);
  return send_changes(on, of, all);
}

}  // namespace aerogpu::umd

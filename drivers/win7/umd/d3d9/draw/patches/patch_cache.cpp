// SPDX-License-Identifier: MIT
#include "drivers/win7/umd/d3d9/draw/patches/patch_cache.hpp"

#include "aerogpu/hosted/heap_pointer.hpp"

#include <algorithm>
#include <cstring>
#include <utility>

namespace aerogpu::umd {

auto patch::size_bytes() const noexcept -> std::size_t {
  return elements.size() * sizeof(D3DVERTEXELEMENT9) + control_points.size() + vertices.size() +
         indices.size() * sizeof(std::uint16_t);
}

auto patch::has_elements(std::span<const D3DVERTEXELEMENT9> others) const noexcept -> bool {
  return elements.size() == others.size() &&
         std::memcmp(elements.data(), others.data(), others.size_bytes()) == 0;
}

auto patch::tessellate(const patch_shape& wanted) noexcept -> HRESULT {
  shape = wanted;
  const std::size_t vertex_bytes = std::size_t{wanted.vertex_count()} * stride_bytes;
  const std::size_t index_count = std::size_t{wanted.triangle_count()} * 3;
  if (!vertices.resize(vertex_bytes) || !indices.resize(index_count)) {
    vertices.clear();
    indices.clear();
    return E_OUTOFMEMORY;
  }
  write_patch_vertices(wanted, elements.view(), control_points.view(), stride_bytes,
                       vertices.view());
  write_patch_indices(wanted, indices.view());
  return S_OK;
}

auto patch_cache::find(std::uint32_t handle) noexcept -> patch* {
  if (handle == 0) return nullptr;
  for (entry& each : entries_) {
    if (each.handle != handle) continue;
    each.last_use = ++uses_;
    return each.made.get();
  }
  return nullptr;
}

auto patch_cache::add(std::uint32_t handle) noexcept -> patch* {
  if (handle == 0) return &unnamed_;
  auto made = make_heap<patch>();
  if (made == nullptr) return nullptr;
  patch* const added = made.get();
  return entries_.push_back({handle, ++uses_, std::move(made)}) ? added : nullptr;
}

void patch_cache::trim(const patch* kept) noexcept {
  std::size_t bytes = 0;
  for (const entry& each : entries_) bytes += each.made->size_bytes();
  while (entries_.size() > most_patches || bytes > most_bytes) {
    entry* oldest = nullptr;
    for (entry& each : entries_) {
      if (each.made.get() == kept) continue;
      if (oldest == nullptr || each.last_use < oldest->last_use) oldest = &each;
    }
    if (oldest == nullptr) return;
    bytes -= oldest->made->size_bytes();
    entries_.erase(static_cast<std::size_t>(oldest - entries_.begin()));
  }
}

void patch_cache::remove(std::uint32_t handle) noexcept {
  entries_.erase_if([handle](const entry& each) { return each.handle == handle; });
}

}  // namespace aerogpu::umd

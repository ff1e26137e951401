// SPDX-License-Identifier: MIT
#include "drivers/win7/umd/d3d9/submit/marker_ring.hpp"

#include "aerogpu/memory/alloc_private_data.hpp"

#include <algorithm>

namespace aerogpu::umd {

namespace {

constexpr std::uint64_t marker_bytes = 4096;  // A page, the least that memory comes in.

auto allocate_marker(runtime& runtime, alloc_id id, kernel_allocation& out) noexcept -> HRESULT {
  alloc_private_data data{};
  data.magic = AEROGPU_WDDM_ALLOC_PRIV_MAGIC;
  data.version = AEROGPU_WDDM_ALLOC_PRIV_VERSION_3;
  data.alloc_id = raw(id);
  data.flags = AEROGPU_WDDM_ALLOC_PRIV_FLAG_CPU_VISIBLE;
  data.size_bytes = marker_bytes;
  data.kind = AEROGPU_WDDM_ALLOC_KIND_BUFFER;
  return runtime.allocate({.private_data = mutable_bytes_of(data)}, out);
}

}  // namespace

auto marker_ring::start(runtime& runtime, alloc_ids& ids) noexcept -> HRESULT {
  for (kernel_allocation& marker : markers_) {
    const HRESULT allocated = allocate_marker(runtime, ids.next(), marker);
    if (SUCCEEDED(allocated)) continue;
    stop(runtime);
    return allocated;
  }
  return S_OK;
}

void marker_ring::stop(runtime& runtime) noexcept {
  for (kernel_allocation& marker : markers_) {
    if (marker != kernel_allocation{}) runtime.deallocate(marker, nullptr);
    marker = {};
  }
}

auto marker_ring::poll(runtime& runtime, fence_value completed, fence_value submitted,
                       HRESULT& loss_out) const noexcept -> fence_value {
  const auto is_free = [&](std::uint64_t fence) {
    const kernel_allocation marker = marker_of(fence_value{fence});
    std::byte* ignored = nullptr;
    if (marker == kernel_allocation{}) return false;
    const HRESULT locked = runtime.lock(marker, lock_access::read, false, ignored);
    if (locked == D3DERR_DEVICEREMOVED) loss_out = locked;
    if (FAILED(locked)) return false;
    runtime.unlock(marker);
    return true;
  };
  // Completion is in order: halve the range, the newest first, because often all is done.
  std::uint64_t done = raw(completed);
  std::uint64_t busy = raw(submitted) + 1;
  if (busy - done > slots) done = std::max(done, busy - 1 - slots);
  const std::uint64_t known = done;
  for (std::uint64_t asked = raw(submitted); asked > done; asked = done + (busy - done) / 2) {
    (is_free(asked) ? done : busy) = asked;
  }
  return done == known ? completed : fence_value{done};
}

}  // namespace aerogpu::umd

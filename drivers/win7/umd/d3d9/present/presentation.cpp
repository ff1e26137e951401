// SPDX-License-Identifier: MIT
#include "drivers/win7/umd/d3d9/present/presentation.hpp"

#include "drivers/win7/umd/d3d9/core/os.hpp"
#include "drivers/win7/umd/d3d9/trace/tracer.hpp"

#include <algorithm>

namespace aerogpu::umd {

auto presentation::statistics() const noexcept -> present_statistics {
  return {.present_count = count(),
          .present_refresh_count = count(),
          .sync_refresh_count = count(),
          .sync_ticks = last_ticks_};
}

void presentation::note_present() noexcept {
  last_ticks_ = os::ticks();
  trace::note_present(count_.fetch_add(1) + 1);
}

auto presentation::set_portable_latency(std::uint32_t frames) noexcept -> HRESULT {
  if (frames == 0) return E_INVALIDARG;
  static_cast<void>(latency.set_maximum(std::min(frames, most_portable_latency)));
  return S_OK;
}

void presentation::set_gpu_priority(std::int32_t priority) noexcept {
  gpu_priority_ = std::clamp(priority, -most_gpu_priority, most_gpu_priority);
}

}  // namespace aerogpu::umd

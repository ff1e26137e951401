#include "drivers/win7/umd/d3d9/query/query.hpp"

#include "drivers/win7/umd/d3d9/core/device.hpp"

namespace aerogpu::umd {

auto event_query::issue(device& on) noexcept -> HRESULT {
  const bool has_work = !on.commands.is_empty();
  const fence_value fence = on.commands.pending_fence();
  stage_.store(stage::unused, std::memory_order_release);
  if (const HRESULT submitted = on.commands.submit(); FAILED(submitted)) return submitted;
  fence_.store(raw(fence));
  epoch_.store(on.queries.now(), std::memory_order_relaxed);
  stage_.store(has_work ? stage::issued : stage::published, std::memory_order_release);
  return S_OK;
}

auto event_query::ask(device& on) const noexcept -> HRESULT {
  if (const HRESULT lost = on.loss.code(); FAILED(lost)) return lost;
  const stage now = stage_.load(std::memory_order_acquire);
  if (now == stage::unused) return S_FALSE;
  const bool is_published =
      now == stage::published || epoch_.load(std::memory_order_relaxed) != on.queries.now();
  if (!is_published) return S_FALSE;
  completion& fences = on.commands.completion();
  const fence_value wanted{fence_.load()};
  if (fences.is_complete(wanted)) return S_OK;
  return raw(fences.poll(os::now_ns())) >= raw(wanted) ? S_OK : S_FALSE;
}

}  // namespace aerogpu::umd

// SPDX-License-Identifier: MIT
#include "drivers/win7/umd/d3d9/query/query.hpp"

#include "drivers/win7/umd/d3d9/device/device.hpp"

#include <memory>
#include <new>

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
  if (on.mutex.try_lock()) {
    static_cast<void>(fences.poll(os::now_ns()));
    on.mutex.unlock();
  }
  if (fences.is_complete(wanted)) return S_OK;
  const HRESULT lost = on.loss.code();  // The kernel may have said so just now.
  return FAILED(lost) ? lost : S_FALSE;
}

auto create_query(device& on, event_query*& out) noexcept -> HRESULT {
  out = new (std::nothrow) event_query;
  if (out == nullptr) return E_OUTOFMEMORY;
  on.event_queries.insert(*out);
  return S_OK;
}

auto destroy_query(device& on, event_query* destroyed) noexcept -> HRESULT {
  if (destroyed == nullptr) return E_INVALIDARG;
  const std::unique_ptr<event_query> owned{destroyed};
  on.event_queries.remove(*destroyed);
  return S_OK;
}

}  // namespace aerogpu::umd

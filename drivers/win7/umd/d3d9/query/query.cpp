// SPDX-License-Identifier: MIT
#include "drivers/win7/umd/d3d9/query/query.hpp"

#include "drivers/win7/umd/d3d9/device/device.hpp"

#include <memory>
#include <new>

namespace aerogpu::umd {

auto event_query::issue(device& on, shown_by how) noexcept -> HRESULT {
  const bool has_work = !on.commands.is_empty();
  const fence_value fence = on.commands.pending_fence();
  stage_.store(stage::unused, std::memory_order_release);
  if (const HRESULT submitted = on.commands.submit(); FAILED(submitted)) return submitted;
  fence_.store(raw(fence));
  epoch_.store(on.queries.now(), std::memory_order_relaxed);
  const stage with_work = how == shown_by::flush ? stage::issued : stage::unasked;
  stage_.store(has_work ? with_work : stage::shown, std::memory_order_release);
  return S_OK;
}

auto event_query::is_shown(device& on) noexcept -> bool {
  stage now = stage_.load(std::memory_order_acquire);
  if (now == stage::unused || now == stage::shown) return now == stage::shown;
  if (epoch_.load(std::memory_order_relaxed) != on.queries.now()) return true;
  if (raw(on.commands.completion().submitted()) > fence_.load()) return true;
  if (now == stage::unasked) stage_.compare_exchange_strong(now, stage::shown);
  return false;
}

auto event_query::ask(device& on) noexcept -> HRESULT {
  if (const HRESULT lost = on.loss.code(); FAILED(lost)) return lost;
  if (!is_shown(on)) return S_FALSE;
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

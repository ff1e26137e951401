// SPDX-License-Identifier: MIT
#include "drivers/sim/runtime/callbacks/callback_faults.hpp"

#include <array>
#include <cstddef>

namespace aerogpu::sim {
namespace {

struct callback_facts {
  const char* name;
  HRESULT failure;  ///< What Windows gives when it has to refuse.
};
constexpr std::array callbacks{
    callback_facts{"AllocateCb", E_OUTOFMEMORY},
    callback_facts{"DeallocateCb", E_INVALIDARG},
    callback_facts{"SetPriorityCb", E_INVALIDARG},
    callback_facts{"QueryResidencyCb", E_INVALIDARG},
    callback_facts{"SetDisplayModeCb", E_FAIL},
    callback_facts{"PresentCb", D3DERR_DEVICEREMOVED},
    callback_facts{"RenderCb", D3DERR_DEVICEREMOVED},
    callback_facts{"LockCb", E_OUTOFMEMORY},
    callback_facts{"UnlockCb", E_INVALIDARG},
    callback_facts{"EscapeCb", E_INVALIDARG},
    callback_facts{"CreateOverlayCb", D3DERR_NOTAVAILABLE},
    callback_facts{"UpdateOverlayCb", D3DERR_NOTAVAILABLE},
    callback_facts{"FlipOverlayCb", D3DERR_NOTAVAILABLE},
    callback_facts{"DestroyOverlayCb", D3DERR_NOTAVAILABLE},
    callback_facts{"CreateContextCb", E_OUTOFMEMORY},
    callback_facts{"DestroyContextCb", E_INVALIDARG},
    callback_facts{"CreateSynchronizationObjectCb", E_OUTOFMEMORY},
    callback_facts{"DestroySynchronizationObjectCb", E_INVALIDARG},
    callback_facts{"WaitForSynchronizationObjectCb", E_INVALIDARG},
    callback_facts{"SignalSynchronizationObjectCb", E_INVALIDARG},
    callback_facts{"SetAsyncCallbacksCb", E_FAIL},
    callback_facts{"SetDisplayPrivateDriverFormatCb", E_INVALIDARG},
    callback_facts{"QueryAdapterInfoCb", E_INVALIDARG},
    callback_facts{"GetMultisampleMethodListCb", E_INVALIDARG},
    callback_facts{"SubmitCommandCb", D3DERR_DEVICEREMOVED},
    callback_facts{"GetCommandBufferCb", E_OUTOFMEMORY},
    callback_facts{"CreateDeviceCb", E_OUTOFMEMORY},
    callback_facts{"DestroyDeviceCb", E_INVALIDARG},
    callback_facts{"SetErrorCb", E_INVALIDARG},
};

[[nodiscard]] auto facts_of(callback which) -> const callback_facts& {
  return callbacks[static_cast<std::size_t>(which)];
}

}  // namespace

auto callback_name(callback which) -> const char* {
  return facts_of(which).name;
}

void callback_faults::fail(std::uint32_t nth, std::optional<HRESULT> result) {
  result_ = result;
  only_ = std::nullopt;
  count_ = 0;
  nth_ = nth;
}

void callback_faults::fail_one_of(callback which, std::uint32_t nth, HRESULT result) {
  fail(nth, result);
  only_ = which;
}

auto callback_faults::next(callback which) -> std::optional<HRESULT> {
  if (only_ && *only_ != which) return std::nullopt;
  if (++count_ != nth_.load()) return std::nullopt;
  return result_.value_or(facts_of(which).failure);
}

}  // namespace aerogpu::sim

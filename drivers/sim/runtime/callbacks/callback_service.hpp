// SPDX-License-Identifier: MIT
/// \file What every callback begins with: whose it is, whether it may come now, whether it is to
/// fail.
#pragma once

#include "drivers/sim/runtime/ddi/ddi_device.hpp"
#include "drivers/sim/runtime/ddi/ddi_scope.hpp"
#include "drivers/sim/runtime/tokens.hpp"

#include <optional>

namespace aerogpu::sim {

/// Where a breach with a handle like that belongs. Without any the test cannot go on.
[[nodiscard]] auto rules_for(HANDLE token) -> contract&;

/// A callback that may be carried out, or `refusal`.
struct admitted_callback {
  ddi_device* device = nullptr;
  std::optional<HRESULT> failure;  ///< A release is carried out all the same.
  HRESULT refusal = E_INVALIDARG;
};
/// `token` names the device, or a context of it. The device is nullptr when it must not be served.
[[nodiscard]] auto admit_callback(HANDLE token, callback which, const void* arguments)
    -> admitted_callback;

/// `act(device)` carries it out.
template <class Act>
[[nodiscard]] auto serve_callback(HANDLE token, callback which, const void* arguments, Act&& act)
    -> HRESULT {
  const callback_scope here;
  const auto admitted = admit_callback(token, which, arguments);
  if (admitted.device == nullptr) return admitted.refusal;
  const HRESULT result = act(*admitted.device);
  return admitted.failure.value_or(result);
}

}  // namespace aerogpu::sim

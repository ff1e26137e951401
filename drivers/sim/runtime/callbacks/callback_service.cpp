// SPDX-License-Identifier: MIT
#include "drivers/sim/runtime/callbacks/callback_service.hpp"

#include <cstdio>
#include <cstdlib>
#include <string>

namespace aerogpu::sim {
namespace {

/// Frees something: does it even when it is to fail.
[[nodiscard]] auto is_release(callback which) -> bool {
  return which == callback::deallocate || which == callback::unlock ||
         which == callback::destroy_context || which == callback::destroy_device ||
         which == callback::destroy_synchronization_object;
}

}  // namespace

auto rules_for(HANDLE token) -> contract& {
  const auto meaning = find_token(token);
  if (meaning.rules != nullptr) return *meaning.rules;
  if (const auto* const call = ddi_scope::innermost(); call != nullptr) return call->rules();
  std::fputs("a callback came from outside of any entry point, with a handle of nobody\n", stderr);
  std::abort();
}

auto admit_callback(HANDLE token, callback which, const void* arguments) -> admitted_callback {
  const auto refuse = [&](contract_rule rule, const char* what) {
    rules_for(token).record(rule, std::string{callback_name(which)} + ": " + what);
    return admitted_callback{};
  };
  auto* const device = find_token(token).device;
  if (device == nullptr)
    return refuse(contract_rule::stray_callback, "for a device that there is not");
  if (!device->may_call_back())
    return refuse(contract_rule::stray_callback, "from outside of the device's entries");
  if (arguments == nullptr) return refuse(contract_rule::bad_argument, "without a structure");
  const auto failure = device->process().runtime.faults.next(which);
  if (failure && !is_release(which)) return {nullptr, std::nullopt, *failure};
  return {device, failure, S_OK};
}

}  // namespace aerogpu::sim

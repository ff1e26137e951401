// SPDX-License-Identifier: MIT
/// \file Work under the interrupt lock, from whatever IRQL it comes.
#pragma once

#include "drivers/win7/kmd/adapter/adapter.hpp"
#include "drivers/win7/kmd/system/os.hpp"

namespace aerogpu::kmd {

/// Runs `work()` under the interrupt lock. Above DISPATCH the caller holds it: dxgkrnl calls there
/// out of the interrupt routine alone. When SynchronizeExecution refuses, the work is done all the
/// same: what Windows asked for must not be lost.
template <class Work>
void under_interrupt_lock(adapter& adapter, Work&& work) noexcept {
  bool is_done = false;
  auto once = [&] {
    work();
    is_done = true;
  };
  if (os::current_irql() <= os::dispatch_level) static_cast<void>(at_dirql(adapter, once));
  if (!is_done) work();
}

}  // namespace aerogpu::kmd

// SPDX-License-Identifier: MIT
/// \file What ISR and driver share under the interrupt lock: the enable mask and its register.
#pragma once

#include "aerogpu/abi/mmio.h"
#include "drivers/win7/ddi/ddi.hpp"

#include <cstdint>

namespace aerogpu::kmd {

class adapter;

/// IRQ_ENABLE and its shadow. All members: interrupt lock (ISR or inside `at_dirql`).
class interrupt_mask {
 public:
  /// Sets and clears bits, and writes IRQ_ENABLE when `writes_register`; while the device is off
  /// only the wish is kept.
  void change(adapter& adapter, std::uint32_t set, std::uint32_t clear) noexcept;
  [[nodiscard]] auto enabled() const noexcept -> std::uint32_t { return shadow_; }

 private:
  std::uint32_t shadow_ = 0;
};

/// DxgkDdiInterruptRoutine: kmd.md 3.9 in its order. DIRQL. Touches only the interrupt block.
[[nodiscard]] auto on_interrupt(adapter& adapter) noexcept -> bool;
/// DxgkDdiDpcRoutine. DISPATCH.
void on_dpc(adapter& adapter) noexcept;

}  // namespace aerogpu::kmd

// SPDX-License-Identifier: MIT
/// \file The runtime's own handles: numbers that are no addresses, and never come again.
#pragma once

#include "drivers/sim/runtime/ddi/contract.hpp"
#include "drivers/win7/ddi/user/d3dumddi.hpp"

namespace aerogpu::sim {

class ddi_adapter;
class ddi_device;

/// What a callback's handle means. `rules` is nullptr for a number that was never handed out.
struct token_meaning {
  ddi_adapter* adapter = nullptr;  ///< nullptr: not an adapter, or gone.
  ddi_device* device = nullptr;
  contract* rules = nullptr;
};

/// Any thread. A contract outlives its tokens' use by a driver; `forget` ends that.
[[nodiscard]] auto new_token(contract& rules) -> HANDLE;
void bind_token(HANDLE token, ddi_adapter* adapter, ddi_device* device);
[[nodiscard]] auto find_token(HANDLE token) -> token_meaning;
/// The contract is gone: its tokens mean nothing from now on.
void forget_tokens(const contract& rules);

}  // namespace aerogpu::sim

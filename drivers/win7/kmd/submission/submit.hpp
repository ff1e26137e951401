// SPDX-License-Identifier: MIT
/// \file Patch and SubmitCommand: the last addresses of a DMA buffer, and its way into the queue.
#pragma once

#include "drivers/win7/ddi/ddi.hpp"

namespace aerogpu::kmd {

class adapter;

/// Writes the addresses that dxgkrnl lists into the table. Any subset, any number of times.
/// PASSIVE, scheduler class.
void patch(adapter& adapter, const DXGKARG_PATCH& args) noexcept;

/// Queues the buffer. What carries no record of ours, or offsets that Render never made, completes
/// as empty [K-04]. DISPATCH, scheduler class.
void submit_command(adapter& adapter, const DXGKARG_SUBMITCOMMAND& args) noexcept;

}  // namespace aerogpu::kmd

// SPDX-License-Identifier: MIT
/// \file DxgkDdiRender: a user-mode command buffer becomes a DMA buffer (kmd.md 2.6, 3.3, 3.6).
#pragma once

#include "aerogpu/core/ids.hpp"
#include "drivers/win7/ddi/ddi.hpp"
#include "drivers/win7/kmd/submission/render_scratch.hpp"

namespace aerogpu::kmd {

class adapter;

/// Copies and checks the stream, builds and pre-patches the table, lists the patches, leaves the
/// record. PASSIVE; one call at a time for one scratch.
/// STATUS_GRAPHICS_INSUFFICIENT_DMA_BUFFER: a whole-packet prefix was taken, `MultipassOffset` says
/// how much; else STATUS_INVALID_PARAMETER, and nothing may be submitted.
[[nodiscard]] auto render(adapter& adapter, context_id context, render_scratch& scratch,
                          DXGKARG_RENDER& args) noexcept -> NTSTATUS;

}  // namespace aerogpu::kmd

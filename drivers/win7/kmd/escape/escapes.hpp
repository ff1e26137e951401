// SPDX-License-Identifier: MIT
/// \file Escapes: questions and requests of the project's own tools (kmd.md 3.21).
#pragma once

#include "aerogpu/core/bytes.hpp"
#include "drivers/win7/ddi/ddi.hpp"

namespace aerogpu::kmd {

class adapter;

/// Answers in place: `buffer` is dxgkrnl's copy, which goes back to the caller. BUFFER_TOO_SMALL
/// below the operation's size; NOT_SUPPORTED for an unknown version or operation, and for a gated
/// one that is not allowed, with nothing written. While the device is off, answers come from what
/// the driver knows. PASSIVE, any thread.
[[nodiscard]] auto run_escape(adapter& adapter, mutable_bytes buffer) noexcept -> NTSTATUS;

}  // namespace aerogpu::kmd

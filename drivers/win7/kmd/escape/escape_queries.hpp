// SPDX-License-Identifier: MIT
/// \file Escapes that ask: device, fences, ring, vertical blank, scanout, cursor, counters, errors.
#pragma once

#include "aerogpu/core/bytes.hpp"
#include "drivers/win7/ddi/ddi.hpp"

namespace aerogpu::kmd {

class adapter;

// Precondition of each: the buffer has the operation's least size (escapes.cpp). PASSIVE.

[[nodiscard]] auto query_device(adapter& adapter, mutable_bytes buffer) noexcept -> NTSTATUS;
[[nodiscard]] auto query_device_v2(adapter& adapter, mutable_bytes buffer) noexcept -> NTSTATUS;
[[nodiscard]] auto query_fence(adapter& adapter, mutable_bytes buffer) noexcept -> NTSTATUS;
[[nodiscard]] auto dump_ring(adapter& adapter, mutable_bytes buffer) noexcept -> NTSTATUS;
[[nodiscard]] auto dump_ring_v2(adapter& adapter, mutable_bytes buffer) noexcept -> NTSTATUS;
[[nodiscard]] auto dump_allocations(adapter& adapter, mutable_bytes buffer) noexcept -> NTSTATUS;
[[nodiscard]] auto query_vblank(adapter& adapter, mutable_bytes buffer) noexcept -> NTSTATUS;
[[nodiscard]] auto query_scanout(adapter& adapter, mutable_bytes buffer) noexcept -> NTSTATUS;
[[nodiscard]] auto query_cursor(adapter& adapter, mutable_bytes buffer) noexcept -> NTSTATUS;
[[nodiscard]] auto query_perf(adapter& adapter, mutable_bytes buffer) noexcept -> NTSTATUS;
[[nodiscard]] auto query_error(adapter& adapter, mutable_bytes buffer) noexcept -> NTSTATUS;

}  // namespace aerogpu::kmd

// SPDX-License-Identifier: MIT
/// \file Devices and contexts: what hDevice and hContext point to (kmd.md 2.4).
#pragma once

#include "aerogpu/core/ids.hpp"
#include "drivers/win7/ddi/ddi.hpp"
#include "drivers/win7/kmd/memory/process_counts.hpp"
#include "drivers/win7/kmd/submission/render_scratch.hpp"

#include <cstdint>

namespace aerogpu::kmd {

class adapter;

/// Contexts of one process at once: an eighth of those that a host keeps by default.
inline constexpr std::uint32_t max_process_contexts = 128;

/// A process that draws.
class device {
 public:
  device(kmd::adapter& owner, HANDLE os_handle) noexcept : adapter(owner), handle(os_handle) {}

  kmd::adapter& adapter;
  HANDLE handle;  ///< dxgkrnl's.
};

/// A stream of command buffers of one device. Work in flight names it by its id alone.
class context {
 public:
  context(kmd::device& owner, context_id number, process_counts::line counted) noexcept
      : device(owner), id(number), maker(counted) {}

  kmd::device& device;
  context_id id;               ///< Never 0; the host's pipeline state goes by it.
  process_counts::line maker;  ///< Of the adapter's contexts.
  render_scratch scratch;
};

// All: PASSIVE, any thread.
[[nodiscard]] auto create_device(adapter& adapter, DXGKARG_CREATEDEVICE& args) noexcept -> NTSTATUS;
void destroy_device(device& device) noexcept;
/// STATUS_INVALID_PARAMETER for another node than 0; STATUS_NO_MEMORY for a process that has
/// max_process_contexts.
[[nodiscard]] auto create_context(device& device, DXGKARG_CREATECONTEXT& args) noexcept -> NTSTATUS;
void destroy_context(context& context) noexcept;

}  // namespace aerogpu::kmd

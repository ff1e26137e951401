// SPDX-License-Identifier: MIT
/// \file The buffers of a submission as runtimes of profile U lend them.
#pragma once

#include "aerogpu/abi/win7_dma.h"
#include "drivers/win7/ddi/portable/portable_ddi.hpp"
#include "drivers/win7/umd/d3d9/submit/runtime.hpp"

#include <cstddef>
#include <cstdint>

namespace aerogpu::umd::front_u {

namespace u = d3d9ddi_u;

/// Bytes of AEROGPU_DMA_PRIV: all that the driver uses of a DMA buffer's private data.
inline constexpr std::uint32_t private_bytes = AEROGPU_WIN7_DMA_BUFFER_PRIVATE_DATA_SIZE_BYTES;

struct submission_buffers {
  void* commands = nullptr;
  std::uint32_t command_bytes = 0;
  u::D3DDDI_ALLOCATIONLIST* list = nullptr;
  std::uint32_t list_entries = 0;
  u::D3DDDI_PATCHLOCATIONLIST* patches = nullptr;  ///< Passed on, never filled.
  std::uint32_t patch_entries = 0;
  void* private_data = nullptr;
  std::uint32_t private_data_bytes = 0;

  /// Whether packets and allocations have a place.
  [[nodiscard]] auto can_record() const noexcept -> bool {
    return commands != nullptr && command_bytes != 0 && list != nullptr && list_entries != 0;
  }
  /// Whether the kernel driver would learn what kind of work it is.
  [[nodiscard]] auto can_submit() const noexcept -> bool {
    return private_data != nullptr && private_data_bytes >= private_bytes;
  }
  [[nodiscard]] auto is_complete() const noexcept -> bool { return can_record() && can_submit(); }
  [[nodiscard]] auto space() const noexcept -> recording_space {
    if (!can_record()) return {};
    return {static_cast<std::byte*>(commands), command_bytes, list_entries};
  }
};

/// What a command buffer holds that lies within a DMA buffer: all of it where a pointer is missing
/// or does not lie within (umd-d3d9.md 4.3).
[[nodiscard]] auto command_capacity(const void* dma_buffer, std::uint32_t dma_bytes,
                                    const void* commands) noexcept -> std::uint32_t;

/// Buffers of GetCommandBufferCb and AllocateCb.
[[nodiscard]] auto read_buffers(const u::D3DDDICB_GETCOMMANDBUFFER& from) noexcept
    -> submission_buffers;

/// Zeroes the 16 bytes that are the driver's and says what kind of work they go with. E_INVALIDARG
/// where there are none.
[[nodiscard]] auto stamp_private_data(const submission_buffers& buffers,
                                      submission_kind kind) noexcept -> HRESULT;

/// The list as the kernel reads it. Precondition: it has room.
void fill_list(const submission_buffers& buffers,
               std::span<const listed_allocation> allocations) noexcept;

}  // namespace aerogpu::umd::front_u

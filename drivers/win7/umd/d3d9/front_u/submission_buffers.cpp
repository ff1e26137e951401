// SPDX-License-Identifier: MIT
#include "drivers/win7/umd/d3d9/front_u/submission_buffers.hpp"

#include "aerogpu/core/bytes.hpp"
#include "drivers/win7/umd/d3d9/core/log.hpp"

namespace aerogpu::umd::front_u {

namespace {

once private_data_missing;

}  // namespace

auto command_capacity(const void* dma_buffer, std::uint32_t dma_bytes,
                      const void* commands) noexcept -> std::uint32_t {
  const auto base = reinterpret_cast<std::uintptr_t>(dma_buffer);
  const auto start = reinterpret_cast<std::uintptr_t>(commands);
  const bool lies_within =
      dma_buffer != nullptr && commands != nullptr && start >= base && start - base <= dma_bytes;
  return lies_within ? dma_bytes - static_cast<std::uint32_t>(start - base) : dma_bytes;
}

auto read_buffers(const u::D3DDDICB_GETCOMMANDBUFFER& from) noexcept -> submission_buffers {
  submission_buffers out;
  out.commands = from.pCommandBuffer != nullptr ? from.pCommandBuffer : from.pDmaBuffer;
  out.command_bytes = from.CommandBufferSize;
  if (out.command_bytes == 0) {
    out.command_bytes = command_capacity(from.pDmaBuffer, from.DmaBufferSize, from.pCommandBuffer);
  }
  out.list = from.pAllocationList;
  out.list_entries = from.AllocationListSize;
  out.patches = from.pPatchLocationList;
  out.patch_entries = from.PatchLocationListSize;
  out.private_data = from.pDmaBufferPrivateData;
  out.private_data_bytes = from.DmaBufferPrivateDataSize;
  return out;
}

auto stamp_private_data(const submission_buffers& buffers, submission_kind kind) noexcept
    -> HRESULT {
  if (!buffers.can_submit()) {
    if (private_data_missing.is_first()) {
      log_line{"submit missing/invalid dma private data ptr="}
          .pointer(buffers.private_data)
          .text(" bytes=")
          .number(buffers.private_data_bytes)
          .text(" (need >=16)");
    }
    return E_INVALIDARG;
  }
  const bool is_present = kind == submission_kind::present;
  const AEROGPU_DMA_PRIV stamp{is_present ? AEROGPU_SUBMIT_PRESENT : AEROGPU_SUBMIT_RENDER, 0, 0};
  static_assert(sizeof stamp == private_bytes);
  store(static_cast<std::byte*>(buffers.private_data), stamp);
  return S_OK;
}

void fill_list(const submission_buffers& buffers,
               std::span<const listed_allocation> allocations) noexcept {
  for (std::size_t i = 0; i < allocations.size(); ++i) {
    u::D3DDDI_ALLOCATIONLIST entry{};
    entry.hAllocation = raw(allocations[i].allocation);
    entry.WriteOperation = allocations[i].is_written ? 1 : 0;
    entry.AllocationListSlotId = static_cast<std::uint32_t>(i);
    buffers.list[i] = entry;
  }
}

}  // namespace aerogpu::umd::front_u

// SPDX-License-Identifier: MIT
/// \file BuildPagingBuffer, and its operations when their turn comes (kmd.md 2.6, 3.2).
#pragma once

#include "drivers/win7/ddi/ddi.hpp"
#include "drivers/win7/kmd/system/work_item.hpp"

#include <cstdint>

namespace aerogpu::kmd {

class adapter;

/// One side of a transfer.
struct paging_side {
  std::uint32_t segment = 0;  ///< 0 = the MDL.
  std::uint64_t address = 0;
  PMDL mdl = nullptr;
};

enum class paging_operation : std::uint32_t {
  transfer,
  fill,
  discard,
  map_aperture,
  unmap_aperture,
};

/// One operation, in the paging buffer's private data: it holds pointers of the kernel, which the
/// host is not to see.
struct paging_packet {
  std::uint32_t magic = 0;
  paging_operation operation{};
  HANDLE allocation = nullptr;  ///< May be none, and gone when the packet's turn comes.
  std::uint64_t offset = 0;     ///< Bytes into the segment sides; of the aperture: its first page.
  std::uint64_t size = 0;       ///< Bytes; of the aperture: pages.
  std::uint32_t mdl_page = 0;
  std::uint32_t pattern = 0;
  paging_side source{};
  paging_side destination{};
};

inline constexpr std::uint32_t paging_magic = 0x47504741;  // 'AGPG'

/// The paging buffer itself only holds a zeroed place for each operation, so that buffer and
/// private data fill up together.
inline constexpr std::uint32_t paging_buffer_bytes = 65536;
inline constexpr std::uint32_t paging_place_bytes = 128;
inline constexpr std::uint32_t paging_private_bytes =
    paging_buffer_bytes / paging_place_bytes * sizeof(paging_packet);

/// STATUS_GRAPHICS_INSUFFICIENT_DMA_BUFFER is the only failure: nothing is written then. Operations
/// that mean nothing here succeed without a place, as do the notices of a reset, which take effect
/// at once. PASSIVE.
[[nodiscard]] auto build_paging_buffer(adapter& adapter, DXGKARG_BUILDPAGINGBUFFER& args) noexcept
    -> NTSTATUS;

/// `run_cpu_work` for a paging item.
[[nodiscard]] auto run_paging(adapter& adapter, cpu_work& work,
                              std::uint64_t& budget_bytes) noexcept -> bool;

}  // namespace aerogpu::kmd

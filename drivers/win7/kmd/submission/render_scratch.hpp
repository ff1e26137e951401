// SPDX-License-Identifier: MIT
/// \file What one context's Render and Present calls keep, so that they allocate nothing.
#pragma once

#include "aerogpu/core/bytes.hpp"
#include "aerogpu/memory/alloc_table_builder.hpp"
#include "drivers/win7/ddi/ddi.hpp"
#include "drivers/win7/kmd/submission/dma_record.hpp"
#include "drivers/win7/kmd/system/os.hpp"

#include <cstddef>
#include <cstdint>

namespace aerogpu::kmd {

/// Made with the context, used by one Render at a time: dxgkrnl never has two threads of one
/// process in the driver (kmd.md 1.6). Paged: Render runs at PASSIVE and takes no lock.
class render_scratch {
 public:
  /// STATUS_NO_MEMORY. PASSIVE.
  [[nodiscard]] auto create() noexcept -> NTSTATUS {
    memory_ = static_cast<std::byte*>(os::allocate_paged(bytes, os::pool_owner::context));
    if (memory_ == nullptr) return STATUS_NO_MEMORY;
    table_ = alloc_table_builder{{}, {reinterpret_cast<slot*>(memory_), index_slots}};
    return STATUS_SUCCESS;
  }
  void destroy() noexcept {
    os::release(memory_, os::pool_owner::context);
    memory_ = nullptr;
  }

  /// What is answered for a patch list that is too short: dxgkrnl comes back with a whole one, if
  /// it has one. A list that is no longer then never will be.
  [[nodiscard]] auto refuse_list(UINT entries) noexcept -> NTSTATUS {
    const bool came_back = entries < refused_end_;
    refused_end_ = came_back ? 0 : std::uint64_t{entries} + 1;
    return came_back ? STATUS_INVALID_PARAMETER : STATUS_GRAPHICS_INSUFFICIENT_DMA_BUFFER;
  }
  void accept_list() noexcept { refused_end_ = 0; }

  /// A builder that writes into `table`, empty.
  [[nodiscard]] auto builder(mutable_bytes table) noexcept -> alloc_table_builder& {
    table_.restart(table);
    return table_;
  }
  /// What is fetched of user memory at a time.
  [[nodiscard]] auto window() const noexcept -> mutable_bytes {
    return {memory_ + index_bytes, window_bytes};
  }

 private:
  using slot = alloc_table_builder::slot;
  /// Three quarters of the slots can be used.
  static constexpr std::size_t index_slots = 2 * max_list_entries;
  static_assert(index_slots / 4 * 3 >= max_list_entries);
  static constexpr std::size_t index_bytes = index_slots * sizeof(slot);
  static constexpr std::size_t window_bytes = 8192;
  static constexpr std::size_t bytes = index_bytes + window_bytes;

  std::byte* memory_ = nullptr;
  std::uint64_t refused_end_ = 0;  ///< One more than the newest list that was refused had; 0: none.
  alloc_table_builder table_{{}, {}};
};

}  // namespace aerogpu::kmd

// SPDX-License-Identifier: MIT
/// \file From Render and Present to the scheduler: DMA buffers, allocation lists, residency.
#pragma once

#include "drivers/sim/kernel/objects/user_objects.hpp"
#include "drivers/sim/kernel/system/services.hpp"

#include <cstdint>
#include <functional>
#include <memory>
#include <vector>

namespace aerogpu::sim {

/// One line of an allocation list before the driver sees it.
struct list_line {
  std::shared_ptr<user_allocation> opening;  ///< nullptr: an empty line.
  bool is_written = false;
};

/// A Render, as dxgkrnl hands it on. Pointers are the process's: nobody vouches for them.
struct render_request {
  const void* commands = nullptr;
  std::uint32_t size_bytes = 0;
  std::vector<list_line> lines;
  D3DDDI_PATCHLOCATIONLIST* patches = nullptr;
  std::uint32_t patch_lines = 0;
};

/// A Present that copies or fills, as dxgkrnl hands it on.
struct blt_request {
  std::shared_ptr<user_allocation> source;  ///< nullptr for a fill.
  std::shared_ptr<user_allocation> destination;
  RECT destination_area{};
  RECT source_area{};
  std::vector<RECT> sub_rectangles;  ///< Of the destination.
  std::uint32_t color = 0;
  DXGK_PRESENTFLAGS flags{};
  bool is_redirected = false;  ///< To a surface that the compositor shows.
};

/// PASSIVE. A device that a timeout took gets STATUS_DEVICE_REMOVED, an opening of another device
/// STATUS_INVALID_HANDLE.
class render_path {
 public:
  explicit render_path(services& base) noexcept : base_(base) {}

  [[nodiscard]] auto render(user_context& context, const render_request& request) -> NTSTATUS;
  /// `on_done`: the last buffer's fence was reported, or a timeout dropped it.
  [[nodiscard]] auto blt(user_context& context, const blt_request& request,
                         std::function<void(bool was_dropped)> on_done) -> NTSTATUS;
  /// The DDI's part of a flip, which has no DMA buffer (kmd.md 2.6).
  [[nodiscard]] auto flip(user_context& context, const std::shared_ptr<user_allocation>& source,
                          D3DDDI_FLIPINTERVAL_TYPE interval, bool may_wait) -> NTSTATUS;

 private:
  /// One DMA buffer while the driver fills it.
  struct pass {
    std::shared_ptr<dma_buffer> buffer;
    std::vector<DXGK_ALLOCATIONLIST> list;
    std::vector<D3DDDI_PATCHLOCATIONLIST> patches;
  };
  /// How far the driver got in a pass, by its pointers.
  struct progress {
    const void* end = nullptr;
    const void* private_end = nullptr;
    const D3DDDI_PATCHLOCATIONLIST* last_patch = nullptr;
  };
  [[nodiscard]] auto begin(const user_context& context, const std::vector<list_line>& lines,
                           pass& out) -> NTSTATUS;
  [[nodiscard]] auto make_list(const std::vector<list_line>& lines) const
      -> std::vector<DXGK_ALLOCATIONLIST>;
  /// Calls Render or Present until all is in DMA buffers, and submits each as work of that kind.
  /// Its `on_done` is the last one's.
  template <class Entry, class Arguments>
  [[nodiscard]] auto fill_buffers(Entry* DRIVER_INITIALIZATION_DATA::*entry, user_context& context,
                                  const std::vector<list_line>& lines, Arguments& arguments,
                                  const gpu_work& kind = {}) -> NTSTATUS;
  /// Cuts a pass to what the driver wrote. False, after a bug check, when it left its buffers.
  [[nodiscard]] static auto cut(pass& filled, const progress& reached, gpu_work& work) -> bool;
  /// Brings memory in, and submits what the driver wrote.
  [[nodiscard]] auto submit(user_context& context, const std::vector<list_line>& lines, pass filled,
                            gpu_work work) -> NTSTATUS;

  services& base_;
};

}  // namespace aerogpu::sim

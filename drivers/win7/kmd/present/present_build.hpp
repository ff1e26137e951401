// SPDX-License-Identifier: MIT
/// \file One Present's DMA buffer, record and patch list while they are written.
#pragma once

#include "aerogpu/core/fixed_vector.hpp"
#include "aerogpu/memory/alloc_table_builder.hpp"
#include "drivers/win7/ddi/ddi.hpp"
#include "drivers/win7/kmd/memory/placement.hpp"
#include "drivers/win7/kmd/present/present_clip.hpp"
#include "drivers/win7/kmd/present/present_packet.hpp"

#include <cstddef>
#include <cstdint>

namespace aerogpu::kmd {

class allocation;
class context;

/// Surfaces first, the destination before the source; then one of the other calls, which writes
/// all. Nothing is written on a failure but STATUS_GRAPHICS_INSUFFICIENT_DMA_BUFFER with some
/// rectangles done.
class present_build {
 public:
  present_build(kmd::context& context, DXGKARG_PRESENT& args) noexcept
      : context_(context), args_(args) {}

  void add_surface(allocation& object, UINT list_index, const placement& at) noexcept;

  /// COPY_TEXTURE2D for each rectangle.
  [[nodiscard]] auto copy_on_host(const present_rectangles& areas,
                                  std::uint32_t copy_flags) noexcept -> NTSTATUS;
  /// Rectangles for the processor; `work` says what it does with them.
  [[nodiscard]] auto draw_here(const present_rectangles& areas, present_work work) noexcept
      -> NTSTATUS;
  /// The first surface is shown when its turn comes.
  [[nodiscard]] auto flip_here() noexcept -> NTSTATUS;

 private:
  struct surface {
    allocation* object;
    UINT list_index;
    placement at;
  };

  /// STATUS_SUCCESS when record and patch list have room.
  [[nodiscard]] auto check_room() const noexcept -> NTSTATUS;
  [[nodiscard]] auto buffer() const noexcept -> mutable_bytes;
  /// The record with the surfaces as its references.
  auto write_record(dma_content content, std::uint32_t stream_bytes) noexcept -> dma_record&;
  void write_patch_entries(std::uint32_t first_offset, std::uint32_t step) noexcept;
  [[nodiscard]] auto write_copies(const present_rectangles& areas, std::uint32_t copy_flags,
                                  std::uint32_t& next) noexcept -> std::uint32_t;
  [[nodiscard]] auto write_table(std::uint32_t offset) noexcept -> result<std::uint32_t>;
  void count_table() noexcept;
  /// Advances the buffer, and says whether rectangles are left.
  [[nodiscard]] auto finish(std::uint32_t used_bytes, std::uint32_t next,
                            const present_rectangles& areas) noexcept -> NTSTATUS;

  kmd::context& context_;
  DXGKARG_PRESENT& args_;
  fixed_vector<surface, present_surfaces> surfaces_;
};

}  // namespace aerogpu::kmd

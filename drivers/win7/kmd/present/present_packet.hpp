// SPDX-License-Identifier: MIT
/// \file A present that the processor does: what its DMA buffer and its private data hold.
#pragma once

#include "drivers/win7/kmd/present/present_stretch.hpp"
#include "drivers/win7/kmd/submission/dma_record.hpp"

#include <cstddef>
#include <cstdint>

namespace aerogpu::kmd {

/// One rectangle of the DMA buffer, which the host can see and change: it is checked again when its
/// turn comes.
struct present_rectangle {
  std::uint32_t x, y;  ///< In the destination.
  std::uint32_t width, height;
  std::uint32_t source_x, source_y;  ///< Of a copy that does not stretch.
};

enum class present_operation : std::uint32_t { copy, stretch, fill, flip };

/// The record's references of a present.
inline constexpr std::size_t present_destination = 0;
inline constexpr std::size_t present_source = 1;
inline constexpr std::size_t present_surfaces = 2;

/// What follows the references: kernel memory, as they are.
struct present_work {
  present_operation operation{};
  std::uint32_t pixel = 0;          ///< Of a fill, in the destination's format.
  stretched_axis across{}, down{};  ///< Of a stretch.
};

inline constexpr std::size_t present_work_offset =
    dma_record_head_bytes + present_surfaces * sizeof(dma_reference);
inline constexpr std::size_t present_record_bytes = present_work_offset + sizeof(present_work);
static_assert(present_record_bytes <= dma_record_bytes);
static_assert(present_work_offset % alignof(present_work) == 0);

/// Precondition: the record's content is `cpu_present`.
[[nodiscard]] inline auto present_work_of(dma_record& record) noexcept -> present_work& {
  auto* const at = reinterpret_cast<std::byte*>(&record) + present_work_offset;
  return *reinterpret_cast<present_work*>(at);
}

}  // namespace aerogpu::kmd

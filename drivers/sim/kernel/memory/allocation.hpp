// SPDX-License-Identifier: MIT
/// \file An allocation as VidMm knows it: where its bytes are, and who uses them.
#pragma once

#include "drivers/win7/ddi/ddi.hpp"

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <vector>

namespace aerogpu::sim {

/// Where an allocation's bytes are.
enum class residency : std::uint8_t {
  nowhere,   ///< Never used: its first place is filled first.
  segment,   ///< In a memory segment.
  aperture,  ///< In system pages that an aperture segment shows.
  system,    ///< In system pages alone.
};

/// One CreateAllocation element.
struct allocation {
  HANDLE driver = nullptr;
  std::vector<std::byte> private_data;  ///< As openers see it.
  std::uint64_t size_bytes = 0;         ///< Whole pages.
  std::uint64_t alignment = 0;
  std::uint32_t segments = 0;  ///< That it may be read and written in: bit 0 is segment 1.
  bool is_cpu_visible = false;
  bool is_shared = false;

  residency where = residency::nowhere;
  std::uint32_t segment = 0;                  ///< 1-based; 0: not in one.
  std::uint64_t offset = 0;                   ///< In the segment.
  std::vector<std::uintptr_t> pages;          ///< System pages; empty while in a memory segment.
  std::uint64_t last_use = 0;                 ///< For eviction.
  std::atomic<std::uint32_t> uses = 0;        ///< Of work in flight.
  std::uint32_t pins = 0;                     ///< Locks and scanout.
  std::atomic<std::uint32_t> last_fence = 0;  ///< Of work that uses it, paging included.
  std::byte* system_view = nullptr;           ///< While locked in system pages.
  std::uint32_t openings = 0;
};

}  // namespace aerogpu::sim

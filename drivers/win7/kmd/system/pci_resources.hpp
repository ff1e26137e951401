// SPDX-License-Identifier: MIT
/// \file Which memory ranges the system gave the PCI function.
#pragma once

#include "aerogpu/core/fixed_vector.hpp"
#include "drivers/win7/ddi/nt_resources.hpp"

#include <cstdint>

namespace aerogpu::kmd {

struct memory_range {
  std::uint64_t first = 0;
  std::uint64_t size_bytes = 0;
  friend auto operator==(const memory_range&, const memory_range&) -> bool = default;
};

/// More than any PCI function has BARs and legacy windows.
using memory_ranges = fixed_vector<memory_range, 16>;

/// The memory ranges of a translated resource list, large ones too; those that exceed the list's
/// capacity are left out. Empty without a list.
[[nodiscard]] auto find_memory_ranges(const CM_RESOURCE_LIST* list) noexcept -> memory_ranges;

/// The base address registers 0 and 1 as configuration space has them: base addresses of 32-bit
/// memory, or 0 for anything else.
struct pci_bases {
  std::uint32_t registers = 0;
  std::uint32_t video = 0;
};
[[nodiscard]] constexpr auto decode_bars(std::uint32_t bar0, std::uint32_t bar1) noexcept
    -> pci_bases {
  constexpr std::uint32_t is_io = 1;
  constexpr std::uint32_t type_bits = 0xF;
  return {(bar0 & is_io) != 0 ? 0 : bar0 & ~type_bits, (bar1 & is_io) != 0 ? 0 : bar1 & ~type_bits};
}

/// The range that starts there, or nullptr. Address 0 is nobody's.
[[nodiscard]] auto find_range(const memory_ranges& ranges, std::uint64_t first) noexcept
    -> const memory_range*;

/// Whether the range is one of a PC's legacy windows.
[[nodiscard]] constexpr auto is_legacy(const memory_range& range) noexcept -> bool {
  constexpr std::uint64_t mebibyte = 1u << 20;
  return range.first < mebibyte;
}

}  // namespace aerogpu::kmd

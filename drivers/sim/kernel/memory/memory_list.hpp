// SPDX-License-Identifier: MIT
/// \file An MDL over pages of guest RAM.
#pragma once

#include "drivers/sim/kernel/machine/guest_ram.hpp"
#include "drivers/win7/ddi/nt_resources.hpp"

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <vector>

namespace aerogpu::sim {

/// The header and its frame numbers, as the kernel lays them out. Does not move.
class memory_list {
 public:
  explicit memory_list(const std::vector<std::uintptr_t>& frames)
      : words_((sizeof(MDL) + frames.size() * sizeof(PFN_NUMBER)) / sizeof(std::uint64_t) + 1) {
    MDL head{};
    head.Size = static_cast<CSHORT>(sizeof(MDL) + frames.size() * sizeof(PFN_NUMBER));
    head.MdlFlags = MDL_PAGES_LOCKED;
    head.ByteCount = static_cast<ULONG>(frames.size() * page_bytes);
    auto* const bytes = reinterpret_cast<std::byte*>(words_.data());
    std::memcpy(bytes, &head, sizeof head);
    if (!frames.empty()) {
      std::memcpy(bytes + sizeof head, frames.data(), frames.size() * sizeof(PFN_NUMBER));
    }
  }
  memory_list(const memory_list&) = delete;
  auto operator=(const memory_list&) -> memory_list& = delete;

  [[nodiscard]] auto get() noexcept -> PMDL { return reinterpret_cast<PMDL>(words_.data()); }

 private:
  std::vector<std::uint64_t> words_;
};

}  // namespace aerogpu::sim

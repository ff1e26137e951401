// SPDX-License-Identifier: MIT
/// \file The aperture segment's pages: which system memory lies behind each (kmd.md 3.2).
#pragma once

#include "aerogpu/core/bytes.hpp"
#include "drivers/win7/ddi/ddi.hpp"
#include "drivers/win7/kmd/system/os.hpp"

#include <cstddef>
#include <cstdint>

namespace aerogpu::kmd {

inline constexpr std::uint32_t page_bytes = 4096;

/// MDLs that can be in the aperture at once. Only shadow and staging surfaces live there, and only
/// while the video segment is full: those of which no more than this fit.
inline constexpr std::uint32_t max_aperture_mdls = 4096;

/// Queue lock, create and destroy aside. An MDL is mapped into kernel space once, however many
/// ranges it serves, and unmapped when the last page of it goes.
class aperture_map {
 public:
  /// False, with nothing kept, when there is no memory. PASSIVE.
  [[nodiscard]] auto create(std::uint64_t page_count) noexcept -> bool;
  /// Unmaps what is left. PASSIVE.
  void destroy() noexcept;

  [[nodiscard]] auto page_count() const noexcept -> std::uint64_t { return page_count_; }
  /// Pages [mdl_page, mdl_page + count) of the MDL appear at `first`. False, and the range has no
  /// pages then, when it lies outside, the MDL is too short, or cannot be mapped.
  [[nodiscard]] auto map(std::uint64_t first, std::uint64_t count, PMDL mdl,
                         std::uint64_t mdl_page) noexcept -> bool;
  void unmap(std::uint64_t first, std::uint64_t count) noexcept;

  /// As many bytes as lie in one piece at `offset`, at most `size_bytes`; empty where no page is.
  [[nodiscard]] auto piece(std::uint64_t offset, std::uint64_t size_bytes) const noexcept
      -> mutable_bytes;

 private:
  /// One MDL in kernel space.
  struct mapped_mdl {
    PMDL mdl = nullptr;
    os::mdl_mapping mapping;
    std::uint64_t pages_in_use = 0;  ///< 0 = the row is free.
  };
  /// What lies behind one page.
  struct page {
    std::uint32_t row = 0;  ///< 1 + index of a mapped_mdl; 0 = nothing.
    std::uint32_t mdl_page = 0;
  };

  [[nodiscard]] auto has_range(std::uint64_t first, std::uint64_t count) const noexcept -> bool;
  [[nodiscard]] auto find_or_map(PMDL mdl) noexcept -> std::uint32_t;
  [[nodiscard]] auto bytes_of_page(const page& at) const noexcept -> std::byte*;

  page* pages_ = nullptr;
  mapped_mdl* rows_ = nullptr;
  std::uint64_t page_count_ = 0;
  std::uint32_t row_count_ = 0;  ///< Rows beyond were never used.
};

}  // namespace aerogpu::kmd

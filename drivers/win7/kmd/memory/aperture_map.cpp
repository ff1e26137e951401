// SPDX-License-Identifier: MIT
#include "drivers/win7/kmd/memory/aperture_map.hpp"

#include "aerogpu/core/checked.hpp"

namespace aerogpu::kmd {

namespace {

[[nodiscard]] auto pages_of(const MDL& mdl) noexcept -> std::uint64_t {
  return divide_up(std::uint64_t{mdl.ByteOffset} + mdl.ByteCount, page_bytes);
}

}  // namespace

auto aperture_map::create(std::uint64_t page_count) noexcept -> bool {
  if (page_count > SIZE_MAX / sizeof(page)) return false;
  const auto bytes = static_cast<std::size_t>(page_count) * sizeof(page);
  pages_ = static_cast<page*>(os::allocate(bytes, os::pool_owner::aperture));
  rows_ = static_cast<mapped_mdl*>(
      os::allocate(max_aperture_mdls * sizeof(mapped_mdl), os::pool_owner::aperture));
  page_count_ = page_count;
  if (pages_ != nullptr && rows_ != nullptr) return true;
  destroy();
  return false;
}

void aperture_map::destroy() noexcept {
  for (std::uint32_t row = 0; row < row_count_; ++row) {
    if (rows_[row].pages_in_use != 0) os::unmap_mdl(rows_[row].mdl, rows_[row].mapping);
  }
  os::release(pages_, os::pool_owner::aperture);
  os::release(rows_, os::pool_owner::aperture);
  pages_ = nullptr;
  rows_ = nullptr;
  page_count_ = 0;
  row_count_ = 0;
}

auto aperture_map::has_range(std::uint64_t first, std::uint64_t count) const noexcept -> bool {
  return range_fits(first, count, page_count_);
}

auto aperture_map::map(std::uint64_t first, std::uint64_t count, PMDL mdl,
                       std::uint64_t mdl_page) noexcept -> bool {
  if (!has_range(first, count)) return false;
  if (count == 0) return true;
  const bool is_long_enough = mdl != nullptr && range_fits(mdl_page, count, pages_of(*mdl)) &&
                              fits<std::uint32_t>(mdl_page);
  const std::uint32_t row = is_long_enough ? find_or_map(mdl) : 0;
  if (row != 0) rows_[row - 1].pages_in_use += count;  // First: the range may hold the same MDL.
  unmap(first, count);
  if (row == 0) return false;
  for (std::uint64_t i = 0; i < count; ++i) {
    pages_[first + i] = {row, static_cast<std::uint32_t>(mdl_page + i)};
  }
  return true;
}

void aperture_map::unmap(std::uint64_t first, std::uint64_t count) noexcept {
  if (!has_range(first, count)) return;
  for (std::uint64_t i = first; i < first + count; ++i) {
    const std::uint32_t row = pages_[i].row;
    if (row == 0) continue;
    pages_[i] = {};
    mapped_mdl& mapped = rows_[row - 1];
    if (--mapped.pages_in_use != 0) continue;
    os::unmap_mdl(mapped.mdl, mapped.mapping);
    mapped = {};
  }
}

auto aperture_map::find_or_map(PMDL mdl) noexcept -> std::uint32_t {
  std::uint32_t free_row = 0;
  for (std::uint32_t row = 1; row <= row_count_; ++row) {
    const mapped_mdl& at = rows_[row - 1];
    if (at.pages_in_use == 0) {
      free_row = row;
    } else if (at.mdl == mdl) {
      return row;
    }
  }
  if (free_row == 0 && row_count_ == max_aperture_mdls) return 0;
  const os::mdl_mapping mapping = os::map_mdl(mdl);
  if (mapping.bytes == nullptr) return 0;
  if (free_row == 0) free_row = ++row_count_;
  rows_[free_row - 1] = {mdl, mapping, 0};
  return free_row;
}

auto aperture_map::bytes_of_page(const page& at) const noexcept -> std::byte* {
  if (at.row == 0) return nullptr;
  return rows_[at.row - 1].mapping.bytes + std::size_t{at.mdl_page} * page_bytes;
}

auto aperture_map::piece(std::uint64_t offset, std::uint64_t size_bytes) const noexcept
    -> mutable_bytes {
  const std::uint64_t first = offset / page_bytes;
  if (first >= page_count_) return {};
  std::byte* const start = bytes_of_page(pages_[first]);
  if (start == nullptr || size_bytes == 0) return {};
  const std::uint64_t skipped = offset % page_bytes;
  std::uint64_t length = page_bytes;
  while (length - skipped < size_bytes && first + length / page_bytes < page_count_ &&
         bytes_of_page(pages_[first + length / page_bytes]) == start + length) {
    length += page_bytes;
  }
  const std::uint64_t found = length - skipped;
  return {start + skipped, static_cast<std::size_t>(found < size_bytes ? found : size_bytes)};
}

}  // namespace aerogpu::kmd

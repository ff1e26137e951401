// SPDX-License-Identifier: MIT
/// \file Guest memory of any extent: pages exist where they were mapped, and take room when
/// written, up to a limit.
#pragma once

#include "aerogpu/memory/guest_memory.hpp"

#include <array>
#include <cstddef>
#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <unordered_map>
#include <vector>

namespace aerogpu::tool {

/// Models guest_memory. Bytes that were mapped and never written are zero.
class sparse_memory {
 public:
  /// Twice what a 32-bit guest has; few bytes of a file may name far more.
  static constexpr std::uint64_t most_written_bytes = 8ull << 30;

  sparse_memory() = default;
  explicit sparse_memory(std::uint64_t limit_bytes) : most_pages_(limit_bytes / page_size) {}

  /// Makes [at, at + size) exist. A range that wraps is cut at the end of the address space.
  void map(gpa at, std::uint64_t size);

  /// Makes [at, at + storage.size()) the caller's own bytes, which outlive this.
  void map_storage(gpa at, mutable_bytes storage) { windows_.push_back({at, storage}); }

  /// False when a byte of the range does not exist.
  [[nodiscard]] auto read(gpa at, mutable_bytes out) noexcept -> bool;
  /// The same, or when it needs a page beyond the limit or that the system does not give: earlier
  /// pages of the range are written then.
  [[nodiscard]] auto write(gpa at, const_bytes in) noexcept -> bool;

  /// An address from `lowest` up, a multiple of 64 KiB, at which [address, address + size) touches
  /// nothing that exists. Nothing when there is none.
  [[nodiscard]] auto find_free(std::uint64_t size, std::uint64_t lowest) const
      -> std::optional<gpa>;

 private:
  static constexpr std::uint64_t page_size = 4096;
  using page = std::array<std::byte, page_size>;

  struct window {
    gpa first;
    mutable_bytes bytes;
  };

  /// The caller's bytes at a range, or nothing.
  [[nodiscard]] auto in_window(gpa at, std::size_t size) const noexcept -> mutable_bytes;
  /// nullptr where there is to be no further page.
  [[nodiscard]] auto find_or_add(std::uint64_t number) noexcept -> page*;
  [[nodiscard]] auto exists(std::uint64_t first, std::uint64_t size) const noexcept -> bool;

  std::uint64_t most_pages_ = most_written_bytes / page_size;
  std::vector<window> windows_;
  std::map<std::uint64_t, std::uint64_t> extents_;  ///< First byte -> last byte, apart.
  std::unordered_map<std::uint64_t, std::unique_ptr<page>> pages_;
};

static_assert(guest_memory<sparse_memory>);

}  // namespace aerogpu::tool

// SPDX-License-Identifier: MIT
/// \file Memory that lies in pieces, and what the processor does to it: copy and fill.
#pragma once

#include "aerogpu/core/bytes.hpp"
#include "drivers/win7/kmd/memory/placement.hpp"

#include <cstddef>
#include <cstdint>

namespace aerogpu::kmd {

class adapter;
class segments;

/// Bytes of a segment from a placement on, or of an MDL in kernel space. Queue lock.
class memory_view {
 public:
  memory_view(kmd::segments& segments, const placement& at) noexcept
      : segments_(&segments), at_(at) {}
  explicit memory_view(mutable_bytes mapped) noexcept : mapped_(mapped) {}

  /// As many bytes as lie in one piece at `offset`, at most `size_bytes`; empty where none are.
  [[nodiscard]] auto piece(std::uint64_t offset, std::uint64_t size_bytes) const noexcept
      -> mutable_bytes;
  /// Bytes from `offset` to the next page: what a hole spans at least.
  [[nodiscard]] auto rest_of_page(std::uint64_t offset) const noexcept -> std::uint64_t;

 private:
  kmd::segments* segments_ = nullptr;
  placement at_;
  mutable_bytes mapped_;
};

/// A place in a view.
struct view_position {
  const memory_view& view;
  std::uint64_t offset = 0;
};

/// Copies as memmove does where both are in one piece, and from the front elsewhere. What cannot be
/// reached is skipped and counted.
void copy_forward(adapter& adapter, const view_position& to, const view_position& from,
                  std::uint64_t size_bytes) noexcept;

/// Copies from the end to the front: for a destination that overlaps its source from above.
void copy_backward(adapter& adapter, const view_position& to, const view_position& from,
                   std::uint64_t size_bytes) noexcept;

/// Writes a 32-bit pattern over and over, beginning with its byte `phase` (0 to 3).
void fill(adapter& adapter, const view_position& to, std::uint64_t size_bytes,
          std::uint32_t pattern, std::uint32_t phase) noexcept;

}  // namespace aerogpu::kmd

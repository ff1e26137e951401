// SPDX-License-Identifier: MIT
/// \file Bytes that a submission is copied into: kept, grown, never cleared.
#pragma once

#include "aerogpu/core/bytes.hpp"

#include <algorithm>
#include <bit>
#include <cstddef>
#include <memory>
#include <new>

namespace aerogpu {

/// Models `byte_storage`. What it lends is indeterminate. Growth forgets the old content.
class scratch_bytes {
 public:
  /// Exactly `size` bytes until the next call, or none when the heap is exhausted.
  [[nodiscard]] auto reserve(std::size_t size) noexcept -> mutable_bytes {
    if (size > capacity_ && !grow(size)) [[unlikely]]
      return {};
    return {bytes_.get(), size};
  }

 private:
  static constexpr std::size_t smallest = 4096;

  [[nodiscard]] auto grow(std::size_t size) noexcept -> bool {
    if (size > SIZE_MAX / 2) return false;
    const auto grown = std::bit_ceil(std::max(size, smallest));
    bytes_.reset(new (std::nothrow) std::byte[grown]);
    capacity_ = bytes_ != nullptr ? grown : 0;
    return bytes_ != nullptr;
  }

  std::unique_ptr<std::byte[]> bytes_;
  std::size_t capacity_ = 0;
};

}  // namespace aerogpu

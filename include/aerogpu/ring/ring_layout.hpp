// SPDX-License-Identifier: MIT
/// \file The submission ring in memory: its shape, its validity, and arithmetic on its indices.
#pragma once

#include "aerogpu/abi/ring.h"
#include "aerogpu/abi/version.h"
#include "aerogpu/core/checked.hpp"
#include "aerogpu/core/result.hpp"

#include <cstddef>
#include <cstdint>

namespace aerogpu {

/// Entries that the guest published and the device has not taken. Both indices run freely through
/// 2^32; a value above the entry count is corruption (wire.md 5.2).
[[nodiscard]] constexpr auto pending_entries(std::uint32_t head, std::uint32_t tail) noexcept
    -> std::uint32_t {
  return tail - head;
}

/// Whether the free-running `index` is at or past `target`, for indices less than 2^31 apart
/// (kmd.md 3.5). A slot's memory may be reused once head reached the tail of its push.
[[nodiscard]] constexpr auto index_reached(std::uint32_t index, std::uint32_t target) noexcept
    -> bool {
  return static_cast<std::int32_t>(index - target) >= 0;
}

/// A ring whose shape was checked; only `create` and `parse_ring_header` make one.
class ring_layout {
 public:
  static constexpr std::uint32_t header_bytes = sizeof(aerogpu_ring_header);
  static constexpr std::uint32_t descriptor_bytes = sizeof(aerogpu_submit_desc);

  /// Checks a shape in the order of host.md 1.10, rows 6 to 9: `entry_count` a power of two, a
  /// slot holds a descriptor, the slots fit in `size_bytes`, and `size_bytes` in `mapped_bytes`.
  /// Error: cmd_decode.
  [[nodiscard]] static constexpr auto create(std::uint32_t entry_count,
                                             std::uint32_t entry_stride_bytes,
                                             std::uint32_t size_bytes,
                                             std::uint32_t mapped_bytes) noexcept
      -> result<ring_layout>;

  /// What a ring of that shape needs: header and slots. At most 2^64 - 2^33 + 65.
  [[nodiscard]] static constexpr auto bytes_for(std::uint32_t entry_count,
                                                std::uint32_t entry_stride_bytes) noexcept
      -> std::uint64_t {
    return header_bytes + std::uint64_t{entry_count} * entry_stride_bytes;
  }

  [[nodiscard]] constexpr auto entry_count() const noexcept -> std::uint32_t {
    return entry_count_;
  }
  [[nodiscard]] constexpr auto entry_stride_bytes() const noexcept -> std::uint32_t {
    return entry_stride_bytes_;
  }
  [[nodiscard]] constexpr auto size_bytes() const noexcept -> std::uint32_t { return size_bytes_; }

  /// Where the slot of a free-running index starts, in bytes from the ring header.
  [[nodiscard]] constexpr auto slot_offset(std::uint32_t index) const noexcept -> std::uint64_t {
    const std::uint32_t slot = index & (entry_count_ - 1);
    return header_bytes + std::uint64_t{slot} * entry_stride_bytes_;
  }

  friend constexpr auto operator==(const ring_layout&, const ring_layout&) -> bool = default;

 private:
  constexpr ring_layout(std::uint32_t entry_count, std::uint32_t entry_stride_bytes,
                        std::uint32_t size_bytes) noexcept
      : entry_count_(entry_count),
        entry_stride_bytes_(entry_stride_bytes),
        size_bytes_(size_bytes) {}

  std::uint32_t entry_count_;
  std::uint32_t entry_stride_bytes_;
  std::uint32_t size_bytes_;
};

constexpr auto ring_layout::create(std::uint32_t entry_count, std::uint32_t entry_stride_bytes,
                                   std::uint32_t size_bytes, std::uint32_t mapped_bytes) noexcept
    -> result<ring_layout> {
  const auto malformed = [](const char* what, std::uint64_t detail, std::uint64_t limit) {
    return make_error(error_code::cmd_decode, what, detail, limit);
  };
  if (!is_power_of_two(entry_count)) {
    return malformed("ring entry_count is not a power of two", entry_count, 0);
  }
  if (entry_stride_bytes < descriptor_bytes) {
    return malformed("ring entry_stride_bytes is less than a descriptor", entry_stride_bytes,
                     descriptor_bytes);
  }
  const std::uint64_t needed = bytes_for(entry_count, entry_stride_bytes);
  if (needed > size_bytes) {
    return malformed("ring entries exceed its size_bytes", needed, size_bytes);
  }
  if (size_bytes > mapped_bytes) {
    return malformed("ring size_bytes exceeds the mapped size", size_bytes, mapped_bytes);
  }
  return ring_layout{entry_count, entry_stride_bytes, size_bytes};
}

/// Checks a private copy of a ring header, in the order of host.md 1.10, rows 5 to 9.
/// `mapped_bytes` is what RING_SIZE_BYTES promises. Error: cmd_decode.
[[nodiscard]] constexpr auto parse_ring_header(const aerogpu_ring_header& header,
                                               std::uint32_t mapped_bytes) noexcept
    -> result<ring_layout> {
  if (header.magic != AEROGPU_RING_MAGIC) {
    return make_error(error_code::cmd_decode, "ring magic is wrong", header.magic,
                      AEROGPU_RING_MAGIC);
  }
  if (header.abi_version >> 16 != AEROGPU_ABI_MAJOR) {
    return make_error(error_code::cmd_decode, "ring is of another major version",
                      header.abi_version >> 16, AEROGPU_ABI_MAJOR);
  }
  return ring_layout::create(header.entry_count, header.entry_stride_bytes, header.size_bytes,
                             mapped_bytes);
}

/// The header of an empty ring whose first entry will have `first_index`.
[[nodiscard]] constexpr auto make_ring_header(const ring_layout& layout,
                                              std::uint32_t first_index) noexcept
    -> aerogpu_ring_header {
  return {.magic = AEROGPU_RING_MAGIC,
          .abi_version = AEROGPU_ABI_VERSION_U32,
          .size_bytes = layout.size_bytes(),
          .entry_count = layout.entry_count(),
          .entry_stride_bytes = layout.entry_stride_bytes(),
          .flags = 0,
          .head = first_index,
          .tail = first_index,
          .reserved0 = 0,
          .reserved1 = 0,
          .reserved2 = {}};
}

}  // namespace aerogpu

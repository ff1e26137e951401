// SPDX-License-Identifier: MIT
/// \file How an access of 1, 2, 4 or 8 bytes meets registers of four bytes.
#pragma once

#include "aerogpu/core/language.hpp"

#include <cstdint>

namespace aerogpu {

/// Whether a guest can make an access of this many bytes.
[[nodiscard]] constexpr auto is_access_size(std::uint32_t size_bytes) noexcept -> bool {
  return size_bytes == 1 || size_bytes == 2 || size_bytes == 4 || size_bytes == 8;
}

/// All ones, as wide as the access: what a read of nothing returns.
[[nodiscard]] constexpr auto floating_bus(std::uint32_t size_bytes) noexcept -> std::uint64_t {
  return size_bytes >= 8 ? UINT64_MAX : (std::uint64_t{1} << (8 * size_bytes)) - 1;
}

namespace detail {

/// The bits of a dword that an access covers, and where they sit in the access.
struct lane {
  std::uint64_t dword;  ///< Aligned offset.
  std::uint32_t shift;  ///< From bit 0 of the dword to the first covered bit.
  std::uint32_t bits;
  std::uint32_t at;  ///< First bit in the access.

  [[nodiscard]] constexpr auto mask() const noexcept -> std::uint32_t {
    return static_cast<std::uint32_t>(((std::uint64_t{1} << bits) - 1) << shift);
  }
};

/// Calls `visit` for each dword that the access touches, low offset first.
template <class Visit>
constexpr void for_each_lane(std::uint64_t offset, std::uint32_t size_bytes, Visit&& visit) {
  std::uint32_t done = 0;
  while (done < size_bytes) {
    const auto first = static_cast<std::uint32_t>((offset + done) % 4);
    const auto count = 4 - first < size_bytes - done ? 4 - first : size_bytes - done;
    visit(lane{offset + done - first, first * 8, count * 8, done * 8});
    done += count;
  }
}

}  // namespace detail

/// Reads through `read_dword(aligned_offset)`; bytes outside the access are dropped.
/// Precondition: is_access_size(size_bytes), and offset + size_bytes does not wrap.
template <class ReadDword>
[[nodiscard]] constexpr auto read_lanes(std::uint64_t offset, std::uint32_t size_bytes,
                                        ReadDword&& read_dword) -> std::uint64_t {
  std::uint64_t value = 0;
  detail::for_each_lane(offset, size_bytes, [&](const detail::lane& l) {
    const std::uint32_t part = (read_dword(l.dword) & l.mask()) >> l.shift;
    value |= std::uint64_t{part} << l.at;
  });
  return value;
}

/// Writes through `write_dword(aligned_offset, merged)`. A part of a dword is merged with what
/// `read_dword` returns, so a register's side effects see the merged value (host.md 1.2).
template <class ReadDword, class WriteDword>
constexpr void write_lanes(std::uint64_t offset, std::uint32_t size_bytes, std::uint64_t value,
                           ReadDword&& read_dword, WriteDword&& write_dword) {
  detail::for_each_lane(offset, size_bytes, [&](const detail::lane& l) {
    const auto part = static_cast<std::uint32_t>(value >> l.at);
    if (l.bits == 32) return write_dword(l.dword, part);
    const std::uint32_t kept = read_dword(l.dword) & ~l.mask();
    write_dword(l.dword, kept | ((part << l.shift) & l.mask()));
  });
}

}  // namespace aerogpu

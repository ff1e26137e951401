// SPDX-License-Identifier: MIT
/// \file Video memory as a snapshot holds it: the pages that are not zero.
#pragma once

#include "aerogpu/core/bytes.hpp"
#include "aerogpu/hosted/snapshot_io.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstring>

namespace aerogpu {

namespace detail {

inline constexpr std::size_t vram_page_bytes = 4096;
inline constexpr std::size_t vram_record_bytes = sizeof(std::uint32_t) + vram_page_bytes;

/// The first byte is zero, and each is equal to the one before it.
[[nodiscard]] inline auto is_zero(const_bytes bytes) noexcept -> bool {
  if (bytes.empty()) return true;
  return bytes[0] == std::byte{0} &&
         std::memcmp(bytes.data(), bytes.data() + 1, bytes.size() - 1) == 0;
}

[[nodiscard]] inline auto page_at(mutable_bytes vram, std::size_t index) noexcept -> mutable_bytes {
  const auto first = index * vram_page_bytes;
  return vram.subspan(first, std::min(vram_page_bytes, vram.size() - first));
}

[[nodiscard]] constexpr auto page_count(std::size_t size) noexcept -> std::size_t {
  return size / vram_page_bytes + (size % vram_page_bytes != 0 ? 1 : 0);
}

}  // namespace detail

/// Bytes that `save_vram` appends when no page is zero.
[[nodiscard]] constexpr auto saved_vram_bytes(const_bytes vram) noexcept -> std::uint64_t {
  return std::uint64_t{detail::page_count(vram.size())} * detail::vram_record_bytes;
}

/// Records of a page number and a page, by rising number.
inline void save_vram(mutable_bytes vram, snapshot_writer& out) noexcept {
  for (std::size_t i = 0; i < detail::page_count(vram.size()); ++i) {
    const const_bytes page = detail::page_at(vram, i);
    if (detail::is_zero(page)) continue;
    out.put(static_cast<std::uint32_t>(i));
    const auto room = out.extend(detail::vram_page_bytes);
    if (room.empty()) return;
    copy_bytes(room.first(page.size()), page);
    std::fill(room.begin() + static_cast<std::ptrdiff_t>(page.size()), room.end(), std::byte{0});
  }
}

/// Fails unless the section is whole records whose numbers rise and lie in video memory.
inline void check_vram(const_bytes section, std::size_t vram_bytes, snapshot_reader& in) noexcept {
  using namespace detail;
  in.require(section.size() % vram_record_bytes == 0, "video memory ends inside a page",
             section.size(), vram_record_bytes);
  std::uint64_t next = 0;
  for (std::size_t at = 0; at < section.size() && in.is_good(); at += vram_record_bytes) {
    const auto index = load<std::uint32_t>(section.data() + at);
    in.require(index >= next, "pages of video memory do not rise", index, next);
    in.require(index < page_count(vram_bytes), "page lies outside video memory", index,
               page_count(vram_bytes));
    next = std::uint64_t{index} + 1;
  }
}

/// Replaces video memory; pages that are not in the section become zero. Precondition: checked.
inline void load_vram(const_bytes section, mutable_bytes vram) noexcept {
  using namespace detail;
  for (std::size_t i = 0; i < page_count(vram.size()); ++i) {
    const auto page = page_at(vram, i);
    const bool is_saved = !section.empty() && load<std::uint32_t>(section.data()) == i;
    if (is_saved) {
      copy_bytes(page, section.subspan(sizeof(std::uint32_t), page.size()));
      section = section.subspan(vram_record_bytes);
    } else if (!is_zero(page)) {  // A page that nobody touched stays uncommitted.
      std::fill(page.begin(), page.end(), std::byte{0});
    }
  }
}

}  // namespace aerogpu

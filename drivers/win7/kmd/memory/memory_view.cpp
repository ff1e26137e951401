// SPDX-License-Identifier: MIT
#include "drivers/win7/kmd/memory/memory_view.hpp"

#include "drivers/win7/kmd/adapter/adapter.hpp"
#include "drivers/win7/kmd/memory/segments.hpp"

#include <array>
#include <bit>
#include <cstring>

namespace aerogpu::kmd {

namespace {

[[nodiscard]] auto smaller(std::uint64_t a, std::uint64_t b) noexcept -> std::uint64_t {
  return a < b ? a : b;
}

/// Bytes to go on by where at least one side has a hole.
[[nodiscard]] auto hole_at(const view_position& side, std::uint64_t done,
                           std::size_t found) noexcept -> std::uint64_t {
  return found != 0 ? UINT64_MAX : side.view.rest_of_page(side.offset + done);
}

/// In chunks of many words, and without reading back: video memory may be write-combined.
void fill_piece(mutable_bytes to, std::uint32_t pattern) noexcept {
  std::array<std::byte, 256> chunk;
  const std::size_t used = to.size() < chunk.size() ? (to.size() + 3) / 4 * 4 : chunk.size();
  for (std::size_t at = 0; at < used; at += sizeof pattern) store(&chunk[at], pattern);
  for (std::size_t done = 0; done < to.size();) {
    const std::size_t left = to.size() - done;
    const std::size_t count = left < used ? left : used;
    std::memcpy(to.data() + done, chunk.data(), count);
    done += count;
  }
}

/// The pattern as it goes on after `bytes` of it.
[[nodiscard]] auto advanced(std::uint32_t pattern, std::uint64_t bytes) noexcept -> std::uint32_t {
  return std::rotr(pattern, static_cast<int>(bytes % 4) * 8);
}

}  // namespace

auto memory_view::piece(std::uint64_t offset, std::uint64_t size_bytes) const noexcept
    -> mutable_bytes {
  if (segments_ != nullptr) return segments_->piece(at_, offset, size_bytes);
  if (offset >= mapped_.size()) return {};
  const std::uint64_t room = mapped_.size() - offset;
  return mapped_.subspan(static_cast<std::size_t>(offset),
                         static_cast<std::size_t>(smaller(size_bytes, room)));
}

auto memory_view::rest_of_page(std::uint64_t offset) const noexcept -> std::uint64_t {
  return page_bytes - (at_.address + offset) % page_bytes;
}

void copy_forward(adapter& adapter, const view_position& to, const view_position& from,
                  std::uint64_t size_bytes) noexcept {
  for (std::uint64_t done = 0; done < size_bytes;) {
    const mutable_bytes source = from.view.piece(from.offset + done, size_bytes - done);
    const mutable_bytes target = to.view.piece(to.offset + done, size_bytes - done);
    const std::size_t both = source.size() < target.size() ? source.size() : target.size();
    if (both != 0) {
      std::memmove(target.data(), source.data(), both);
      done += both;
      continue;
    }
    adapter.counters.aperture_faults.add();
    done += smaller(hole_at(from, done, source.size()), hole_at(to, done, target.size()));
  }
}

void copy_backward(adapter& adapter, const view_position& to, const view_position& from,
                   std::uint64_t size_bytes) noexcept {
  std::array<std::byte, 256> chunk;
  const memory_view chunk_view{chunk};
  for (std::uint64_t left = size_bytes; left != 0;) {
    const std::uint64_t count = smaller(left, chunk.size());
    left -= count;
    // What the source lacks, the destination keeps.
    copy_forward(adapter, {chunk_view, 0}, {to.view, to.offset + left}, count);
    copy_forward(adapter, {chunk_view, 0}, {from.view, from.offset + left}, count);
    copy_forward(adapter, {to.view, to.offset + left}, {chunk_view, 0}, count);
  }
}

void fill(adapter& adapter, const view_position& to, std::uint64_t size_bytes,
          std::uint32_t pattern, std::uint32_t phase) noexcept {
  for (std::uint64_t done = 0; done < size_bytes;) {
    const mutable_bytes target = to.view.piece(to.offset + done, size_bytes - done);
    if (target.empty()) {
      adapter.counters.aperture_faults.add();
      done += to.view.rest_of_page(to.offset + done);
      continue;
    }
    fill_piece(target, advanced(pattern, done + phase));
    done += target.size();
  }
}

}  // namespace aerogpu::kmd

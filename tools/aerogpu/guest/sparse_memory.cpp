// SPDX-License-Identifier: MIT
#include "tools/aerogpu/guest/sparse_memory.hpp"

#include "aerogpu/core/checked.hpp"

#include <algorithm>
#include <iterator>
#include <new>
#include <utility>

namespace aerogpu::tool {

void sparse_memory::map(gpa at, std::uint64_t size) {
  if (size == 0) return;
  std::uint64_t first = raw(at);
  std::uint64_t last = size - 1 > UINT64_MAX - first ? UINT64_MAX : first + (size - 1);
  // Joins every extent that touches the new one.
  auto next = extents_.upper_bound(first);
  if (next != extents_.begin() && std::prev(next)->second >= first) --next;
  while (next != extents_.end() && next->first <= last) {
    first = std::min(first, next->first);
    last = std::max(last, next->second);
    next = extents_.erase(next);
  }
  extents_.emplace(first, last);
}

auto sparse_memory::exists(std::uint64_t first, std::uint64_t size) const noexcept -> bool {
  if (size == 0) return true;
  if (size - 1 > UINT64_MAX - first) return false;
  std::uint64_t at = first;
  const std::uint64_t last = first + (size - 1);
  for (;;) {
    auto extent = extents_.upper_bound(at);
    if (extent == extents_.begin()) return false;
    --extent;
    if (extent->second < at) return false;
    if (extent->second >= last) return true;
    at = extent->second + 1;  // Adjacent extents may lie apart in the map.
  }
}

auto sparse_memory::in_window(gpa at, std::size_t size) const noexcept -> mutable_bytes {
  for (const window& w : windows_) {
    const std::uint64_t offset = raw(at) - raw(w.first);
    if (raw(at) >= raw(w.first) && range_fits(offset, size, w.bytes.size())) {
      return w.bytes.subspan(static_cast<std::size_t>(offset), size);
    }
  }
  return {};
}

auto sparse_memory::read(gpa at, mutable_bytes out) noexcept -> bool {
  if (const mutable_bytes own = in_window(at, out.size()); !own.empty()) {
    copy_bytes(out, own);
    return true;
  }
  if (!exists(raw(at), out.size())) return false;
  for (std::uint64_t address = raw(at); !out.empty();) {
    const std::uint64_t offset = address % page_size;
    const auto size =
        static_cast<std::size_t>(std::min<std::uint64_t>(page_size - offset, out.size()));
    const auto found = pages_.find(address / page_size);
    if (found == pages_.end()) {
      std::fill_n(out.begin(), size, std::byte{0});
    } else {
      std::copy_n(found->second->begin() + static_cast<std::ptrdiff_t>(offset), size, out.begin());
    }
    out = out.subspan(size);
    address += size;
  }
  return true;
}

auto sparse_memory::find_or_add(std::uint64_t number) noexcept -> page* {
  if (const auto found = pages_.find(number); found != pages_.end()) return found->second.get();
  if (pages_.size() >= most_pages_) return nullptr;
  std::unique_ptr<page> made{new (std::nothrow) page{}};
  return made == nullptr ? nullptr : pages_.emplace(number, std::move(made)).first->second.get();
}

auto sparse_memory::write(gpa at, const_bytes in) noexcept -> bool {
  if (const mutable_bytes own = in_window(at, in.size()); !own.empty()) {
    copy_bytes(own, in);
    return true;
  }
  if (!exists(raw(at), in.size())) return false;
  for (std::uint64_t address = raw(at); !in.empty();) {
    const std::uint64_t offset = address % page_size;
    const auto size =
        static_cast<std::size_t>(std::min<std::uint64_t>(page_size - offset, in.size()));
    page* const target = find_or_add(address / page_size);
    if (target == nullptr) return false;
    std::copy_n(in.begin(), size, target->begin() + static_cast<std::ptrdiff_t>(offset));
    in = in.subspan(size);
    address += size;
  }
  return true;
}

auto sparse_memory::find_free(std::uint64_t size, std::uint64_t lowest) const
    -> std::optional<gpa> {
  constexpr std::uint64_t step = 64 << 10;
  constexpr std::uint64_t highest = UINT64_MAX - step;
  const auto rounded = [](std::uint64_t value) { return (value + step - 1) / step * step; };
  if (lowest > highest) return std::nullopt;
  std::uint64_t candidate = rounded(lowest);
  for (const auto& [first, last] : extents_) {
    if (last < candidate) continue;
    if (first > candidate && first - candidate >= size) break;
    if (last >= highest) return std::nullopt;
    candidate = rounded(last + 1);
  }
  if (size > highest - candidate) return std::nullopt;
  return gpa{candidate};
}

}  // namespace aerogpu::tool

// SPDX-License-Identifier: MIT
#include "tools/aerogpu/trim/untold_memory.hpp"

#include "aerogpu/core/checked.hpp"

#include <algorithm>
#include <cstddef>

namespace aerogpu::tool {

namespace {

/// The recorded bytes of an allocation with a submission; empty when there are none.
auto memory_of(const recorded_work& work, std::uint32_t alloc) -> const_bytes {
  if (alloc == 0) return {};
  for (const recorded_memory& range : work.memory) {
    if (raw(range.id) == alloc) return range.bytes;
  }
  return {};
}

}  // namespace

void untold_memory::place(object_number which, std::uint32_t alloc, std::uint64_t offset) {
  backing& one = backings_[which];
  one.alloc = alloc;
  one.offset = offset;
}

void untold_memory::remember(const recorded_work& work, object_number which) {
  const auto found = backings_.find(which);
  if (found == backings_.end()) return;
  const const_bytes now = memory_of(work, found->second.alloc);
  if (!now.empty()) found->second.seen = now;
}

void untold_memory::compare(const recorded_work& work, const told_ranges& told) {
  for (const auto& [which, one] : backings_) {
    const const_bytes now = memory_of(work, one.alloc);
    if (now.empty() || one.seen.empty() || now.data() == one.seen.data()) continue;
    if (std::ranges::equal(now, one.seen)) continue;
    std::vector<std::byte> untold{now.begin(), now.end()};
    const auto ranges = told.find(which);
    if (ranges != told.end() && now.size() == one.seen.size()) {
      for (const told_range& range : ranges->second) {
        if (range.is_late || !range_fits(one.offset, range.offset, now.size())) continue;
        const std::size_t begin = one.offset + range.offset;
        const std::size_t size = std::min<std::uint64_t>(range.size, now.size() - begin);
        std::copy_n(one.seen.begin() + static_cast<std::ptrdiff_t>(begin), size,
                    untold.begin() + static_cast<std::ptrdiff_t>(begin));
      }
    }
    if (!std::ranges::equal(untold, one.seen)) unsteady_.insert(which);
  }
}

}  // namespace aerogpu::tool

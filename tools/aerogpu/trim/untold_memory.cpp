// SPDX-License-Identifier: MIT
#include "tools/aerogpu/trim/untold_memory.hpp"

#include "aerogpu/core/checked.hpp"

#include <algorithm>
#include <cstddef>
#include <cstring>

namespace aerogpu::tool {

namespace {

/// Tells whether bytes of a recording are the same, and looks at each pair once.
class content_comparison {
 public:
  [[nodiscard]] auto are_same(const_bytes a, const_bytes b) -> bool {
    if (a.data() == b.data()) return true;
    const auto [known, is_new] = known_.try_emplace({a.data(), b.data()});
    if (is_new) known->second = is_equal(a, b);
    return known->second;
  }
  [[nodiscard]] static auto is_equal(const_bytes a, const_bytes b) -> bool {
    return a.size() == b.size() && std::memcmp(a.data(), b.data(), a.size()) == 0;
  }

 private:
  std::map<std::pair<const std::byte*, const std::byte*>, bool> known_;
};

}  // namespace

brought_memory::brought_memory(const recorded_work& work) {
  for (const recorded_memory& range : work.memory) bytes_.try_emplace(raw(range.id), range.bytes);
}

auto brought_memory::of(std::uint32_t alloc) const -> const_bytes {
  const auto found = bytes_.find(alloc);
  return found == bytes_.end() ? const_bytes{} : found->second;
}

void untold_memory::place(object_number which, std::uint32_t alloc, std::uint64_t offset) {
  backing& one = backings_[which];
  placed_.erase({one.alloc, which});
  if (alloc != 0) placed_.insert({alloc, which});
  one.alloc = alloc;
  one.offset = offset;
}

void untold_memory::remember(const brought_memory& brought, object_number which) {
  const auto found = backings_.find(which);
  if (found == backings_.end() || found->second.alloc == 0) return;
  const const_bytes now = brought.of(found->second.alloc);
  if (!now.empty()) found->second.seen = now;
}

void untold_memory::compare(const brought_memory& brought, const told_ranges& told) {
  content_comparison contents;
  for (const auto& [alloc, now] : brought.all()) {
    if (now.empty()) continue;
    for (auto at = placed_.lower_bound({alloc, 0}); at != placed_.end() && at->first == alloc;
         ++at) {
      const object_number which = at->second;
      const backing& one = backings_.at(which);
      if (is_unsteady(which) || one.seen.empty() || contents.are_same(now, one.seen)) continue;
      const auto ranges = told.find(which);
      if (ranges == told.end() || !explains(ranges->second, one, now)) unsteady_.insert(which);
    }
  }
}

/// Whether what the host is told to read again is all that changed.
auto untold_memory::explains(const std::vector<told_range>& told, const backing& one,
                             const_bytes now) -> bool {
  if (now.size() != one.seen.size()) return false;
  std::vector<std::byte> untold{now.begin(), now.end()};
  for (const told_range& range : told) {
    if (range.is_late || !range_fits(one.offset, range.offset, now.size())) continue;
    const std::size_t begin = one.offset + range.offset;
    const std::size_t size = std::min<std::uint64_t>(range.size, now.size() - begin);
    copy_bytes(mutable_bytes{untold}.subspan(begin, size), one.seen.subspan(begin, size));
  }
  return content_comparison::is_equal(untold, one.seen);
}

}  // namespace aerogpu::tool

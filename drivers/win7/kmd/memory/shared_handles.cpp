// SPDX-License-Identifier: MIT
#include "drivers/win7/kmd/memory/shared_handles.hpp"

#include "drivers/win7/kmd/system/lock_scope.hpp"

namespace aerogpu::kmd {

auto shared_handles::number_of(const void* object) noexcept -> std::uint32_t {
  const lock_scope held{lock_};
  entry& found = find(object);
  if (found.object != object) {
    if (++last_number_ == 0) ++last_number_;
    found.object = object;
    found.number = last_number_;
  }
  found.last_use = ++uses_;
  return found.number;
}

/// The object's entry, or the one that is longest unused.
auto shared_handles::find(const void* object) noexcept -> entry& {
  entry* oldest = &entries_[0];
  for (entry& one : entries_) {
    if (one.object == object) return one;
    // Ages, not times, so that the count of uses may wrap.
    const bool is_older = uses_ - one.last_use > uses_ - oldest->last_use;
    if (oldest->object != nullptr && (one.object == nullptr || is_older)) oldest = &one;
  }
  return *oldest;
}

}  // namespace aerogpu::kmd

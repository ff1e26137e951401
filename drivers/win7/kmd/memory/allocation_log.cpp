// SPDX-License-Identifier: MIT
#include "drivers/win7/kmd/memory/allocation_log.hpp"

#include "drivers/win7/kmd/escape/escape_buffer.hpp"
#include "drivers/win7/kmd/system/lock_scope.hpp"

#include <algorithm>
#include <iterator>

namespace aerogpu::kmd {

auto allocation_log::begin_call() noexcept -> std::uint32_t {
  const lock_scope held{lock_};
  return ++calls_;
}

void allocation_log::add(const aerogpu_dbgctl_createallocation_desc& record) noexcept {
  const lock_scope held{lock_};
  aerogpu_dbgctl_createallocation_desc& slot = records_[written_ % capacity];
  slot = record;
  slot.seq = ++written_;
}

void allocation_log::copy_to(aerogpu_escape_dump_createallocation_inout& out) noexcept {
  constexpr std::uint32_t room = std::size(decltype(out.entries){});
  const std::uint32_t wanted = wanted_entries(out.entry_capacity, room);
  const lock_scope held{lock_};
  const std::uint32_t kept = std::min(written_, capacity);
  const std::uint32_t count = std::min(kept, wanted);
  out.write_index = written_;
  out.entry_count = count;
  out.entry_capacity = room;
  for (std::uint32_t i = 0; i < room; ++i) {
    out.entries[i] = i < count ? records_[(written_ - count + i) % capacity]
                               : aerogpu_dbgctl_createallocation_desc{};
  }
  out.reserved0 = 0;
}

}  // namespace aerogpu::kmd

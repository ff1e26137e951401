// SPDX-License-Identifier: MIT
#include "drivers/sim/kernel/objects/user_space.hpp"

#include "drivers/sim/kernel/machine/guest_ram.hpp"
#include "drivers/sim/kernel/machine/host_memory.hpp"

#include <cstdio>
#include <cstdlib>
#include <cstring>

namespace aerogpu::sim {
namespace {

/// All of a machine's user addresses; handed out once each for as long as there are any, so that
/// stale ones do not come alive.
/// A program of 32 bits has 4 GiB for everything.
constexpr auto space_bytes =
    static_cast<std::size_t>(sizeof(void*) == 8 ? std::uint64_t{64} << 30 : 256u << 20);

}  // namespace

user_space::user_space() : base_(host_memory::reserve(space_bytes)) {}

user_space::~user_space() {
  host_memory::release(base_, space_bytes);
}

auto user_space::take_addresses(std::size_t pages_bytes) -> std::byte* {
  if (next_ + pages_bytes + page_bytes <= space_bytes) {
    auto* const first_page = base_ + next_;
    next_ += pages_bytes + static_cast<std::size_t>(page_bytes);  // A page between ranges faults.
    return first_page;
  }
  auto& freed = freed_[pages_bytes];
  if (freed.empty()) {
    std::fputs("the simulated user space is used up\n", stderr);
    std::abort();
  }
  auto* const first_page = freed.front();
  freed.pop_front();
  return first_page;
}

auto user_space::allocate(std::size_t size_bytes) -> std::byte* {
  const std::lock_guard hold{mutex_};
  const auto pages = static_cast<std::size_t>(pages_of(size_bytes) * page_bytes);
  auto* const first_page = take_addresses(pages);
  if (pages != 0) host_memory::open(first_page, pages);
  auto* const at = first_page + (pages - size_bytes);
  ranges_[at] = {pages, first_page, size_bytes};
  return at;
}

void user_space::release(std::byte* at) {
  const std::lock_guard hold{mutex_};
  const auto found = ranges_.find(at);
  if (found == ranges_.end()) return;
  if (found->second.pages_bytes != 0)
    host_memory::close(found->second.first_page, found->second.pages_bytes);
  freed_[found->second.pages_bytes].push_back(found->second.first_page);
  ranges_.erase(found);
  read_.erase(at);
}

auto user_space::place(const_bytes bytes) -> std::byte* {
  auto* const at = allocate(bytes.size());
  if (!bytes.empty()) std::memcpy(at, bytes.data(), bytes.size());
  return at;
}

auto user_space::contains(const void* address) const noexcept -> bool {
  const auto offset =
      reinterpret_cast<std::uintptr_t>(address) - reinterpret_cast<std::uintptr_t>(base_);
  return offset < space_bytes;
}

auto user_space::copy(mutable_bytes to, const void* from) noexcept -> bool {
  if (to.empty()) return true;
  if (!contains(from)) return false;
  const auto* const first = static_cast<const std::byte*>(from);
  if (before_copy) before_copy(const_cast<std::byte*>(first), to.size());
  const std::lock_guard hold{mutex_};
  auto found = ranges_.upper_bound(first);
  if (found == ranges_.begin()) return false;
  --found;
  const auto offset = static_cast<std::size_t>(first - found->first);
  const auto size = found->second.size_bytes;
  if (offset > size || to.size() > size - offset) return false;
  std::memcpy(to.data(), first, to.size());
  if (!is_watched_) return true;
  auto& seen = read_[found->first];
  seen.resize(size);
  for (std::size_t i = offset; i < offset + to.size(); ++i) {
    if (seen[i]) ++read_twice_;
    seen[i] = true;
  }
  return true;
}

void user_space::watch() noexcept {
  const std::lock_guard hold{mutex_};
  is_watched_ = true;
  read_.clear();
  read_twice_ = 0;
}

auto user_space::bytes_read_twice() const noexcept -> std::uint64_t {
  const std::lock_guard hold{mutex_};
  return read_twice_;
}

}  // namespace aerogpu::sim

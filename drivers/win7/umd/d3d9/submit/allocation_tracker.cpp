// SPDX-License-Identifier: MIT
#include "drivers/win7/umd/d3d9/submit/allocation_tracker.hpp"

namespace aerogpu::umd {

void allocation_tracker::start(std::uint32_t capacity) noexcept {
  capacity_ = capacity;
  ++list_number_;
  entries_.clear();
  identities_.clear();
  by_allocation_.clear();
  by_id_.clear();
}

auto allocation_tracker::track(const allocation_use& use) noexcept -> track_outcome {
  const std::size_t guessed = guess_of(use.memory.allocation);
  if (!is_at(guessed, use.memory)) return search(use);
  entries_[guessed].is_written |= use.writes;
  return track_outcome::listed;
}

auto allocation_tracker::search(const allocation_use& use) noexcept -> track_outcome {
  const guest_backing& memory = use.memory;
  if (memory.allocation == kernel_allocation{} || memory.id == alloc_id{}) {
    return track_outcome::invalid_handle;
  }
  if (const std::uint32_t* const known = by_allocation_.find(memory.allocation)) {
    if (identities_[*known].id != memory.id) return track_outcome::id_mismatch;
    entries_[*known].is_written |= use.writes;
    guess_of(memory.allocation) = static_cast<std::uint16_t>(*known);
    return track_outcome::listed;
  }
  if (const std::uint32_t* const twin = by_id_.find(memory.id)) {
    const bool is_alias = memory.token != share_token{} && identities_[*twin].token == memory.token;
    if (!is_alias) return track_outcome::id_collision;
    entries_[*twin].is_written |= use.writes;
    return track_outcome::listed;
  }
  if (entries_.size() >= capacity_) return track_outcome::list_is_full;

  const bool has_room = entries_.reserve_more(2) && identities_.reserve_more(1) &&
                        by_allocation_.reserve_one() && by_id_.reserve_one();
  if (!has_room) return track_outcome::out_of_memory;
  const auto slot = static_cast<std::uint32_t>(entries_.size());
  guess_of(memory.allocation) = static_cast<std::uint16_t>(slot);
  static_cast<void>(by_allocation_.insert(memory.allocation, slot));
  static_cast<void>(by_id_.insert(memory.id, slot));
  static_cast<void>(entries_.push_back({memory.allocation, use.writes}));
  static_cast<void>(identities_.push_back({memory.id, memory.token}));
  return track_outcome::listed;
}

auto allocation_tracker::track_all(std::span<const allocation_use> uses) noexcept -> track_outcome {
  const std::size_t before = entries_.size();
  for (const allocation_use& use : uses) {
    if (!use.memory) continue;
    const track_outcome outcome = track(use);
    if (outcome == track_outcome::listed) continue;
    forget(before);
    return outcome;
  }
  return track_outcome::listed;
}

/// As written: a lock waits for work that writes, however it is taken.
auto allocation_tracker::add_marker(kernel_allocation marker) noexcept -> bool {
  return entries_.push_back({marker, true});
}

void allocation_tracker::forget(std::size_t size) noexcept {
  for (std::size_t i = size; i < entries_.size(); ++i) {
    by_allocation_.erase(entries_[i].allocation);
    by_id_.erase(identities_[i].id);
  }
  entries_.truncate(size);
  identities_.truncate(size);
}

}  // namespace aerogpu::umd

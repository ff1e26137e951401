// SPDX-License-Identifier: MIT
#include "drivers/sim/runtime/callbacks/command_spaces.hpp"

#include "drivers/sim/runtime/ddi/guarded.hpp"

#include <algorithm>
#include <cstring>
#include <span>
#include <string>

namespace aerogpu::sim {
namespace {

constexpr std::size_t guard_bytes = 256;
/// What a fresh buffer holds: a driver that counts on zeroes shows.
constexpr std::byte fresh_byte{0xCD};
/// How many sets stay watched after they went back.
constexpr std::size_t watched_sets = 3;

/// The guard takes what a set of the largest size would have, too.
void refresh(std::vector<std::byte>& bytes, std::size_t size, std::size_t most) {
  bytes.resize(most + guard_bytes);
  std::memset(bytes.data(), std::to_integer<int>(fresh_byte), size);
  std::memset(bytes.data() + size, std::to_integer<int>(guard_byte), bytes.size() - size);
}

[[nodiscard]] auto has_guard(const std::vector<std::byte>& bytes, std::size_t size) -> bool {
  return is_filled(std::span{bytes}.subspan(size), guard_byte);
}

void spoil(std::vector<std::byte>& bytes) {
  std::memset(bytes.data(), std::to_integer<int>(stale_byte), bytes.size());
}

}  // namespace

command_spaces::command_spaces(contract& rules, const space_policy& policy, space_size most,
                               std::uint32_t patch_entries, std::size_t entry_bytes)
    : rules_(rules),
      policy_(policy),
      most_(most),
      patch_entries_(patch_entries),
      entry_bytes_(entry_bytes) {
  renew(*current_, {});
}

auto command_spaces::patches() noexcept -> D3DDDI_PATCHLOCATIONLIST* {
  return reinterpret_cast<D3DDDI_PATCHLOCATIONLIST*>(current_->patches.data());
}

auto command_spaces::next_size(space_size wish) -> space_size {
  if (!rules_.watches_memory()) return most_;
  constexpr std::uint32_t byte_step = 4096;
  constexpr std::uint32_t entry_step = 16;
  constexpr std::uint32_t turns = 3;
  space_size size = most_;
  if (policy_.sizes.empty()) {
    const auto less = turn_ % turns;
    if (size.command_bytes > turns * byte_step) size.command_bytes -= less * byte_step;
    if (size.list_entries > turns * entry_step) size.list_entries -= less * entry_step;
  } else {
    const auto& chosen = policy_.sizes[turn_ % policy_.sizes.size()];
    if (chosen.command_bytes != 0) size.command_bytes = chosen.command_bytes;
    if (chosen.list_entries != 0) size.list_entries = chosen.list_entries;
  }
  ++turn_;
  if (policy_.honours_resize) {
    if (wish.command_bytes != 0) size.command_bytes = wish.command_bytes;
    if (wish.list_entries != 0) size.list_entries = wish.list_entries;
  }
  size.command_bytes = std::min(size.command_bytes, most_.command_bytes);
  size.list_entries = std::min(size.list_entries, most_.list_entries);
  return size;
}

void command_spaces::renew(space& one, space_size wish) {
  one.size = next_size(wish);
  const auto patch_bytes = patch_entries_ * sizeof(D3DDDI_PATCHLOCATIONLIST);
  refresh(one.commands, one.size.command_bytes, most_.command_bytes);
  refresh(one.allocations, one.size.list_entries * entry_bytes_, most_.list_entries * entry_bytes_);
  refresh(one.patches, patch_bytes, patch_bytes);
}

void command_spaces::check_guards(const char* when, const space& one) {
  const auto report = [&](const char* what, std::uint32_t size) {
    rules_.record(contract_rule::command_overrun, std::string{when} + ": written behind the " +
                                                      what + " of " + std::to_string(size));
  };
  const auto list_bytes = one.size.list_entries * entry_bytes_;
  const auto patch_bytes = patch_entries_ * sizeof(D3DDDI_PATCHLOCATIONLIST);
  if (!has_guard(one.commands, one.size.command_bytes))
    report("command buffer's bytes", one.size.command_bytes);
  if (!has_guard(one.allocations, list_bytes))
    report("allocation list's entries", one.size.list_entries);
  if (!has_guard(one.patches, patch_bytes)) report("patch location list's entries", patch_entries_);
}

void command_spaces::check_stale(const char* when, const space& one) {
  const auto report = [&](const char* what) {
    rules_.record(contract_rule::stale_buffer,
                  std::string{when} + ": written into " + what + " that was handed back");
  };
  if (!is_filled(one.commands, stale_byte)) report("a command buffer");
  if (!is_filled(one.allocations, stale_byte)) report("an allocation list");
  if (!is_filled(one.patches, stale_byte)) report("a patch location list");
}

void command_spaces::check(const char* when) {
  if (!rules_.watches_memory()) return;
  check_guards(when, *current_);
  for (const auto& one : returned_) {
    check_stale(when, *one);
    // Said once.
    spoil(one->commands);
    spoil(one->allocations);
    spoil(one->patches);
  }
}

void command_spaces::rotate(space_size wish) {
  if (!rules_.watches_memory()) return;
  spoil(current_->commands);
  spoil(current_->allocations);
  spoil(current_->patches);
  returned_.push_back(std::move(current_));
  if (returned_.size() <= watched_sets) {
    current_ = std::make_unique<space>();
  } else {
    current_ = std::move(returned_.front());
    returned_.pop_front();
  }
  renew(*current_, wish);
}

}  // namespace aerogpu::sim

// SPDX-License-Identifier: MIT
/// \file The command buffers and lists that a context lends to the driver, one set after another.
///
/// They are the runtime's, not the kernel's: of sizes that a test chooses, with guards behind them,
/// and full of nonsense as soon as they are handed back.
#pragma once

#include "drivers/sim/runtime/ddi/contract.hpp"
#include "drivers/win7/ddi/user/d3dumddi.hpp"

#include <cstddef>
#include <cstdint>
#include <deque>
#include <memory>
#include <vector>

namespace aerogpu::sim {

/// How much a submission may hold; 0: as much as the kernel takes.
struct space_size {
  std::uint32_t command_bytes = 0;
  std::uint32_t list_entries = 0;
};

/// Which sizes the sets of a context have.
struct space_policy {
  /// By turns. By default each differs from the one before, so that a driver that keeps an old
  /// size shows.
  std::vector<space_size> sizes;
  bool honours_resize = true;  ///< Else a wish for another size is ignored, as Windows may do.
};

class command_spaces {
 public:
  /// `most` is what the kernel takes; `entry_bytes` a list entry's, of the profile.
  command_spaces(contract& rules, const space_policy& policy, space_size most,
                 std::uint32_t patch_entries,
                 std::size_t entry_bytes = sizeof(D3DDDI_ALLOCATIONLIST));
  command_spaces(const command_spaces&) = delete;
  auto operator=(const command_spaces&) -> command_spaces& = delete;

  [[nodiscard]] auto commands() noexcept -> std::byte* { return current_->commands.data(); }
  /// `Entry` is the profile's.
  template <class Entry = D3DDDI_ALLOCATIONLIST>
  [[nodiscard]] auto allocations() noexcept -> Entry* {
    return reinterpret_cast<Entry*>(current_->allocations.data());
  }
  [[nodiscard]] auto patches() noexcept -> D3DDDI_PATCHLOCATIONLIST*;
  [[nodiscard]] auto size() const noexcept -> space_size { return current_->size; }
  [[nodiscard]] auto patch_entries() const noexcept -> std::uint32_t { return patch_entries_; }

  /// Records what was written where nothing may be.
  void check(const char* when);
  /// The current set goes back, and another takes its place. Zeroes of `wish` wish nothing.
  void rotate(space_size wish);

 private:
  struct space {
    space_size size;
    std::vector<std::byte> commands;
    std::vector<std::byte> allocations;
    std::vector<std::byte> patches;
  };
  void renew(space& one, space_size wish);
  [[nodiscard]] auto next_size(space_size wish) -> space_size;
  void check_guards(const char* when, const space& one);
  void check_stale(const char* when, const space& one);

  contract& rules_;
  const space_policy& policy_;
  space_size most_;
  std::uint32_t patch_entries_;
  std::size_t entry_bytes_;
  std::uint32_t turn_ = 0;
  std::unique_ptr<space> current_ = std::make_unique<space>();
  std::deque<std::unique_ptr<space>> returned_;
};

}  // namespace aerogpu::sim

// SPDX-License-Identifier: MIT
/// \file Ids that stand in the private data of standard allocations before these are created.
#pragma once

#include "aerogpu/core/ids.hpp"
#include "drivers/win7/kmd/system/lock_scope.hpp"
#include "drivers/win7/kmd/system/os.hpp"

#include <array>
#include <cstddef>
#include <cstdint>

namespace aerogpu::kmd {

/// To whom an id was promised.
enum class id_promise : std::uint8_t { nobody, another_process, caller };

/// GetStandardAllocationDriverData promises, CreateAllocation takes (kmd.md 3.4). Any thread; a
/// spin lock of its own, under which no other is taken. DISPATCH.
class promised_ids {
 public:
  /// The newest of all processes, and of them the newest of one: no process takes another's.
  static constexpr std::size_t capacity = 256;
  static constexpr std::size_t most_of_process = 4;

  void add(alloc_id id, const os::process_identity& process) noexcept {
    const lock_scope held{lock_};
    line_for(process) = {id, process, ++last_};
  }
  /// The caller's promise is kept once.
  [[nodiscard]] auto take(alloc_id id, const os::process_identity& caller) noexcept -> id_promise {
    const lock_scope held{lock_};
    line* const found = find(id);
    if (found == nullptr) return id_promise::nobody;
    if (found->process != caller) return id_promise::another_process;
    *found = {};
    return id_promise::caller;
  }
  [[nodiscard]] auto has(alloc_id id) noexcept -> bool {
    const lock_scope held{lock_};
    return find(id) != nullptr;
  }

 private:
  struct line {
    alloc_id id{};  ///< 0 = the line is free.
    os::process_identity process;
    std::uint64_t when = 0;
  };

  [[nodiscard]] auto find(alloc_id id) noexcept -> line* {
    for (line& one : lines_) {
      if (one.id == id) return &one;
    }
    return nullptr;
  }
  /// The process's oldest when it has its share, else the oldest of all: free ones are older.
  [[nodiscard]] auto line_for(const os::process_identity& process) noexcept -> line& {
    line* oldest = &lines_[0];
    line* own = nullptr;
    std::size_t own_count = 0;
    for (line& one : lines_) {
      if (one.when < oldest->when) oldest = &one;
      if (one.when == 0 || one.process != process) continue;
      ++own_count;
      if (own == nullptr || one.when < own->when) own = &one;
    }
    return own_count < most_of_process ? *oldest : *own;
  }

  os::spin_lock lock_;
  std::uint64_t last_ = 0;
  std::array<line, capacity> lines_{};
};

}  // namespace aerogpu::kmd

// SPDX-License-Identifier: MIT
/// \file How many of something each process holds, so that none takes what all need.
#pragma once

#include "drivers/win7/kmd/system/lock_scope.hpp"
#include "drivers/win7/kmd/system/os.hpp"

#include <array>
#include <cstddef>
#include <cstdint>

namespace aerogpu::kmd {

/// Processes that hold something at once.
inline constexpr std::size_t max_counted_processes = 1024;

/// One caller at a time; nothing is allocated. What outlives its process keeps its line until it is
/// gone, and counts for nobody else.
class process_counts {
 public:
  /// Where a process is counted, as long as it holds something.
  using line = std::uint16_t;
  static constexpr line no_line = 0xFFFF;
  static_assert(max_counted_processes < no_line);

  /// One more; `no_line`, with nothing counted, when the process holds `most` already or all lines
  /// are of others.
  [[nodiscard]] auto add(const os::process_identity& process, std::uint32_t most) noexcept -> line {
    std::size_t at = no_line;
    for (std::size_t i = 0; i < lines_.size(); ++i) {
      if (lines_[i].count == 0) {
        if (at == no_line) at = i;
      } else if (lines_[i].process == process) {
        at = i;
        break;
      }
    }
    if (at == no_line || lines_[at].count >= most) return no_line;
    lines_[at] = {process, lines_[at].count + 1};
    return static_cast<line>(at);
  }
  /// One of those that were counted there is gone.
  void drop(line at) noexcept { --lines_[at].count; }
  void clear() noexcept { lines_.fill({}); }

 private:
  struct held {
    os::process_identity process;
    std::uint32_t count = 0;  ///< 0 = the line is free.
  };
  std::array<held, max_counted_processes> lines_{};
};

/// The same for any thread; a spin lock of its own, under which no other is taken.
class locked_process_counts {
 public:
  [[nodiscard]] auto add(const os::process_identity& process, std::uint32_t most) noexcept
      -> process_counts::line {
    const lock_scope held{lock_};
    return counts_.add(process, most);
  }
  void drop(process_counts::line at) noexcept {
    const lock_scope held{lock_};
    counts_.drop(at);
  }

 private:
  os::spin_lock lock_;
  process_counts counts_;
};

}  // namespace aerogpu::kmd

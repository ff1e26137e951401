// SPDX-License-Identifier: MIT
/// \file What the scheduler checks of each fence report (kmd.md 2.11): bug check 0x119 if it is
/// wrong.
#pragma once

#include <cstdint>
#include <deque>
#include <mutex>
#include <optional>
#include <vector>

namespace aerogpu::sim {

/// Fences that were submitted and not yet reported, in order. Any thread; called at DIRQL too.
class fence_ledger {
 public:
  /// Before SubmitCommand is called: a report may come before it returns.
  void submitted(std::uint32_t fence, bool is_system);
  /// DMA_COMPLETED: what it retires, in order; empty after a bug check.
  [[nodiscard]] auto completed(std::uint32_t fence) -> std::vector<std::uint32_t>;
  /// PreemptCommand is about to be called.
  void preempting(std::uint32_t preemption_fence);
  /// DMA_PREEMPTED. False after a bug check.
  auto preempted(std::uint32_t preemption_fence, std::uint32_t last_completed) -> bool;
  /// DMA_FAULTED: always a bug check for system and paging work.
  auto faulted(std::uint32_t fence) -> bool;

  [[nodiscard]] auto pending() const -> std::size_t;
  [[nodiscard]] auto is_pending(std::uint32_t fence) const -> bool;
  [[nodiscard]] auto last_reported() const -> std::optional<std::uint32_t>;
  [[nodiscard]] auto is_preempting() const -> bool;
  /// A preemption: what is outstanding is handed out again. Gives that.
  auto drop() -> std::vector<std::uint32_t>;
  /// TDR: nothing that was submitted will be reported, and all of it counts as done (kmd.md 3.12).
  /// Gives what was outstanding.
  auto drop_as_done() -> std::vector<std::uint32_t>;

 private:
  struct entry {
    std::uint32_t fence = 0;
    bool is_system = false;
  };
  void wrong(std::uint32_t fence, const char* text) const;

  mutable std::mutex mutex_;
  std::deque<entry> pending_;
  std::optional<std::uint32_t> last_reported_;
  std::optional<std::uint32_t> preemption_;
};

}  // namespace aerogpu::sim

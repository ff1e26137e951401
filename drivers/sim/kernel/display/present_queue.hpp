// SPDX-License-Identifier: MIT
/// \file A device's presents: how many are queued, and what became of them.
#pragma once

#include <cstdint>
#include <mutex>
#include <optional>

namespace aerogpu::sim {

/// As D3DKMT_PRESENT_STATS has them.
struct present_statistics {
  std::uint32_t present_id = 0;       ///< Of the last one that was shown or copied.
  std::uint32_t present_refresh = 0;  ///< At which vertical blank the last one was.
  std::uint32_t sync_refresh = 0;     ///< The last vertical blank.
  std::uint64_t sync_time_ns = 0;
};

/// What the program's runtime calls a present; nothing: the one after the last.
using present_number = std::optional<std::uint32_t>;

/// Any thread, DIRQL too: taken for a few instructions, with nothing called.
class present_account {
 public:
  static constexpr std::uint32_t default_limit = 3;  ///< Direct3D's maximum frame latency.

  [[nodiscard]] auto limit() const -> std::uint32_t {
    const std::lock_guard hold{mutex_};
    return limit_;
  }
  void set_limit(std::uint32_t presents) {
    const std::lock_guard hold{mutex_};
    limit_ = presents;
  }
  [[nodiscard]] auto queued() const -> std::uint32_t {
    const std::lock_guard hold{mutex_};
    return queued_;
  }
  /// False when the limit is reached.
  [[nodiscard]] auto try_add() -> bool {
    const std::lock_guard hold{mutex_};
    if (queued_ >= limit_) return false;
    ++queued_;
    return true;
  }
  /// Takes back what `try_add` added: the present failed, or a timeout dropped it.
  void cancel() {
    const std::lock_guard hold{mutex_};
    --queued_;
  }
  /// A present reached its fence or its vertical blank. `refresh`: of the last one so far.
  void retire(const present_number& of, std::uint32_t refresh) {
    const std::lock_guard hold{mutex_};
    --queued_;
    statistics_.present_id = of.value_or(statistics_.present_id + 1);
    statistics_.present_refresh = refresh;
  }
  void synchronize(std::uint32_t refresh, std::uint64_t time_ns) {
    const std::lock_guard hold{mutex_};
    statistics_.sync_refresh = refresh;
    statistics_.sync_time_ns = time_ns;
  }
  [[nodiscard]] auto statistics() const -> present_statistics {
    const std::lock_guard hold{mutex_};
    return statistics_;
  }

 private:
  mutable std::mutex mutex_;
  std::uint32_t limit_ = default_limit;
  std::uint32_t queued_ = 0;
  present_statistics statistics_;
};

}  // namespace aerogpu::sim

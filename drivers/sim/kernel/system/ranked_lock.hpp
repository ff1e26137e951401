// SPDX-License-Identifier: MIT
/// \file The upper half's locks, in the order in which a thread may take them.
#pragma once

#include <cstdint>
#include <mutex>

namespace aerogpu::sim {

/// Whoever holds one takes only later ones. After these come the clock's, the interrupt lock and
/// the mutexes of single tables, under which nothing is called that takes another lock.
enum class lock_rank : std::uint8_t {
  process,  ///< `process::mutex`: one thread of a process at a time is in the driver.
  gpu,      ///< `scheduler::gpu`: submission, paging, timeouts; VidMm's state too.
};

/// The thread that holds it may take it again. PASSIVE. A wrong order is bug check 0x113, whether
/// or not another thread is there to stand still with.
class ranked_lock {
 public:
  explicit ranked_lock(lock_rank rank) noexcept : rank_(rank) {}

  void lock();
  void unlock();

 private:
  const lock_rank rank_;
  std::recursive_mutex mutex_;
};

}  // namespace aerogpu::sim

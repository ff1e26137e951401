// SPDX-License-Identifier: MIT
/// \file A mutex that costs the one thread that uses it no interlocked instruction.
#pragma once

#include "drivers/win7/umd/d3d9/core/os.hpp"
#include "drivers/win7/umd/d3d9/core/os_thread.hpp"

#include <array>
#include <atomic>
#include <cstddef>
#include <cstdint>

namespace aerogpu::umd {

/// Not recursive. A thread that took it several times in a row, and nobody else did, owns the bias:
/// it says that it is inside by a plain store, and looks whether the bias is still its own. Another
/// thread takes the bias away behind a barrier on all processors of the process, and waits until
/// the owner is outside. Biases are few and each is used once: a mutex that several threads want
/// ends as a plain one, as it does where the system has no such barrier. An owner that ended leaves
/// a bias like any other.
class biased_mutex {
 public:
  /// Of one thread, with no other's between them, before the bias is its own.
  static constexpr std::uint32_t calls_before_bias = 32;
  static constexpr std::size_t most_biases = 3;

  biased_mutex() = default;
  biased_mutex(const biased_mutex&) = delete;
  auto operator=(const biased_mutex&) -> biased_mutex& = delete;

  void lock() noexcept {
    if (!enter_as_owner()) [[unlikely]]
      lock_among_all();
  }
  /// Waits for nobody.
  [[nodiscard]] auto try_lock() noexcept -> bool {
    return enter_as_owner() || try_lock_among_all();
  }
  void unlock() noexcept {
    if (entered_by_ != nullptr) [[likely]]
      entered_by_->is_inside.store(false, std::memory_order_release);
    else
      among_all_.unlock();
  }

 private:
  struct bias {
    std::atomic<std::uintptr_t> owner{0};  ///< os::this_thread(); 0 = nobody, or no more.
    std::atomic<bool> is_inside{false};    ///< Means nothing once another bias is current.
  };

  [[nodiscard]] auto enter_as_owner() noexcept -> bool {
    bias& mine = *current_.load(std::memory_order_relaxed);
    const std::uintptr_t self = os::this_thread();
    if (mine.owner.load(std::memory_order_relaxed) != self) [[unlikely]]
      return false;
    if (mine.is_inside.load(std::memory_order_relaxed)) [[unlikely]]
      return false;  // It waits for itself.
    mine.is_inside.store(true, std::memory_order_relaxed);
    // The other half is the process-wide barrier of who revokes: either that thread sees the store,
    // or this one sees that it has lost the bias.
    std::atomic_signal_fence(std::memory_order_seq_cst);
    if (mine.owner.load(std::memory_order_acquire) != self) [[unlikely]] {
      mine.is_inside.store(false, std::memory_order_release);
      return false;
    }
    entered_by_ = &mine;
    return true;
  }
  void lock_among_all() noexcept;
  [[nodiscard]] auto try_lock_among_all() noexcept -> bool;

  // With `among_all_` held.
  [[nodiscard]] auto current_bias() noexcept -> bias& {
    return *current_.load(std::memory_order_relaxed);
  }
  void revoke() noexcept;
  [[nodiscard]] auto is_left() noexcept -> bool;
  void note_holder() noexcept;

  std::array<bias, most_biases + 1> biases_;  ///< The last one is nobody's for ever.
  std::atomic<bias*> current_{biases_.data()};
  bias* entered_by_ = nullptr;  ///< By who holds the mutex; null = `among_all_`.
  os::mutex among_all_;

  // Guarded by `among_all_`.
  bool is_plain_ = false;    ///< For good: no bias is left, and no owner inside.
  bias* leaving_ = nullptr;  ///< Revoked, and its owner may still be inside.
  std::uintptr_t last_holder_ = 0;
  std::uint32_t calls_in_a_row_ = 0;
};

}  // namespace aerogpu::umd

// SPDX-License-Identifier: MIT
/// \file A 64-bit number that any thread may read and write in one piece, at any IRQL.
#pragma once

#include <cstdint>

namespace aerogpu {

/// Like std::atomic<std::uint64_t>, which an i686 driver cannot have: its plain 64-bit load takes
/// the floating-point unit. Compare-exchange does not. Sequentially consistent.
class shared_u64 {
 public:
  [[nodiscard]] auto load() const noexcept -> std::uint64_t {
    if constexpr (sizeof(void*) >= sizeof(std::uint64_t))
      return __atomic_load_n(&value_, __ATOMIC_SEQ_CST);
    else
      return __sync_val_compare_and_swap(&value_, std::uint64_t{0}, std::uint64_t{0});
  }
  void store(std::uint64_t value) noexcept {
    if constexpr (sizeof(void*) >= sizeof(std::uint64_t)) {
      __atomic_store_n(&value_, value, __ATOMIC_SEQ_CST);
    } else {
      std::uint64_t seen = load();
      for (;;) {
        const std::uint64_t before = __sync_val_compare_and_swap(&value_, seen, value);
        if (before == seen) return;
        seen = before;
      }
    }
  }

 private:
  alignas(8) mutable std::uint64_t value_ = 0;
};

}  // namespace aerogpu

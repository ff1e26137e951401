// SPDX-License-Identifier: MIT
/// \file What the driver did to the device, in order.
#pragma once

#include "drivers/sim/kernel/system/thread.hpp"

#include <cstdint>
#include <mutex>
#include <vector>

namespace aerogpu::sim {

enum class access_kind : std::uint8_t {
  read_register,
  write_register,
  read_config,
  write_config,
  barrier,  ///< A full one.
};

struct access {
  access_kind kind{};
  std::uint32_t offset = 0;
  std::uint32_t value = 0;
  irql level = 0;
  std::uint64_t time_ns = 0;
};

/// Bounded: the oldest half goes when it is full. Any thread.
class access_log {
 public:
  void add(const access& one) {
    const std::lock_guard hold{mutex_};
    if (entries_.size() >= capacity)
      entries_.erase(entries_.begin(), entries_.begin() + capacity / 2);
    entries_.push_back(one);
    ++total_;
  }
  [[nodiscard]] auto entries() const -> std::vector<access> {
    const std::lock_guard hold{mutex_};
    return entries_;
  }
  /// The register writes alone.
  [[nodiscard]] auto writes() const -> std::vector<access> {
    const std::lock_guard hold{mutex_};
    std::vector<access> found;
    for (const auto& one : entries_) {
      if (one.kind == access_kind::write_register) found.push_back(one);
    }
    return found;
  }
  void clear() {
    const std::lock_guard hold{mutex_};
    entries_.clear();
  }
  /// All accesses ever.
  [[nodiscard]] auto total() const -> std::uint64_t {
    const std::lock_guard hold{mutex_};
    return total_;
  }

 private:
  static constexpr std::ptrdiff_t capacity = 1 << 16;
  mutable std::mutex mutex_;
  std::vector<access> entries_;
  std::uint64_t total_ = 0;
};

}  // namespace aerogpu::sim

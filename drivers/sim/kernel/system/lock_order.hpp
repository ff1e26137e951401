// SPDX-License-Identifier: MIT
/// \file In which order locks were taken: two threads that differ could stand still one day.
#pragma once

#include <cstddef>
#include <map>
#include <mutex>
#include <set>
#include <vector>

namespace aerogpu::sim {

/// A graph of "was held while that was taken". Any thread.
class lock_order {
 public:
  /// `taken` is being taken by a thread that holds `held`. False when the other order was seen.
  [[nodiscard]] auto note(const std::vector<const void*>& held, const void* taken) -> bool;
  /// The memory goes back: another lock may come to lie there.
  void forget(const void* memory, std::size_t size_bytes);

 private:
  [[nodiscard]] auto reaches(const void* from, const void* to) const -> bool;
  std::mutex mutex_;
  std::map<const void*, std::set<const void*>> after_;
};

}  // namespace aerogpu::sim

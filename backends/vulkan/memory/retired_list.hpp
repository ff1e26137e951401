// SPDX-License-Identifier: MIT
/// \file What the host knows of objects that went, kept while the open batch may still point to it.
#pragma once

#include <cstdint>
#include <memory>
#include <utility>

namespace aerogpu::vulkan {

/// Holds records of one batch; those of earlier batches go with the first one of a new batch.
/// Whoever records a batch may so keep pointers that it found in that batch. `Record` has a member
/// `std::unique_ptr<Record> next_retired`.
template <class Record>
class retired_list {
 public:
  retired_list() noexcept = default;
  retired_list(const retired_list&) = delete;
  auto operator=(const retired_list&) -> retired_list& = delete;
  ~retired_list() { clear(); }

  void add(std::unique_ptr<Record> old, std::uint64_t batch) noexcept {
    if (batch_ != batch) clear();
    batch_ = batch;
    old->next_retired = std::move(first_);
    first_ = std::move(old);
  }
  /// One by one: a chain that destroys itself would be as deep as it is long.
  void clear() noexcept {
    while (first_ != nullptr) first_ = std::exchange(first_->next_retired, nullptr);
  }

 private:
  std::unique_ptr<Record> first_;
  std::uint64_t batch_ = 0;
};

}  // namespace aerogpu::vulkan

// SPDX-License-Identifier: MIT
/// \file Paging buffers: operations are built one after another, then submitted in order.
#pragma once

#include "drivers/sim/kernel/memory/memory_list.hpp"
#include "drivers/sim/kernel/render/scheduler.hpp"

#include <cstdint>
#include <functional>
#include <memory>
#include <vector>

namespace aerogpu::sim {

/// Not thread-safe: VidMm's lock covers it.
class paging_queue {
 public:
  paging_queue(kernel& windows, scheduler& on, std::uint32_t size, std::uint32_t private_size)
      : windows_(windows), scheduler_(on), size_(size), private_size_(private_size) {}

  /// Lets the driver build one operation, in as many buffers as it wants. `mdl` lives until it has
  /// run. False when the driver says that the allocation is busy, or breaks the rules.
  [[nodiscard]] auto add(DXGKARG_BUILDPAGINGBUFFER operation,
                         std::shared_ptr<memory_list> mdl = nullptr) -> bool;
  /// As `add`, and nothing is submitted: a notice while the device is being reset.
  void notify(DXGKARG_BUILDPAGINGBUFFER operation);
  /// `act` runs when everything added so far ran, or was dropped. PASSIVE.
  void when_done(std::function<void()> act) { waiting_.push_back(std::move(act)); }
  /// Submits what was built. The fence of the last paging buffer; nobody has 0 before there is one.
  auto flush() -> std::uint32_t;
  /// A timeout: what was built and not submitted is gone.
  void drop();

  [[nodiscard]] auto operations() const noexcept -> std::uint64_t { return operations_; }

 private:
  [[nodiscard]] auto ensure_buffer() -> bool;
  [[nodiscard]] auto build(DXGKARG_BUILDPAGINGBUFFER& operation) -> NTSTATUS;

  kernel& windows_;
  scheduler& scheduler_;
  std::uint32_t size_ = 0;
  std::uint32_t private_size_ = 0;
  std::shared_ptr<dma_buffer> buffer_;
  std::uint32_t start_ = 0;  ///< Of what was not submitted yet.
  std::uint32_t used_ = 0;
  std::uint32_t private_start_ = 0;
  std::uint32_t private_used_ = 0;
  std::vector<std::shared_ptr<memory_list>> mdls_;
  std::vector<std::function<void()>> waiting_;
  std::uint32_t last_fence_ = 0;
  std::uint64_t operations_ = 0;
};

}  // namespace aerogpu::sim

// SPDX-License-Identifier: MIT
/// \file State that a thread and its owner share, and the last of them frees.
#pragma once

#include <atomic>
#include <cstdint>
#include <new>
#include <utility>

namespace aerogpu::vulkan {

/// A counted reference to a `T` on the heap, or null. What std::make_shared is, where running out
/// of memory is a value.
template <class T>
class shared_state {
 public:
  shared_state() noexcept = default;
  /// Null when the heap is exhausted.
  template <class... Args>
  [[nodiscard]] static auto make(Args&&... args) noexcept -> shared_state {
    shared_state made;
    made.block_ = new (std::nothrow) block{1, T(std::forward<Args>(args)...)};
    return made;
  }
  shared_state(const shared_state& other) noexcept : block_(other.block_) {
    if (block_ != nullptr) block_->owners.fetch_add(1, std::memory_order_relaxed);
  }
  shared_state(shared_state&& other) noexcept : block_(std::exchange(other.block_, nullptr)) {}
  auto operator=(shared_state other) noexcept -> shared_state& {
    std::swap(block_, other.block_);
    return *this;
  }
  ~shared_state() {
    if (block_ == nullptr) return;
    if (block_->owners.fetch_sub(1, std::memory_order_acq_rel) == 1) delete block_;
  }

  [[nodiscard]] auto operator*() const noexcept -> T& { return block_->value; }
  [[nodiscard]] auto operator->() const noexcept -> T* { return &block_->value; }
  [[nodiscard]] explicit operator bool() const noexcept { return block_ != nullptr; }

 private:
  struct block {
    std::atomic<std::uint32_t> owners;
    T value;
  };

  block* block_ = nullptr;
};

}  // namespace aerogpu::vulkan

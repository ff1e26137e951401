// SPDX-License-Identifier: MIT
/// \file Memory of the calling process: it can vanish, and change after each read.
#pragma once

#include "aerogpu/core/bytes.hpp"

#include <cstddef>
#include <cstdint>
#include <deque>
#include <functional>
#include <map>
#include <mutex>
#include <vector>

namespace aerogpu::sim {

/// Addresses that lie in it belong to user mode, all others to the kernel. Any thread.
class user_space {
 public:
  user_space();
  ~user_space();
  user_space(const user_space&) = delete;
  auto operator=(const user_space&) -> user_space& = delete;

  /// Zeroed memory whose end is the end of its last page: one byte more faults. Never fails.
  /// Addresses come again only when all others were used.
  [[nodiscard]] auto allocate(std::size_t size_bytes) -> std::byte*;
  void release(std::byte* at);
  /// A copy of `bytes` in user memory.
  [[nodiscard]] auto place(const_bytes bytes) -> std::byte*;

  [[nodiscard]] auto contains(const void* address) const noexcept -> bool;
  /// As the kernel copies from a process: false when some of it is not there.
  [[nodiscard]] auto copy(mutable_bytes to, const void* from) noexcept -> bool;

  /// Called before each copy, with what will be read; it may change or release the bytes.
  std::function<void(std::byte*, std::size_t)> before_copy;

  /// From now on, or anew, notes which bytes are read; `bytes_read_twice` counts those of later
  /// calls.
  void watch() noexcept;
  [[nodiscard]] auto bytes_read_twice() const noexcept -> std::uint64_t;

 private:
  struct range {
    std::size_t pages_bytes = 0;
    std::byte* first_page = nullptr;
    std::size_t size_bytes = 0;
  };
  [[nodiscard]] auto take_addresses(std::size_t pages_bytes) -> std::byte*;

  std::byte* base_ = nullptr;
  mutable std::mutex mutex_;
  std::size_t next_ = 0;
  std::map<const std::byte*, range> ranges_;
  std::map<std::size_t, std::deque<std::byte*>> freed_;  ///< First pages, by bytes of pages.
  std::map<const std::byte*, std::vector<bool>> read_;   ///< By range.
  bool is_watched_ = false;
  std::uint64_t read_twice_ = 0;
};

}  // namespace aerogpu::sim

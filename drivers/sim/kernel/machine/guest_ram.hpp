// SPDX-License-Identifier: MIT
/// \file The simulated machine's RAM: contiguous blocks, scattered pages, views of them.
#pragma once

#include "aerogpu/core/bytes.hpp"
#include "aerogpu/core/ids.hpp"
#include "drivers/sim/kernel/machine/host_memory.hpp"

#include <cstddef>
#include <cstdint>
#include <mutex>
#include <span>
#include <vector>

namespace aerogpu::sim {

[[nodiscard]] constexpr auto pages_of(std::uint64_t bytes) noexcept -> std::uint64_t {
  return (bytes + page_bytes - 1) / page_bytes;
}

/// RAM from physical address 0 on, committed when touched. Models `guest_memory`: the device's side
/// reads and writes aligned words whole, so that the other side may be another thread. Any thread.
class guest_ram {
 public:
  /// The first MiB is never handed out, like a PC's. What `allocate_scattered` gives lies in the
  /// pages of `tail`, if there is one, and nothing else does.
  explicit guest_ram(std::uint64_t size_bytes, std::uint64_t seed, const shared_part& tail = {});
  ~guest_ram();
  guest_ram(const guest_ram&) = delete;
  auto operator=(const guest_ram&) -> guest_ram& = delete;

  /// Zeroed pages in a row; their physical address, or 0 when there are none.
  [[nodiscard]] auto allocate(std::uint64_t pages) noexcept -> std::uint64_t;
  /// Page frame numbers of zeroed pages, no two clusters of them neighbours in order; a cluster is
  /// one page natively. In a shared tail all of them in a row. Empty: there are none.
  [[nodiscard]] auto allocate_scattered(std::uint64_t pages) -> std::vector<std::uintptr_t>;
  /// Overwrites the pages and takes them back.
  void release(std::uint64_t physical, std::uint64_t pages) noexcept;

  /// Where the machine's processor sees a range that is RAM; nullptr elsewhere.
  [[nodiscard]] auto at(std::uint64_t physical, std::uint64_t size_bytes = 1) noexcept
      -> std::byte*;
  /// The physical address of a byte that `at` gave; UINT64_MAX for others.
  [[nodiscard]] auto physical_of(const void* address) const noexcept -> std::uint64_t;

  /// Pages in a row of addresses, wherever they lie; nullptr when the system refuses.
  [[nodiscard]] auto map(std::span<const std::uintptr_t> frames) noexcept -> std::byte*;
  void unmap(std::byte* view, std::uint64_t pages) noexcept;

  auto read(gpa from, mutable_bytes out) noexcept -> bool;
  auto write(gpa to, const_bytes in) noexcept -> bool;

  [[nodiscard]] auto size_bytes() const noexcept -> std::uint64_t { return size_bytes_; }
  [[nodiscard]] auto pages_in_use() const noexcept -> std::uint64_t;
  [[nodiscard]] auto views() const noexcept -> std::uint64_t;

 private:
  void clear(std::uint64_t physical, std::uint64_t pages) noexcept;

  [[nodiscard]] auto find_run(std::size_t first, std::size_t end, std::uint64_t pages) const
      -> std::size_t;
  [[nodiscard]] auto allocate_shared(std::uint64_t pages) -> std::vector<std::uintptr_t>;

  std::uint64_t size_bytes_ = 0;
  std::size_t first_shared_page_ = 0;  ///< The number of pages when none is shared.
  host_memory::page_file file_;
  mutable std::mutex mutex_;
  std::vector<bool> used_;  ///< By page.
  std::uint64_t in_use_ = 0;
  std::uint64_t views_ = 0;
  std::uint64_t random_ = 0;
};

}  // namespace aerogpu::sim

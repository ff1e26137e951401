// SPDX-License-Identifier: MIT
/// \file Both pools, with owners, guards around each block, and a list of what leaked.
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <mutex>
#include <string>

namespace aerogpu::sim {

enum class pool_kind : std::uint8_t { non_paged, paged };

/// Any thread. Wrong releases are bug checks.
class pool {
 public:
  /// Zeroed, 16-byte aligned; nullptr when the system has none. `tag` is Windows' four bytes.
  [[nodiscard]] auto allocate(std::size_t size_bytes, std::uint32_t tag,
                              pool_kind kind = pool_kind::non_paged) noexcept -> void*;
  void release(void* memory, std::uint32_t tag) noexcept;

  /// 0 for what is no block.
  [[nodiscard]] auto size_of(const void* memory) const -> std::size_t;
  [[nodiscard]] auto blocks() const -> std::size_t;
  [[nodiscard]] auto bytes() const -> std::uint64_t;
  [[nodiscard]] auto non_paged_bytes() const -> std::uint64_t;
  /// A line for each tag that still has blocks; empty when nothing is left.
  [[nodiscard]] auto leaks() const -> std::string;

 private:
  struct block {
    std::size_t size_bytes = 0;
    std::uint32_t tag = 0;
    pool_kind kind = pool_kind::non_paged;
  };
  mutable std::mutex mutex_;
  std::map<const void*, block> blocks_;
};

}  // namespace aerogpu::sim

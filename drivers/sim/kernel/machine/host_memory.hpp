// SPDX-License-Identifier: MIT
/// \file Addresses and pages from the system that the simulator runs on: Linux or Windows.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

namespace aerogpu::sim {

inline constexpr std::uint64_t page_bytes = 4096;

/// A part of a file that other programs map too.
struct shared_part {
  std::intptr_t file = -1;  ///< A descriptor; its owner keeps it open. -1: none.
  std::uint64_t offset = 0;
  std::uint64_t size_bytes = 0;

  [[nodiscard]] auto is_there() const noexcept -> bool { return file != -1; }
};

namespace host_memory {

/// Windows 7 has user programs below this address; a driver tells them by it.
inline constexpr std::uint64_t user_end = sizeof(void*) == 8 ? 0x7FFFFFF0000 : 0x7FFF0000;

/// Addresses in the user's half that fault. Never fails: a system that refuses ends the program.
/// Which half it is matters where the driver's own Windows code looks at addresses.
[[nodiscard]] auto reserve(std::uint64_t size_bytes) noexcept -> std::byte*;
/// Of a whole reservation.
void release(std::byte* at, std::uint64_t size_bytes) noexcept;
/// Zeroed pages in a part of a reservation, committed when touched; ends the program if refused.
void open(std::byte* at, std::uint64_t size_bytes) noexcept;
/// Addresses that fault again.
void close(std::byte* at, std::uint64_t size_bytes) noexcept;

/// A part of a file, to read and write; ends the program if refused. Linux alone has it.
[[nodiscard]] auto map_shared(const shared_part& part) noexcept -> std::byte*;
void unmap_shared(std::byte* at, const shared_part& part) noexcept;

/// Pages that can be seen at several addresses at once. Not thread-safe, but for `map` and `unmap`.
class page_file {
 public:
  /// A view can change from one frame to any other after this many pages, counted in the file.
  /// Windows maps by 64 KiB.
#ifdef _WIN32
  static constexpr std::uint64_t cluster_pages = 16;
#else
  static constexpr std::uint64_t cluster_pages = 1;
#endif

  /// Zeroed, committed when touched. A system that refuses ends the program. The last pages are
  /// those of `tail`, if there is one.
  explicit page_file(std::uint64_t size_bytes, const shared_part& tail = {}) noexcept;
  ~page_file();
  page_file(const page_file&) = delete;
  auto operator=(const page_file&) -> page_file& = delete;

  /// All pages in a row.
  [[nodiscard]] auto base() const noexcept -> std::byte* {
    return base_;
  }
  /// Gives pages back to the system, which makes them zero; false when it does not do so.
  [[nodiscard]] auto punch(std::uint64_t offset, std::uint64_t size_bytes) noexcept -> bool;
  /// Pages in a row of addresses, wherever they lie in the file; nullptr when the system refuses.
  [[nodiscard]] auto map(std::span<const std::uintptr_t> pages) noexcept -> std::byte*;
  void unmap(std::byte* view, std::uint64_t pages) noexcept;

 private:
  /// Where in which file an offset is.
  struct place {
    std::intptr_t file = -1;
    std::uint64_t offset = 0;
  };
  [[nodiscard]] auto place_of(std::uint64_t offset) const noexcept -> place;

  std::uint64_t size_bytes_ = 0;
  std::intptr_t file_ = -1;
  shared_part tail_;
  std::byte* base_ = nullptr;
};

}  // namespace host_memory
}  // namespace aerogpu::sim

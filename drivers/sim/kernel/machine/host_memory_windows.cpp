// SPDX-License-Identifier: MIT
#include "drivers/sim/kernel/machine/host_memory.hpp"

#include <cstdio>
#include <cstdlib>
#include <windows.h>

namespace aerogpu::sim::host_memory {
namespace {

constexpr std::size_t cluster_bytes = page_file::cluster_pages * page_bytes;
/// Reservations are asked for from here on, in steps; the ends of a program's addresses are taken
/// by others.
constexpr bool is_x64 = sizeof(void*) == 8;
constexpr std::uint64_t first_address = std::uint64_t{1} << (is_x64 ? 40 : 28);
constexpr std::uint64_t address_step = std::uint64_t{1} << (is_x64 ? 30 : 24);
/// Another thread may take addresses between their release and their use.
constexpr int map_attempts = 8;

[[noreturn]] void give_up(const char* what) {
  std::fprintf(stderr, "%s: the system refuses, error %lu\n", what, GetLastError());
  std::abort();
}

[[nodiscard]] auto size_of(std::uint64_t bytes) -> SIZE_T {
  return static_cast<SIZE_T>(bytes);
}
[[nodiscard]] auto low(std::uint64_t value) -> DWORD {
  return static_cast<DWORD>(value);
}
[[nodiscard]] auto high(std::uint64_t value) -> DWORD {
  return static_cast<DWORD>(value >> 32);
}

struct piece {
  std::uint64_t first_page = 0;
  std::size_t pages = 0;
};

/// The pages in a row from `pages[0]` on, at most to the end of its cluster.
[[nodiscard]] auto first_piece(std::span<const std::uintptr_t> pages) -> piece {
  piece one{pages[0], 1};
  while (one.pages < pages.size() && pages[one.pages] == pages[0] + one.pages &&
         pages[one.pages] % page_file::cluster_pages != 0) {
    ++one.pages;
  }
  return one;
}

[[nodiscard]] auto file_of(std::intptr_t file) -> HANDLE {
  return reinterpret_cast<HANDLE>(file);
}

}  // namespace

auto reserve(std::uint64_t size_bytes) noexcept -> std::byte* {
  for (auto at = first_address; at + size_bytes <= user_end; at += address_step) {
    auto* const made = VirtualAlloc(reinterpret_cast<void*>(static_cast<std::uintptr_t>(at)),
                                    size_of(size_bytes), MEM_RESERVE, PAGE_NOACCESS);
    if (made != nullptr) return static_cast<std::byte*>(made);
  }
  give_up("simulated addresses");
}

void release(std::byte* at, std::uint64_t) noexcept {
  VirtualFree(at, 0, MEM_RELEASE);
}

void open(std::byte* at, std::uint64_t size_bytes) noexcept {
  if (VirtualAlloc(at, size_of(size_bytes), MEM_COMMIT, PAGE_READWRITE) == nullptr)
    give_up("simulated memory");
}

void close(std::byte* at, std::uint64_t size_bytes) noexcept {
  if (VirtualFree(at, size_of(size_bytes), MEM_DECOMMIT) == FALSE) give_up("simulated memory");
}

auto map_shared(const shared_part&) noexcept -> std::byte* {
  give_up("shared memory");
}

void unmap_shared(std::byte*, const shared_part&) noexcept {}

page_file::page_file(std::uint64_t size_bytes, const shared_part& tail) noexcept
    : size_bytes_(size_bytes) {
  if (tail.is_there()) give_up("shared guest RAM");
  const HANDLE file = CreateFileMappingW(INVALID_HANDLE_VALUE, nullptr, PAGE_READWRITE,
                                         high(size_bytes), low(size_bytes), nullptr);
  if (file == nullptr) give_up("guest RAM");
  file_ = reinterpret_cast<std::intptr_t>(file);
  base_ = static_cast<std::byte*>(MapViewOfFile(file, FILE_MAP_ALL_ACCESS, 0, 0, 0));
  if (base_ == nullptr) give_up("guest RAM");
}

page_file::~page_file() {
  UnmapViewOfFile(base_);
  CloseHandle(file_of(file_));
}

auto page_file::punch(std::uint64_t, std::uint64_t) noexcept -> bool {
  return false;
}

auto page_file::map(std::span<const std::uintptr_t> pages) noexcept -> std::byte* {
  const auto lead = static_cast<std::size_t>(pages[0] % cluster_pages);
  const auto clusters = size_of((lead + pages.size() + cluster_pages - 1) / cluster_pages);
  for (int attempt = 0; attempt < map_attempts; ++attempt) {
    auto* const room = static_cast<std::byte*>(
        VirtualAlloc(nullptr, clusters * cluster_bytes, MEM_RESERVE, PAGE_NOACCESS));
    if (room == nullptr) return nullptr;
    VirtualFree(room, 0, MEM_RELEASE);
    std::size_t mapped = 0;
    std::size_t done = 0;
    while (done < pages.size()) {
      const auto one = first_piece(pages.subspan(done));
      const auto in_cluster = one.first_page % cluster_pages;
      const bool is_last = done + one.pages == pages.size();
      // A piece in the midst of the view has to be a whole cluster.
      if ((done != 0 && in_cluster != 0) || (!is_last && in_cluster + one.pages != cluster_pages)) {
        std::fputs("a view of simulated RAM changes frames within 64 KiB\n", stderr);
        std::abort();
      }
      const auto offset = (one.first_page - in_cluster) * page_bytes;
      const auto bytes = size_of((in_cluster + one.pages) * page_bytes);
      if (MapViewOfFileEx(file_of(file_), FILE_MAP_ALL_ACCESS, high(offset), low(offset), bytes,
                          room + mapped * cluster_bytes) == nullptr) {
        break;
      }
      ++mapped;
      done += one.pages;
    }
    if (done == pages.size()) return room + lead * page_bytes;
    for (std::size_t i = 0; i < mapped; ++i) UnmapViewOfFile(room + i * cluster_bytes);
  }
  return nullptr;
}

void page_file::unmap(std::byte* view, std::uint64_t pages) noexcept {
  const auto address = reinterpret_cast<std::uintptr_t>(view);
  const auto first = address - address % cluster_bytes;
  const auto end = address + pages * page_bytes;
  for (std::uint64_t at = first; at < end; at += cluster_bytes)
    UnmapViewOfFile(reinterpret_cast<void*>(static_cast<std::uintptr_t>(at)));
}

}  // namespace aerogpu::sim::host_memory

// SPDX-License-Identifier: MIT
#include "drivers/sim/kernel/machine/host_memory.hpp"

#include <cstdio>
#include <cstdlib>
#include <fcntl.h>
#include <sys/mman.h>
#include <unistd.h>

namespace aerogpu::sim::host_memory {
namespace {

constexpr std::uint64_t huge_page_bytes = 2u << 20;

[[noreturn]] void give_up(const char* what) {
  std::perror(what);
  std::abort();
}

}  // namespace

auto reserve(std::uint64_t size_bytes) noexcept -> std::byte* {
  auto* const at =
      mmap(nullptr, size_bytes, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  if (at == MAP_FAILED) give_up("simulated addresses");
  return static_cast<std::byte*>(at);
}

void release(std::byte* at, std::uint64_t size_bytes) noexcept {
  munmap(at, size_bytes);
}

void open(std::byte* at, std::uint64_t size_bytes) noexcept {
  if (mprotect(at, size_bytes, PROT_READ | PROT_WRITE) != 0) give_up("simulated memory");
  // Video memory: page faults are a third of a session's time. May be refused.
  if (size_bytes >= huge_page_bytes) madvise(at, size_bytes, MADV_HUGEPAGE);
}

void close(std::byte* at, std::uint64_t size_bytes) noexcept {
  madvise(at, size_bytes, MADV_DONTNEED);
  if (mprotect(at, size_bytes, PROT_NONE) != 0) give_up("simulated memory");
}

auto map_shared(const shared_part& part) noexcept -> std::byte* {
  auto* const at = mmap(nullptr, part.size_bytes, PROT_READ | PROT_WRITE, MAP_SHARED,
                        static_cast<int>(part.file), static_cast<off_t>(part.offset));
  if (at == MAP_FAILED) give_up("shared memory");
  return static_cast<std::byte*>(at);
}

void unmap_shared(std::byte* at, const shared_part& part) noexcept {
  munmap(at, part.size_bytes);
}

page_file::page_file(std::uint64_t size_bytes, const shared_part& tail) noexcept
    : size_bytes_(size_bytes), tail_(tail) {
  const int file = memfd_create("guest ram", MFD_CLOEXEC);
  if (file < 0 || ftruncate(file, static_cast<off_t>(size_bytes)) != 0) give_up("guest RAM");
  auto* const mapped =
      mmap(nullptr, size_bytes, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_NORESERVE, file, 0);
  if (mapped == MAP_FAILED) give_up("guest RAM");
  file_ = file;
  base_ = static_cast<std::byte*>(mapped);
  if (!tail.is_there()) return;
  if (mmap(base_ + (size_bytes - tail.size_bytes), tail.size_bytes, PROT_READ | PROT_WRITE,
           MAP_SHARED | MAP_FIXED, static_cast<int>(tail.file),
           static_cast<off_t>(tail.offset)) == MAP_FAILED) {
    give_up("shared guest RAM");
  }
}

page_file::~page_file() {
  munmap(base_, size_bytes_);
  ::close(static_cast<int>(file_));
}

auto page_file::place_of(std::uint64_t offset) const noexcept -> place {
  const auto first_shared = size_bytes_ - (tail_.is_there() ? tail_.size_bytes : 0);
  if (offset < first_shared) return {file_, offset};
  return {tail_.file, tail_.offset + (offset - first_shared)};
}

auto page_file::punch(std::uint64_t offset, std::uint64_t size_bytes) noexcept -> bool {
  const auto at = place_of(offset);
  return fallocate(static_cast<int>(at.file), FALLOC_FL_PUNCH_HOLE | FALLOC_FL_KEEP_SIZE,
                   static_cast<off_t>(at.offset), static_cast<off_t>(size_bytes)) == 0;
}

auto page_file::map(std::span<const std::uintptr_t> pages) noexcept -> std::byte* {
  const auto size = pages.size() * page_bytes;
  auto* const room = mmap(nullptr, size, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (room == MAP_FAILED) return nullptr;
  auto* const view = static_cast<std::byte*>(room);
  for (std::size_t i = 0; i < pages.size(); ++i) {
    const auto at = place_of(pages[i] * page_bytes);
    if (mmap(view + i * page_bytes, page_bytes, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_FIXED,
             static_cast<int>(at.file), static_cast<off_t>(at.offset)) == MAP_FAILED) {
      munmap(view, size);
      return nullptr;
    }
  }
  return view;
}

void page_file::unmap(std::byte* view, std::uint64_t pages) noexcept {
  munmap(view, pages * page_bytes);
}

}  // namespace aerogpu::sim::host_memory

// SPDX-License-Identifier: MIT
/// \file The simulated kernel's own objects lie where a kernel's do: above all user addresses.
///
/// The driver tells pointers of the kernel from values by their size (kmd.md 2.4).
#include "drivers/sim/kernel/machine/host_memory.hpp"
#include "drivers/win7/tests/run_sys/run_end.hpp"

#include <atomic>
#include <bit>
#include <cstddef>
#include <new>
#include <windows.h>

namespace {

using aerogpu::run_sys::end_run;
using aerogpu::run_sys::no_memory_status;

constexpr bool is_x64 = sizeof(void*) == 8;
constexpr auto arena_bytes = static_cast<std::size_t>(std::uint64_t{1} << (is_x64 ? 33 : 29));
constexpr std::size_t commit_bytes = std::size_t{1} << 20;
constexpr std::size_t header_bytes = 16;
constexpr std::size_t least_block = 32;
constexpr auto first_address = static_cast<std::uintptr_t>(std::uint64_t{1} << (is_x64 ? 44 : 31));
constexpr auto address_step = static_cast<std::uintptr_t>(std::uint64_t{1} << (is_x64 ? 36 : 24));
constexpr int address_tries = 64;
static_assert(first_address > aerogpu::sim::host_memory::user_end);

struct free_block {
  free_block* next;
};

/// Blocks of powers of two, a list of free ones for each; nothing goes back to the system.
class arena {
 public:
  [[nodiscard]] auto allocate(std::size_t size) -> void* {
    const std::size_t whole =
        std::bit_ceil(size + header_bytes < least_block ? least_block : size + header_bytes);
    const auto kind = static_cast<std::size_t>(std::countr_zero(whole));
    while (is_taken_.test_and_set(std::memory_order_acquire)) SwitchToThread();
    auto* block = reinterpret_cast<std::byte*>(free_[kind]);
    if (block != nullptr)
      free_[kind] = free_[kind]->next;
    else
      block = extend(whole);
    is_taken_.clear(std::memory_order_release);
    if (block == nullptr) return nullptr;
    *reinterpret_cast<std::size_t*>(block) = kind;
    return block + header_bytes;
  }
  void release(void* memory) {
    auto* const block = static_cast<std::byte*>(memory) - header_bytes;
    const auto kind = *reinterpret_cast<std::size_t*>(block);
    while (is_taken_.test_and_set(std::memory_order_acquire)) SwitchToThread();
    auto* const freed = reinterpret_cast<free_block*>(block);
    freed->next = free_[kind];
    free_[kind] = freed;
    is_taken_.clear(std::memory_order_release);
  }

 private:
  void reserve() {
    for (int i = 0; i < address_tries && base_ == nullptr; ++i) {
      const auto at = first_address + static_cast<std::uintptr_t>(i) * address_step;
      base_ = static_cast<std::byte*>(
          VirtualAlloc(reinterpret_cast<void*>(at), arena_bytes, MEM_RESERVE, PAGE_NOACCESS));
    }
    if (base_ == nullptr) {
      end_run("no addresses for the simulated kernel", no_memory_status);
    }
  }
  [[nodiscard]] auto extend(std::size_t whole) -> std::byte* {
    if (base_ == nullptr) reserve();
    if (whole > arena_bytes - used_) return nullptr;
    while (used_ + whole > committed_) {
      const auto missing = used_ + whole - committed_;
      const auto more = (missing + commit_bytes - 1) / commit_bytes * commit_bytes;
      if (VirtualAlloc(base_ + committed_, more, MEM_COMMIT, PAGE_READWRITE) == nullptr)
        return nullptr;
      committed_ += more;
    }
    auto* const block = base_ + used_;
    used_ += whole;
    return block;
  }

  std::atomic_flag is_taken_;
  std::byte* base_ = nullptr;
  std::size_t used_ = 0;
  std::size_t committed_ = 0;
  free_block* free_[64]{};
};
constinit arena heap;

}  // namespace

void* operator new(std::size_t size) {
  auto* const memory = heap.allocate(size);
  if (memory == nullptr) {
    end_run("the simulated kernel's memory is used up", no_memory_status);
  }
  return memory;
}
void* operator new(std::size_t size, const std::nothrow_t&) noexcept {
  return heap.allocate(size);
}
void* operator new[](std::size_t size) {
  return operator new(size);
}
void* operator new[](std::size_t size, const std::nothrow_t&) noexcept {
  return heap.allocate(size);
}
void operator delete(void* memory) noexcept {
  if (memory != nullptr) heap.release(memory);
}
void operator delete(void* memory, std::size_t) noexcept {
  operator delete(memory);
}
void operator delete(void* memory, const std::nothrow_t&) noexcept {
  operator delete(memory);
}
void operator delete[](void* memory) noexcept {
  operator delete(memory);
}
void operator delete[](void* memory, std::size_t) noexcept {
  operator delete(memory);
}
void operator delete[](void* memory, const std::nothrow_t&) noexcept {
  operator delete(memory);
}

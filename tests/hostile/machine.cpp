// SPDX-License-Identifier: MIT
#include "tests/hostile/machine.hpp"

#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <sys/mman.h>

namespace aerogpu::hostile {

void demand(bool is_true, const char* sentence) {
  if (is_true) return;
  std::fprintf(stderr, "the attack is wrong: %s\n", sentence);
  std::abort();
}

machine::machine(std::size_t ram_bytes) : size_(ram_bytes) {
  void* const made = mmap(nullptr, ram_bytes, PROT_READ | PROT_WRITE,
                          MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  demand(made != MAP_FAILED, "there is no memory for the guest");
  ram_ = static_cast<std::byte*>(made);
}

machine::~machine() {
  munmap(ram_, size_);
}

auto machine::elapsed_ns() noexcept -> std::uint64_t {
  if (!has_real_time) return 0;
  using std::chrono::nanoseconds;
  const auto since_start = std::chrono::steady_clock::now().time_since_epoch();
  return static_cast<std::uint64_t>(std::chrono::duration_cast<nanoseconds>(since_start).count());
}

auto machine::ram(std::uint64_t at, std::size_t size) -> mutable_bytes {
  demand(range_fits(at, size, size_), "guest memory ends earlier");
  return {ram_ + at, size};
}

}  // namespace aerogpu::hostile

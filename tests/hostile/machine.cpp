#include "tests/hostile/machine.hpp"

#include "tests/catch.hpp"

#include <sys/mman.h>

namespace aerogpu::hostile {

machine::machine(std::size_t ram_bytes) : size_(ram_bytes) {
  void* const made = mmap(nullptr, ram_bytes, PROT_READ | PROT_WRITE,
                          MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  REQUIRE(made != MAP_FAILED);
  ram_ = static_cast<std::byte*>(made);
}

machine::~machine() {
  munmap(ram_, size_);
}

auto machine::ram(std::uint64_t at, std::size_t size) -> mutable_bytes {
  REQUIRE(range_fits(at, size, size_));
  return {ram_ + at, size};
}

}  // namespace aerogpu::hostile

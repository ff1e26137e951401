// SPDX-License-Identifier: MIT
// A shared library with allocations of its own, as a driver has them.
#include <new>

extern "C" auto foreign_allocate() noexcept -> void* {
  return ::operator new(64, std::nothrow);
}
extern "C" void foreign_give_back(void* block) noexcept {
  ::operator delete(block);
}

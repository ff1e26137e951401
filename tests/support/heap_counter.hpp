// SPDX-License-Identifier: MIT
/// \file Counts what a test program takes from the heap. Defines the global allocation functions:
/// one source file of a program includes this.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <new>

namespace aerogpu::test {

/// Calls of `operator new` of any form so far, and the bytes that they asked for.
inline std::uint64_t heap_calls = 0;
inline std::uint64_t heap_asked_bytes = 0;

namespace parts {

inline auto count_and_allocate(std::size_t size) noexcept -> void* {
  ++heap_calls;
  heap_asked_bytes += size;
  return std::malloc(size != 0 ? size : 1);
}

}  // namespace parts

}  // namespace aerogpu::test

auto operator new(std::size_t size, const std::nothrow_t&) noexcept -> void* {
  return aerogpu::test::parts::count_and_allocate(size);
}
auto operator new[](std::size_t size, const std::nothrow_t&) noexcept -> void* {
  return aerogpu::test::parts::count_and_allocate(size);
}
auto operator new(std::size_t size) -> void* {
  if (void* memory = aerogpu::test::parts::count_and_allocate(size)) return memory;
  std::abort();
}
auto operator new[](std::size_t size) -> void* {
  return operator new(size);
}
// Inlined, GCC would see `free` of what `new` made, and warn.
[[gnu::noinline]] void operator delete(void* memory) noexcept {
  std::free(memory);
}
void operator delete[](void* memory) noexcept {
  operator delete(memory);
}
void operator delete(void* memory, std::size_t) noexcept {
  operator delete(memory);
}
void operator delete[](void* memory, std::size_t) noexcept {
  operator delete(memory);
}

// SPDX-License-Identifier: MIT
/// \file What the language and its libraries need at run time, the heap above all.
///
/// The DLL has no C++ run-time library. Its containers ask for memory with `nothrow` alone.
#include <cstddef>
#include <new>
#include <windows.h>

namespace {

/// The process heap aligns to two pointers.
auto take(std::size_t size) noexcept -> void* {
  return HeapAlloc(GetProcessHeap(), 0, size != 0 ? size : 1);
}
void give(void* memory) noexcept {
  if (memory != nullptr) static_cast<void>(HeapFree(GetProcessHeap(), 0, memory));
}

}  // namespace

namespace std {
const nothrow_t nothrow{};
}

auto operator new(std::size_t size, const std::nothrow_t&) noexcept -> void* {
  return take(size);
}
auto operator new[](std::size_t size, const std::nothrow_t&) noexcept -> void* {
  return take(size);
}
void operator delete(void* memory) noexcept {
  give(memory);
}
void operator delete[](void* memory) noexcept {
  give(memory);
}
void operator delete(void* memory, std::size_t) noexcept {
  give(memory);
}
void operator delete[](void* memory, std::size_t) noexcept {
  give(memory);
}

/// A virtual function of an object that is being built or ended: never ours to call.
extern "C" void __cxa_pure_virtual() {
  TerminateProcess(GetCurrentProcess(), 3);
}

/// Where the mathematics of mingwex report arguments outside a function's domain: to nobody.
extern "C" void __mingw_raise_matherr(int, const char*, double, double, double) {}

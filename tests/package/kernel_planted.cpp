// SPDX-License-Identifier: MIT
// A fault that kernel_object.py must find: the library would ask for the heap.
namespace aerogpu {
auto planted_heap_call() -> int*;
auto planted_heap_call() -> int* {
  return new int{};
}
}  // namespace aerogpu

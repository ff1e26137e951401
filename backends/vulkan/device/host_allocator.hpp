// SPDX-License-Identifier: MIT
/// \file Settings of the C library's allocator that a program with this backend should make.
#pragma once

#if defined(__GLIBC__)
#include <malloc.h>
#endif

namespace aerogpu::vulkan {

/// Lets the process keep the memory that a frame took for the next one. A driver that renders on
/// the processor takes about 33 KB for each draw and frees them after the frame; as glibc is set,
/// the kernel takes those pages back, then zeroes and faults them again, for up to half of the
/// frame's time. Call once at the start of the program, before it has threads; without glibc it
/// does nothing. It is not the backend's own affair: it makes the whole process hold up to 64 MiB
/// more.
inline void tune_host_allocator() noexcept {
#if defined(__GLIBC__)
  constexpr int kept_bytes = 64 << 20;
  constexpr int largest_heap_block_bytes = 32 << 20;  // glibc takes no more.
  mallopt(M_TRIM_THRESHOLD, kept_bytes);
  mallopt(M_TOP_PAD, kept_bytes);
  mallopt(M_MMAP_THRESHOLD, largest_heap_block_bytes);
#endif
}

}  // namespace aerogpu::vulkan

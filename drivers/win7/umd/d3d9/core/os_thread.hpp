// SPDX-License-Identifier: MIT
/// \file What tells threads apart, in a few instructions: every entry of the driver asks for it.
#pragma once

#include <cstdint>

namespace aerogpu::umd::os {

#ifndef _WIN32
namespace detail {
inline thread_local constinit char of_this_thread = 0;  ///< The DLLs have no such storage.
}
#endif

/// What is the calling thread's alone for as long as it lives, never 0.
[[nodiscard]] inline auto this_thread() noexcept -> std::uintptr_t {
#if defined(_WIN64)
  std::uintptr_t block;  // The thread's environment block knows its own address.
  asm("movq %%gs:0x30, %0" : "=r"(block));
  return block;
#elif defined(_WIN32)
  std::uintptr_t block;
  asm("movl %%fs:0x18, %0" : "=r"(block));
  return block;
#else
  return reinterpret_cast<std::uintptr_t>(&detail::of_this_thread);
#endif
}

}  // namespace aerogpu::umd::os

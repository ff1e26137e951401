// SPDX-License-Identifier: MIT
/// \file Whether this build has a sanitizer that needs terabytes of addresses and system calls of
/// its own.
#pragma once

#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
#define AEROGPU_IS_SANITIZED 1
#elif defined(__has_feature)
#if __has_feature(address_sanitizer) || __has_feature(thread_sanitizer) || \
    __has_feature(memory_sanitizer)
#define AEROGPU_IS_SANITIZED 1
#endif
#endif

namespace aerogpu::dxbc {

#ifdef AEROGPU_IS_SANITIZED
inline constexpr bool is_sanitized = true;
#else
inline constexpr bool is_sanitized = false;
#endif

}  // namespace aerogpu::dxbc

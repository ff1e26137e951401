// SPDX-License-Identifier: MIT
/// \file Whether this program was compiled with a sanitizer.
#pragma once

namespace aerogpu::test {

/// Sanitizers keep freed memory, reserve more address space than there is, and make functions many
/// times as long.
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
inline constexpr bool is_sanitized = true;
#elif defined(__has_feature)
#if __has_feature(address_sanitizer) || __has_feature(thread_sanitizer)
inline constexpr bool is_sanitized = true;
#else
inline constexpr bool is_sanitized = false;
#endif
#else
inline constexpr bool is_sanitized = false;
#endif

}  // namespace aerogpu::test

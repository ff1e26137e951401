/// \file What this process takes of the machine, as the kernel counts it.
#pragma once

#include <cstdint>

namespace aerogpu::hostile {

/// Sanitizers keep freed memory, and reserve more address space than there is.
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

struct process_usage {
  std::uint64_t resident_kib = 0;
  std::uint64_t peak_resident_kib = 0;
  std::uint64_t address_kib = 0;
  std::uint64_t peak_address_kib = 0;
  std::uint64_t threads = 0;
};

[[nodiscard]] auto usage_now() -> process_usage;

/// From here on peaks are those of what follows.
void forget_peaks();

/// Processor time of this thread, in nanoseconds.
[[nodiscard]] auto thread_time_ns() -> std::uint64_t;

}  // namespace aerogpu::hostile

/* SPDX-License-Identifier: MIT */
/* The library's version, which is the package's. The wire has its own (abi/version.h). */
#pragma once

#define AEROGPU_VERSION_MAJOR 0
#define AEROGPU_VERSION_MINOR 1
#define AEROGPU_VERSION_PATCH 0

/* Numbers to compare in #if: AEROGPU_VERSION_NUMBER >= AEROGPU_MAKE_VERSION(0, 2, 0) */
#define AEROGPU_MAKE_VERSION(major, minor, patch) ((major)*1000000 + (minor)*1000 + (patch))
#define AEROGPU_VERSION_NUMBER \
  AEROGPU_MAKE_VERSION(AEROGPU_VERSION_MAJOR, AEROGPU_VERSION_MINOR, AEROGPU_VERSION_PATCH)

#define AEROGPU_TEXT_OF(number) #number
#define AEROGPU_VERSION_TEXT(major, minor, patch) \
  AEROGPU_TEXT_OF(major) "." AEROGPU_TEXT_OF(minor) "." AEROGPU_TEXT_OF(patch)

/// The version as text, such as "0.1.0".
#ifdef __cplusplus
[[nodiscard]] constexpr auto aerogpu_version() noexcept -> const char* {
#else
static inline const char* aerogpu_version(void) {
#endif
  return AEROGPU_VERSION_TEXT(AEROGPU_VERSION_MAJOR, AEROGPU_VERSION_MINOR, AEROGPU_VERSION_PATCH);
}

// SPDX-License-Identifier: MIT
/// \file What the shader compiler's process and the cache of its work may cost the host.
#pragma once

#include <cstdint>

namespace aerogpu::dxbc {

// Hard limits of the protocol: both sides refuse what is larger before they allocate for it.

/// A container as the host writes it: 2^18 words of code and three signatures.
inline constexpr std::uint32_t max_container_bytes = 2u << 20;
/// Every register of `register_ranges`.
inline constexpr std::uint32_t max_job_bindings = 166;
/// SPIR-V of one program: 16 MiB.
inline constexpr std::uint32_t max_module_words = 4u << 20;
/// What the compiler may say about one program.
inline constexpr std::uint32_t max_message_bytes = 64u << 10;

/// What a backend allows; vulkan/backend_limits.hpp says what an embedder can choose.
struct compiler_limits {
  /// From the start of the program to its first words. Milliseconds; loading takes a few.
  std::uint32_t start_timeout_ms = 10'000;
  /// From a request to the end of its answer. Milliseconds; the longest program takes 300.
  std::uint32_t timeout_ms = 10'000;
  /// Processes that may end within `deaths` times `death_interval_ms`, so that a guest that ends
  /// each one makes few.
  std::uint32_t deaths = 8;
  /// After so long one more may end. Milliseconds.
  std::uint32_t death_interval_ms = 10'000;
  /// Processor time after which a process is replaced before its next program, which so has
  /// `process_request_seconds` of what the process may use in its life. Milliseconds.
  std::uint32_t renewal_ms = 3'000;
  /// Bytes in the folder of the cache; the entry that was not used for longest goes first.
  std::uint64_t cache_bytes = 64ull << 20;
  /// Files in that folder.
  std::uint32_t cache_entries = 4096;
  /// Programs whose failure is remembered, about 150 bytes each; the one that was not tried for
  /// longest goes first.
  std::uint32_t known_failures = 4096;
};

/// Programs that ended a process and are never handed to another; then the oldest is forgotten.
inline constexpr std::uint32_t max_refused_programs = 256;

// What the process allows itself before its first request (sandbox.cpp).

/// Address space; the longest programs of the limits above were seen to take 18 MiB.
inline constexpr std::uint64_t process_memory_bytes = 256ull << 20;
/// Processor time for one request, after which the system ends the process.
inline constexpr std::uint32_t process_request_seconds = 3;
/// Processor time of its whole life, which one that a guest took over cannot change.
inline constexpr std::uint32_t process_life_seconds = 7;
static_assert(compiler_limits{}.renewal_ms <
              (process_life_seconds - process_request_seconds) * 1000);

}  // namespace aerogpu::dxbc

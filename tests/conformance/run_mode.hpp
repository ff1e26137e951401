// SPDX-License-Identifier: MIT
/// \file Which of its runs the suite makes: chosen by the environment, so that one program serves.
#pragma once

#include <cstdint>
#include <cstdlib>
#include <string_view>

namespace aerogpu::conformance {

/// What AEROGPU_CONFORMANCE_RUN names. Unset or empty is `plain`.
enum class run_mode {
  plain,            ///< Calm memory; the processor is called directly.
  hostile_memory,   ///< Through a device, whose memory changes each byte after its first read.
  failing_backend,  ///< Then again through a device, with the backend failing at call n, all n.
  held,             ///< Completions come as late as the suite allows.
};

/// The chosen run. Ends the program on a name that is none, rather than test less than was asked.
[[nodiscard]] inline auto current_run() -> run_mode {
  const char* value = std::getenv("AEROGPU_CONFORMANCE_RUN");
  const std::string_view name = value == nullptr ? "" : value;
  if (name.empty() || name == "plain") return run_mode::plain;
  if (name == "hostile_memory") return run_mode::hostile_memory;
  if (name == "failing_backend") return run_mode::failing_backend;
  if (name == "held") return run_mode::held;
  std::abort();
}

/// From one failing call of `failing_backend` to the next: 1, or what AEROGPU_CONFORMANCE_STRIDE
/// says, for a backend whose calls take long.
[[nodiscard]] inline auto failure_stride() -> std::uint64_t {
  const char* const text = std::getenv("AEROGPU_CONFORMANCE_STRIDE");
  const std::uint64_t chosen = text != nullptr ? std::strtoull(text, nullptr, 10) : 1;
  return chosen != 0 ? chosen : 1;
}

}  // namespace aerogpu::conformance

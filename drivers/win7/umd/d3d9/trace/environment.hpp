// SPDX-License-Identifier: MIT
/// \file What the environment asks of the driver, read once (umd-d3d9.md 5.1).
#pragma once

#include <array>
#include <cstdint>
#include <string_view>

namespace aerogpu::umd {

/// Which calls the tracer records, and when it writes them out.
struct trace_settings {
  static constexpr std::uint32_t most_records = 512;
  static constexpr std::size_t longest_filter = 511;  ///< Characters that are read.

  bool is_on = false;            ///< AEROGPU_D3D9_TRACE
  bool records_all = false;      ///< AEROGPU_D3D9_TRACE_MODE: not the first call of each alone.
  bool dumps_on_detach = false;  ///< AEROGPU_D3D9_TRACE_DUMP_ON_DETACH
  bool dumps_on_fail = false;    ///< AEROGPU_D3D9_TRACE_DUMP_ON_FAIL
  bool dumps_on_stub = false;    ///< AEROGPU_D3D9_TRACE_DUMP_ON_STUB
  bool writes_stderr = false;    ///< AEROGPU_D3D9_TRACE_STDERR
  std::uint32_t record_limit = most_records;  ///< AEROGPU_D3D9_TRACE_MAX
  std::uint32_t dump_present = 0;             ///< AEROGPU_D3D9_TRACE_DUMP_PRESENT; 0 = none.
};

/// Everything that the environment says.
struct environment_settings {
  trace_settings trace;
  bool logs_submits = false;         ///< AEROGPU_D3D9_LOG_SUBMITS
  bool logs_sections = false;        ///< AEROGPU_LOG_MIC
  bool occludes_invisible = false;   ///< AEROGPU_D3D9_OCCLUDE_INVISIBLE
  bool has_integer_centers = false;  ///< AEROGPU_D3D9_INTEGER_PIXEL_CENTERS
};

/// Reads the environment and starts the tracer anew. Once in a process that Windows loads the
/// driver into; a native program calls it when it wants its environment heard. No other thread is
/// inside the driver.
void init_from_env() noexcept;

/// What `init_from_env` read last; before it, that nothing is asked.
[[nodiscard]] auto environment() noexcept -> const environment_settings&;

/// True for 1, true, yes and on, trimmed and in any case.
[[nodiscard]] auto parse_switch(std::string_view text) noexcept -> bool;
/// A whole number in decimal, 0x... or 0..., trimmed; 0 for anything else, the largest when it
/// does not fit.
[[nodiscard]] auto parse_count(std::string_view text) noexcept -> std::uint32_t;

}  // namespace aerogpu::umd

// SPDX-License-Identifier: MIT
#include "drivers/win7/umd/d3d9/trace/environment.hpp"

#include "drivers/win7/umd/d3d9/core/os.hpp"
#include "drivers/win7/umd/d3d9/trace/text.hpp"
#include "drivers/win7/umd/d3d9/trace/tracer.hpp"

#include <limits>
#include <span>

namespace aerogpu::umd {

namespace {

constinit environment_settings settings;

auto read_switch(const char* name) noexcept -> bool {
  std::array<char, 16> storage;
  return parse_switch(os::environment(name, storage));
}
auto read_count(const char* name) noexcept -> std::uint32_t {
  std::array<char, 64> storage;
  return parse_count(os::environment(name, storage));
}

auto read_record_limit() noexcept -> std::uint32_t {
  const std::uint32_t asked = read_count("AEROGPU_D3D9_TRACE_MAX");
  const bool is_limit = asked != 0 && asked < trace_settings::most_records;
  return is_limit ? asked : trace_settings::most_records;
}

auto read_trace_settings() noexcept -> trace_settings {
  std::array<char, 16> mode;
  return {.is_on = read_switch("AEROGPU_D3D9_TRACE"),
          .records_all = trace::is_same_text(
              trace::trim(os::environment("AEROGPU_D3D9_TRACE_MODE", mode)), "all"),
          .dumps_on_detach = read_switch("AEROGPU_D3D9_TRACE_DUMP_ON_DETACH"),
          .dumps_on_fail = read_switch("AEROGPU_D3D9_TRACE_DUMP_ON_FAIL"),
          .dumps_on_stub = read_switch("AEROGPU_D3D9_TRACE_DUMP_ON_STUB"),
          .writes_stderr = read_switch("AEROGPU_D3D9_TRACE_STDERR"),
          .record_limit = read_record_limit(),
          .dump_present = read_count("AEROGPU_D3D9_TRACE_DUMP_PRESENT")};
}

/// The value of a digit, or 16.
constexpr auto digit_of(char c) noexcept -> std::uint32_t {
  if (c >= '0' && c <= '9') return static_cast<std::uint32_t>(c - '0');
  const char lower = trace::to_lower(c);
  return lower >= 'a' && lower <= 'f' ? static_cast<std::uint32_t>(lower - 'a') + 10 : 16;
}

}  // namespace

auto parse_switch(std::string_view text) noexcept -> bool {
  const std::string_view word = trace::trim(text);
  for (const std::string_view yes : {"1", "true", "yes", "on"}) {
    if (trace::is_same_text(word, yes)) return true;
  }
  return false;
}

auto parse_count(std::string_view text) noexcept -> std::uint32_t {
  std::string_view digits = trace::trim(text);
  std::uint32_t base = 10;
  if (digits.size() > 1 && digits[0] == '0') {
    const bool is_hex = trace::to_lower(digits[1]) == 'x';
    base = is_hex ? 16 : 8;
    digits.remove_prefix(is_hex ? 2 : 1);
  }
  constexpr std::uint64_t most = std::numeric_limits<std::uint32_t>::max();
  std::uint64_t value = 0;
  for (const char c : digits) {
    const std::uint32_t digit = digit_of(c);
    if (digit >= base) return 0;
    value = value * base + digit;
    if (value > most) value = most;
  }
  return static_cast<std::uint32_t>(value);
}

auto environment() noexcept -> const environment_settings& {
  return settings;
}

void init_from_env() noexcept {
  settings = {.trace = read_trace_settings(),
              .logs_submits = read_switch("AEROGPU_D3D9_LOG_SUBMITS"),
              .logs_sections = read_switch("AEROGPU_LOG_MIC"),
              .occludes_invisible = read_switch("AEROGPU_D3D9_OCCLUDE_INVISIBLE"),
              .has_integer_centers = read_switch("AEROGPU_D3D9_INTEGER_PIXEL_CENTERS")};
  std::array<char, trace_settings::longest_filter> filter;
  trace::start(settings.trace, os::environment("AEROGPU_D3D9_TRACE_FILTER", filter));
}

}  // namespace aerogpu::umd

// SPDX-License-Identifier: MIT
#include "drivers/win7/umd/d3d9/present/display.hpp"

#include <algorithm>

namespace aerogpu::umd {

namespace {

constexpr std::uint64_t second_ns = 1'000'000'000;
constexpr std::uint64_t millisecond_ns = 1'000'000;

// Of a vertical blank: what periods count as, and the longest wait (umd-d3d9.md 2.16).
constexpr std::uint64_t shortest_period_ns = 4 * millisecond_ns;
constexpr std::uint64_t longest_period_ns = 50 * millisecond_ns;
constexpr std::uint64_t longest_wait_ns = 40 * millisecond_ns;

/// Lines of vertical blank are a twentieth of the visible ones.
constexpr std::uint32_t lines_for_each_blank_line = 20;

[[nodiscard]] auto period_ns(const os::display_mode& mode) noexcept -> std::uint64_t {
  return std::clamp(second_ns / mode.refresh_hz, shortest_period_ns, longest_period_ns);
}

/// Whether a vertical blank began between two looks, seen or not.
[[nodiscard]] auto has_begun(const os::scan_position& before, const os::scan_position& now) noexcept
    -> bool {
  if (before.is_in_vblank) return false;
  return now.is_in_vblank || now.line < before.line;
}

}  // namespace

auto current_mode(const adapter& of) noexcept -> os::display_mode {
  const adapter_facts& facts = of.facts();
  os::display_mode mode = os::desktop_mode();
  if (mode.width == 0 || mode.height == 0) {
    mode = {facts.primary_width, facts.primary_height, facts.primary_refresh_hz};
  }
  constexpr std::uint32_t usual_refresh_hz = 60;
  if (mode.refresh_hz == 0) mode.refresh_hz = facts.primary_refresh_hz;
  if (mode.refresh_hz == 0) mode.refresh_hz = usual_refresh_hz;
  return mode;
}

auto raster_status(const adapter& of) noexcept -> os::scan_position {
  os::scan_position at{};
  if (!os::scan_line(at)) {
    const os::display_mode mode = current_mode(of);
    const std::uint64_t period = period_ns(mode);
    const std::uint64_t lines =
        std::uint64_t{mode.height} + mode.height / lines_for_each_blank_line;
    const auto line = static_cast<std::uint32_t>(os::now_ns() % period * lines / period);
    at = {line >= mode.height, line};
  }
  if (at.is_in_vblank) at.line = 0;
  return at;
}

void wait_for_vblank(const adapter& of) noexcept {
  const std::uint64_t period = period_ns(current_mode(of));
  const std::uint64_t deadline = os::now_ns() + std::min(longest_wait_ns, 2 * period);
  os::scan_position before;
  if (!os::scan_line(before)) {
    os::sleep_ms(static_cast<std::uint32_t>(std::min(longest_wait_ns, period) / millisecond_ns));
    return;
  }
  while (os::now_ns() + millisecond_ns <= deadline) {
    os::sleep_ms(1);
    os::scan_position now;
    if (!os::scan_line(now) || has_begun(before, now)) return;
    before = now;
  }
}

auto query_residency(const void* resources, std::uint32_t count, std::uint32_t* statuses) noexcept
    -> HRESULT {
  if (count != 0 && resources == nullptr) return E_INVALIDARG;
  constexpr std::uint32_t resident = 1;
  if (statuses != nullptr) std::fill_n(statuses, count, resident);
  return S_OK;
}

}  // namespace aerogpu::umd

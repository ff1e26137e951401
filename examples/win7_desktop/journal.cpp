// SPDX-License-Identifier: MIT
#include "journal.hpp"

#include "drivers/sim/kernel/machine/clock.hpp"
#include "tools/aerogpu/terminal/console.hpp"

#include <algorithm>
#include <array>
#include <utility>

namespace win7_desktop {

namespace {

using aerogpu::tool::decimal;

[[nodiscard]] auto right(const std::string& text, std::size_t width) -> std::string {
  return std::string(width - std::min(width, text.size()), ' ') + text;
}
[[nodiscard]] auto left(std::string_view text, std::size_t width) -> std::string {
  return std::string{text} + std::string(width - std::min(width, text.size()), ' ');
}

void print_row(const std::string& time, const std::string& frame, std::string_view who,
               const std::string& fence, const std::string& latency, std::string_view text) {
  aerogpu::tool::print(right(time, 9) + right(frame, 7) + "  " + left(who, 16) + right(fence, 5) +
                       right(latency, 12) + "  " + std::string{text} + "\n");
}

}  // namespace

auto name_of(HRESULT result) -> std::string {
  static constexpr std::array<std::pair<HRESULT, std::string_view>, 8> names{{
      {S_OK, "S_OK"},
      {S_FALSE, "S_FALSE"},
      {S_PRESENT_MODE_CHANGED, "S_PRESENT_MODE_CHANGED"},
      {S_PRESENT_OCCLUDED, "S_PRESENT_OCCLUDED"},
      {D3DERR_DEVICELOST, "D3DERR_DEVICELOST"},
      {D3DERR_DEVICEHUNG, "D3DERR_DEVICEHUNG"},
      {D3DERR_DEVICEREMOVED, "D3DERR_DEVICEREMOVED"},
      {D3DERR_WASSTILLDRAWING, "D3DERR_WASSTILLDRAWING"},
  }};
  for (const auto& [value, name] : names) {
    if (value == result) return std::string{name};
  }
  return aerogpu::tool::hex(static_cast<std::uint32_t>(result));
}

auto milliseconds(std::uint64_t ns) -> std::string {
  constexpr std::uint64_t tenth_ns = 100'000;
  const std::uint64_t tenths = (ns + tenth_ns / 2) / tenth_ns;
  return decimal(tenths / 10) + "." + decimal(tenths % 10);
}

void journal::start() const {
  print_row("time ms", "frame", "who", "fence", "latency ms", "what happened");
}

void journal::stage(std::string_view title) const {
  aerogpu::tool::print("\n" + std::string{title} + "\n");
}

void journal::line(std::string_view who, std::uint32_t fence, std::uint64_t latency_ns,
                   std::string_view text) const {
  print_row(milliseconds(now_ns()), decimal(frame), who, decimal(fence),
            latency_ns == 0 ? "-" : milliseconds(latency_ns), text);
}

auto journal::fail(std::string why) -> bool {
  if (why_.empty()) why_ = "frame " + decimal(frame) + ": " + std::move(why);
  return false;
}

auto journal::check(HRESULT seen, std::string_view call, HRESULT wanted) -> bool {
  if (seen == wanted) return true;
  return fail(std::string{call} + " answers " + name_of(seen) + " instead of " + name_of(wanted));
}

auto journal::now_ns() const -> std::uint64_t {
  return time_.now_ns();
}

}  // namespace win7_desktop

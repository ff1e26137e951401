// SPDX-License-Identifier: MIT
// Tests of aerogpu/sync/vblank_anchor.hpp.
#include "aerogpu/sync/vblank_anchor.hpp"

#include "tests/catch.hpp"

using namespace aerogpu;

TEST_CASE("a mode has a twentieth of its lines as blank, 20 to 40", "[sync]") {
  const auto [height, lines] = GENERATE(table<std::uint32_t, std::uint32_t>(
      {{0, 20}, {399, 20}, {420, 21}, {600, 30}, {800, 40}, {2160, 40}}));
  CHECK(vertical_blank_lines(height) == lines);
}

TEST_CASE("a vblank is the start of the blank lines", "[sync]") {
  constexpr std::uint32_t period = 630'000;  // 600 lines and 30 blank ones: 1,000 ns each
  const auto [since, line, is_blank] =
      GENERATE(table<std::uint64_t, std::uint32_t, bool>({{0, 600, true},
                                                          {29'999, 629, true},
                                                          {30'000, 0, false},
                                                          {629'999, 599, false},
                                                          {630'000, 600, true},
                                                          {630'000 * 5ull + 31'000, 1, false}}));
  CAPTURE(since);
  const auto position = scan_position_at(600, period, since);
  CHECK(position.line == line);
  CHECK(position.is_in_vertical_blank == is_blank);
}

TEST_CASE("a position is always below the total, also without height or period", "[sync]") {
  for (const std::uint32_t height : {0u, 1u, 480u, 0x7FFFFFFFu}) {
    for (const std::uint32_t period : {0u, 1u, 16'666'667u, UINT32_MAX}) {
      for (const std::uint64_t since : {std::uint64_t{0}, std::uint64_t{UINT32_MAX}, UINT64_MAX}) {
        const auto position = scan_position_at(height, period, since);
        const std::uint32_t lines = height == 0 ? 1 : height;
        CHECK(position.line < lines + vertical_blank_lines(lines));
        CHECK(position.is_in_vertical_blank == (position.line >= lines));
      }
    }
  }
}

TEST_CASE("an anchor is fresh for four periods, and for 50 ms at least", "[sync]") {
  constexpr std::uint64_t ms = 1'000'000;
  vblank_anchor anchor;
  CHECK_FALSE(anchor.is_fresh(0, 16'666'667));
  anchor.on_vblank(100 * ms);
  CHECK(anchor.count() == 1);
  CHECK(anchor.is_fresh(100 * ms + 66'666'668, 16'666'667));
  CHECK_FALSE(anchor.is_fresh(100 * ms + 66'666'669, 16'666'667));
  CHECK(anchor.is_fresh(150 * ms, 1'000));
  CHECK_FALSE(anchor.is_fresh(150 * ms + 1, 1'000));
  CHECK_FALSE(anchor.is_fresh(99 * ms, 16'666'667));
  anchor.reset();
  CHECK_FALSE(anchor.is_fresh(100 * ms, 16'666'667));
}

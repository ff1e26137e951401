// SPDX-License-Identifier: MIT
/// \file The vertical blank: waiting for it, its clock, the scan line.
#include "drivers/win7/tests/guest/tests.hpp"

#include <algorithm>

namespace aerogpu::guest {
namespace {

constexpr std::uint64_t millisecond_ns = 1'000'000;

/// What a number of waits took.
struct wait_figures {
  std::uint32_t waits = 0;
  std::uint64_t total_ns = 0;
  std::uint64_t longest_ns = 0;
  NTSTATUS failed = STATUS_SUCCESS;  ///< The first that is none; the waits end there.

  [[nodiscard]] auto average_ns() const noexcept -> std::uint64_t {
    return waits != 0 ? total_ns / waits : 0;
  }
  [[nodiscard]] auto text() const noexcept -> message {
    return message{waits,           " waits, average ", average_ns() / 1000,
                   " us, longest ", longest_ns / 1000,  " us"};
  }
};

auto wait_for_blanks(session& with, std::uint32_t waits) -> wait_figures {
  wait_figures all;
  const D3DKMT_WAITFORVERTICALBLANKEVENT arguments{with.adapter(), 0, 0};
  for (std::uint32_t i = 0; i < waits; ++i) {
    const std::uint64_t begin = with.around().now_ns();
    all.failed = with.calls().D3DKMTWaitForVerticalBlankEvent(&arguments);
    if (!NT_SUCCESS(all.failed)) break;
    const std::uint64_t took = with.around().now_ns() - begin;
    ++all.waits;
    all.total_ns += took;
    all.longest_ns = std::max(all.longest_ns, took);
  }
  return all;
}

auto check_success(report& to, const wait_figures& all) -> bool {
  return to.check(NT_SUCCESS(all.failed), "every wait succeeds", message{status_of(all.failed)});
}

/// The first wait may find a blank under way: it is not counted.
auto measure(session& with, report& to, std::uint32_t waits, wait_figures& out) -> bool {
  out = wait_for_blanks(with, 1);
  if (NT_SUCCESS(out.failed)) out = wait_for_blanks(with, waits);
  return check_success(to, out);
}

void check_not_immediate(report& to, const wait_figures& all) {
  to.check(all.average_ns() >= 2 * millisecond_ns, "a wait does not end at once", all.text());
}
void check_average(report& to, const wait_figures& all) {
  to.check(all.average_ns() < 50 * millisecond_ns, "the average is under 50 ms", all.text());
}
void check_longest(report& to, const wait_figures& all) {
  to.check(all.longest_ns <= 250 * millisecond_ns, "no wait is over 250 ms", all.text());
}

void run_vblank_wait(session& with, report& to) {
  const wait_figures all = wait_for_blanks(with, 10);
  if (!check_success(to, all)) return;
  to.check(all.longest_ns <= 2000 * millisecond_ns, "no wait is over 2 s", all.text());
}

void run_vblank_wait_sanity(session& with, report& to) {
  wait_figures all;
  if (!measure(with, to, 30, all)) return;
  check_not_immediate(to, all);
  check_average(to, all);
}

void run_wait_vblank_pacing(session& with, report& to) {
  wait_figures all;
  if (!measure(with, to, 120, all)) return;
  check_not_immediate(to, all);
  check_longest(to, all);
}

/// The pace of the waits is the pace of the device's clock.
void run_vblank_wait_pacing(session& with, report& to) {
  aerogpu_escape_query_vblank_out before{};
  aerogpu_escape_query_vblank_out after{};
  wait_figures all;
  if (!with.ask(to, "QUERY_VBLANK answers", AEROGPU_ESCAPE_OP_QUERY_VBLANK, before) ||
      !measure(with, to, 120, all) ||
      !with.ask(to, "QUERY_VBLANK answers", AEROGPU_ESCAPE_OP_QUERY_VBLANK, after)) {
    return;
  }
  check_not_immediate(to, all);
  check_average(to, all);
  check_longest(to, all);
  if ((after.flags & AEROGPU_DBGCTL_QUERY_VBLANK_FLAG_VBLANK_SUPPORTED) == 0)
    return to.note("the device has no vblank clock", {});
  const std::uint64_t blanks = after.vblank_seq - before.vblank_seq;
  to.check(blanks >= all.waits, "each wait is a blank of the device's",
           message{blanks, " blanks, ", all.waits, " waits"});
  to.check(blanks < std::uint64_t{2} * all.waits, "and few blanks pass without one",
           message{blanks, " blanks, ", all.waits, " waits"});
}

/// Samples of QUERY_VBLANK over half a second.
struct clock_figures {
  aerogpu_escape_query_vblank_out first{};
  aerogpu_escape_query_vblank_out last{};
  bool is_rising = true;
};

auto sample_clock(session& with, report& to, clock_figures& out) -> bool {
  constexpr rule_text rule{"QUERY_VBLANK answers"};
  if (!with.ask(to, rule, AEROGPU_ESCAPE_OP_QUERY_VBLANK, out.first)) return false;
  out.last = out.first;
  for (int i = 0; i < 50; ++i) {
    with.around().sleep_ms(10);
    aerogpu_escape_query_vblank_out now{};
    if (!with.ask(to, rule, AEROGPU_ESCAPE_OP_QUERY_VBLANK, now)) return false;
    out.is_rising = out.is_rising && now.vblank_seq >= out.last.vblank_seq &&
                    now.last_vblank_time_ns >= out.last.last_vblank_time_ns;
    out.last = now;
  }
  return true;
}

void run_vblank_state(session& with, report& to) {
  clock_figures all;
  if (!sample_clock(with, to, all)) return;
  const std::uint32_t flags = all.last.flags;
  to.check((flags & AEROGPU_DBGCTL_QUERY_VBLANK_FLAGS_VALID) != 0, "the flags are valid",
           message{hex{flags}});
  if ((flags & AEROGPU_DBGCTL_QUERY_VBLANK_FLAG_VBLANK_SUPPORTED) == 0)
    return to.skip(message{"the device has no vblank clock"});
  const std::uint64_t period_ns = all.last.vblank_period_ns;
  to.check(period_ns >= 2 * millisecond_ns && period_ns <= 50 * millisecond_ns,
           "the period is that of a monitor", message{period_ns, " ns"});
  to.check(all.is_rising, "sequence and time do not go back");
  const std::uint64_t blanks = all.last.vblank_seq - all.first.vblank_seq;
  const std::uint64_t time_ns = all.last.last_vblank_time_ns - all.first.last_vblank_time_ns;
  const bool is_moving =
      to.check(all.is_rising && blanks != 0 && time_ns != 0, "sequence and time advance",
               message{blanks, " blanks in ", time_ns, " ns"});
  if (!is_moving) return;
  const std::uint64_t measured_ns = time_ns / blanks;
  const std::uint64_t apart =
      measured_ns > period_ns ? measured_ns - period_ns : period_ns - measured_ns;
  to.check(apart <= period_ns / 10, "the measured period is near the reported one",
           message{measured_ns, " and ", period_ns, " ns"});
}

struct line_figures {
  std::uint32_t samples = 0, blank = 0, visible = 0;
  std::uint32_t least = UINT32_MAX, most = 0;
  std::uint32_t wrong_side = 0;  ///< In the blank by its flag and not by its line, or the reverse.
  NTSTATUS failed = STATUS_SUCCESS;
};

auto sample_lines(session& with, std::uint32_t height) -> line_figures {
  line_figures all;
  const auto is_enough = [&] { return all.samples >= 200 && all.blank != 0 && all.visible != 0; };
  for (int i = 0; i < 1500 && !is_enough(); ++i) {
    D3DKMT_GETSCANLINE now{with.adapter(), 0, 0, 0};
    all.failed = with.calls().D3DKMTGetScanLine(&now);
    if (!NT_SUCCESS(all.failed)) break;
    const bool is_blank = now.InVerticalBlank != 0;
    ++all.samples;
    ++(is_blank ? all.blank : all.visible);
    all.least = std::min(all.least, std::uint32_t{now.ScanLine});
    all.most = std::max(all.most, std::uint32_t{now.ScanLine});
    if (is_blank != (now.ScanLine >= height)) ++all.wrong_side;
    with.around().sleep_ms(1);
  }
  return all;
}

void run_get_scanline(session& with, report& to) {
  const std::uint32_t height = with.around().size().height;
  const std::uint32_t blank_lines = std::clamp(height / 20, 20u, 40u);
  const line_figures all = sample_lines(with, height);
  if (!to.check(NT_SUCCESS(all.failed), "every call succeeds", message{status_of(all.failed)}))
    return;
  const message lines{"lines ", all.least, " to ", all.most, " of ", height, " + ", blank_lines};
  const message sides{all.visible, " visible, ", all.blank, " in the blank"};
  to.check(all.most < height + blank_lines, "no line is beyond the blank", lines);
  to.check(all.least != all.most, "the line changes", lines);
  to.check(all.visible != 0 && all.blank != 0, "both the picture and the blank are seen", sides);
  to.check(all.wrong_side == 0, "the blank begins where the picture ends",
           message{all.wrong_side, " of ", all.samples, " samples are on the wrong side"});
}

}  // namespace

const guest_test vblank_wait{"vblank_wait", "waits for the vertical blank end, within 2 seconds",
                             25'000, &run_vblank_wait};
const guest_test vblank_wait_sanity{
    "vblank_wait_sanity", "a wait for the vertical blank takes from 2 to 50 ms on average", 10'000,
    &run_vblank_wait_sanity};
const guest_test wait_vblank_pacing{"wait_vblank_pacing",
                                    "of many waits for the vertical blank none is over 250 ms",
                                    35'000, &run_wait_vblank_pacing};
const guest_test vblank_wait_pacing{"vblank_wait_pacing",
                                    "waits for the vertical blank keep the pace of the device",
                                    35'000, &run_vblank_wait_pacing};
const guest_test vblank_state_sanity{"vblank_state_sanity",
                                     "the device's vblank clock advances at its own period", 10'000,
                                     &run_vblank_state};
const guest_test get_scanline_sanity{"get_scanline_sanity",
                                     "the scan line moves through the picture and the blank",
                                     30'000, &run_get_scanline};

}  // namespace aerogpu::guest

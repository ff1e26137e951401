// SPDX-License-Identifier: MIT
/// \file A machine of several threads is saved in the midst of a frame; a second one goes on from
/// there, and both show the same picture.
#include "board.hpp"
#include "examples/minimal_emulator/guest.hpp"

#include <cinttypes>
#include <cstdio>
#include <string_view>

namespace {

constexpr char usage[] =
    "usage: threaded_emulator\n"
    "Runs a guest on one machine, saves it before its frame is complete, loads a second machine,\n"
    "lets both run on and compares what they show. 0 when it is the same.\n";

using driver = guest<board>;

auto fail(const char* what, const error& why = {}) -> int {
  std::fprintf(stderr, "threaded_emulator: %s: %s\n", what, why.what);
  return 1;
}

/// The rest of the guest's program, on a virtual CPU of either machine: it sleeps until the frame's
/// fence interrupts it, and acknowledges.
auto wait_for_frame(board& machine) -> fence_value {
  driver cpu{machine, machine.ram()};
  if (!machine.wait_for_interrupt()) return {};
  machine.bar0_write(AEROGPU_MMIO_REG_IRQ_ACK, AEROGPU_IRQ_FENCE, 4);
  return cpu.completed_fence();
}

struct outcome {
  fence_value fence{};
  rgba8_image window;
  result<void> painted;
};

auto run_on(board& machine) -> outcome {
  outcome end;
  machine.resume();
  std::thread cpu{[&] { end.fence = wait_for_frame(machine); }};
  cpu.join();
  end.painted = machine.repaint(end.window);
  return end;
}

/// Whether the window follows a cursor that the guest moves; no callback says so.
auto follows_cursor(board& machine, const rgba8_image& shown) -> bool {
  constexpr std::uint32_t elsewhere = 20;
  rgba8_image window;
  if (!machine.repaint(window)) return false;  // With it every callback of before is answered.
  machine.bar0_write(AEROGPU_MMIO_REG_CURSOR_X, elsewhere, 4);
  std::this_thread::sleep_for(board::refresh_period);
  return machine.repaint(window) && window.width() == shown.width() &&
         !std::ranges::equal(window.pixels(), shown.pixels());
}

auto show(const char* name, board& machine, const outcome& end) {
  const device_statistics done = machine.statistics();
  std::printf("%-6s  fence %" PRIu64 "  vblanks %" PRIu64 "  errors %" PRIu64 "  %ux%u\n", name,
              raw(end.fence), done.vblanks, done.errors, end.window.width(), end.window.height());
}

auto compare() -> int {
  auto first = board::create();
  if (!first) return fail("no device", first.why());
  (*first)->resume();
  result<void> submitted;
  std::thread cpu{[&] { submitted = driver{**first, (*first)->ram()}.boot_and_draw(); }};
  cpu.join();  // Stopped behind its doorbell.
  if (!submitted) return fail("the guest cannot submit", submitted.why());

  saved_machine saved;
  if (const auto done = (*first)->pause_and_save(saved); !done) {
    return fail("not saved", done.why());
  }
  std::printf("saved   at %" PRIu64 " us, fence %" PRIu64 ", %zu bytes of the device's\n",
              saved.time_ns / 1000, (*first)->bar0_read(AEROGPU_MMIO_REG_COMPLETED_FENCE_LO, 8),
              saved.device.bytes().size());
  auto second = board::create();
  if (!second) return fail("no second device", second.why());
  if (const auto done = (*second)->load(saved); !done) return fail("not loaded", done.why());

  const outcome here = run_on(**first), there = run_on(**second);
  show("first", **first, here);
  show("second", **second, there);
  if (!here.painted) return fail("no picture", here.painted.why());
  if (!there.painted) return fail("no picture of the second machine", there.painted.why());
  if (here.fence != driver::last_fence || there.fence != driver::last_fence) {
    return fail("a frame did not finish");
  }
  if (here.window.width() == 0 ||
      !std::ranges::equal(here.window.pixels(), there.window.pixels())) {
    return fail("the machines show different pictures");
  }
  std::puts("both machines show the same picture");
  if (!follows_cursor(**second, there.window)) return fail("the cursor does not move");
  return 0;
}

}  // namespace

auto main(int argc, char** argv) -> int {
  if (argc == 1) return compare();
  const bool is_asked = argc == 2 && std::string_view{argv[1]} == "--help";
  return std::fputs(usage, is_asked ? stdout : stderr), is_asked ? 0 : 2;
}

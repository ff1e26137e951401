// SPDX-License-Identifier: MIT
/// \file A machine with one AeroGPU in it, and a guest that draws a desktop: writes it as a PNG.
#include "guest.hpp"
#include "machine.hpp"
#include "tools/aerogpu/files/png_file.hpp"

#include <cinttypes>
#include <cstdio>
#include <string>

auto fail(const char* what, const error& why = {}) -> int {
  std::fprintf(stderr, "minimal_emulator: %s: %s\n", what, why.what);
  return 1;
}

auto main(int argc, char** argv) -> int {
  if (argc != 2) return std::fputs("usage: minimal_emulator OUT.png\n", stderr), 2;
  machine pc;
  null_backend backend;
  const auto made = gpu::create(pc, backend);
  if (!made) return fail("no device", made.why());
  gpu& card = **made;

  guest driver{card, pc.ram};
  if (const auto submitted = driver.boot_and_draw(); !submitted) {
    return fail("the guest cannot submit", submitted.why());
  }
  run_until(pc, card, 20'000'000);  // Past the first vblank, which the present waits for.

  const auto fence = driver.completed_fence();
  const device_statistics& done = card.statistics();
  std::printf("submissions %" PRIu64 "  packets %" PRIu64 "  presents %" PRIu64 "  vblanks %" PRIu64
              "  errors %" PRIu64 "\n",
              done.submissions, done.packets, done.presents, done.vblanks, done.errors);
  std::printf("fence %" PRIu64 "  interrupt line %s\n", raw(fence), pc.irq_line ? "high" : "low");
  if (fence != decltype(driver)::last_fence || !pc.irq_line || done.errors != 0) {
    return fail("the submission did not finish");
  }

  rgba8_image image;
  if (const auto shown = card.read_display(image); !shown) return fail("no picture", shown.why());
  std::string why;
  if (!tool::write_png(argv[1], image.pixels(), image.width(), image.height(), why)) {
    return fail(why.c_str());
  }
  std::printf("%s  %ux%u\n", argv[1], image.width(), image.height());
  return 0;
}

// SPDX-License-Identifier: MIT
/// \file A machine with one AeroGPU in it, and a guest that draws a desktop: writes it as a PPM.
#include "guest.hpp"
#include "machine.hpp"

#include <cinttypes>
#include <cstdio>
#include <cstring>
#include <vector>

// An optional part of a host, which whoever starts from this one should keep.
static_assert(detail::has_random_seed<machine>);

auto fail(const char* what, const error& why = {}) -> int {
  std::fprintf(stderr, "minimal_emulator: %s: %s\n", what, why.what);
  return 1;
}

/// The colors of an image, without its alpha.
auto write_ppm(const char* path, const rgba8_image& image) -> bool {
  std::vector<std::byte> rgb;
  for (std::size_t i = 0; i < image.pixels().size(); ++i) {
    if (i % 4 != 3) rgb.push_back(image.pixels()[i]);
  }
  std::FILE* const file = std::fopen(path, "wb");
  if (file == nullptr) return false;
  const bool is_begun = std::fprintf(file, "P6\n%u %u\n255\n", image.width(), image.height()) > 0;
  const bool is_whole = std::fwrite(rgb.data(), 1, rgb.size(), file) == rgb.size();
  return (std::fclose(file) == 0) && is_begun && is_whole;
}

auto main(int argc, char** argv) -> int {
  constexpr const char* usage = "usage: minimal_emulator OUT.ppm\n";
  if (argc == 2 && std::strcmp(argv[1], "--help") == 0) return std::fputs(usage, stdout), 0;
  if (argc != 2 || argv[1][0] == '-') return std::fputs(usage, stderr), 2;
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
  if (!write_ppm(argv[1], image)) return fail("the picture cannot be written");
  std::printf("%s  %ux%u\n", argv[1], image.width(), image.height());
  return 0;
}

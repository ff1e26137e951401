// SPDX-License-Identifier: MIT
/// \file The program: draws through the driver, on the kernel that it is linked with.
///
/// usage: program DRIVER open | program DRIVER pictures FOLDER | program DRIVER produce
///        | program DRIVER consume SHARE FOLDER
#include "tests/drivers/wine/umd/driver.hpp"
#include "tests/drivers/wine/umd/kernel.hpp"
#include "tests/drivers/wine/umd/pictures.hpp"

#include <cstdio>
#include <cstdlib>
#include <string_view>

auto main(int count, char** words) -> int {
  if (count < 3) return 2;
  aerogpu::test::kernel_here kernel;
  const auto driver = aerogpu::test::load_driver(words[1]);
  if (driver.open_adapter == nullptr) return 1;
  const std::string_view what = words[2];
  int failures = 1;
  if (what == "open" && count == 3) failures = aerogpu::test::open_device(driver);
  if (what == "pictures" && count == 4) failures = aerogpu::test::draw_pictures(driver, words[3]);
  if (what == "produce" && count == 3) failures = aerogpu::test::produce_surface(driver);
  if (what == "consume" && count == 5) {
    const auto share = static_cast<std::uint32_t>(std::strtoul(words[3], nullptr, 10));
    failures = aerogpu::test::consume_surface(driver, share, words[4]);
  }
  failures += kernel.close();
  std::printf("%d failures\n", failures);
  if (failures == 0) std::printf("the program ran to the end\n");
  return failures == 0 ? 0 : 1;
}

// SPDX-License-Identifier: MIT
/// \file run_sys.exe DRIVER.sys [Catch2's arguments]: the drivers' test cases on the binary itself.
///
/// The last line says that it ran to its end; the exit status alone says nothing under Wine.
#include "drivers/win7/tests/run_sys/driver_image.hpp"
#include "drivers/win7/tests/run_sys/hardware_access.hpp"
#include "drivers/win7/tests/run_sys/kernel_imports.hpp"
#include "drivers/win7/tests/run_sys/run_end.hpp"

#define CATCH_CONFIG_RUNNER
#include "tests/catch.hpp"

#include <cstdio>
#include <cstdlib>

namespace {

constexpr int usage_status = 2;

unsigned long long number(const std::atomic<std::uint64_t>& counter) {
  return counter.load();
}

}  // namespace

void aerogpu::run_sys::end_run(const char* line, int status) noexcept {
  std::fprintf(stderr, "run_sys: %s\n", line);
  std::fflush(stderr);
  std::_Exit(status);
}

int main(int count, char** arguments) {
  using namespace aerogpu::run_sys;
  if (count < 2) {
    std::fputs("usage: run_sys.exe DRIVER.sys [arguments of Catch2]\n", stderr);
    return usage_status;
  }
  set_driver_path(arguments[1]);
  arguments[1] = arguments[0];
  const int failed = Catch::Session().run(count - 1, arguments + 1);
  const auto& all = counts();
  std::printf(
      "imports %u, driver loads %llu, register reads %llu, register writes %llu, "
      "clock reads %llu, IRQL reads %llu\n",
      replaced_imports(), number(all.driver_loads), number(all.register_reads),
      number(all.register_writes), number(all.clock_reads), number(all.irql_reads));
  std::printf("fences %llu, preemptions %llu, vertical blanks %llu, objects left open %d\n",
              number(all.fences), number(all.preemptions), number(all.vblanks),
              open_kernel_objects());
  if (failed != 0 || open_kernel_objects() != 0) return 1;
  std::puts("aerogpu.sys ran to the end");
  std::fflush(stdout);
  return 0;
}

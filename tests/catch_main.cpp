// SPDX-License-Identifier: MIT
// The main of most test programs.
#include "tests/support/sanitizer_options.hpp"
#include "tests/support/test_runner.hpp"

auto main(int argc, char** argv) -> int {
  return aerogpu::test::run_tests(argc, argv);
}

// SPDX-License-Identifier: MIT
#define CATCH_CONFIG_RUNNER
#include "tests/support/test_runner.hpp"

#include "tests/catch.hpp"

auto aerogpu::test::run_tests(int argc, const char* const* argv) -> int {
  return Catch::Session().run(argc, argv);
}

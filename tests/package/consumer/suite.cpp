// SPDX-License-Identifier: MIT
// A program outside of the project: it finds the conformance suite, and says which run was chosen.
#include "tests/conformance/run_mode.hpp"

#include <cstdio>

auto main() -> int {
  using namespace aerogpu::conformance;
  std::printf("consumer: %s\n", current_run() == run_mode::plain ? "plain" : "another run");
}

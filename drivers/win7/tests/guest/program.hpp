// SPDX-License-Identifier: MIT
/// \file A test as a program: words in, lines and an exit code out.
#pragma once

#include "drivers/win7/tests/guest/session.hpp"

#include <cstdint>
#include <span>
#include <string_view>

namespace aerogpu::guest {

struct guest_test {
  std::string_view name;     ///< As kmd.md 5 has it.
  std::string_view summary;  ///< What it asserts, in one sentence.
  std::uint32_t timeout_ms;
  void (*run)(session& with, report& to);
  /// Else it is run without an AeroGPU too, and its session is not open.
  bool needs_device = true;
};

enum class exit_code : int {
  pass = 0,
  fail = 1,
  wrong_usage = 2,
  skip = 77,  ///< The machine lacks what the test is about.
};

/// A test and what it found. It must outlive what a `desktop::run_within` leaves running.
class program {
 public:
  program(const guest_test& test, desktop& around) noexcept : test_(test), around_(around) {}

  /// Runs the test as `words`, the command line without the program's name, ask for. The last line
  /// is PASS, FAIL or SKIP and the test's name; with --json, one object says the same. Once.
  [[nodiscard]] auto run(std::span<const std::string_view> words) -> exit_code;

 private:
  static void run_test(void* with);

  const guest_test& test_;
  desktop& around_;
  bool requires_device_ = false;
  report found_;
};

}  // namespace aerogpu::guest

// SPDX-License-Identifier: MIT
// A finding's rule outlives the test that finds it: text of the test's own is none.
// says (gcc): is not a constant expression
// says (clang): not a constant expression
#include "drivers/win7/tests/guest/report.hpp"

auto check(aerogpu::guest::report& to) -> bool {
#ifdef WRONG
  const char rule[] = "a rule of one row";
#else
  static constexpr char rule[] = "a rule of one row";
#endif
  return to.check(true, rule);
}

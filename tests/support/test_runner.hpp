// SPDX-License-Identifier: MIT
/// \file Runs the cases of a Catch2 program. Catch2 itself is compiled once, with this.
#pragma once

namespace aerogpu::test {

/// What Catch2's own main does with these words; the program's exit status.
[[nodiscard]] auto run_tests(int argc, const char* const* argv) -> int;

}  // namespace aerogpu::test

// SPDX-License-Identifier: MIT
/// \file Random calls of Direct3D 9 on the whole stack below it, natively.
///
/// What must hold: every reference comes back, the driver keeps its contract with the runtime, and
/// the host rejects nothing that it records.
#pragma once

#include "tests/drivers/d3d9/fake_windows.hpp"
#include "tests/drivers/d3d9/random/random_program.hpp"
#include "tests/fuzz/runtime_machine.hpp"

#include <cstdint>
#include <string>

namespace aerogpu::fuzz {

class api_run {
 public:
  explicit api_run(input& in) : in_(in), machine_(in) {}
  api_run(const api_run&) = delete;
  auto operator=(const api_run&) -> api_run& = delete;

  /// Takes steps until the input or their number is used up, then ends everything.
  void run();
  /// What did not hold, a line each; empty when everything did. After `run`.
  [[nodiscard]] auto faults() const noexcept -> const std::string& { return faults_; }
  /// Calls that succeeded: a run in which all are refused tests nothing.
  [[nodiscard]] auto successes() const noexcept -> std::uint64_t { return successes_; }

 private:
  void run_program();

  input& in_;
  runtime_machine machine_;
  test::fake_windows desktop_;
  std::string faults_;
  std::uint64_t successes_ = 0;
};

}  // namespace aerogpu::fuzz

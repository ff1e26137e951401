// SPDX-License-Identifier: MIT
/// \file A device in a machine, as the chosen run of the suite wants the machine to be.
#pragma once

#include "tests/catch.hpp"
#include "tests/conformance/backend_traits.hpp"
#include "tests/conformance/printing.hpp"
#include "tests/conformance/run_mode.hpp"
#include "tests/support/device_harness.hpp"

#include <cstdint>
#include <utility>
#include <vector>

namespace aerogpu::conformance {

using test::byte_vector;
using test::fence_page_gpa;
using test::guest_image;
using test::guest_submission;
using test::idle_stream;
using test::period_ns;
using test::present_stream;
using test::ring_gpa;
using test::stream_builder;
using test::surface_gpa;

/// The chosen run's memory.
[[nodiscard]] inline auto run_mood() -> test::memory_mood {
  return current_run() == run_mode::hostile_memory ? test::memory_mood::hostile
                                                   : test::memory_mood::calm;
}

template <backend B>
struct device_rig : test::device_harness<B> {
  using harness = test::device_harness<B>;

  explicit device_rig(const device_config& config = harness::small_config())
      : harness(backend_traits<B>::make(), config, run_mood()) {}

  /// A rig whose submissions go to an executor that the test plays.
  [[nodiscard]] static auto bridge_config() -> device_config {
    auto config = harness::small_config();
    config.executor = executor_mode::external_bridge;
    return config;
  }
  /// The bridge's executor finished the fence.
  void complete(std::uint64_t fence, error_code why = error_code::none) {
    this->dev->complete({fence_value{fence}, this->dev->generation(),
                         error{.code = why, .what = "told by a test"}});
  }
  /// Fences of the submissions that wait for the executor; they are taken.
  auto take_fences() -> std::vector<std::uint64_t> {
    std::vector<std::uint64_t> fences;
    captured_submission next;
    while (this->dev->take_submission(next)) fences.push_back(raw(next.fence));
    return fences;
  }

  /// What the error registers hold.
  void check_error(aerogpu_error_code code, std::uint64_t fence, std::uint32_t count = 1) {
    CHECK(this->error_code_register() == static_cast<std::uint32_t>(code));
    CHECK(this->error_fence() == fence);
    CHECK(this->error_count() == count);
    const bool is_pending = (this->irq_status() & AEROGPU_IRQ_ERROR) != 0;
    CHECK(is_pending == (count != 0));
  }
  void check_no_error() { check_error(AEROGPU_ERROR_NONE, 0, 0); }
};

}  // namespace aerogpu::conformance

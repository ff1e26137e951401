// SPDX-License-Identifier: MIT
/// \file The suite over the null backend.
#pragma once

#include "null/null_backend.hpp"
#include "tests/conformance/backend_traits.hpp"
#include "tests/conformance/run_mode.hpp"

#include <memory>
#include <tuple>

namespace aerogpu::conformance {

template <>
struct backend_traits<null_backend> {
  static constexpr bool clears = true;
  static void hold(null_backend& on) { on.set_completion(null_completion::held); }
  static void release_one(null_backend& on) { on.release(1); }
  [[nodiscard]] static auto make() -> std::unique_ptr<null_backend> {
    return std::make_unique<null_backend>(
        current_run() == run_mode::held ? null_completion::held : null_completion::immediate);
  }
};

using backends = std::tuple<null_backend>;

}  // namespace aerogpu::conformance

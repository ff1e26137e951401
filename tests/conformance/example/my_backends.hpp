// SPDX-License-Identifier: MIT
#pragma once
#include "my_backend.hpp"
#include "tests/conformance/backend_traits.hpp"

#include <memory>
#include <tuple>

namespace aerogpu::conformance {
template <>
struct backend_traits<my_backend> {
  static auto make() -> std::unique_ptr<my_backend> { return std::make_unique<my_backend>(); }
};
using backends = std::tuple<my_backend>;
}  // namespace aerogpu::conformance

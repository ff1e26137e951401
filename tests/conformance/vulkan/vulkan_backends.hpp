// SPDX-License-Identifier: MIT
/// \file The suite over the Vulkan backend.
#pragma once

#include "tests/conformance/backend_traits.hpp"
#include "tests/support/vulkan/vulkan_pool.hpp"
#include "tests/support/vulkan/vulkan_processor.hpp"

#include <tuple>

namespace aerogpu::conformance {

template <>
struct backend_traits<vulkan::vulkan_backend> {
  static constexpr bool clears = true;
  [[nodiscard]] static auto make() -> test::owned_backend<vulkan::vulkan_backend> {
    return test::borrow_vulkan_backend();
  }
};

using backends = std::tuple<vulkan::vulkan_backend>;

}  // namespace aerogpu::conformance

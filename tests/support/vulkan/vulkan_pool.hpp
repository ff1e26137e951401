// SPDX-License-Identifier: MIT
/// \file Vulkan backends for tests: opened once, lent to one case after the other.
#pragma once

#include "tests/support/owned_backend.hpp"
#include "vulkan/vulkan_backend.hpp"

#include <cstdint>

namespace aerogpu::test {

/// A backend without objects, under the validation layers. Returning it fails the running case when
/// objects are left or the layers complained. Ends the program with a sentence when this machine
/// has no Vulkan device: a test that cannot run must not pass.
[[nodiscard]] auto borrow_vulkan_backend() -> owned_backend<vulkan::vulkan_backend>;

/// Errors of the validation layers, of all backends that were lent.
[[nodiscard]] auto validation_errors_of_all() -> std::uint32_t;

}  // namespace aerogpu::test

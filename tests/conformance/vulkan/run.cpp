// SPDX-License-Identifier: MIT
// The whole suite over the Vulkan backend, and what must hold after all of it.
#define AEROGPU_CONFORMANCE_BACKENDS_HEADER "tests/conformance/vulkan/vulkan_backends.hpp"
#include "tests/conformance/all.hpp"

TEST_CASE("~ the validation layers had nothing to say about all of the cases") {
  CHECK(aerogpu::test::validation_errors_of_all() == 0);
}

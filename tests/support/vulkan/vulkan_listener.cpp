// SPDX-License-Identifier: MIT
// Before the first case of a program that uses Vulkan: drivers and layers are loaded to stay.
#define CATCH_CONFIG_EXTERNAL_INTERFACES
#include "tests/catch.hpp"
#include "tests/support/vulkan/vulkan_leaks.hpp"

namespace {

#if __has_include(<catch2/catch_all.hpp>)
using listener_base = Catch::EventListenerBase;
#else
using listener_base = Catch::TestEventListenerBase;
#endif

class vulkan_listener final : public listener_base {
 public:
  using listener_base::listener_base;
  void testRunStarting(const Catch::TestRunInfo&) override {
    aerogpu::test::require_vulkan_device();
  }
};

CATCH_REGISTER_LISTENER(vulkan_listener)

}  // namespace

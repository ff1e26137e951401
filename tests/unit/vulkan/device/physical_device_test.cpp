// SPDX-License-Identifier: MIT
#include "vulkan/device/physical_device.hpp"

#include "tests/catch.hpp"

#include <cstring>
#include <string>

using namespace aerogpu;
using namespace aerogpu::vulkan;

namespace {

auto candidate(const char* name, VkPhysicalDeviceType type, const char* missing = nullptr)
    -> device_candidate {
  device_candidate made;
  std::strncpy(made.properties.deviceName, name, sizeof made.properties.deviceName - 1);
  made.properties.deviceType = type;
  made.missing = missing;
  return made;
}

auto named(const char* wanted) -> gpu_options {
  gpu_options options;
  options.device = wanted;
  return options;
}

const std::vector<device_candidate> three_candidates{
    candidate("Old Radeon", VK_PHYSICAL_DEVICE_TYPE_DISCRETE_GPU, "the device lacks Vulkan 1.3"),
    candidate("Radeon 3000", VK_PHYSICAL_DEVICE_TYPE_DISCRETE_GPU),
    candidate("llvmpipe", VK_PHYSICAL_DEVICE_TYPE_CPU),
};

}  // namespace

TEST_CASE("the best kinds of devices come first, each kind in the loader's order",
          "[vulkan][choice]") {
  std::vector<device_candidate> candidates{
      candidate("other", VK_PHYSICAL_DEVICE_TYPE_OTHER),
      candidate("cpu", VK_PHYSICAL_DEVICE_TYPE_CPU),
      candidate("virtual", VK_PHYSICAL_DEVICE_TYPE_VIRTUAL_GPU),
      candidate("discrete", VK_PHYSICAL_DEVICE_TYPE_DISCRETE_GPU),
      candidate("integrated", VK_PHYSICAL_DEVICE_TYPE_INTEGRATED_GPU),
      candidate("discrete", VK_PHYSICAL_DEVICE_TYPE_DISCRETE_GPU, "second"),
  };
  rank_candidates(candidates);
  std::string order;
  for (const auto& each : candidates) order += std::string{each.properties.deviceName} + " ";
  CHECK(order == "discrete discrete integrated virtual cpu other ");
  CHECK(candidates[0].missing == nullptr);
  CHECK(candidates[1].missing != nullptr);
  for (const auto& each : candidates) {
    CHECK(std::string{kind_of(each.properties.deviceType)} == each.properties.deviceName);
  }
}

TEST_CASE("a device is chosen by nothing, by number and by a part of its name",
          "[vulkan][choice]") {
  const auto [wanted, place] = GENERATE(table<const char*, std::size_t>({
      {"", 1},  // The first that is usable.
      {"1", 1},
      {"2", 2},
      {"radeon", 1},  // The first that fits is not usable.
      {"N 3000", 1},
      {"LLVM", 2},
  }));
  INFO(wanted);
  const auto chosen = choose_candidate(three_candidates, named(wanted));
  REQUIRE(static_cast<bool>(chosen));
  CHECK(*chosen == place);
}

TEST_CASE("a device that lacks something is refused with its lack", "[vulkan][choice]") {
  for (const char* const wanted : {"0", "old"}) {
    const auto chosen = choose_candidate(three_candidates, named(wanted));
    REQUIRE_FALSE(static_cast<bool>(chosen));
    CHECK(chosen.why().code == error_code::unsupported);
    CHECK(std::string{chosen.why().what} == "the device lacks Vulkan 1.3");
  }
}

TEST_CASE("a device that is not safe is refused with its reason, unless it is allowed",
          "[vulkan][choice][safety]") {
  std::vector<device_candidate> candidates{
      candidate("fast", VK_PHYSICAL_DEVICE_TYPE_DISCRETE_GPU),
      candidate("safe", VK_PHYSICAL_DEVICE_TYPE_CPU),
  };
  candidates[0].unsafe = "the device lacks robustImageAccess, so that ...";
  gpu_options wanted;
  REQUIRE(choose_candidate(candidates, wanted));
  CHECK(*choose_candidate(candidates, wanted) == 1);
  wanted.device = "fast";
  const auto refused = choose_candidate(candidates, wanted);
  REQUIRE_FALSE(refused);
  CHECK(refused.why().code == error_code::unsupported);
  CHECK(std::string{refused.why().what} == candidates[0].unsafe);
  wanted.allow_unsafe_device = true;
  REQUIRE(choose_candidate(candidates, wanted));
  CHECK(*choose_candidate(candidates, wanted) == 0);
  candidates[0].missing = "the device lacks Vulkan 1.3";
  CHECK_FALSE(choose_candidate(candidates, wanted));
}

TEST_CASE("a wish that fits no device is refused, as is any without devices", "[vulkan][choice]") {
  for (const char* const wanted :
       {"3", "3000", "geforce", "Radeon 3000 Ti", "99999999999999999999999"}) {
    const auto chosen = choose_candidate(three_candidates, named(wanted));
    REQUIRE_FALSE(static_cast<bool>(chosen));
    CHECK(std::string{chosen.why().what}.find("--list-devices") != std::string::npos);
    CHECK(chosen.why().detail == three_candidates.size());
  }
  const auto none = choose_candidate({}, named(""));
  REQUIRE_FALSE(static_cast<bool>(none));
  CHECK(std::string{none.why().what}.find("mesa-vulkan-drivers") != std::string::npos);
}

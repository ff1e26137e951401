// SPDX-License-Identifier: MIT
// Labels and regions, with functions in place of a device's.
#include "vulkan/commands/capture_labels.hpp"

#include "tests/catch.hpp"

#include <string>

using namespace aerogpu;
using vulkan::capture_labels;

namespace {

std::string labelled;

/// Notes what a capture would show: (region (region) packet.
struct labelled_device {
  labelled_device() {
    labelled.clear();
    device.debug.begin_label = [](VkCommandBuffer, const VkDebugUtilsLabelEXT* label) {
      labelled += std::string{"("} + label->pLabelName;
    };
    device.debug.insert_label = [](VkCommandBuffer, const VkDebugUtilsLabelEXT* label) {
      labelled += std::string{"<"} + label->pLabelName + ">";
    };
    device.debug.end_label = [](VkCommandBuffer) { labelled += ")"; };
  }
  vulkan::gpu device;
  VkCommandBuffer main = VK_NULL_HANDLE;
  capture_labels labels;
};

}  // namespace

TEST_CASE("vulkan::capture_labels: packets are counted in their submission",
          "[vulkan][capture_labels]") {
  labelled_device on;
  on.labels.begin_submission(submission_id{7});
  on.labels.mark_packet(on.device, on.main, "CLEAR");
  on.labels.mark_packet(on.device, on.main, "DRAW");
  on.labels.begin_submission(submission_id{8});
  on.labels.mark_packet(on.device, on.main, "DRAW");
  CHECK(labelled == "<CLEAR 1 of submission 7><DRAW 2 of submission 7><DRAW 1 of submission 8>");
}

TEST_CASE("vulkan::capture_labels: a region ends where the next one or the commands do",
          "[vulkan][capture_labels]") {
  labelled_device on;
  on.labels.begin_region(on.device, on.main, "sky");
  on.labels.begin_region(on.device, on.main, "sea");
  on.labels.end_region(on.device, on.main);
  on.labels.end_region(on.device, on.main);
  CHECK(labelled == "(sky)(sea)");
}

TEST_CASE("vulkan::capture_labels: a region of commands that are gone is not ended in others",
          "[vulkan][capture_labels]") {
  labelled_device on;
  on.labels.begin_region(on.device, on.main, "sky");
  on.labels.forget_region();
  on.labels.begin_region(on.device, on.main, "sea");
  CHECK(labelled == "(sky(sea");
}

TEST_CASE("vulkan::capture_labels: nothing is said where debug_utils is off",
          "[vulkan][capture_labels]") {
  labelled_device on;
  on.device.debug = {};
  on.labels.mark_packet(on.device, on.main, "DRAW");
  on.labels.begin_region(on.device, on.main, "sky");
  on.labels.end_region(on.device, on.main);
  CHECK(labelled.empty());
}

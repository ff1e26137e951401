// SPDX-License-Identifier: MIT
// The device that shaders run on.
#include "tests/catch.hpp"
#include "tests/support/vulkan/vulkan_device.hpp"

#include <cstdlib>
#include <stdexcept>
#include <string>

namespace aerogpu::test {

namespace {

/// Layers are looked for there alone.
class layer_folder {
 public:
  explicit layer_folder(const char* folder) {
    if (const char* const before = std::getenv(variable)) before_ = before;
    REQUIRE(setenv(variable, folder, 1) == 0);
  }
  layer_folder(const layer_folder&) = delete;
  auto operator=(const layer_folder&) -> layer_folder& = delete;
  ~layer_folder() {
    if (before_.empty())
      unsetenv(variable);
    else
      setenv(variable, before_.c_str(), 1);
  }

 private:
  static constexpr const char* variable = "VK_LAYER_PATH";

  std::string before_;
};

}  // namespace

TEST_CASE("a device under validation does not open without the layer, and names its package",
          "[shaders]") {
  const layer_folder nowhere{"/nowhere"};
  std::string why;
  try {
    static_cast<void>(vulkan_device::open(vulkan_device::layers::validation));
  } catch (const std::runtime_error& refusal) {
    why = refusal.what();
  }
  CHECK(why.find("vulkan-validationlayers") != std::string::npos);
}

}  // namespace aerogpu::test

// SPDX-License-Identifier: MIT
// What a device lacks is an error of the draw that needs it.
#include "tests/vulkan_faults/faulty_guest.hpp"
#include "tests/vulkan_faults/small_scene.hpp"
#include "vulkan/engine.hpp"

#include <string_view>

using namespace aerogpu;
using namespace aerogpu::test;

TEST_CASE("a device without triangle fans refuses them, and draws the rest", "[faults]") {
  const auto backend = open_faulty_backend(fault_options());
  faulty_guest guest{*backend};
  REQUIRE(guest.run(small_scene::objects()).code == error_code::none);
  const auto fan = stream_builder{}.topology(AEROGPU_TOPOLOGY_TRIANGLEFAN).draw(4);
  CHECK(guest.run(fan).code == error_code::none);
  backend->inside().device->gpu->features.triangle_fans = false;
  const error why = guest.run(fan);
  CHECK(why.code == error_code::unsupported);
  CHECK(std::string_view{why.what} == "the device has no triangle fans");
  CHECK(guest.run(stream_builder{}.topology(AEROGPU_TOPOLOGY_TRIANGLESTRIP).draw(4)).code ==
        error_code::none);
}

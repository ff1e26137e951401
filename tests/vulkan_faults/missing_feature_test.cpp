// SPDX-License-Identifier: MIT
// What a device lacks is an error of the draw that needs it.
#include "tests/support/byte_code/dxbc_samples.hpp"
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
  backend->inside().device()->gpu->features.triangle_fans = false;
  const error why = guest.run(fan);
  CHECK(why.code == error_code::unsupported);
  CHECK(std::string_view{why.what} == "the device has no triangle fans");
  CHECK(guest.run(stream_builder{}.topology(AEROGPU_TOPOLOGY_TRIANGLESTRIP).draw(4)).code ==
        error_code::none);
}

TEST_CASE("a device without geometry shaders refuses primitives with adjacency, and draws the rest",
          "[faults]") {
  const auto topology =
      GENERATE(AEROGPU_TOPOLOGY_LINELIST_ADJ, AEROGPU_TOPOLOGY_LINESTRIP_ADJ,
               AEROGPU_TOPOLOGY_TRIANGLELIST_ADJ, AEROGPU_TOPOLOGY_TRIANGLESTRIP_ADJ);
  CAPTURE(topology);
  const auto backend = open_faulty_backend(fault_options());
  faulty_guest guest{*backend};
  REQUIRE(guest.run(small_scene::objects()).code == error_code::none);
  backend->inside().device()->gpu->features.geometry = false;
  const error why = guest.run(stream_builder{}.topology(topology).draw(6));
  CHECK(why.code == error_code::unsupported);
  CHECK(std::string_view{why.what} == "the device has no primitives with adjacency");
  CHECK(guest.run(stream_builder{}.topology(AEROGPU_TOPOLOGY_TRIANGLELIST).draw(3)).code ==
        error_code::none);
}

TEST_CASE("a shader that needs what the device lacks never becomes a module", "[faults]") {
  const auto backend = open_faulty_backend(fault_options());
  faulty_guest guest{*backend};
  bool& has_geometry = backend->inside().device()->gpu->features.geometry;
  for (const bool has : {false, true}) {
    has_geometry = has;
    const std::uint64_t before = backend->counters().shader_modules;
    // A refusal is remembered with the code.
    const byte_vector code = has ? gs_4_0_point() : sm4::gs_point_to_quad();
    REQUIRE(guest.run(stream_builder{}.create_shader(1, wire_gs, code)).code == error_code::none);
    CHECK(backend->counters().shader_modules - before == (has ? 1 : 0));
    guest.reset();
  }
}

TEST_CASE("a group that shares more than the device has is not dispatched", "[faults]") {
  constexpr std::uint32_t shared_bytes = 64 + 128;
  const auto backend = open_faulty_backend(fault_options());
  faulty_guest guest{*backend};
  REQUIRE(guest.run(stream_builder{}.create_shader(1, wire_cs, sm4::cs_shared())).code ==
          error_code::none);
  const auto dispatch = stream_builder{}.bind_shaders(0, 0, 1).dispatch(1, 1, 1);
  std::uint32_t& most =
      backend->inside().device()->gpu->properties.limits.maxComputeSharedMemorySize;
  most = shared_bytes - 1;
  CHECK(guest.run(dispatch).code == error_code::unsupported);
  most = shared_bytes;
  CHECK(guest.run(dispatch).code == error_code::none);
}

TEST_CASE("constants beyond the device's uniform buffers are refused", "[faults]") {
  const auto backend = open_faulty_backend(fault_options());
  faulty_guest guest{*backend};
  REQUIRE(guest
              .run(small_scene::objects()
                       .create_shader(11, wire_vs, sm4::vs_position_only())
                       .create_shader(12, wire_ps, sm4::ps_constant(0, 3, 4)))
              .code == error_code::none);
  const auto draw = stream_builder{}.bind_shaders(11, 12).draw(3);
  std::uint32_t& most = backend->inside().device()->gpu->properties.limits.maxUniformBufferRange;
  most = 48;
  const error why = guest.run(draw);
  CHECK(why.code == error_code::unsupported);
  CHECK(std::string_view{why.what} ==
        "a constant buffer is larger than the device's uniform buffers");
}

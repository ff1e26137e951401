// SPDX-License-Identifier: MIT
// Draws and dispatches that would take years: they are cut, and stopped in between, on a device
// that goes on.
#include "tests/support/byte_code/dxbc_samples.hpp"
#include "tests/support/byte_code/shaders.hpp"
#include "tests/support/layout_blobs.hpp"
#include "tests/vulkan_faults/faulty_guest.hpp"
#include "vulkan/engine.hpp"

#include <cstdint>
#include <memory>
#include <string_view>

using namespace aerogpu;
using namespace aerogpu::test;

namespace {

constexpr std::uint32_t target = 50, vertices = 51, counter = 52, vs = 50, ps = 51, cs = 52;

/// Batches of some thousand primitives, and little time.
auto impatient_options() -> vulkan::backend_options {
  vulkan::backend_options options = fault_options();
  options.watchdog_ms = 1'000;
  options.bounds.work_per_batch = 1ull << 28;
  return options;
}

struct endless_rig {
  std::unique_ptr<vulkan::vulkan_backend> backend = open_faulty_backend(impatient_options());
  faulty_guest guest{*backend};

  endless_rig() {
    REQUIRE(guest
                .run(stream_builder{}
                         .create_texture(target, {.format = AEROGPU_FORMAT_R8G8B8A8_UNORM,
                                                  .width = 16,
                                                  .height = 16,
                                                  .usage = AEROGPU_RESOURCE_USAGE_RENDER_TARGET})
                         .create_buffer(vertices, 64)
                         .create_shader(vs, wire_vs, vs_2_0_position())
                         .create_shader(ps, wire_ps, ps_2_0_white())
                         .create_layout(50, declaration_blob({{0, 0, 3, 0, 0, 0}, declaration_end}))
                         .targets({target})
                         .viewport({0, 0, 16, 16, 0, 1})
                         .bind_shaders(vs, ps)
                         .set_layout(50)
                         .vertex_buffer(0, vertices, 16)
                         .topology(AEROGPU_TOPOLOGY_TRIANGLELIST))
                .code == error_code::none);
  }
  /// It is stopped, and told so; the same device draws on.
  void is_stopped(const stream_builder& stream) {
    const error why = guest.run(stream);
    CHECK(why.code == error_code::unsupported);
    CHECK(std::string_view{why.what} == "a draw or dispatch takes longer than the watchdog allows");
    CHECK(guest.run(stream_builder{}.bind_shaders(vs, ps).draw(3)).code == error_code::none);
    CHECK(backend->counters().device_losses == 0);
  }
};

}  // namespace

TEST_CASE("a draw that would take years is stopped, and its device goes on", "[faults][endless]") {
  endless_rig rig;
  rig.is_stopped(stream_builder{}.draw(0xFFFF'FFF0u, 0xFFFF'FFFFu));
}

TEST_CASE("a dispatch that would take years is stopped, and its device goes on",
          "[faults][endless]") {
  endless_rig rig;
  rig.is_stopped(stream_builder{}
                     .create_buffer(counter, 64)
                     .create_shader(cs, wire_cs, sm4::cs_atomic())
                     .unordered_access(wire_cs, 0, {{counter}})
                     .bind_shaders(0, 0, cs)
                     .dispatch(65'535, 65'535, 65'535));
}

TEST_CASE("a draw of much work is many batches, of which few are in flight", "[faults][endless]") {
  endless_rig rig;
  const std::uint64_t before = rig.backend->counters().batches;
  CHECK(rig.guest.submit(stream_builder{}.draw(60'000)).code == error_code::none);
  CHECK(rig.backend->counters().batches - before >= 10);
  CHECK(rig.backend->inside().device->work.in_flight() <= 4);
  rig.guest.finish();
}

TEST_CASE("a fan of far too much work is refused, and one of some work is drawn",
          "[faults][endless]") {
  endless_rig rig;
  const error why =
      rig.guest.run(stream_builder{}.topology(AEROGPU_TOPOLOGY_TRIANGLEFAN).draw(0xFFFF'FFF0u));
  CHECK(why.code == error_code::unsupported);
  CHECK(std::string_view{why.what} ==
        "a draw that cannot be cut is more work than a device should get");
  CHECK(rig.guest.run(stream_builder{}.draw(10'000)).code == error_code::none);
  CHECK(rig.backend->counters().device_losses == 0);
}

// SPDX-License-Identifier: MIT
// Draws and dispatches that would take years: they are cut, and stopped in between, on a device
// that goes on.
#include "tests/support/byte_code/dxbc_samples.hpp"
#include "tests/vulkan_faults/faulty_guest.hpp"
#include "tests/vulkan_faults/small_scene.hpp"
#include "vulkan/engine.hpp"

#include <cstdint>
#include <memory>
#include <string_view>

using namespace aerogpu;
using namespace aerogpu::test;

namespace {

constexpr std::uint32_t counter = 52, cs = 52;

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

  endless_rig() { REQUIRE(guest.run(small_scene::objects()).code == error_code::none); }
  /// It is stopped, and told so; the same device draws on.
  void is_stopped(const stream_builder& stream) {
    const error why = guest.run(stream);
    CHECK(why.code == error_code::unsupported);
    CHECK(std::string_view{why.what} == "a draw or dispatch takes longer than the watchdog allows");
    CHECK(guest.run(stream_builder{}.bind_shaders(small_scene::vs, small_scene::ps).draw(3)).code ==
          error_code::none);
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

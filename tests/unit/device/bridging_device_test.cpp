// SPDX-License-Identifier: MIT
// A device without a command processor: what is another executor's goes as on any device (DEV-083
// to DEV-088), and what only a processor can do is refused.
#include "aerogpu/device/bridging_device.hpp"

#include "null/null_backend.hpp"
#include "tests/catch.hpp"
#include "tests/support/device_harness.hpp"

#include <cstdint>
#include <memory>

namespace aerogpu {
namespace {

using test::device_harness;
using test::idle_stream;
using test::stream_builder;

template <device_backend B>
auto config_of(executor_mode executor) -> device_config {
  auto config = device_harness<B>::small_config();
  config.executor = executor;
  return config;
}

template <device_backend B>
struct rig : device_harness<B> {
  explicit rig(executor_mode executor = executor_mode::external_bridge)
      : device_harness<B>(std::make_unique<B>(), config_of<B>(executor)) {
    this->start();
  }
  auto saved() -> test::byte_vector {
    snapshot_writer out;
    REQUIRE(this->dev->save(out));
    return {out.bytes().begin(), out.bytes().end()};
  }
};
using bridge_rig = rig<no_backend>;
using processor_rig = rig<null_backend>;

auto texture_stream() -> test::byte_vector {
  return stream_builder{}.create_texture(1, {}).bytes();
}

}  // namespace

TEST_CASE("a bridging device hands on submissions, and completes their fences in order") {
  bridge_rig rig;
  rig.submit({.fence = 1, .stream = texture_stream()});
  rig.submit({.fence = 2, .stream = idle_stream()});
  captured_submission first;
  captured_submission second;
  REQUIRE(rig.dev->take_submission(first));
  REQUIRE(rig.dev->take_submission(second));
  CHECK(first.fence == fence_value{1});
  CHECK(first.stream.size() == texture_stream().size());
  rig.dev->complete(second.completion());
  CHECK(rig.completed() == 0);
  rig.dev->complete(first.completion());
  CHECK(rig.completed() == 2);
  CHECK(rig.error_count() == 0);
}

TEST_CASE("a bridging device shows the guest's frame buffer") {
  bridge_rig rig;
  rig.machine.ram.poke(gpa{test::surface_gpa}, test::byte_vector(64, std::byte{0x55}));
  rig.set_scanout({});
  rgba8_image image;
  REQUIRE(rig.dev->read_display(image));
  CHECK(image.row(3)[12] == std::byte{0x55});
}

TEST_CASE("a bridging device is not made to execute in process") {
  test::fake_machine machine{test::memory_mood::calm};
  no_backend nothing;
  const auto made = bridging_device<test::fake_machine>::create(
      machine, nothing, config_of<no_backend>(executor_mode::in_process));
  REQUIRE_FALSE(made);
  CHECK(made.why().code == error_code::invalid_parameter);
}

TEST_CASE("a bridging device told to execute fails each submission, and its fence advances") {
  bridge_rig rig;
  rig.dev->set_executor(executor_mode::in_process);
  rig.submit({.fence = 1, .stream = idle_stream()});
  CHECK(rig.completed() == 1);
  CHECK(rig.error_count() == 1);
  REQUIRE(rig.machine.errors.size() == 1);
  CHECK(rig.machine.errors[0].why.code == error_code::unsupported);
}

TEST_CASE("a bridging device's snapshot loads into devices of both kinds") {
  bridge_rig from;
  from.submit({.fence = 7, .stream = idle_stream()});
  const auto snapshot = from.saved();
  const auto goes_on = [&](auto&& to) {
    REQUIRE(to.dev->load(snapshot));
    captured_submission waiting;
    REQUIRE(to.dev->take_submission(waiting));
    to.dev->complete(waiting.completion());
    CHECK(to.completed() == 7);
  };
  goes_on(bridge_rig{});
  goes_on(processor_rig{});
}

TEST_CASE("a bridging device refuses a snapshot with a processor's objects, and is unchanged") {
  processor_rig from{executor_mode::in_process};
  from.submit({.fence = 9, .stream = texture_stream()});
  bridge_rig to;
  to.submit({.fence = 1, .stream = idle_stream()});
  const auto loaded = to.dev->load(from.saved());
  REQUIRE_FALSE(loaded);
  CHECK(loaded.why().code == error_code::unsupported);
  CHECK(to.completed() == 0);
  captured_submission waiting;
  CHECK(to.dev->take_submission(waiting));
}

}  // namespace aerogpu

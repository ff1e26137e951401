// SPDX-License-Identifier: MIT
// Tests of where guests' ids lie in a device's tables: the host's random_seed decides.
#include "tests/catch.hpp"
#include "tests/support/device_harness.hpp"
#include "tests/support/processors/null_processor.hpp"

#include <cstdint>
#include <memory>

using namespace aerogpu;

namespace {

/// A machine with random numbers, or what a test takes for such.
struct seeded_machine : test::fake_machine {
  seeded_machine() : fake_machine(test::memory_mood::calm) {}

  auto random_seed() noexcept -> std::uint64_t {
    ++seeds_taken;
    return seed;
  }

  std::uint64_t seed = 0;
  int seeds_taken = 0;
};

using seeded_device = device<seeded_machine, null_backend>;

auto make_device(seeded_machine& machine, null_backend& backend) -> std::unique_ptr<seeded_device> {
  device_config config;
  config.bar1_bytes = 1u << 19;
  auto made = seeded_device::create(machine, backend, config);
  REQUIRE(made);
  return *std::move(made);
}

/// A snapshot of a device whose guest named some of everything.
auto snapshot_under(std::uint64_t seed) -> test::byte_vector {
  seeded_machine machine;
  machine.seed = seed;
  null_backend backend;
  const auto gpu = make_device(machine, backend);
  test::stream_builder stream;
  for (std::uint32_t i = 1; i <= 50; ++i) stream.create_buffer(i * 77, 16).create_sampler(i * 31);
  REQUIRE(gpu->processor().execute({.stream = stream.bytes()}, machine.ram).why.code ==
          error_code::none);
  snapshot_writer out;
  REQUIRE(gpu->save(out));
  return {out.bytes().begin(), out.bytes().end()};
}

}  // namespace

TEST_CASE("a device asks its host for one seed, when it is made", "[device]") {
  seeded_machine machine;
  null_backend backend;
  const auto gpu = make_device(machine, backend);
  CHECK(machine.seeds_taken == 1);
  gpu->device_reset();
  gpu->tick();
  CHECK(machine.seeds_taken == 1);
}

TEST_CASE("the seed shows nowhere: snapshots under different ones are equal", "[device]") {
  CHECK(snapshot_under(1) == snapshot_under(2));
}
